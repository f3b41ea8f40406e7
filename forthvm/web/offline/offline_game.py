"""The contents of an exported game: the program, the tables of the game, and the opening messages.

Owns what the workers of an exported file (forthvm/web/offline) need to know about a game.
"""

from __future__ import annotations

from base64 import b64encode
from operator import attrgetter
from typing import TYPE_CHECKING

from forthvm.core.bindings.layout import CELL
from forthvm.core.errors import NoGameError
from forthvm.core.text.visible import visible
from forthvm.engines.levels import levels_of
from forthvm.game.memory.scratch import counts_turns
from forthvm.game.memory.variables import variables_of
from forthvm.render import scene
from forthvm.render.elimination import contest_of
from forthvm.render.scene import UNKNOWN_OWNER, dice_of
from forthvm.web.offline.looks import looks_of
from forthvm.web.table.messages import TableMessages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.bindings import Network
    from forthvm.game import Game, Position
    from forthvm.web.table.table import Table

__all__ = ["offline_game"]

_MEMORY = 64 << 20
"""Bytes to which the memory of an exported game may grow."""
_MILLISECONDS = 10_000
"""The time limit of each hook and list of moves of an exported game."""
_DEFAULT_ENGINE = "$NegamaxMove"
"""The engine word of players for whom the script names no engine."""
_STORES = "z-stores"
"""The array of a compiled rule file with the pieces beside the board."""


def offline_game(table: Table, network: Network | None = None) -> dict[str, object]:
    """Return everything about a table that an exported file contains, for JSON.

    Args:
        table: A table at the start of a game.
        network: Evaluates positions; None: none.

    Raises:
        NoGameError: The turn order names a player that the game does not have.
    """
    for turn in table.game.turn_order:
        for name in (turn.player, turn.for_player):
            if name not in table.game.players:
                raise NoGameError(f"the turn order names {visible(name)}, which is no player")
    evaluates = network is not None or table.game._loaded.evaluates
    return {
        "program": _program(table.game) | _network(network),
        "tables": _tables(table.position) | {"evaluates": evaluates},
        "game": _game_message(table),
        "title": visible(table.game.title),
        "seats": {player: table.seats[player].by for player in table.seats},
        "engines": _engines(table, evaluates),
        "seed": table.game._loaded.options.seed,
    }


def _game_message(table: Table) -> dict[str, object]:
    """Return the message with what never changes, without what needs a server."""
    message = TableMessages(table).game()
    needs_server = ("games", "piece_sets")
    return {name: value for name, value in message.items() if name not in needs_server} | {
        "offline": True
    }


def _program(game: Game) -> dict[str, object]:
    """Return the texts of the game, in the order in which they are loaded, and the options."""
    texts = game._loaded.vm.sources.texts
    loaded_by_host = [text for text in texts if not text.load_position]
    library = [text for text in loaded_by_host if text.library]
    main = next(text for text in loaded_by_host if not text.library)
    return {
        "sources": [
            {
                "text": text.data.decode("latin-1"),
                "top": not text.load_position,
                "main": text is main,
                "bind": text is library[-1] or (not text.load_position and not text.library),
            }
            for text in texts
        ],
        "encoding": game._loaded.vm.native.codec.encoding,
        "version": 1140 if game.axiom == "140-exact" else game._loaded.vm.version,
        "checked": game._loaded.options.checked,
        "memory": _MEMORY,
        "milliseconds": _MILLISECONDS,
    }


def _network(network: Network | None) -> dict[str, object]:
    """Return the entry of a program with the network; empty if none."""
    if network is None:
        return {}
    return {
        "network": [
            b64encode(field).decode() if isinstance(field, bytes) else field
            for field in network.fields
        ]
    }


def _tables(position: Position) -> dict[str, object]:
    """Return what never changes in a game, in the form of forthvm/web/offline/describer.js."""
    game = position.game
    shown = position._shown()
    numbers = {player.name: at for at, player in enumerate(game.player_details)}
    owners = scene(position).players[: len(game.players)]
    chance = {player.name for player in game.player_details if player.chance}
    movers = {turn.for_player for turn in game.turn_order} - chance
    stores = variables_of(game._loaded).get(_STORES) if game._loaded.rules is not None else None
    return {
        "names": list(game.positions),
        "hidden": sorted(shown.hidden),
        "hiddenTypes": sorted(shown.hidden_types),
        "private": sorted(shown.private),
        "secret": sorted(shown.secret),
        "attributes": shown.attributes,
        "variables": list(_shown_variables(game, shown.variables)),
        "stores": stores and stores.address,
        "types": {kind.number: kind.name for kind in game.piece_types},
        "dice": dice_of(kind.name for kind in game.piece_types),
        "players": [
            {
                "name": player.name,
                "cell": player.cell,
                "chance": player.chance,
                "engine": player.engine,
            }
            for player in game.player_details
        ],
        "owners": [{**vars(owner), "store": []} for owner in owners],
        "unknown": {**vars(UNKNOWN_OWNER), "store": []},
        "looks": looks_of(game, owners),
        "turns": [
            {"player": numbers[turn.player], "for": numbers[turn.for_player]}
            for turn in game.turn_order
        ],
        "repeat": game.turn_repeat,
        "movable": sorted(contest_of(game).movable),
        "starters": sorted(contest_of(game).starters),
        "contestants": list(game.contestants),
        "movers": [name for name in game.players if name in movers],
        "hasTeams": game._loaded.defines("OnFriends?"),
        "chance": game._loaded.chance_bits,
        "countsTurns": counts_turns(game._loaded),
    }


def _shown_variables(game: Game, names: frozenset[str]) -> Iterator[dict[str, object]]:
    """Yield the board variables that players see; an array ends where the next variable begins."""
    tables = game._loaded.tables
    start, end = tables.board, tables.board + tables.board_cells * CELL
    on_board = sorted(
        (one for one in variables_of(game._loaded).values() if start <= one.address < end),
        key=attrgetter("address"),
    )
    ends = [one.address for one in on_board[1:]] + [end] * bool(on_board)
    for variable, variable_end in zip(on_board, ends, strict=True):
        if variable.name in names:
            is_bytes = variable.kind == "bytes"
            size = variable_end - variable.address
            yield {
                "name": variable.name,
                "offset": variable.address - start,
                "length": size if is_bytes else size // CELL,
                "bytes": is_bytes,
            }


def _engines(table: Table, evaluates: bool) -> dict[str, str]:
    """Return the specification that an exported file runs for each engine that it offers."""
    levels = levels_of(table.game, evaluates=evaluates)
    specs = {f"level:{level.number}": level.spec for level in levels}
    offered = {name: specs.get(name, name) for name in table.seats.engines}
    players = [player for player in table.game.player_details if not player.chance]
    if any(player.engine not in ("", _DEFAULT_ENGINE) for player in players):
        offered["script"] = "script:time=2"
    return offered
