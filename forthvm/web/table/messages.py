"""What a table shows to the people at it, for JSON.

Owns the messages `game`, `state` and `view`, and who is absent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible
from forthvm.engines.levels import levels_of
from forthvm.game.gestures import CHOICE
from forthvm.game.notation import HOST_PASS
from forthvm.game.records.formats import SUFFIXES
from forthvm.game.short_notation import short_notation
from forthvm.game.shown import shown_of_game
from forthvm.render import scene
from forthvm.render.material import starting_material
from forthvm.render.short_texts import shortened
from forthvm.render.symbols import game_symbols, piece_sets
from forthvm.web.table.game_files import JSON, ZSG
from forthvm.web.table.game_texts import forms_of
from forthvm.web.table.played_game import alternating_players
from forthvm.web.table.rule_texts import rule_texts
from forthvm.web.table.seats import GUEST

if TYPE_CHECKING:
    from collections.abc import Container

    from forthvm.game import Game, GestureTree, Position
    from forthvm.game.loaded import LoadedGame
    from forthvm.render.scene_types import SceneBoard
    from forthvm.web.table.game_choice import GameChoice
    from forthvm.web.table.move_node import MoveNode
    from forthvm.web.table.seats import Viewer
    from forthvm.web.table.table import Table

__all__ = ["TableMessages"]


class TableMessages:
    """Makes the messages of a table.

    Attributes:
        address: The beginning of links for other computers; "": the page uses its own address.
    """

    def __init__(self, table: Table, choice: GameChoice | None = None) -> None:
        """Describe a table.

        Args:
            table: The table.
            choice: The games that the table can change to; None: only its own game.
        """
        self._table = table
        self._choice = choice
        self.address = ""
        self._board_of: tuple[Game, SceneBoard] | None = None
        self._material_of: tuple[MoveNode, list[dict[str, object]]] | None = None

    def opening(self, viewer: Viewer) -> list[dict[str, object]]:
        """Return what a new window needs: the game, the moves, and the state."""
        return [
            self.game(),
            self.whole_tree(viewer),
            self.state(viewer),
        ]

    def game(self) -> dict[str, object]:
        """Return what does not change during a game, such as board, symbols, texts, choices."""
        table, choice = self._table, self._choice
        symbols = {key: symbol.as_json() for key, symbol in game_symbols(table.game).items()}
        return {
            "is": "game",
            "name": choice.name_of(table.game) if choice else "",
            "address": self.address,
            "games": choice.titles() if choice else [],
            "levels": [[level.number, level.elo] for level in levels_of(table.game)],
            "board": self._board().as_json(),
            "symbols": symbols,
            "text_forms": forms_of(table.game),
            "suffixes": [f".{JSON}", f".{ZSG}", *SUFFIXES],
            "has_short": short_notation(table.game._loaded) is not None,
            "alternating": [visible(player) for player in alternating_players(table.game)],
            "has_secrets": self._hides,
            "material": table.game._loaded.once(_usual_material, table.game),
            "piece_sets": piece_sets(table.game),
            "texts": rule_texts(table.game),
        }

    def state(self, viewer: Viewer) -> dict[str, object]:
        """Return what a viewer sees: the position, the clicks of its moves, the seats."""
        table = self._table
        position = table.position
        return {
            "is": "state",
            "title": visible(table.game.title),
            "engines": [visible(spec) for spec in table.seats.engines],
            "is_owner": viewer.is_owner,
            "node": table.tree.played.number,
            "ply": position.ply,
            **self._scene(position, table.perspective_of(viewer)),
            "material": self._material(),
            "gestures": _tree(position.gestures()) if table.may_move(viewer) else None,
            "result": self._result(),
            "seats": [self._seat(player, viewer) for player in table.seats],
            "watch_key": table.seats.watch_key if viewer.is_owner else None,
            "clocks": self._clocks(),
            "offer": self._offer(viewer),
            "may_redo": table.tree.may_go_forward,
            "may_step_back": table.may_step_back(viewer),
            "may_draw": table.may_draw(viewer),
            "allows_analysis": table.allows_analysis,
        }

    def absent(self, keys: Container[str]) -> list[str]:
        """Return the players of people elsewhere whose keys are not among those in use."""
        seats = self._table.seats
        absent = [one for one in seats if seats[one].by == GUEST and seats[one].key not in keys]
        return [visible(player) for player in absent]

    def whole_tree(self, viewer: Viewer) -> dict[str, object]:
        """Return all moves and variations; hidden moves of other players have the text `…`."""
        table = self._table
        tree = table.tree.whole()
        shown = table.position._shown(table.perspective_of(viewer))
        if shown.has_secrets:
            tree["rows"] = [
                node.row(shown.move_text(table.game._loaded, node.entry) if node.entry else None)
                for node in table.tree.root.subtree()
            ]
        return {"is": "tree", **tree}

    def view(self, number: int, viewer: Viewer) -> dict[str, object]:
        """Return the position of a node of the tree, and the clicks that make its moves.

        Raises:
            TreeError: There is no such node.
        """
        table = self._table
        position = table.tree.position_at(table.tree.node(number))
        knows_moves = position.turn in viewer.players or not table.has_secrets
        return {
            "is": "view",
            "node": number,
            "ply": position.ply,
            **self._scene(position, table.perspective_of(viewer)),
            "gestures": _gestures(position) if knows_moves else None,
        }

    def _board(self) -> SceneBoard:
        """Return the board that is sent once, not with each state."""
        game = self._table.game
        if self._board_of is None or self._board_of[0] is not game:
            self._board_of = game, scene(self._table.position).board
        return self._board_of[1]

    def _material(self) -> list[dict[str, object]] | None:
        """Return the pieces with which this game began; None: those with which all games begin."""
        tree = self._table.tree
        if self._table.position._setup is None:
            return None
        if self._material_of is None or self._material_of[0] is not tree.root:
            self._material_of = tree.root, starting_material(tree.position_at(tree.root))
        return self._material_of[1]

    @property
    def _hides(self) -> bool:
        """Whether players see different pieces until the game ends."""
        position = self._table.position
        return shown_of_game(position._loaded, position._state).has_secrets

    def _scene(self, position: Position, for_player: str | None) -> dict[str, object]:
        """Return the scene of a position, as a player sees it.

        `board` is None for the board that the page already has.  The board of a position differs
        from it if a piece stands on a square that is otherwise not drawn (forthvm/render/board.py).
        """
        seen = scene(position, for_player=for_player, clicks=True)
        return {
            "board": None if seen.board is self._board() else seen.board.as_json(),
            "scene": seen.as_json(board=False),
        }

    def _result(self) -> dict[str, object] | None:
        """Return the end of the game in words; None while it continues."""
        ending, outcome = self._table.ending, self._table.position.result
        if ending is not None:
            return {"code": ending.code, "values": dict(ending.values), "text": ending.text}
        if outcome is None:
            return None
        winners = ", ".join(map(visible, outcome.winners))
        code = "draw" if outcome.draw else "win" if winners else "over"
        return {"code": code, "values": {"winners": winners}, "text": visible(outcome.reason)}

    def _seat(self, player: str, viewer: Viewer) -> dict[str, object]:
        seat = self._table.seats[player]
        return {
            "player": visible(player),
            "by": visible(seat.by),
            "mine": player in viewer.players,
            "left": self._table.departed.get(player),
            "key": seat.key if viewer.is_owner else None,
        }

    def _clocks(self) -> dict[str, object] | None:
        """Return the seconds of each player, and whose clock runs."""
        clocks = self._table.clocks
        if clocks is None:
            return None
        remaining = clocks.all_remaining(self._table.now())
        return {
            "control": str(clocks.control),
            "left": {visible(player): round(seconds, 2) for player, seconds in remaining.items()},
            "running": clocks.running and visible(clocks.running),
        }

    def _offer(self, viewer: Viewer) -> dict[str, object] | None:
        offer = self._table.offer
        if offer is None:
            return None
        return {
            "kind": offer.kind,
            "by": [visible(player) for player in offer.by],
            "mine": offer.by == viewer.players and (viewer.is_owner or bool(viewer.players)),
            "asks_me": viewer.players in offer.waits_for,
        }


def _usual_material(_: LoadedGame, game: Game) -> list[dict[str, object]]:
    return starting_material(game.start())


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
        if short := shortened(node.move):
            tree["short"] = short
    if node.children:
        tree["clicks"] = [
            [click.kind, visible(click.name), click.player and visible(click.player), _tree(child)]
            for click, child in node.children.items()
        ]
    return tree
