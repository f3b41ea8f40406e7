"""A table: one game that is being played, with a person or an engine in each seat.

Owns what people may do at the table.  messages.py makes what is sent to pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.engines.levels import levels_of
from forthvm.game.typed_moves import match_move
from forthvm.web.serving.errors import RequestError
from forthvm.web.table.endings import RESIGNED, agreed_draw, analysis
from forthvm.web.table.offers import ANALYSIS, DRAW, REMATCH, UNDO, Offer
from forthvm.web.table.played_game import PlayedGame, players_of
from forthvm.web.table.seats import GUEST, PERSON, Seats

if TYPE_CHECKING:
    from collections.abc import Collection

    from forthvm.game import Game, Position
    from forthvm.web.table.clocks import TimeControl
    from forthvm.web.table.seats import Viewer
    from forthvm.web.table.variations import Variations

__all__ = ["ENGINES", "Table", "engines_of", "players_of"]

ENGINES = ("random", "negamax:depth=1", "negamax:time=0.5", "negamax:time=2", "mcts:time=2")
"""The engines that every table offers, besides the levels of the game."""
_STAND_IN = "negamax:depth=1"
"""The engine of a player who has left a game of more than two players."""


def engines_of(game: Game) -> list[str]:
    """Return the engines that a table of a game offers."""
    return [*(f"level:{level.number}" for level in levels_of(game)), *ENGINES]


class Table(PlayedGame):
    """A game that is being played, and its seats.

    Attributes:
        seats: Who plays for each player.
        offer: The offer that waits for answers.
        analysis_agreed: Whether all people have agreed that the owner may ask an engine.
    """

    def __init__(
        self,
        game: Game,
        *,
        persons: Collection[str] = (),
        guests: Collection[str] = (),
        engine: str = "",
        position: Position | None = None,
    ) -> None:
        """Set up the first position.

        Args:
            game: The game.
            persons: The players for whom people at the owner's windows play.
            guests: The players for whom people elsewhere play.
            engine: The engine of the other seats; without one, they are for people here.
            position: The position in which the play begins; None: the start of the game.
        """
        super().__init__(game, position)
        others = engine or PERSON
        self.seats = Seats(
            {
                name: GUEST if name in guests else PERSON if name in persons else others
                for name in players_of(game)
            },
            engines_of(game),
        )
        self.offer: Offer | None = None
        self.analysis_agreed = False

    # --- moves ----------------------------------------------------------------------------

    def play(self, viewer: Viewer, node: int, index: int) -> None:
        """Make a legal move.

        Args:
            viewer: What the person who makes the move may do.
            node: The node that the person saw; the move is refused if the game is elsewhere now.
            index: The index of the move in the list of legal moves.

        Raises:
            RequestError: The position has changed, another player is to move, or there is no such
                move.
        """
        self.check_turn(viewer, node)
        moves = self.position.legal_moves
        if not 0 <= index < len(moves):
            raise RequestError("not-legal", "This is not a legal move.")
        self.make(moves[index])

    def play_typed(self, viewer: Viewer, node: int, typed: str) -> None:
        """Make the move that a text means, or all partial moves of a chain.

        Raises:
            RequestError: The text means no move; the message names similar moves.
        """
        self.check_turn(viewer, node)
        match = match_move(typed, self.position)
        if match.move is None or not match.is_certain:
            near = [match.move] if match.move else match.suggestions
            moves = "; ".join(visible(str(move)) for move in near)
            text = visible(match.problem) + (f"; did you mean {moves}?" if match.move else "")
            raise RequestError("no-move" if moves else "not-a-move", text, typed=typed, moves=moves)
        self.make(match.move)
        for move in match.following:
            self.make(self.position.legal_moves[move.index])

    def check_turn(self, viewer: Viewer, node: int) -> None:
        """Raise RequestError unless the viewer is to move at a node."""
        if node != self.tree.played.number:
            raise RequestError("position-changed", "The position has changed.")
        if not self.may_move(viewer):
            raise RequestError("not-your-turn", "It is not your turn.")

    def play_for_engine(self, index: int | None) -> None:
        """Make the legal move that the engine to move has chosen; None if the engine resigns."""
        if index is None:
            self.leave(self.position.turn, RESIGNED)
        else:
            self.make(self.position.legal_moves[index])

    # --- taking back ----------------------------------------------------------------------

    def may_step_back(self, viewer: Viewer) -> bool:
        """Whether the last move belongs to the unfinished turn of a viewer's player."""
        last = self.tree.played.entry
        return self.may_move(viewer) and last is not None and last.player == self.position.turn

    def step_back(self, viewer: Viewer) -> None:
        """Take back the last move of an unfinished turn.

        Raises:
            RequestError: The viewer's player has no unfinished turn.
        """
        if not self.may_step_back(viewer):
            raise RequestError("nothing-to-undo", "There is no move to take back.")
        self.go(self.tree.back)

    def undo(self, viewer: Viewer) -> None:
        """Take back the unfinished turn of a viewer's player, else offer to take back the last.

        Raises:
            RequestError: No move was made.
        """
        if self.tree.played.parent is None:
            raise RequestError("nothing-to-undo", "There is no move to take back.")
        if self.may_step_back(viewer):
            self.take_back(viewer.players)
        else:
            self.make_offer(viewer, UNDO)

    def redo(self, viewer: Viewer) -> None:
        """Make the moves again that were taken back, until a person is to move.

        Raises:
            RequestError: No move was taken back, or people elsewhere play.
        """
        self._check_alone(viewer)
        self.go(self.tree.forward)
        while self.tree.may_go_forward and not self.seats.is_person(self.position.turn):
            self.go(self.tree.forward)

    def play_from(self, viewer: Viewer, node: int) -> None:
        """Continue the game from a node of the tree.

        Raises:
            RequestError: There is no such node, or people elsewhere play.
        """
        self._check_alone(viewer)
        self.go(lambda: self.tree.play_from(node))

    def _check_alone(self, viewer: Viewer) -> None:
        """Raise RequestError if people elsewhere play."""
        if self._parties_besides(viewer):
            raise RequestError("not-alone", "This would change the game of the people elsewhere.")

    # --- offers and ends ------------------------------------------------------------------

    def make_offer(self, viewer: Viewer, kind: str) -> None:
        """Make an offer to the other people; if there are none, it is accepted at once.

        Raises:
            RequestError: The offer is not possible in this state of the game.
        """
        self._check_offer(viewer, kind)
        self.offer = Offer.make(kind, viewer, self._parties_besides(viewer))
        self._settle(self.offer)

    def answer_offer(self, viewer: Viewer, *, agrees: bool) -> None:
        """Accept or reject the offer of another party, or withdraw the viewer's own offer.

        Raises:
            RequestError: There is no offer, or it was not made to the viewer.
        """
        if self.offer is None:
            raise RequestError("no-offer", "There is no offer that you could answer.")
        if not agrees:
            if self.offer.by != viewer.players:
                self.offer.check_addressee(viewer)
            self.offer = None
            return
        self._settle(self.offer.agreed_by(viewer))

    def _settle(self, offer: Offer) -> None:
        """Do what was offered if all parties have agreed, else store the offer."""
        self.offer = offer
        if offer.waits_for:
            return
        self.offer = None
        if offer.kind == UNDO:
            self.take_back(offer.by)
        elif offer.kind == DRAW:
            self.end(agreed_draw())
        elif offer.kind == ANALYSIS:
            self.analysis_agreed = True
        else:
            self.seats.exchange()
            self.restart(self.clocks.control if self.clocks else None)

    def _check_offer(self, viewer: Viewer, kind: str) -> None:
        if kind not in (UNDO, DRAW, REMATCH, ANALYSIS):
            raise RequestError("no-such-offer", "There is no such offer.")
        if kind == UNDO and self.tree.played.parent is None:
            raise RequestError("nothing-to-undo", "There is no move to take back.")
        if kind == DRAW and not self.may_draw(viewer):
            raise RequestError("no-draw", "A draw can be offered between two people in a game.")
        if kind == ANALYSIS and self.allows_analysis:
            raise RequestError("no-such-offer", "The engine may be asked without an offer.")
        if kind == REMATCH and not self.is_over:
            raise RequestError("not-over", "The game is not over.")

    @property
    def allows_analysis(self) -> bool:
        """Whether the owner may ask an engine.

        In a game with clocks against a person elsewhere, all people must agree.
        """
        has_guests = any(self.seats[player].by == GUEST for player in self.seats)
        return self.analysis_agreed or self.is_over or not (self.clocks and has_guests)

    def may_draw(self, viewer: Viewer) -> bool:
        """Whether a viewer may offer a draw."""
        players = self.game.contestants
        people = len(players) == 2 and all(map(self.seats.is_person, players))
        return people and bool(viewer.players) and not self.is_over

    def resign(self, viewer: Viewer, player: str) -> None:
        """Resign for a player.

        In a game of more than two players, the others continue, and an engine plays for the player
        who has resigned.

        Raises:
            RequestError: The viewer does not play for the player, or the game is over.
        """
        if self.is_over or player not in viewer.players or player in self.departed:
            raise RequestError("cannot-resign", "You do not play for this player.")
        self.leave(player, RESIGNED)

    def continue_from(self, tree: Variations) -> None:
        """Continue the game of a file or link with the same people and full clocks."""
        control = self.clocks.control if self.clocks else None
        if tree.position.game is not self.game:
            self.change_game(tree.position.game)
        self.restart(control)
        self.tree = tree.after(self.tree)

    def set_up(self, tree: Variations, *, analyse: bool) -> None:
        """Begin a game in another position, or analyse this position without a game."""
        self.continue_from(tree)
        if analyse:
            self.end(analysis())

    def change_game(self, game: Game, control: TimeControl | None = None) -> None:
        """Begin another game with the same people.

        Raises:
            ForthVMError: The game cannot be started; nothing is changed.
        """
        game.start()
        self.seats.change_players(players_of(game), engines_of(game))
        self.game = game
        self.restart(control)

    def give_seat(self, player: str, by: str) -> None:
        """Give the seat of a player to a person here or elsewhere, or to an engine.

        Raises:
            RequestError: There is no such seat or engine.
        """
        self.seats.give(player, by)
        self.offer = None
        self.analysis_agreed = False  # the people at the table may be others now

    def restart(self, control: TimeControl | None = None) -> None:
        """Begin a new game; agreements about the last one do not count for it."""
        self.analysis_agreed = False
        super().restart(control)

    def changed(self, *, turn_ended: bool = False) -> None:
        """Start the clock of the player to move; an offer ends with the position it was made in."""
        self.offer = None
        super().changed(turn_ended=turn_ended)

    # --- whose turn -----------------------------------------------------------------------

    def may_move(self, viewer: Viewer) -> bool:
        """Whether a viewer plays for the player to move."""
        turn = self.position.turn
        return not self.is_over and turn in viewer.players and turn not in self.departed

    def perspective_of(self, viewer: Viewer) -> str | None:
        """Return the player whose hidden pieces a viewer sees; None if the viewer sees none.

        If a viewer has several players, it is the one to move.
        """
        if len(viewer.players) == 1:
            return viewer.players[0]
        turn = self.position.turn
        return turn if turn in viewer.players else None

    @property
    def has_secrets(self) -> bool:
        """Whether players do not see some pieces of others."""
        return self.position._shown().has_secrets

    def engine_to_move(self) -> str | None:
        """Return the engine whose turn it is; None if a person is to move or the game is over."""
        if self.is_over:
            return None
        turn = self.position.turn
        return _STAND_IN if turn in self.departed else self.seats.engine_of(turn)

    def _parties_besides(self, viewer: Viewer) -> list[tuple[str, ...]]:
        """Return the players of each other party at the table."""
        return [party for party in self.seats.parties() if party != viewer.players]
