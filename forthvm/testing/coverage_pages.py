"""The coverage of tests as pages in HTML: an index of files and words, and a page for each file.

Owns the pages.  All texts may come from scripts of strangers; the pages contain them escaped, and
nothing that runs or loads other files.
"""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING

from forthvm.core.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from forthvm.testing.coverage import FileCoverage, WordCoverage

__all__ = ["CoverageFolderError", "write_pages"]

_INDEX = "index.html"
_MARK = '<meta name="generator" content="forthvm test">'
_MAX_UNBROKEN = 24
"""The maximum length of names that narrow pages do not break."""
# The bar beside missed lines is visible on paper, too, where browsers omit backgrounds.
_STYLE = """
:root { color-scheme: light dark; --missed: #c0392b22; --run: #27ae6022; --bar: #d9534f; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.2rem; }
h1, td { overflow-wrap: anywhere; }
table { border-spacing: 0; }
th, td { text-align: left; vertical-align: top; padding: .15rem .5rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.name { white-space: nowrap; }
th:first-child, td:first-child { border-left: .3rem solid transparent; }
tr.missed { background: var(--missed); }
tr.missed td:first-child { border-left-color: var(--bar); }
tr.missed .runs { font-weight: bold; }
tr.run { background: var(--run); }
tr:target { outline: 2px solid; }
table.source { font: 13px/1.45 ui-monospace, monospace; width: 100%; }
table.source td { padding: 0 .5rem; }
table.source td.code { white-space: pre-wrap; tab-size: 4; }
table.source td.number { width: 1%; }
@media (max-width: 30rem) {
  body { margin: 1rem auto; padding: 0 .5rem; }
  table { font-size: .85rem; }
  th, td { padding: .15rem .3rem; }
  table.source td { padding: 0 .3rem; }
}
@media print {
  body { margin: 0; padding: 0; max-width: none; font-size: 10pt; }
  table.source { font-size: 8pt; }
  tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}
"""


class CoverageFolderError(Exception):
    """The folder contains other files, which must not be replaced."""


def write_pages(files: Sequence[FileCoverage], folder: Path) -> None:
    """Write the pages to a folder, which is made if it does not exist.

    Raises:
        CoverageFolderError: The folder is neither empty nor that of an earlier report.
        OSError: A page cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()) and not _is_report(folder / _INDEX):
        raise CoverageFolderError(f"{folder} contains other files: choose a new folder")
    pages = {file.name: f"file-{number}.html" for number, file in enumerate(files, 1)}
    _write(folder / _INDEX, "Coverage", _index(files, pages))
    for file in files:
        _write(folder / pages[file.name], file.name, _source(file))


def _is_report(index: Path) -> bool:
    return index.is_file() and _MARK.encode() in index.read_bytes()[:1000]


def _write(path: Path, title: str, body: Iterable[str]) -> None:
    shown = escape(visible(title))
    head = f'<!doctype html><html lang="en"><head><meta charset="utf-8">{_MARK}'
    head += '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head += (
        f"<title>{shown}</title><style>{_STYLE}</style></head><body><main><h1>{_path(title)}</h1>"
    )
    path.write_text("\n".join([head, *body, "</main></body></html>\n"]), encoding="utf-8")


def _index(files: Sequence[FileCoverage], pages: dict[str, str]) -> Iterable[str]:
    if not files:
        yield "<p>No position test ran. Counts of <code>.perft</code> files do not count here.</p>"
        return
    yield "<p>The lines with code and the words of scripts that position tests ran.</p>"
    headings = "".join(f'<th class="number">{text}</th>' for text in ("Lines", "Run", "Share"))
    yield f"<table><tr><th>File</th>{headings}</tr>"
    for file in files:
        lines = len(file.runs)
        yield (
            f'<tr><td><a href="{pages[file.name]}">{_path(file.name)}</a></td>'
            f'<td class="number">{lines}</td><td class="number">{file.lines_run}</td>'
            f'<td class="number">{_percentage(file.lines_run, lines)}</td></tr>'
        )
    yield "</table>"
    names = _short_names([file.name for file in files])
    for title, is_move_word in (("Move words", True), ("Other words", False)):
        words = [
            (file, word)
            for file in files
            for word in file.words
            if word.is_move_word == is_move_word
        ]
        if words:
            run = sum(word.runs > 0 for _, word in words)
            yield f"<h2>{title}: {run} of {len(words)} ran</h2>"
            yield '<table><tr><th>Word</th><th class="number">Runs</th><th>Definition</th></tr>'
            for file, word in words:
                yield _word_row(word, f"{pages[file.name]}#{word.line}", names[file.name])
            yield "</table>"


def _short_names(paths: Sequence[str]) -> dict[str, str]:
    """Return the names of files without folders, or with them if two files have the same name."""
    names = {path: path.rsplit("/", 1)[-1] for path in paths}
    return names if len(set(names.values())) == len(names) else {path: path for path in paths}


def _word_row(word: WordCoverage, link: str, file: str) -> str:
    place = f"{_path(file)}<wbr>:{word.line}"
    name = visible(word.name)
    kind = ' class="name"' if len(name) <= _MAX_UNBROKEN else ""
    return (
        f'<tr class="{"run" if word.runs else "missed"}"><td{kind}>{escape(name)}</td>'
        f'<td class="number runs">{word.runs:,}</td><td><a href="{link}">{place}</a></td></tr>'
    )


def _source(file: FileCoverage) -> Iterable[str]:
    lines = len(file.runs)
    share = _percentage(file.lines_run, lines)
    yield f'<p><a href="{_INDEX}">All files</a></p>'
    yield f"<p>{file.lines_run} of {lines} lines with code ran ({share}).</p>"
    yield '<table class="source">'
    for number, text in enumerate(file.lines, 1):
        runs = file.runs.get(number)
        kind = "" if runs is None else ' class="run"' if runs else ' class="missed"'
        count = "" if runs is None else f"{runs:,}"
        shown = "\t".join(escape(visible(part)) for part in text.rstrip("\r").split("\t"))
        yield (
            f'<tr id="{number}"{kind}><td class="number">{number}</td>'
            f'<td class="number runs">{count}</td><td class="code">{shown}</td></tr>'
        )
    yield "</table>"


def _path(text: str) -> str:
    """Return the name of a file, which narrow pages break between folders."""
    return escape(visible(text)).replace(os.sep, f"{os.sep}<wbr>")


def _percentage(part: int, whole: int) -> str:
    """Return a share; 100 % only if nothing is missing."""
    return f"{100 * part // whole} %" if whole else ""
