"""A table: one game that is being played, with a person or an engine in each seat.

Owns the position, the seats, and the state that is sent to front ends.  It must not know sockets or
threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.engines.levels import levels_of
from forthvm.game.gestures import CHOICE
from forthvm.game.history import HOST_PASS
from forthvm.render.symbols import game_symbols
from forthvm.web.errors import RequestError
from forthvm.web.seats import GUEST, PERSON, Seats
from forthvm.web.variations import Variations

if TYPE_CHECKING:
    from collections.abc import Collection

    from forthvm.game import Game, GestureTree, Position
    from forthvm.web.seats import Viewer

__all__ = ["Table", "players_of"]

_ENGINES = ("random", "negamax:depth=1", "negamax:time=0.5", "negamax:time=2", "mcts:time=2")
"""The engines that every table offers, besides the levels of the game."""


def players_of(game: Game) -> list[str]:
    """Return the players that choose moves, in the order of their turns."""
    chance = {player.name for player in game.player_details if player.chance}
    names = dict.fromkeys(turn.player for turn in game.turn_order)
    return [name for name in names if name not in chance]


def engines_of(game: Game) -> list[str]:
    """Return the engines that a table of a game offers."""
    return [*(f"level:{level.number}" for level in levels_of(game)), *_ENGINES]


class Table:
    """A game, its position and its seats."""

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
        self.game = game
        self.tree = Variations(game.start() if position is None else position)
        others = engine or PERSON
        self.seats = Seats(
            {
                name: GUEST if name in guests else PERSON if name in persons else others
                for name in players_of(game)
            },
            engines_of(game),
        )
        self._board = self.position.scene().board

    @property
    def position(self) -> Position:
        """The position of the game."""
        return self.tree.position

    # --- requests -------------------------------------------------------------------------

    def play(self, viewer: Viewer, node: int, index: int) -> None:
        """Make a legal move.

        Args:
            viewer: Who asks for it.
            node: The node that the player saw, so that a late request changes nothing.
            index: The index of the move in the list of legal moves.

        Raises:
            RequestError: The position has changed, another player is to move, or there is no such
                move.
        """
        if node != self.tree.played.number:
            raise RequestError("position-changed", "The position has changed.")
        if not self.may_move(viewer):
            raise RequestError("not-your-turn", "It is not your turn.")
        moves = self.position.legal_moves
        if not 0 <= index < len(moves):
            raise RequestError("not-legal", "This is not a legal move.")
        self.tree.play(moves[index])

    def play_for_engine(self, index: int) -> None:
        """Make the legal move that the engine to move has chosen."""
        self.tree.play(self.position.legal_moves[index])

    def undo(self) -> None:
        """Take back moves until a person is to move.

        Raises:
            TreeError: No move was made.
        """
        self.tree.back()
        while self.tree.played.parent and not self.seats.is_person(self.position.turn):
            self.tree.back()

    def redo(self) -> None:
        """Make the moves again that were taken back, until a person is to move.

        Raises:
            TreeError: No move was taken back.
        """
        self.tree.forward()
        while self.tree.may_go_forward and not self.seats.is_person(self.position.turn):
            self.tree.forward()

    def restart(self) -> None:
        """Begin a new game with the same seats."""
        self.tree = Variations(self.game.start(), after=self.tree)

    # --- whose turn -----------------------------------------------------------------------

    def may_move(self, viewer: Viewer) -> bool:
        """Whether a viewer plays for the player to move."""
        return self.position.result is None and self.position.turn in viewer.players

    def advance(self) -> bool:
        """Make a move that needs no choice: of chance, or the pass of a player without moves."""
        position = self.position
        if position.result is not None:
            return False
        if position.is_stuck:
            self.tree.play(None)
            return True
        if position.is_chance:
            from forthvm import engines

            self.tree.play(engines.choose_move(engines.get("chance"), position).move)
            return True
        return False

    def engine_to_move(self) -> str | None:
        """Return the engine whose turn it is; None if a person is to move or the game is over."""
        if self.position.result is not None:
            return None
        return self.seats.engine_of(self.position.turn)

    # --- messages to front ends -----------------------------------------------------------

    def opening_messages(self, viewer: Viewer) -> list[dict[str, object]]:
        """Return what a new window needs: board and symbols, the moves, and the state."""
        symbols = {key: symbol.as_json() for key, symbol in game_symbols(self.game).items()}
        return [
            {"is": "game", "board": self._board.as_json(), "symbols": symbols},
            {"is": "tree", **self.tree.whole()},
            self.state(viewer),
        ]

    def view(self, number: int) -> dict[str, object]:
        """Return the position of a node of the tree, and the clicks that make its moves, for JSON.

        Raises:
            TreeError: There is no such node.
        """
        position = self.tree.position_at(self.tree.node(number))
        return {
            "is": "view",
            "node": number,
            "ply": position.ply,
            **self._picture(position),
            "gestures": _gestures(position),
        }

    def state(self, viewer: Viewer) -> dict[str, object]:
        """Return what a viewer sees, for JSON: the position, the clicks of its moves, the seats."""
        position = self.position
        return {
            "is": "state",
            "title": visible(self.game.title),
            "node": self.tree.played.number,
            "ply": position.ply,
            **self._picture(position),
            "gestures": _tree(position.gestures()) if self.may_move(viewer) else None,
            "history": [
                {"player": visible(entry.player), "text": visible(entry.text)}
                for entry in position.history
            ],
            "seats": [self._seat(player, viewer) for player in self.seats],
            "watch_key": self.seats.watch_key if viewer.is_owner else None,
            "is_owner": viewer.is_owner,
            "engines": [visible(spec) for spec in self.seats.engines],
            "may_redo": self.tree.may_go_forward,
        }

    def _seat(self, player: str, viewer: Viewer) -> dict[str, object]:
        seat = self.seats[player]
        return {
            "player": visible(player),
            "by": visible(seat.by),
            "mine": player in viewer.players,
            "key": seat.key if viewer.is_owner else None,
        }

    def _picture(self, position: Position) -> dict[str, object]:
        """Return the scene of a position, for JSON.

        There is a board only if it is not the usual board of the game, because a piece stands on a
        square that no piece was expected to reach.
        """
        scene = position.scene()
        return {
            "board": None if scene.board is self._board else scene.board.as_json(),
            "scene": scene.as_json(board=False),
        }


def _gestures(position: Position) -> dict[str, object] | None:
    """Return the clicks that make the moves of a position; None if the game is over."""
    if position.result is not None:
        return None
    if position.is_stuck:
        return {"clicks": [[CHOICE, "Pass", None, {"move": HOST_PASS, "text": "Pass"}]]}
    return _tree(position.gestures())


def _tree(node: GestureTree) -> dict[str, object]:
    """Return a tree of clicks as dicts and lists."""
    tree: dict[str, object] = {}
    if node.move is not None:
        tree["move"] = node.move.index
        tree["text"] = visible(node.move.text)
    if node.children:
        tree["clicks"] = [
            [click.kind, visible(click.name), click.player and visible(click.player), _tree(child)]
            for click, child in node.children.items()
        ]
    return tree
