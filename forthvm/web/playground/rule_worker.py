"""Requests of the playground about rule files, which Python in the browser answers.

Owns the form of requests and answers; rule_worker.js passes them on.  This module and those that it
imports must not import the core, which is not there; static_page.py puts them on the page.
"""

from __future__ import annotations

import json
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from forthvm.core.failure import ForthVMError
from forthvm.core.text.visible import visible
from forthvm.render.symbols.pictures import Picture, add_decoded, forget_decoded
from forthvm.web.playground.rule_game import RuleGame, drawing, pictures_of
from forthvm.zrf.loading import compile_file
from forthvm.zrf.source import MissingFileError, UnknownVariantError

if TYPE_CHECKING:
    from typing import Protocol

    from forthvm.core.location import Location
    from forthvm.zrf.loading import CompiledRules

    class Buffer(Protocol):
        """A typed array of JavaScript."""

        def to_bytes(self) -> bytes:
            """Return its contents."""


__all__ = ["RuleWorker"]


class RuleWorker:
    """Answers requests; files are read from the current folder."""

    def __init__(self) -> None:
        """Begin without a rule file."""
        self._rules: CompiledRules | None = None
        self._game: RuleGame | None = None

    def compile(self, path: str, variant: int | None) -> str:
        """Return the script of a game or variant of a rule file, or what is wrong with the file.

        Args:
            path: The rule file.
            variant: The index of the game or variant; None, or one that is missing: the default.
        """
        try:
            self._rules = rules = compile_file(Path(path), variant)
        except UnknownVariantError:  # the file has fewer variants than before
            return self.compile(path, None)
        except ForthVMError as error:
            return json.dumps({"problem": _problem(error)})
        script, plugin = rules.script, rules.plugin_script
        return json.dumps(
            {
                "script": script.text.decode("utf-8") if script else None,
                "plugin": plugin.name if plugin else None,
                "title": visible(rules.title),
                "titles": [visible(" ".join(title.split())) for title in rules.titles],
                "variant": rules.file.default if variant is None else variant,
            }
        )

    def locate(self, offset: int) -> str:
        """Return the place in the rule file of an offset in bytes in the script; None without."""
        assert self._rules is not None
        return json.dumps(_place(self._rules.locate(offset)))

    def check(self, path: str) -> str:
        """Return the findings of `forthvm check` about a rule file and all its variants."""
        from forthvm.check.rule_files import check_rule_file

        findings = sorted(check_rule_file(Path(path), ()), key=attrgetter("order"))
        return json.dumps(
            [
                {
                    "severity": one.severity,
                    "text": visible("; ".join([f"{one.code}: {one.message}", *one.hints])),
                    "place": _place(one.location),
                }
                for one in findings
            ]
        )

    def forget_pictures(self) -> None:
        """Forget the pictures that were added."""
        forget_decoded()

    def begin_drawing(self, facts: str) -> str:
        """Return the files of the author's pictures, which the page decodes with `add_picture`.

        Args:
            facts: What the page has read in the tables of the script (`RuleGame.of`).
        """
        assert self._rules is not None
        self._game = RuleGame.of(self._rules, json.loads(facts))
        return json.dumps([str(path) for path in pictures_of(self._game)])

    def add_picture(self, path: str, png: Buffer, width: int, height: int) -> None:
        """Add a picture that was decoded; one without width cannot be shown.

        Args:
            path: The file.
            png: The picture as a PNG file, as a typed array of JavaScript.
            width: Its width in pixels.
            height: Its height in pixels.
        """
        data = png.to_bytes()
        picture = Picture(png=data, width=width, height=height) if width else None
        add_decoded(Path(path).read_bytes(), picture)

    def draw(self) -> str:
        """Return how the compiled game is drawn."""
        assert self._game is not None
        return json.dumps(drawing(self._game))


def _problem(error: ForthVMError) -> dict[str, object]:
    is_missing = isinstance(error, MissingFileError)  # the page has hints of its own
    hints = () if is_missing else error.hints
    return {
        "text": visible("; ".join([error.short_message(), *hints])),
        "place": _place(error.location),
        "isMissing": is_missing,
    }


def _place(at: Location | None) -> dict[str, object] | None:
    """Return a place; lines and columns count from 1, columns in characters."""
    if at is None:
        return None
    return {"file": at.file, "line": at.line, "column": at.column, "length": at.length}
