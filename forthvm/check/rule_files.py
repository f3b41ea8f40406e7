"""The checks of rule files of Zillions (`.zrf`).

Owns the findings about one rule file, over all its games and variants.  A block or piece is
reported only if no variant uses it.  This file must not know scripts.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.loading.files import Roots
from forthvm.core.text.wording import counted, joined_first
from forthvm.zrf.code import (
    Add,
    ChangeType,
    Code,
    Constant,
    Create,
    Instruction,
    Neighbor,
    Verify,
    inner_codes,
    own_tests,
)
from forthvm.zrf.errors import RuleFileError
from forthvm.zrf.pictures import find_picture, picture_folders
from forthvm.zrf.plugin import find_plugin_script
from forthvm.zrf.rule_file import read_rule_file

from .finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
        for warning in file.warnings:
            self._add("W802", warning.message, warning.origin)
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
            self.findings[self.findings.index(first)] = first.replace(consequences=uses)

    def check(self, rules: Rules) -> None:
        """Check the rules of one game or variant."""
        for warning in rules.warnings:
            self._add("W802", warning.message, warning.origin)
        self._symmetries(rules)
        self._images(rules)
        if rules.engine:  # the moves are in the engine's script
            self._engine(rules)
        else:
            self._blocks(rules)
            self._pieces(rules)

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
        used = _used_move_types(rules)
        can_add: dict[Code, bool] = {}
        for block in rules.blocks():
            never_adds = not _can_add(block.code, can_add)
            self._note("W803", "this block never adds a move", block.origin, holds=never_adds)
            self._note(
                "W804",
                f"the move type `{block.move_type}` of this block is never used",
                block.origin,
                holds=used is not None and block.move_type not in used,
            )

    def _pieces(self, rules: Rules) -> None:
        appearing = {placement.piece for placement in rules.placements}
        appearing |= {piece for _, piece in rules.reserves}
        for instruction in _instructions(rules):
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

    # --- board and pictures ------------------------------------------------------------------

    def _symmetries(self, rules: Rules) -> None:
        used = _directions(rules)
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

    def _images(self, rules: Rules) -> None:
        images = dict.fromkeys(rules.board.images)
        origins: dict[str, Origin | None] = dict(images)
        for piece in rules.pieces:
            for files in piece.images.values():
                for name in files:
                    origins.setdefault(name, piece.origin)
        for name, origin in origins.items():
            if name and name not in self._missing and not self._exists(name):
                self._missing[name] = origin

    def _exists(self, name: str) -> bool:
        return find_picture(name, self._picture_folders, self._picture_roots) is not None


def _calls(origin: Origin | None) -> tuple[str, ...]:
    return tuple(f"called from {name} {place}" for name, place in origin.calls) if origin else ()


# --- walking through code -----------------------------------------------------------------


def _instructions(rules: Rules) -> Iterator[Instruction]:
    """Yield all instructions, those of shared code once."""
    seen: set[Code] = set()
    waiting = [block.code for block in rules.blocks()]
    while waiting:
        code = waiting.pop()
        if code not in seen:
            seen.add(code)
            for instruction in code.instructions:
                yield instruction
                waiting += inner_codes(instruction)


def _directions(rules: Rules) -> set[str]:
    """Return the directions that code names."""
    found: set[str] = set()
    for instruction in _instructions(rules):
        squares = [getattr(instruction, "square", None)]
        squares += [test.square for test in own_tests(instruction)]
        found.update(square.direction for square in squares if isinstance(square, Neighbor))
    return found


def _can_add(code: Code, known: dict[Code, bool]) -> bool:
    """Return whether some way through code reaches an `add`."""
    found = known.get(code)
    if found is None:
        found = False
        for instruction in code.instructions:
            if isinstance(instruction, Verify) and instruction.condition == Constant(False):
                break
            if isinstance(instruction, Add) or any(
                _can_add(part, known) for part in inner_codes(instruction)
            ):
                found = True
                break
        known[code] = found
    return found


def _used_move_types(rules: Rules) -> set[str] | None:
    """Return the move types that may run; None for all."""
    bare = any(not turn.move_type for turn in rules.turns)
    if bare and not rules.priorities:
        return None
    used = {turn.move_type for turn in rules.turns if turn.move_type}
    if bare:
        used.update(("", *rules.priorities))
    for instruction in _instructions(rules):
        if isinstance(instruction, Add) and instruction.partial:
            if not instruction.continuation:
                return None
            used.add(instruction.continuation)
    return used
