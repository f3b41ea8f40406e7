"""The texts about the rules of a game: those of a rule file, or of the README of a bundled game.

Owns the choice of the texts and their division into blocks of plain text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.catalogue.options import ON_SHOW
from forthvm.core.loading.library import games_folder
from forthvm.core.text.visible import visible
from forthvm.render.symbols import symbol_notes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.game import Game

__all__ = ["rule_texts"]

Block = dict[str, object]
"""A block of plain text; `is` is `paragraph`, `heading`, `list`, `table` or `code`."""

_KEYWORDS = ("description", "history", "strategy")  # of rule files, in this order
_README_SECTIONS = {"Rules in brief", "Settings", "Koom Valley"}
"""The sections of the READMEs that are for players; the others are for authors."""
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"\*\*|`|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)")
_LABEL = re.compile(r"\*\*(.+?)\.\*\*\s*(.*)", re.S)  # a paragraph that begins with its subject
_FILE = re.compile(r"`[\w-]+\.4th`")  # begins a paragraph about parts of the script
_LABELS_FOR_AUTHORS = {"Run", "What the script shows", "What the scripts show", "Interpretations"}


def rule_texts(game: Game) -> dict[str, object]:
    """Return the texts about a game for JSON.

    `sections` have a `kind` (description, history or strategy of a rule file, or rules) and
    `blocks`; `pieces` have the texts of a rule file about single types; `settings` have name, value
    and meaning; `notes` say which pictures are missing.
    """
    return {
        "sections": list(_sections(game)),
        "pieces": list(_pieces(game)),
        "settings": list(_settings(game)),
        "notes": list(symbol_notes(game)),
    }


def _sections(game: Game) -> Iterator[dict[str, object]]:
    if game._loaded.rules is not None:
        texts = game._loaded.rules.rules.texts
        for keyword in _KEYWORDS:
            blocks = list(_paragraphs(texts.get(keyword, "")))
            if blocks:
                yield {"kind": keyword, "blocks": blocks}
        return
    readme = game.path.parent / "README.md"
    if readme.is_relative_to(games_folder()) and readme.is_file():
        blocks = list(_readme_blocks(readme.read_text(encoding="utf-8")))
        yield {"kind": "rules", "blocks": blocks}


def _settings(game: Game) -> Iterator[tuple[str, str, str]]:
    """Yield name, value and meaning of each setting; a number without default has the value ""."""
    chosen = dict(game._loaded.options.settings)
    for name, setting in game.settings.items():
        default = setting.choices[0].value if setting.choices else ""
        value = chosen.get(name, default)
        meanings = [choice.help for choice in setting.choices if choice.value == value]
        yield visible(name), visible(value), visible(meanings[0] if meanings else setting.help)
    if game._loaded.options.on_show:
        yield ON_SHOW, visible(game._loaded.options.on_show), "who sees which pieces"


def _pieces(game: Game) -> Iterator[dict[str, object]]:
    for piece in game._loaded.rules.rules.pieces if game._loaded.rules else ():
        texts = dict.fromkeys([piece.help, piece.description])
        blocks = [block for text in texts for block in _paragraphs(text)]
        if blocks:
            yield {"type": visible(piece.name), "blocks": blocks}


def _paragraphs(text: str) -> Iterator[Block]:
    r"""Yield the paragraphs of a text of a rule file.

    As in Zillions, `\\` begins a paragraph, `\` a line, and a backquote is a quotation mark.
    """
    for paragraph in re.split(r"\\{2,}", text.replace("`", '"')):
        lines = (" ".join(line.split()) for line in paragraph.split("\\"))
        shown = "\n".join(visible(line) for line in lines if line)
        if shown:
            yield {"is": "paragraph", "text": shown}


def _readme_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of the introduction, and of the sections that are for players."""
    in_section = in_paragraphs = True
    for chunk in re.split(r"\n\s*\n", text):
        lines = chunk.strip("\n").splitlines()
        if not lines or lines[0].startswith(("# ", "![", "| script |")):
            continue
        if lines[0].startswith("## "):
            heading = lines[0][3:].strip()
            in_section, in_paragraphs = heading in _README_SECTIONS, True
            if in_section:
                yield {"is": "heading", "text": _plain(heading)}
            lines = lines[1:]
        label = _LABEL.match("\n".join(lines))
        if label:
            in_paragraphs = label[1] not in _LABELS_FOR_AUTHORS
            if in_section and in_paragraphs and label[1] != "Rules":  # the tab's title
                yield {"is": "heading", "text": _plain(label[1])}
            lines = label[2].splitlines()
        if in_section and in_paragraphs and lines and not _FILE.match(lines[0]):
            yield _block(lines)


def _block(lines: list[str]) -> Block:
    if lines[0].startswith("    "):
        return {"is": "code", "text": "\n".join(line.removeprefix("    ") for line in lines)}
    if lines[0].startswith("|"):
        rows = [[_plain(cell) for cell in line.strip("| ").split("|")] for line in lines]
        return {"is": "table", "rows": [row for row in rows if set("".join(row)) - set("-: ")]}
    if lines[0].startswith("- "):
        items = re.split(r"\n *- ", "\n".join(lines)[2:])  # without levels
        return {"is": "list", "items": [_plain(item) for item in items]}
    return {"is": "paragraph", "text": _plain(" ".join(lines))}


def _plain(text: str) -> str:
    """Return a text without the marks of Markdown."""
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).split())
