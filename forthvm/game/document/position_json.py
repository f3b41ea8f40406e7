"""Saved positions: JSON documents, validated when they are read.

Owns the format (position.schema.json, docs/reference/positions.md) and all checks when reading.
The few cells that have fields of their own are the only ones whose meaning it uses.

A document contains the cells that differ from memory after loading the game.  Documents are
therefore short, and valid only for the same sources, which the digest identifies.

An engine of a script may change memory while it chooses a move.  If an engine changed memory in the
current position, the field `played` contains the changed memory.  If an engine changed memory in an
earlier position, the field `left` of the next move in `history` contains the change.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from forthvm.core.bindings.layout import CELL
from forthvm.core.errors import (
    ForthVMError,
    PositionDigestError,
    PositionError,
    UnknownGameError,
)
from forthvm.core.loading.source import file_digest
from forthvm.core.text.visible import visible_json
from forthvm.game.catalogue.bundled import find_game
from forthvm.game.definition.tables import TURN_BYTES, read_cell
from forthvm.game.memory.differences import cells_from_runs, changed_runs
from forthvm.game.setup import Setup

from .parts import (
    MAX_PLIES,
    integer,
    integer_field,
    read_engine_changes,
    read_history,
    read_runs,
    read_stack,
    refuse,
)
from .replay import replayed_moves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from forthvm.core.bindings import Snapshot
    from forthvm.game.game import Game
    from forthvm.game.memory.differences import CellRun
    from forthvm.game.position import Position
    from forthvm.game.setup import Pieces

__all__ = [
    "FORMAT",
    "VERSION",
    "About",
    "read_about",
    "read_document",
    "schema",
    "write_document",
]

FORMAT = "forthvm-position"
VERSION = 2

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
_FIELDS[2] = _FIELDS[1] | set(_VERSION_2_FIELDS)
_OPTIONAL_FIELD = "variant"
"""Title of the game or variant; only in positions of rule files, which contain several."""


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


def schema() -> dict[str, Any]:
    """Return the JSON schema of a saved position."""
    text = Path(__file__).with_name("position.schema.json").read_text("utf-8")
    value: dict[str, Any] = json.loads(text)
    return value


# --- writing --------------------------------------------------------------------------


def write_document(position: Position, *, indent: int | None = None, full: bool = False) -> str:
    """Return the document of a position.

    Equal positions with equal histories have equal documents.

    Args:
        position: The position.
        indent: As for `json.dumps`.
        full: Whether to include two things.  First, the paths of the script and of a user's
            library, from which the command line can load the game again.  Second, the changes
            that engines of the script made to memory at earlier plies, so that moves can be taken
            back.  Without them, the document is short, and the same on every computer.
    """
    game, state = position.game, position.state
    played = None
    if state.engine_ran:
        played = _written_memory(game, state.current, game.base)
    script = _script_path(game) if full else None
    document = {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "digest": game.digest,
        "base": game.base_digest,
        "axiom": game.axiom,
        "seed": game.options.seed,
        "clock": game.options.clock,
        "load_clock": None,
        "settings": dict(game.options.settings),
        "script": script,
        "script_digest": _digest_of(script),
        "library": str(game.options.library) if full and _has_own_library(game) else None,
        "setup": _written_setup(position.setup),
        "history": _written_history(position, full=full),
        "ply": position.ply,
        "player": position.turn,
        "turn_number": position.turn_number,
        "partial": state.partial,
        "skipped": state.skipped,
        "board": list(position.cells),
        **_written_memory(game, state.arrived, game.base),
        "played": played,
    }
    if game.rules is not None:
        document[_OPTIONAL_FIELD] = game.rules.title
    separators = (",", ":") if indent is None else None
    text = json.dumps(document, indent=indent, separators=separators, ensure_ascii=False)
    return visible_json(text)


def _written_history(position: Position, *, full: bool) -> list[dict[str, Any]]:
    history: list[dict[str, Any]] = [
        {"player": entry.player, "move": entry.text, "index": entry.index}
        for entry in position.history
    ]
    made = position._made if full else ()
    for entry, move in zip(reversed(history), reversed(made), strict=False):
        if move.state.engine_ran:
            entry["left"] = _written_memory(position.game, move.state.current, move.state.arrived)
    return history


def _script_path(game: Game) -> str | None:
    """Return the path of the main script, None if the game can be found by its name."""
    try:
        _, path = find_game(game.name)
    except UnknownGameError:
        return str(game.path)
    return None if path.absolute() == game.path else str(game.path)


def _digest_of(script: str | None) -> str | None:
    """Return the digest of the current script file; None if it no longer exists."""
    try:
        return None if script is None else file_digest(Path(script))
    except OSError:
        return None


def _has_own_library(game: Game) -> bool:
    return game.options.library != "axiom"


def _written_memory(game: Game, state: Snapshot, base: Snapshot) -> dict[str, Any]:
    """Return the fields for a memory that differs from a base, except in scratch memory."""
    runs = changed_runs(state, base, ignored=game.declared_scratch)
    return {
        "memory": [[address, list(cells)] for address, cells in runs],
        "stack": list(state.stack()),
    }


# --- reading --------------------------------------------------------------------------


def read_about(text: str | bytes) -> About:
    """Return the fields of a document about its game; the other fields are not checked.

    Raises:
        PositionError: The text is not a document.
    """
    document = _parse(text)
    _check_form(document)
    return About(**{name: document[name] for name in About.__match_args__})


def read_document(kind: type[Position], game: Game, text: str | bytes) -> Position:
    """Return the position that a document describes, as an object of the class `kind`.

    Raises:
        PositionDigestError: The document belongs to other sources or options.
        PositionError: The text is not a valid document.
    """
    document = _parse(text)
    _check_game(document, game)
    setup = _read_setup(document["setup"], game)
    history = read_history(document, game)
    skipped = integer_field(document, "skipped", 0, MAX_PLIES)
    partial = document["partial"]
    if not isinstance(partial, bool):
        refuse("`partial` is neither true nor false")
    runs, stack = read_runs(document, "memory"), read_stack(document, "stack")
    played = document["played"]
    if played is not None:
        if not isinstance(played, dict) or set(played) != {"memory", "stack"}:
            refuse("`played` is not memory and stack")
        played = read_runs(played, "memory"), read_stack(played, "stack")
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
    position = kind(game, state, history, setup)
    _check_agreement(document, position)
    engine_changes = read_engine_changes(document)
    if engine_changes:
        with suppress(ForthVMError):  # if the replay fails, only `pop` raises an error
            position._made, position._earlier = replayed_moves(position, engine_changes), ()
    return position


def _parse(text: str | bytes) -> dict[str, Any]:
    """Return the document as Python values, after a check of its keys."""
    if not isinstance(text, str | bytes | bytearray):
        raise TypeError(f"a position is read from text, not from {type(text).__name__}")
    if len(text) > _MAX_TEXT:
        refuse("the document is larger than any position")
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
    extra = document.keys() - _FIELDS[version] - {_OPTIONAL_FIELD}
    if missing:
        refuse(f"`{min(missing)}` is missing")
    if extra:
        refuse(f"`{min(extra)}` is unknown")
    return dict.fromkeys((*_VERSION_2_FIELDS, _OPTIONAL_FIELD)) | document


def _bad_number(name: str) -> NoReturn:
    refuse(f"{name} is not a number that JSON has")


def _check_form(document: dict[str, Any]) -> None:
    """Check the types of the fields about the game."""
    for key in ("digest", "base"):
        if not isinstance(document[key], str) or not _HEX.fullmatch(document[key]):
            refuse(f"`{key}` is not a SHA-256 digest")
    for key in ("game", "axiom"):
        if not isinstance(document[key], str):
            refuse(f"`{key}` is not a text")
    for key in ("seed", "clock", "load_clock"):
        if document[key] is not None:
            integer_field(document, key, -(2**63), 2**63 - 1)
    _check_version_2_form(document)


def _check_version_2_form(document: dict[str, Any]) -> None:
    """Check the types of the fields that version 2 added."""
    for key in ("script", "script_digest", "library", _OPTIONAL_FIELD):
        if not isinstance(document[key], str | None):
            refuse(f"`{key}` is not a text")
    settings = document["settings"]
    if settings is None and document["version"] == 1:
        return
    if not isinstance(settings, dict) or not all(
        isinstance(text, str) and text.isprintable() for pair in settings.items() for text in pair
    ):
        refuse("`settings` is not names with texts")


def _check_game(document: dict[str, Any], game: Game) -> None:
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


def _base_memory(document: dict[str, Any], game: Game) -> Snapshot:
    """Return the memory after loading, as it was in the process that saved the position.

    The document contains the cells that differ from this memory.  Earlier versions of forthvm
    loaded a script with the time as its clock, and stored the time as `load_clock`.
    """
    if document["base"] == game.base_digest:
        return game.base
    if document["load_clock"] is not None:
        reloaded = game.at_clock(document["load_clock"])
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


def _check_cells(memory: Snapshot, game: Game) -> None:
    """Check the cells that are read from memory without the VM."""
    tables = game.tables
    variables = tables.variables
    if read_cell(memory, variables.board) != tables.board:
        refuse("the board has another address")
    if read_cell(memory, variables.board_size) // CELL != tables.board_cells:
        refuse("the board has another size")
    player = read_cell(memory, variables.player_offset)
    if player % CELL or not 0 <= player // CELL < len(game.players):
        refuse(f"there is no player {player // CELL} to move")
    turn = read_cell(memory, variables.turn_offset)
    if turn % TURN_BYTES or not 0 <= turn // TURN_BYTES < max(len(tables.turns), 1):
        refuse(f"the turn order has no turn {turn // TURN_BYTES}")


def _check_agreement(document: dict[str, Any], position: Position) -> None:
    """Check that the fields of the document agree with its memory."""
    if not isinstance(document["board"], list):
        refuse("`board` is not a list")
    for cell in document["board"]:
        integer(cell, "a cell of the board")
    actual = {
        "ply": position.ply,
        "player": position.turn,
        "turn_number": position.turn_number,
        "partial": position.is_partial,
        "board": list(position.cells),
    }
    for key, value in actual.items():
        if document[key] != value or type(document[key]) is not type(value):
            refuse(f"`{key}` contradicts the memory")


def _written_setup(setup: Setup | None) -> dict[str, Any] | None:
    if setup is None:
        return None
    pieces = setup.pieces
    return {
        "pieces": None if pieces is None else [list(piece) for piece in pieces],
        "turn": setup.turn,
        "variables": [list(entry) for entry in setup.variables],
    }


def _read_setup(value: object, game: Game) -> Setup | None:
    if value is None:
        return None
    if not isinstance(value, dict) or value.keys() != {"pieces", "turn", "variables"}:
        refuse("`setup` is not pieces, turn and variables")
    turn = value["turn"]
    if turn is not None:
        turn = integer(turn, "`turn` of `setup`", 0, len(game.turn_order) - 1)
    return Setup(
        _read_setup_pieces(value["pieces"], game), turn, _read_setup_variables(value["variables"])
    )


def _read_setup_pieces(value: object, game: Game) -> Pieces | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > 4 * len(game.positions) + 64:
        refuse("`setup` has no list of pieces")
    pieces = []
    for piece in value:
        match piece:
            case [str(player), str(kind), str(square)]:
                pieces.append((player, kind, square))
            case _:
                refuse("`setup` has an entry that is not player, piece type and position")
    return tuple(pieces)


def _read_setup_variables(value: object) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, list) or len(value) > _MAX_VARIABLES:
        refuse("`setup` has no list of variables")
    variables = []
    for entry in value:
        match entry:
            case [str(name), content]:
                variables.append((name, integer(content, f"`{name}`", high=2**32 - 1)))
            case _:
                refuse("`setup` has an entry that is not a variable's name and value")
    return tuple(variables)
