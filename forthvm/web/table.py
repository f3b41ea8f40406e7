"""A table: one game that is being played, with a person or an engine in each seat.

Owns the position, the seats, and the state that is sent to front ends.  It must not know sockets or
threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.game.gestures import CHOICE
from forthvm.game.history import HOST_PASS
from forthvm.render.symbols import game_symbols
from forthvm.web.errors import RequestError
from forthvm.web.variations import Variations

if TYPE_CHECKING:
    from forthvm.game import Game, GestureTree, Position

__all__ = ["PERSON", "Table", "TableError", "seats_of"]

_ENGINES = ("random", "negamax:depth=1", "negamax:time=0.5", "negamax:time=2", "mcts:time=2")
"""The engines that every table offers.  A page must not name others: some start programs."""

PERSON = "person"
"""The seat of a person; other seats are specifications of engines."""


class TableError(RequestError):
    """A request that cannot be granted; the text is for the player."""


def seats_of(game: Game) -> list[str]:
    """Return the players that choose moves, in the order of their turns."""
    chance = {player.name for player in game.player_details if player.chance}
    names = dict.fromkeys(turn.player for turn in game.turn_order)
    return [name for name in names if name not in chance]


class Table:
    """A game, its position and its seats."""

    def __init__(
        self,
        game: Game,
        *,
        persons: tuple[str, ...] = (),
        engine: str = "",
        position: Position | None = None,
    ) -> None:
        """Set up the first position.

        Args:
            game: The game.
            persons: The players for whom people play.
            engine: The engine of the other seats.
            position: The position in which the play begins; None: the start of the game.
        """
        self.game = game
        self.tree = Variations(game.start() if position is None else position)
        self.seats = {
            name: PERSON if name in persons or not engine else engine for name in seats_of(game)
        }
        self.engines = tuple(dict.fromkeys([engine, *_ENGINES] if engine else _ENGINES))
        """The engines that may be given a seat."""
        self._board = self.position.scene().board

    @property
    def position(self) -> Position:
        """The position of the game."""
        return self.tree.position

    # --- requests -------------------------------------------------------------------------

    def play(self, node: int, index: int) -> None:
        """Make a legal move.

        Args:
            node: The node that the player saw, so that a late request changes nothing.
            index: The index of the move in the list of legal moves.

        Raises:
            TableError: The position has changed, a person is not to move, or there is no such move.
        """
        if node != self.tree.played.number:
            raise TableError("The position has changed.")
        if self.position.result is not None or not self.is_person(self.position.turn):
            raise TableError("It is not your turn.")
        moves = self.position.legal_moves
        if not 0 <= index < len(moves):
            raise TableError("This is not a legal move.")
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
        while self.tree.played.parent and not self.is_person(self.position.turn):
            self.tree.back()

    def redo(self) -> None:
        """Make the moves again that were taken back, until a person is to move.

        Raises:
            TreeError: No move was taken back.
        """
        self.tree.forward()
        while self.tree.may_go_forward and not self.is_person(self.position.turn):
            self.tree.forward()

    def restart(self) -> None:
        """Begin a new game with the same seats."""
        self.tree = Variations(self.game.start(), after=self.tree)

    def seat(self, player: str, spec: str) -> None:
        """Give a seat to a person or to an engine.

        Raises:
            TableError: There is no such seat or engine.
        """
        if player not in self.seats:
            raise TableError(f"There is no seat of {player}.")
        if spec not in (PERSON, *self.engines):
            raise TableError("This table does not offer that engine.")
        self.seats[player] = spec

    # --- whose turn -----------------------------------------------------------------------

    def is_person(self, player: str) -> bool:
        """Whether a person plays for a player."""
        return self.seats.get(player) == PERSON

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
        spec = self.seats.get(self.position.turn, PERSON)
        return None if spec == PERSON else spec

    # --- messages to front ends -----------------------------------------------------------

    def opening_messages(self) -> list[dict[str, object]]:
        """Return what a new window needs: board and symbols, the moves, and the state."""
        symbols = {key: symbol.as_json() for key, symbol in game_symbols(self.game).items()}
        return [
            {"is": "game", "board": self._board.as_json(), "symbols": symbols},
            {"is": "tree", **self.tree.whole()},
            self.state(),
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

    def state(self) -> dict[str, object]:
        """Return the position, the clicks that make its moves, and the seats, for JSON."""
        position = self.position
        person = position.result is None and self.is_person(position.turn)
        return {
            "is": "state",
            "title": visible(self.game.title),
            "node": self.tree.played.number,
            "ply": position.ply,
            **self._picture(position),
            "gestures": _tree(position.gestures()) if person else None,
            "history": [
                {"player": visible(entry.player), "text": visible(entry.text)}
                for entry in position.history
            ],
            "seats": {visible(player): visible(spec) for player, spec in self.seats.items()},
            "engines": [visible(spec) for spec in self.engines],
            "may_redo": self.tree.may_go_forward,
        }

    def _picture(self, position: Position) -> dict[str, object]:
        """Return the scene of a position, for JSON.

        The board is included only if it is not the usual board of the game, because a piece stands
        on a square that no piece was expected to reach.
        """
        scene = position.scene()
        unusual = {} if scene.board is self._board else {"board": scene.board.as_json()}
        return {**unusual, "scene": scene.as_json(board=False)}


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
