"""Writes the TextMate grammars in editors/vscode/syntaxes from the tables of the tokenizers.

Owns the scopes of the kinds of tokens, and the expressions that recognize them line by line.  With
``--check`` it only compares the files.  A grammar knows one text only, so it cannot recognize the
names after defining words that a script defines; the language server can.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from generated_files import CHECKOUT, write_or_check

from forthvm.core._primitives import PRIMITIVES
from forthvm.syntax import Kind, tokens
from forthvm.zrf.code import Cursor, NamedQuestion, Question
from forthvm.zrf.resolve import keywords
from forthvm.zrf.resolve.instructions import InstructionReader

SYNTAXES = CHECKOUT / "editors" / "vscode" / "syntaxes"
Rule = dict[str, Any]

SCOPES = {
    Kind.COMMENT: "comment.line",
    Kind.STRING: "string.quoted.double",
    Kind.DEFINING: "keyword.other.definition",
    Kind.NAME: "entity.name.function",
    Kind.QUOTED: "variable.other.quoted",
    Kind.CONTROL: "keyword.control",
    Kind.SECTION: "storage.type.section",
    Kind.ITEM: "storage.modifier.item",
    Kind.NUMBER: "constant.numeric",
    Kind.KERNEL: "support.function.kernel",
    Kind.WORD: "",
}
"""The scope of each kind of token of ForthScript; its words have none."""

BLANK = r"[ \t\f\v]"
CHARACTER = r"[^ \t\r\n\f\v]"
END = f"(?!{CHARACTER})"


def any_of(words: Iterable[str]) -> str:
    """Returns an expression for one of several words."""
    return "(?:" + "|".join(re.escape(word) for word in sorted(words)) + ")"


# --- ForthScript -----------------------------------------------------------------------


def scoped(kind: Kind) -> Rule:
    """Returns what gives a match the scope of a kind."""
    return {"name": f"{SCOPES[kind]}.forthscript"} if SCOPES[kind] else {}


def word(kind: Kind, expression: str) -> Rule:
    """Returns a rule for whole words of a kind."""
    return {**scoped(kind), "match": f"{expression}{END}"}


def readers(words: Iterable[str], name: Kind) -> list[Rule]:
    """Returns rules for words that read a name, which may be in a later line."""
    rules = []
    by_kind: dict[Kind, list[str]] = {}
    for one in sorted(words):
        by_kind.setdefault(kind_of(one), []).append(one)
    for kind, members in by_kind.items():
        rule = {
            "begin": f"{any_of(members)}{END}",
            "beginCaptures": {"0": scoped(kind)},
            "end": f"{CHARACTER}+",
            "endCaptures": {"0": scoped(name)},
        }
        rules.append(rule)
    return rules


def kind_of(text: str) -> Kind:
    """Returns the kind of a word by itself."""
    return next(tokens.tokenize(text, compiling=True)).kind


def comments() -> list[Rule]:
    r"""Returns the rules for comments.

    `\` at the end of a line comments out the next line that is not empty, and parentheses directly
    after `( ` belong to the comment, since `WORD` skips leading delimiters.
    """
    comment = scoped(Kind.COMMENT)
    return [
        {**comment, "begin": rf"\\{BLANK}?$", "end": ".+$"},
        {**comment, "match": rf"\\{END}.*$"},
        {**comment, "begin": rf"\({END}(?:{BLANK}\)*)?", "end": r"\)"},
    ]


def strings() -> Rule:
    """Returns the rule for words that read a string."""
    string = scoped(Kind.STRING)
    return {
        "begin": f'{any_of(tokens.STRINGS)}{END}(?:{BLANK}("*))?',
        "beginCaptures": {"1": string},
        "contentName": string["name"],
        "end": '"',
        "endCaptures": {"0": string},
    }


def compiled_region(begin: Rule) -> Rule:
    """Returns the rule for a part of the text that is compiled, until `;` or `[`."""
    return {
        **begin,
        "end": rf"(?:(;)|(\[)){END}",
        "endCaptures": {"1": scoped(Kind.DEFINING), "2": scoped(Kind.CONTROL)},
    }


def forthscript() -> Rule:
    """Returns the grammar of ForthScript."""
    defining = tokens.DEFINING - {":"}
    sections = [f"{{{name}" for name in tokens.SECTIONS] + [*tokens.CLOSERS]
    kernel = {name for name, *_ in PRIMITIVES if kind_of(name) is Kind.KERNEL}
    words = [
        word(Kind.SECTION, any_of(sections)),
        word(Kind.DEFINING, any_of({";", *(one for one in tokens.DEFINING if one[0] != "{")})),
        word(Kind.CONTROL, any_of(tokens.CONTROL)),
        word(Kind.ITEM, r"\{[^{}\s]+\}"),
        word(Kind.NUMBER, r"(?:[+-]?[0-9]+|[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"),
        word(Kind.KERNEL, any_of(kernel)),
        {"match": f"{CHARACTER}+"},
    ]
    name_of_definition = {
        "begin": rf"\G:{END}",
        "beginCaptures": {"0": scoped(Kind.DEFINING)},
        "end": f"{CHARACTER}+",
        "endCaptures": {"0": scoped(Kind.NAME)},
    }
    compiled = {"include": "#compiled"}
    always = readers(tokens.ALWAYS_NAME_READERS, Kind.QUOTED)
    return {
        "name": "ForthScript",
        "scopeName": "source.forthscript",
        "fileTypes": ["4th"],
        "patterns": [
            {"include": "#texts"},
            compiled_region({"begin": f"(?=:{END})", "patterns": [name_of_definition, compiled]}),
            compiled_region(
                {
                    "begin": rf"\]{END}",
                    "beginCaptures": {"0": scoped(Kind.CONTROL)},
                    "patterns": [compiled],
                }
            ),
            *readers(defining, Kind.NAME),
            *readers(tokens.NAME_READERS, Kind.QUOTED),
            {"include": "#words"},
        ],
        "repository": {
            "texts": {"patterns": [*comments(), strings(), *always]},
            "compiled": {"patterns": [{"include": "#texts"}, {"include": "#words"}]},
            "words": {"patterns": words},
        },
    }


# --- rule files ------------------------------------------------------------------------

TOP = ("define", "game", "include", "variant")
PARTS = (  # keywords of parts of sections, and words with a meaning in conditions and goals
    *("piece", "option", "name", "help", "notation", "image", "dummy", "attribute", "moves"),
    *("drops", "move-type", "positions", "links", "unlink", "zone", "grid", "start-rectangle"),
    *("dimensions", "directions", "symmetry", "kill-positions", "off", "repeat", "default"),
    *("absolute-config", "relative-config", "checkmated", "captured", "pieces-remaining"),
    *("capture-count", "total-piece-count", "stalemated", "repetition", "opponent", "any-owner"),
    *("true", "false"),
)
CONTROL = ("if", "else", "while", "verify", "and", "or", "not")
NAME = r'[^\s\x00();"]'


def zrf() -> Rule:
    """Returns the grammar of rule files."""
    nothing = cast(Any, None)
    instructions = InstructionReader(nothing, nothing, nothing).keywords
    sections = {
        *keywords.GOAL_SECTIONS,
        *keywords.OLD_OPTIONS,
        *keywords.TEXT_SECTIONS,
        *keywords.SECTIONS_OF_RULES,
        *keywords.UNUSED_SECTIONS,
        *PARTS,
    }
    questions = [question.value for question in (*Question, *NamedQuestion)]
    cursors = {cursor.value for cursor in Cursor if cursor is not Cursor.HERE}

    def named(scope: str, expression: str) -> Rule:
        return {"name": f"{scope}.zrf", "match": f"(?<!{NAME}){expression}(?!{NAME})"}

    return {
        "name": "Zillions rule file",
        "scopeName": "source.zrf",
        "fileTypes": ["zrf"],
        "patterns": [
            {"name": "comment.line.semicolon.zrf", "match": ";.*$"},
            {"name": "string.quoted.double.zrf", "begin": '"', "end": '"'},
            {
                "match": rf"(?<=\()\s*(define)\s+({NAME}+)",
                "captures": {
                    "1": {"name": "keyword.other.definition.zrf"},
                    "2": {"name": "entity.name.function.zrf"},
                },
            },
            {"name": "punctuation.section.parens.zrf", "match": "[()]"},
            named("keyword.other.definition", any_of(TOP)),
            named("keyword.control", any_of(CONTROL)),
            named("support.function.condition", f"(?:not-)?{any_of(questions)}"),
            named("support.function.instruction", any_of({*instructions, *cursors} - sections)),
            named("storage.type.section", any_of(sections)),
            named("constant.numeric", "[+-]?[0-9]+"),
            {"name": "variable.parameter.zrf", "match": r"\$[1-9][0-9]{0,3}"},
            {"match": '[^$\\s\\x00();"]+|\\$'},
        ],
    }


# --- test files ------------------------------------------------------------------------

FILE_LEVEL = ("game", "variant", "seed", "setting")
STATEMENTS = ("pieces", "turn", "variable", "play", "moves", "legal", "score")
EXPECTED = ("turn", "variable", "empty", "win", "loss", "draw", "no end")


def test_files() -> Rule:
    """Returns the grammar of the files of `forthvm test`."""

    def line(expression: str, *scopes: str) -> Rule:
        captures = {str(number): {"name": name} for number, name in enumerate(scopes, 1) if name}
        return {"match": f"^{expression}", "captures": captures}

    keyword, check, word = (
        f"{scope}.forthvm-test"
        for scope in ("keyword.other", "keyword.control", "storage.modifier")
    )
    name = "entity.name.function.forthvm-test"
    return {
        "name": "Tests of a game",
        "scopeName": "source.forthvm-test",
        "fileTypes": ["test"],
        "patterns": [
            {"name": "comment.line.number-sign.forthvm-test", "match": r"^\s*#.*$"},
            line(f"({any_of(FILE_LEVEL)}){END}", keyword),
            line(r"(test)\s+(\S.*)$", keyword, name),
            {  # a drawn board: the lines that are indented deeper
                "begin": r"^(\s+)(?:(expect)\s+)?(board)\s*$",
                "beginCaptures": {"2": {"name": check}, "3": {"name": keyword}},
                "while": r"^(?:\1\s+(?=\S)|\s*$)",
                "contentName": "string.unquoted.board.forthvm-test",
            },
            line(r"\s+(refused)\s+(?:(\S.*?)\s+(because)\s+(.*))?", check, "", check, word),
            line(rf"\s+(expect)(?:\s+({any_of(EXPECTED)})){END}", check, keyword),
            line(rf"\s+(expect){END}", check),
            line(rf"\s+(moves)\s+(in order|none){END}", check, word),
            line(rf"\s+(perft)(?:\s+(joined))?{END}", check, word),
            line(rf"\s+({any_of(STATEMENTS)}){END}", keyword),
            {"name": "punctuation.separator.forthvm-test", "match": ";"},
            {"name": "constant.numeric.forthvm-test", "match": r"(?<!\S)-?[0-9]+(?![^\s;])"},
        ],
    }


# ---------------------------------------------------------------------------------------


def files() -> dict[Path, str]:
    """Returns the grammars by path."""
    grammars = {"forthscript": forthscript(), "zrf": zrf(), "forthvm-test": test_files()}
    head = {"information_for_contributors": ["Generated by docs/make_grammars.py: do not edit."]}
    return {
        SYNTAXES / f"{name}.tmLanguage.json": json.dumps(head | grammar, indent=2) + "\n"
        for name, grammar in grammars.items()
    }


if __name__ == "__main__":
    sys.exit(write_or_check(files(), sys.argv[1:]))
