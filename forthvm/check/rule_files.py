"""The checks of rule files of Zillions (`.zrf`).

Owns the findings about one rule file, over all its games and variants.  A block or piece is
reported only if no variant uses it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.loading.files import Roots
from forthvm.core.text.wording import counted, joined_first
from forthvm.zrf.code import (
    Add,
    ChangeType,
    Code,
    Create,
    NamedQuestion,
    SetFlag,
    SetPositionFlag,
    own_tests,
)
from forthvm.zrf.pictures import find_picture, name_on_disk, picture_folders
from forthvm.zrf.plugin import find_plugin_script
from forthvm.zrf.resolve.keywords import FILE_SECTIONS
from forthvm.zrf.rule_file import read_rule_file
from forthvm.zrf.source import RuleFileError

from .finding import Finding
from .rule_file_facts import (
    can_add,
    dead_directions,
    equal_directions,
    instructions_of,
    movable_without_turn,
    moving_types,
    used_directions,
    used_move_types,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from forthvm.core.location import Location
    from forthvm.zrf.rule_file import RuleFile
    from forthvm.zrf.rules import Rules
    from forthvm.zrf.source import Origin

__all__ = ["check_rule_file"]

_MAX_NAMES = 8


def check_rule_file(path: Path, include: Sequence[str | Path]) -> list[Finding]:
    """Return the findings about a rule file and all its variants.

    Args:
        path: The file.
        include: Other folders below which files may be included.

    Raises:
        ScriptFileError: The file cannot be read.
    """
    try:
        file = read_rule_file(path, include=include)
    except RuleFileError as error:
        return [_broken(error)]
    checker = _Checker(file, path, [Path(folder) for folder in include])
    for index in range(len(file.titles)):
        try:
            rules = file.rules(index)
        except RuleFileError as error:
            checker.add_error(error)
        else:
            checker.check(rules)
    return checker.result()


def _broken(error: RuleFileError) -> Finding:
    calls = [f"called from {frame.word} {frame.location}" for frame in error.trace]
    return Finding("E801", error.short_message(), error.location, hints=(*error.hints, *calls))


class _Checker:
    def __init__(self, file: RuleFile, path: Path, include: Sequence[Path]) -> None:
        self.findings: list[Finding] = []
        self._file = file
        self._path = path
        self._picture_folders = picture_folders(path, include)
        self._picture_roots = Roots(self._picture_folders)
        self._maybe: dict[tuple[str, object], Finding] = {}
        self._refuted: set[tuple[str, object]] = set()
        self._missing: dict[str, Origin | None] = {}
        self._other_case: dict[str, tuple[str, Origin | None]] = {}
        for warning in file.warnings:
            self._add("W802", warning.message, warning.origin)
        for warning in file.wrong_calls():
            self._add("W814", warning.message, warning.origin)
        for name, included, origin in file.inclusions:
            self._note_case(name, included, origin)
        seen: set[str] = set()
        for title in file.titles:
            if title in seen:
                self._add("W808", f"two games or variants have the title `{title}`", None)
            seen.add(title)

    def result(self) -> list[Finding]:
        """Return all findings, each once."""
        maybe = [f for key, f in self._maybe.items() if key not in self._refuted]
        if self._missing:
            names = list(self._missing)
            self._add(
                "W807",
                f"{counted(len(names), 'picture')} missing: {joined_first(names, _MAX_NAMES)}",
                self._missing[names[0]],
            )
        if self._other_case:
            names = [f"`{name}` is {real}" for name, (real, _) in self._other_case.items()]
            self._add(
                "I813",
                f"written with other capitals than on the disk: {joined_first(names, _MAX_NAMES)}",
                next(origin for _, origin in self._other_case.values()),
            )
        return list(dict.fromkeys([*self.findings, *maybe]))

    def add_error(self, error: RuleFileError) -> None:
        """Add the error of a variant; an unknown name in other variants is a consequence."""
        finding = _broken(error)
        messages = [known.message for known in self.findings]
        place = finding.location
        if not finding.message.startswith("unknown ") or finding.message not in messages:
            self.findings.append(finding)
            return
        first = self.findings[messages.index(finding.message)]
        if place is not None and first.location is not None and place != first.location:
            is_here = place.file == first.location.file
            use = f"line {place.line}" if is_here else f"{place.file}:{place.line}"
            uses = tuple(dict.fromkeys([*first.consequences, use]))
            self.findings[self.findings.index(first)] = replace(first, consequences=uses)

    def check(self, rules: Rules) -> None:
        """Check the rules of one game or variant."""
        for warning in rules.warnings:
            self._add("W802", warning.message, warning.origin)
        self._symmetries(rules)
        self._equal_directions(rules)
        self._images(rules)
        self._sounds(rules)
        if rules.engine:  # the moves are in the engine's script
            self._engine(rules)
        else:
            self._flags(rules)
            self._blocks(rules)
            self._pieces(rules)
            self._players(rules)

    def _engine(self, rules: Rules) -> None:
        try:
            find_plugin_script(rules, self._path)
        except RuleFileError as error:
            self._add("W809", f"`{rules.title}`: {error.short_message()}", None)

    def _add(self, code: str, message: str, origin: Origin | None) -> None:
        self.findings.append(Finding(code, message, self._location(origin), hints=_calls(origin)))

    def _location(self, origin: Origin | None) -> Location:
        return self._file.location(origin.place) if origin else self._file.start

    def _note(self, code: str, message: str, origin: Origin, *, holds: bool) -> None:
        """Note a finding that is reported unless it does not hold in another variant."""
        key = (code, origin.place)
        if holds:
            finding = Finding(code, message, self._location(origin), hints=_calls(origin))
            self._maybe.setdefault(key, finding)
        else:
            self._refuted.add(key)

    # --- moves ---------------------------------------------------------------------------

    def _blocks(self, rules: Rules) -> None:
        used = used_move_types(rules)
        dead = dead_directions(rules)
        known: dict[Code, bool] = {}
        for block in rules.blocks():
            never_adds = not can_add(block.code, dead, known)
            self._note("W803", "this block never adds a move", block.origin, holds=never_adds)
            self._note(
                "W804",
                f"the move type `{block.move_type}` of this block is never used",
                block.origin,
                holds=used is not None and block.move_type not in used,
            )

    def _flags(self, rules: Rules) -> None:
        instructions = list(instructions_of(rules))
        are_set = {one.name for one in instructions if isinstance(one, SetFlag | SetPositionFlag)}
        tests = (test for one in instructions for test in own_tests(one))
        for test in tests:
            if test.origin and test.question in (NamedQuestion.FLAG, NamedQuestion.POSITION_FLAG):
                text = f"no code sets the flag `{test.name}`: it is always false"
                self._note("W815", text, test.origin, holds=test.name not in are_set)

    def _pieces(self, rules: Rules) -> None:
        appearing = {placement.piece for placement in rules.placements}
        appearing |= {piece for _, piece in rules.reserves}
        for instruction in instructions_of(rules):
            if isinstance(instruction, Add):
                appearing.update(instruction.types)
            elif isinstance(instruction, Create | ChangeType):
                appearing.add(instruction.type)
        for piece in rules.pieces:
            if piece.origin is not None:
                self._note(
                    "W805",
                    f"the piece `{piece.name}` never appears",
                    piece.origin,
                    holds=piece.name not in appearing,
                )

    def _players(self, rules: Rules) -> None:
        origins = rules.origins
        turns = origins.get("turn-order", origins["game"])
        if not any(moving_types(rules, turn.side, turn.move_type) for turn in rules.turns):
            text = f"`{rules.title}`: nothing can ever move: no piece of the set-up can make a move"
            self._add("W810", f"{text} in a turn of its player", origins["game"])
            return
        for player in movable_without_turn(rules):
            self._add("W811", f"`{player}` has pieces with moves, but no turn", turns)

    # --- board and pictures ------------------------------------------------------------------

    def _symmetries(self, rules: Rules) -> None:
        used = used_directions(rules)
        for player, symmetry in rules.board.symmetries.items():
            origin = rules.board.symmetry_origins.get(player)
            for direction, other in symmetry.items():
                # Without a pair of its own `other` acts as itself; both then mean the same.
                if other not in symmetry and {direction, other} <= used:
                    self._add(
                        "W806",
                        f"for {player} `{direction}` acts as `{other}`, and `{other}` as itself",
                        origin,
                    )

    def _equal_directions(self, rules: Rules) -> None:
        equal = dict(equal_directions(rules))
        for direction, origin in rules.board.direction_origins.items():
            self._note(
                "W812",
                f"the direction `{direction}` has the same links as `{equal.get(direction)}`",
                origin,
                holds=direction in equal,
            )

    def _images(self, rules: Rules) -> None:
        images = dict.fromkeys(rules.board.images)
        origins: dict[str, Origin | None] = dict(images)
        for piece in rules.pieces:
            for files in piece.images.values():
                for name in files:
                    origins.setdefault(name, piece.origin)
        for name, origin in origins.items():
            if name and name not in self._missing:
                path = self._find(name)
                if path is None:
                    self._missing[name] = origin
                else:
                    self._note_case(name, path, origin)

    def _sounds(self, rules: Rules) -> None:
        """Note the capitals of sounds; nothing needs the files."""
        for keyword, name in rules.texts.items():
            path = self._find(name) if keyword in FILE_SECTIONS and name else None
            if path is not None:
                self._note_case(name, path, rules.origins.get(keyword))

    def _find(self, name: str) -> Path | None:
        return find_picture(name, self._picture_folders, self._picture_roots)

    def _note_case(self, name: str, path: Path, origin: Origin | None) -> None:
        real = name_on_disk(name, path)
        if real != name.replace("\\", "/"):
            self._other_case.setdefault(name, (real, origin))


def _calls(origin: Origin | None) -> tuple[str, ...]:
    return tuple(f"called from {name} {place}" for name, place in origin.calls) if origin else ()
