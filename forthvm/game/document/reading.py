"""Reads positions from JSON documents; every value of a document is checked.

Owns all checks.  The format is that of writing.py.  The meaning of memory does not matter here,
except for the few cells that have fields of their own.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

from forthvm.core.bindings.layout import CELL
from forthvm.core.errors import ForthVMError, PositionDigestError, PositionError
from forthvm.core.output import discard
from forthvm.game.loaded import LoadedGame
from forthvm.game.memory.differences import cells_from_runs, changed_runs
from forthvm.game.notation import HistoryEntry
from forthvm.game.setup import Setup
from forthvm.game.tables import TURN_BYTES, read_cell

from .replay import replayed_moves
from .writing import FORMAT, VARIANT, VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.core.bindings import Snapshot
    from forthvm.game.memory.differences import CellRun
    from forthvm.game.moves import Move
    from forthvm.game.setup import Pieces
    from forthvm.game.states import State

    from .replay import EngineChanges

__all__ = ["About", "ReadPosition", "read_about", "read_document"]


_MAX_TEXT = 64 << 20
_MAX_VARIABLES = 100_000
_HEX = re.compile(r"[0-9a-f]{64}")
_GAME_FIELDS = (
    "format",
    "version",
    "game",
    "digest",
    "base",
    "axiom",
    "seed",
    "clock",
    "load_clock",
)
_VERSION_2_FIELDS = ("settings", "script", "script_digest", "library")
"""Fields about the loaded game that version 2 of the format added."""
_PLAY_FIELDS = ("setup", "history", "ply", "player", "turn_number", "partial", "skipped", "board")
_MEMORY_FIELDS = ("memory", "stack", "played")
_FIELDS = {1: frozenset(_GAME_FIELDS + _PLAY_FIELDS + _MEMORY_FIELDS)}
_FIELDS[VERSION] = _FIELDS[1] | set(_VERSION_2_FIELDS)
_MAX_CELLS = 4 << 20
_MAX_STACK = 6144
_MIN_CELL, _MAX_CELL = -(2**31), 2**31 - 1
_MAX_ADDRESS = 2**32 - 4
_MAX_PLIES = 1_000_000
"""Maximum number of plies; no real game has as many."""
_ENTRY_KEYS = frozenset({"player", "move", "index"})


@dataclass(frozen=True)
class About:
    """The fields of a document about its game, which are read before the game is loaded.

    Attributes:
        game: Name of the game.
        axiom: Version of the original that was emulated.
        seed: Seed with which the game was loaded.
        clock: Clock with which the game was loaded.
        settings: The chosen settings; None in version 1, which does not record them.
        script: Path of the main script, None for a game that can be found by its name.
        script_digest: SHA-256 of the main script, None if `script` is None.
        library: Folder of the user's own library, None for the bundled library.
        variant: Title of the variant in a rule file, None for a script.
    """

    game: str
    axiom: str
    seed: int | None
    clock: int | None
    settings: Mapping[str, str] | None
    script: str | None
    script_digest: str | None
    library: str | None
    variant: str | None


@dataclass(frozen=True)
class ReadPosition:
    """What a document says about a position.

    Attributes:
        state: The state of the VM.
        setup: The set-up with which the game was started.
        history: The moves made since then.
        made: The same moves, made again; None if this was not needed.
    """

    state: State
    setup: Setup | None
    history: Sequence[HistoryEntry]
    made: list[Move] | None


def read_about(text: str | bytes) -> About:
    """Return the fields of a document about its game; the other fields are not checked.

    Raises:
        PositionError: The text is not a document.
    """
    document = _parse(text)
    _check_form(document)
    return About(**{name: document[name] for name in About.__match_args__})


def read_document(game: LoadedGame, text: str | bytes) -> ReadPosition:
    """Return what a document says about a position.

    Raises:
        PositionDigestError: The document belongs to other sources or options.
        PositionError: The text is not a valid document.
    """
    document = _parse(text)
    _check_game(document, game)
    setup = _read_setup(document["setup"], game)
    history = _read_history(document, game)
    skipped = _integer_field(document, "skipped", 0, _MAX_PLIES)
    partial = document["partial"]
    if not isinstance(partial, bool):
        _refuse("`partial` is neither true nor false")
    runs, stack = _read_runs(document, "memory"), _read_stack(document, "stack")
    played = document["played"]
    if played is not None:
        if not isinstance(played, dict) or set(played) != {"memory", "stack"}:
            _refuse("`played` is not memory and stack")
        played = _read_runs(played, "memory"), _read_stack(played, "stack")
    base = _base_memory(document, game)
    arrived = _patched(base, runs, stack)
    engine_memory = None if played is None else _patched(base, *played)
    _check_cells(arrived, game)
    if engine_memory is not None:
        _check_cells(engine_memory, game)
    try:
        state = game.states.from_memory(arrived, skipped=skipped, engine_memory=engine_memory)
    except PositionError:
        raise
    except ForthVMError as error:
        raise PositionError(f"the saved memory does not work: {error}") from error
    _check_agreement(document, game, state, len(history))
    engine_changes = _read_engine_changes(document)
    made = None
    if engine_changes:
        with suppress(ForthVMError):  # if the replay fails, only `pop` raises an error
            made = replayed_moves(game, setup, history, state, engine_changes)
    return ReadPosition(state, setup, history, made)


def _parse(text: str | bytes) -> dict[str, Any]:
    """Return the document as Python values, after a check of its keys."""
    if not isinstance(text, str | bytes | bytearray):
        raise TypeError(f"a position is read from text, not from {type(text).__name__}")
    if len(text) > _MAX_TEXT:
        _refuse("the document is larger than any position")
    try:
        document = json.loads(text, parse_constant=_bad_number)
    except (ValueError, RecursionError) as error:
        raise PositionError(f"not a position: not JSON ({error})") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise PositionError(f"not a position: the format is not {FORMAT!r}")
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version not in _FIELDS:
        raise PositionError(
            f"this position is of format version {version!r}; "
            f"this forthvm reads versions up to {VERSION}"
        )
    missing = _FIELDS[version] - document.keys()
    extra = document.keys() - _FIELDS[version] - {VARIANT}
    if missing:
        _refuse(f"`{min(missing)}` is missing")
    if extra:
        _refuse(f"`{min(extra)}` is unknown")
    return dict.fromkeys((*_VERSION_2_FIELDS, VARIANT)) | document


def _bad_number(name: str) -> NoReturn:
    _refuse(f"{name} is not a number that JSON has")


def _check_form(document: dict[str, Any]) -> None:
    """Check the types of the fields about the game."""
    for key in ("digest", "base"):
        if not isinstance(document[key], str) or not _HEX.fullmatch(document[key]):
            _refuse(f"`{key}` is not a SHA-256 digest")
    for key in ("game", "axiom"):
        if not isinstance(document[key], str):
            _refuse(f"`{key}` is not a text")
    for key in ("seed", "clock", "load_clock"):
        if document[key] is not None:
            _integer_field(document, key, -(2**63), 2**63 - 1)
    _check_version_2_form(document)


def _check_version_2_form(document: dict[str, Any]) -> None:
    """Check the types of the fields that version 2 added."""
    for key in ("script", "script_digest", "library", VARIANT):
        if not isinstance(document[key], str | None):
            _refuse(f"`{key}` is not a text")
    settings = document["settings"]
    if settings is None and document["version"] == 1:
        return
    if not isinstance(settings, dict) or not all(
        isinstance(text, str) and text.isprintable() for pair in settings.items() for text in pair
    ):
        _refuse("`settings` is not names with texts")


def _check_game(document: dict[str, Any], game: LoadedGame) -> None:
    """Check that the document belongs to this game.

    The digest depends on the options.  The options are compared first, so that the message names
    the option that differs.
    """
    _check_form(document)
    if document["game"] != game.name and document["digest"] != game.digest:
        raise PositionDigestError(
            f"the position was saved in the game {document['game']}; this game is {game.name}"
        )
    options = {"axiom": game.axiom, "seed": game.options.seed, "clock": game.options.clock}
    for key, value in options.items():
        if document[key] != value:
            raise PositionDigestError(_difference(key, document[key], value))
    _check_settings(document["settings"], dict(game.options.settings))
    if document["digest"] != game.digest:
        raise PositionDigestError(
            f"the position was saved with other sources of {document['game']} "
            f"(digest {document['digest'][:12]}…, now {game.digest[:12]}…)"
        )


def _check_settings(saved: dict[str, str] | None, current: dict[str, str]) -> None:
    """Raise PositionDigestError if the saved settings differ from the current settings."""
    if saved is None or list(saved.items()) == list(current.items()):
        return
    for name in {**saved, **current}:
        if saved.get(name) != current.get(name):
            raise PositionDigestError(_difference(name, saved.get(name), current.get(name)))
    raise PositionDigestError(
        f"the position was saved with the settings in the order {', '.join(saved)}; "
        f"the game is loaded with {', '.join(current)}"
    )


def _difference(name: str, saved: object, current: object) -> str:
    """Return the message about an option that differs."""
    saved_option, current_option = (
        f"without {name}" if value is None else f"with {name}={value}" for value in (saved, current)
    )
    return f"the position was saved {saved_option}; the game is loaded {current_option}"


def _base_memory(document: dict[str, Any], game: LoadedGame) -> Snapshot:
    """Return the memory after loading, as it was in the process that saved the position.

    The document contains the cells that differ from this memory.  Earlier versions of forthvm
    loaded a script with the time as its clock, and stored the time as `load_clock`.
    """
    if document["base"] == game.base_digest:
        return game.base
    if document["load_clock"] is not None:
        options = replace(game.options, clock=document["load_clock"])
        reloaded = LoadedGame(options, output=discard)
        if reloaded.base_digest == document["base"]:
            cells = cells_from_runs(changed_runs(reloaded.base, game.base))
            return game.base.patch(cells, reloaded.base.stack())
    raise PositionDigestError(
        f"the position was saved with a {document['game']} that loads differently: another version "
        "of forthvm saved it, or loading depends on more than the game's sources"
    )


def _patched(base: Snapshot, runs: list[CellRun], stack: tuple[int, ...]) -> Snapshot:
    """Return a base with the cells and the stack of a document."""
    try:
        return base.patch(cells_from_runs(runs), stack)
    except MemoryError as error:
        raise PositionError(
            "not a valid position: its memory is larger than that of this game"
        ) from error


def _check_cells(memory: Snapshot, game: LoadedGame) -> None:
    """Check the cells that are read from memory without the VM."""
    tables = game.tables
    variables = tables.variables
    if read_cell(memory, variables.board) != tables.board:
        _refuse("the board has another address")
    if read_cell(memory, variables.board_size) // CELL != tables.board_cells:
        _refuse("the board has another size")
    player = read_cell(memory, variables.player_offset)
    if player % CELL or not 0 <= player // CELL < len(game.players):
        _refuse(f"there is no player {player // CELL} to move")
    turn = read_cell(memory, variables.turn_offset)
    if turn % TURN_BYTES or not 0 <= turn // TURN_BYTES < max(len(tables.turns), 1):
        _refuse(f"the turn order has no turn {turn // TURN_BYTES}")


def _check_agreement(document: dict[str, Any], game: LoadedGame, state: State, plies: int) -> None:
    """Check that the fields of the document agree with its memory."""
    if not isinstance(document["board"], list):
        _refuse("`board` is not a list")
    for cell in document["board"]:
        _integer(cell, "a cell of the board")
    actual = {
        "ply": plies,
        "player": game.players[game.player_of(state)],
        "turn_number": game.turn_number_of(state),
        "partial": state.partial,
        "board": list(game.cells_of(state)),
    }
    for key, value in actual.items():
        if document[key] != value or type(document[key]) is not type(value):
            _refuse(f"`{key}` contradicts the memory")


def _read_setup(value: object, game: LoadedGame) -> Setup | None:
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() != {"pieces", "turn", "variables"}:
        _refuse("`setup` is not pieces, turn and variables")
    turn = value["turn"]
    if turn is not None:
        turn = _integer(turn, "`turn` of `setup`", 0, len(game.turn_order) - 1)
    return Setup(
        _read_setup_pieces(value["pieces"], game), turn, _read_setup_variables(value["variables"])
    )


def _read_setup_pieces(value: object, game: LoadedGame) -> Pieces | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > 4 * len(game.positions) + 64:
        _refuse("`setup` has no list of pieces")
    pieces = []
    for piece in value:
        match piece:
            case [str(player), str(kind), str(square)]:
                pieces.append((player, kind, square))
            case _:
                _refuse("`setup` has an entry that is not player, piece type and position")
    return tuple(pieces)


def _read_setup_variables(value: object) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, list) or len(value) > _MAX_VARIABLES:
        _refuse("`setup` has no list of variables")
    variables = []
    for entry in value:
        match entry:
            case [str(name), content]:
                variables.append((name, _integer(content, f"`{name}`", high=2**32 - 1)))
            case _:
                _refuse("`setup` has an entry that is not a variable's name and value")
    return tuple(variables)


# --- lists and numbers -----------------------------------------------------------------------


def _refuse(reason: str) -> NoReturn:
    """Refuse a document for a reason.

    Raises:
        PositionError: Always.
    """
    raise PositionError(f"not a valid position: {reason}")


def _integer_field(values: dict[str, Any], key: str, low: int, high: int) -> int:
    """Return a field that must be an integer in a range."""
    return _integer(values[key], f"`{key}`", low, high)


def _integer(value: object, what: str, low: int = _MIN_CELL, high: int = _MAX_CELL) -> int:
    """Return a value that must be an integer in a range; `what` names it in the message."""
    if not isinstance(value, int) or isinstance(value, bool):
        _refuse(f"{what} is not an integer")
    if not low <= value <= high:
        _refuse(f"{what} is out of range")
    return value


def _read_history(document: dict[str, Any], game: LoadedGame) -> list[HistoryEntry]:
    """Read the moves played, the oldest first."""
    value = document["history"]
    if not isinstance(value, list) or len(value) > _MAX_PLIES:
        _refuse("`history` is not a list of moves")
    history = []
    for entry in value:
        if not isinstance(entry, dict) or entry.keys() - {"left"} != _ENTRY_KEYS:
            _refuse("`history` has an entry that is not a move")
        if entry["player"] not in game.players or not isinstance(entry["move"], str):
            _refuse("`history` has a move of an unknown player")
        index = _integer(entry["index"], "`index` of a move", -1, 2**31 - 1)
        history.append(HistoryEntry(entry["player"], entry["move"], index))
    return history


def _read_engine_changes(document: dict[str, Any]) -> EngineChanges:
    """Read the changes that engines of the script made to memory before a move, by ply."""
    changes: EngineChanges = {}
    for ply, entry in enumerate(document["history"]):
        if "left" in entry:
            values = entry["left"]
            if not isinstance(values, dict) or set(values) != {"memory", "stack"}:
                _refuse("`left` of a move is not memory and stack")
            changes[ply] = _read_runs(values, "memory"), _read_stack(values, "stack")
    return changes


def _read_runs(values: dict[str, Any], key: str) -> list[CellRun]:
    """Read runs of adjacent cells, each with its first address, in order of address."""
    value = values[key]
    if not isinstance(value, list):
        _refuse(f"`{key}` is not a list")
    runs: list[CellRun] = []
    cell_count = 0
    end = 0  # address after the last run
    for entry in value:
        match entry:
            case [first, list(values_of_cells)]:
                address = _integer(first, "an address", 0, _MAX_ADDRESS)
                cells = tuple(_integer(cell, "a cell") for cell in values_of_cells)
            case _:
                _refuse(f"`{key}` has an entry that is not an address with cells")
        if address % CELL or address < end or not cells:
            _refuse(f"`{key}` is not in order at {address}")
        end = address + CELL * len(cells)
        cell_count += len(cells)
        if cell_count > _MAX_CELLS or end > _MAX_ADDRESS:
            _refuse(f"`{key}` is larger than any memory")
        runs.append((address, cells))
    return runs


def _read_stack(values: dict[str, Any], key: str) -> tuple[int, ...]:
    """Read the cells of a stack."""
    value = values[key]
    if not isinstance(value, list) or len(value) > _MAX_STACK:
        _refuse(f"`{key}` is not a stack")
    return tuple(_integer(cell, "a cell of the stack") for cell in value)
