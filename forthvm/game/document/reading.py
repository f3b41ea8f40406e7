"""Reads positions from JSON documents; every value of a document is checked.

Owns all checks, and the replay of a history.  The format is that of writing.py.  The meaning of
memory does not matter here, except for the few cells that have fields of their own.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from forthvm.core.bindings.layout import CELL
from forthvm.core.errors import ForthVMError, PositionDigestError, PositionError
from forthvm.core.output import discard
from forthvm.core.reading import (
    Reader,
    ReadError,
    dict_of,
    flag,
    integer,
    list_of,
    optional,
    parse_json,
    record,
    text,
    tuple_of,
)
from forthvm.game.loaded import LoadedGame
from forthvm.game.memory.differences import cells_from_runs, changed_runs
from forthvm.game.moves import HostPass, Move, Source
from forthvm.game.notation import HOST_PASS, HistoryEntry
from forthvm.game.pieces import MAX_ATTRIBUTE
from forthvm.game.setup import Setup, changes_of, first_state
from forthvm.game.tables import TURN_BYTES, read_cell

from .writing import FORMAT, VARIANT, VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from forthvm.core.bindings import Snapshot
    from forthvm.game.memory.differences import CellRun
    from forthvm.game.states import State

    # For a ply, the memory and the stack that an engine of the script left before the move.
    EngineChanges = dict[int, tuple[list[CellRun], tuple[int, ...]]]

__all__ = ["About", "ReadPosition", "read_about", "read_document", "read_setup", "replayed_moves"]


_MAX_TEXT = 64 << 20
_MAX_VARIABLES = 100_000
_HEX = re.compile(r"[0-9a-f]{64}")
_MAX_CELLS = 4 << 20
_MAX_STACK = 6144
_MAX_ADDRESS = 2**32 - 4
_MAX_PLIES = 1_000_000
"""Maximum number of plies; no real game has as many."""


# --- the form of a document -----------------------------------------------------------------------


def _digest(value: object) -> str:
    """Read a SHA-256 digest."""
    digest = text()(value)
    if not _HEX.fullmatch(digest):
        raise ReadError("expected a SHA-256 digest")
    return digest


def _settings(value: object) -> dict[str, str]:
    """Read names with texts."""
    settings = dict_of(text())(value)
    if not all(each.isprintable() for pair in settings.items() for each in pair):
        raise ReadError("expected printable texts")
    return settings


def _runs(value: object) -> list[CellRun]:
    """Read runs of adjacent cells, each with its first address, in order of address."""
    runs: list[CellRun] = list(_read_runs(value))
    end = cell_count = 0
    for address, cells in runs:
        if address % CELL or address < end or not cells:
            raise ReadError(f"not in order at {address}")
        end = address + CELL * len(cells)
        cell_count += len(cells)
        if cell_count > _MAX_CELLS or end > _MAX_ADDRESS:
            raise ReadError("larger than any memory")
    return runs


def _memory(value: object) -> tuple[list[CellRun], tuple[int, ...]]:
    """Read changes of memory with a stack."""
    fields = _read_memory(value)
    return fields["memory"], fields["stack"]


def _unchecked(value: object) -> object:
    return value


_cell = integer(-(2**31), 2**31 - 1)
_seed = optional(integer(-(2**63), 2**63 - 1))
_read_runs = list_of(tuple_of(integer(0, _MAX_ADDRESS), list_of(_cell)))
_MEMORY: Mapping[str, Reader[Any]] = {"memory": _runs, "stack": list_of(_cell, _MAX_STACK)}
_read_memory = record(_MEMORY)
_setup = record(
    {
        "pieces": optional(list_of(tuple_of(text(), text(), text()))),
        "turn": optional(integer()),
        "variables": list_of(tuple_of(text(), integer(-(2**31), 2**32 - 1)), _MAX_VARIABLES),
        "attributes": list_of(tuple_of(text(), integer(0, MAX_ATTRIBUTE)), _MAX_VARIABLES),
    },
    optional={"attributes"},
)
_entry = record(
    {
        "player": text(),
        "move": text(),
        "index": integer(-1, 2**31 - 1),
        "left": _memory,  # the changes that engines of the script made before the move
    },
    optional={"left"},
)
_PLAY: Mapping[str, Reader[Any]] = {
    "setup": optional(_setup),
    "history": list_of(_entry, _MAX_PLIES),
    "ply": integer(0, _MAX_PLIES),
    "player": text(),
    "turn_number": optional(integer()),
    "partial": flag,
    "skipped": integer(0, _MAX_PLIES),
    "board": list_of(_cell),
    **_MEMORY,
    "played": optional(_memory),
}
_read_play = record(_PLAY, others=True)
_read_setup = record({"setup": optional(_setup)}, others=True)
_VERSION_1: Mapping[str, Reader[Any]] = {
    "format": text(),
    "version": integer(),
    "game": text(),
    "digest": _digest,
    "base": _digest,
    "axiom": text(),
    "seed": _seed,
    "clock": _seed,
    "load_clock": _seed,
    **dict.fromkeys(_PLAY, _unchecked),
    VARIANT: optional(text()),
}
_VERSION_2: Mapping[str, Reader[Any]] = {
    "settings": _settings,
    "script": optional(text()),
    "script_digest": optional(text()),
    "library": optional(text()),
}
"""Fields about the loaded game that version 2 of the format added."""
_FORMS = {
    1: record(_VERSION_1, optional={VARIANT}),
    VERSION: record({**_VERSION_1, **_VERSION_2}, optional={VARIANT}),
}


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
    return About(**{name: document[name] for name in About.__match_args__})


def read_document(game: LoadedGame, text: str | bytes) -> ReadPosition:
    """Return what a document says about a position.

    Raises:
        PositionDigestError: The document belongs to other sources or options.
        PositionError: The text is not a valid document.
    """
    document = _parse(text)
    _check_game(document, game)
    play = _valid(_read_play, document)
    setup = _checked_setup(play["setup"], game)
    history = _checked_history(play["history"], game)
    skipped, played = play["skipped"], play["played"]
    base = _base_memory(document, game)
    arrived = _patched(base, play["memory"], play["stack"])
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
    _check_agreement(play, game, state)
    engine_changes: EngineChanges = {
        ply: entry["left"] for ply, entry in enumerate(play["history"]) if "left" in entry
    }
    made = None
    if engine_changes:
        with suppress(ForthVMError):  # if the replay fails, only `pop` raises an error
            made = replayed_moves(game, setup, history, state, engine_changes)
    return ReadPosition(state, setup, history, made)


def read_setup(game: LoadedGame, document: object) -> Setup | None:
    """Return the set-up in a document whose other fields may be of other sources.

    Raises:
        PositionError: The set-up is invalid.
    """
    return _checked_setup(_valid(_read_setup, document)["setup"], game)


def _parse(text: str | bytes) -> dict[str, Any]:
    """Return the document as Python values, after a check of its keys."""
    if not isinstance(text, str | bytes | bytearray):
        raise TypeError(f"a position is read from text, not from {type(text).__name__}")
    if len(text) > _MAX_TEXT:
        _refuse("the document is larger than any position")
    try:
        document = parse_json(text)
    except ReadError as error:
        raise PositionError(f"not a position: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise PositionError(f"not a position: the format is not {FORMAT!r}")
    version = document.get("version")
    if type(version) is not int or version not in _FORMS:
        raise PositionError(
            f"this position is of format version {version!r}; "
            f"this forthvm reads versions up to {VERSION}"
        )
    return dict.fromkeys((*_VERSION_2, VARIANT)) | _valid(_FORMS[version], document)


def _valid(read: Reader[dict[str, Any]], document: object) -> dict[str, Any]:
    try:
        return read(document)
    except ReadError as error:
        _refuse(str(error))


def _check_game(document: dict[str, Any], game: LoadedGame) -> None:
    """Check that the document belongs to this game.

    The digest depends on the options.  The options are compared first, so that the message names
    the option that differs.
    """
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
        options = game.options.replace(clock=document["load_clock"])
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


def _check_agreement(play: dict[str, Any], game: LoadedGame, state: State) -> None:
    """Check that the fields of the document agree with its memory."""
    actual = {
        "ply": len(play["history"]),
        "player": game.players[game.player_of(state)],
        "turn_number": game.turn_number_of(state),
        "partial": state.partial,
        "board": tuple(game.cells_of(state)),
    }
    for key, value in actual.items():
        if play[key] != value:
            _refuse(f"`{key}` contradicts the memory")


def _checked_setup(fields: dict[str, Any] | None, game: LoadedGame) -> Setup | None:
    if fields is None:
        return None
    pieces, turn = fields["pieces"], fields["turn"]
    if pieces is not None and len(pieces) > 4 * len(game.positions) + 64:
        _refuse("`setup.pieces` has more pieces than the board holds")
    if turn is not None and turn not in range(len(game.tables.turns)):
        _refuse("`setup.turn` is out of range")
    setup = Setup(pieces, turn, fields["variables"], fields.get("attributes", ()))
    try:
        changes_of(game, setup)
    except ValueError as error:
        _refuse(str(error))
    return setup


def _checked_history(entries: Sequence[dict[str, Any]], game: LoadedGame) -> list[HistoryEntry]:
    """Return the moves played, the oldest first."""
    for index, entry in enumerate(entries):
        if entry["player"] not in game.players:
            _refuse(f"`history[{index}].player` is unknown")
    return [HistoryEntry(entry["player"], entry["move"], entry["index"]) for entry in entries]


def _refuse(reason: str) -> NoReturn:
    """Refuse a document for a reason.

    Raises:
        PositionError: Always.
    """
    raise PositionError(f"not a valid position: {reason}")


# --- replay of a history, to reconstruct the states before its moves ---------------------------


def replayed_moves(
    game: LoadedGame,
    setup: Setup | None,
    history: Sequence[HistoryEntry],
    last: State,
    engine_changes: EngineChanges | None = None,
) -> list[Move]:
    """Return the moves of a history, made again from the start.

    Args:
        game: The game.
        setup: The set-up with which it was started.
        history: The moves.
        last: The state after the moves.
        engine_changes: The changes to memory by engines of the script, by ply.

    Raises:
        PositionError: The replay fails or leads to another position.
    """
    states = game.states
    try:
        state = first_state(game, setup)
    except ValueError as error:
        raise PositionError(f"cannot reconstruct earlier positions: {error}") from error
    moves: list[Move] = []
    for ply, entry in enumerate(history):
        if engine_changes and ply in engine_changes:
            state = _after_engine(game, state, *engine_changes[ply])
        shown = f"move {ply + 1} of the history, `{entry.text}`,"
        texts = states.texts(state)
        if entry.index == HOST_PASS:
            if texts:
                raise PositionError(f"{shown} is a pass of a player who has moves")
            moves.append(HostPass(Source(game, state)))
            state = states.end_turn(state)
            continue
        if entry.index >= len(texts) or texts[entry.index] != entry.text:
            raise PositionError(f"cannot reconstruct earlier positions: {shown} is not legal")
        moves.append(Move(Source(game, state), entry.index))
        before, state = state, states.make(state, entry.index)
        states.save(state)
        states.free_list(before)
    if not state.same(last):
        raise PositionError(
            "cannot reconstruct earlier positions: replaying the history leads to another "
            "position (random streams were set, an engine ran, or the game began from another "
            "set-up)"
        )
    return moves


def _after_engine(
    game: LoadedGame, state: State, runs: list[CellRun], stack: tuple[int, ...]
) -> State:
    """Return a state after the changes to memory that an engine of the script made."""
    try:
        memory = state.arrived.patch(cells_from_runs(runs), stack)
    except MemoryError as error:
        raise PositionError("the memory that an engine left does not fit") from error
    return game.states.from_memory(state.arrived, skipped=state.skipped, engine_memory=memory)
