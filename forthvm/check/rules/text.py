"""Rules on tokens: the findings 6xx, and others that need no analysis of definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.check.text.lexer import COMMENT, STRING, WORD
from forthvm.core.bindings.layout import COLON, DOES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Program, ScriptFile
    from forthvm.check.text.lexer import Token

__all__ = ["CONTROL_WORDS", "text_rules", "unset_rules"]

CONTROL_WORDS = frozenset(
    [
        "IF",
        "ELSE",
        "ENDIF",
        "THEN",
        "BEGIN",
        "UNTIL",
        "WHILE",
        "REPEAT",
        "DO",
        "LOOP",
        "+LOOP",
        "RECURSE",
    ]
)
#: Words that may follow LEAVE without a finding, because they end the branch or the iteration.
_AFTER_LEAVE = frozenset(["ENDIF", "THEN", "ELSE", "LOOP", "+LOOP"])
#: Variables that the engine compares with TRUE (-1).
_SWITCHES = frozenset(["$partial", "$gameLog", "$passTurnForced"])
_INTEGER = re.compile(r"[+-]?\d+$")
_MAX_BYTE = 127


def text_rules(program: Program) -> Iterator[Finding]:
    """Check the tokens of every text."""
    for file in program.files:
        for token in file.all_tokens:
            if token.kind == COMMENT:
                yield from _comment(program, file, token)
            elif token.kind == STRING:
                yield from _string(program, file, token)
        for index, token in enumerate(file.tokens):
            if token.kind != STRING:
                yield from _token(program, file, index, token)
        yield from _create_does(program, file)


def _comment(program: Program, file: ScriptFile, token: Token) -> Iterator[Finding]:
    data = file.text.data
    if token.opener == b"\\":
        following = data[token.start + 1 : token.start + 3]
        if following[:1] == b"\n" or following == b" \n":
            included = file.text.decode(token.text).strip()
            if included and not included.startswith("\\"):
                text = f"this comment continues on the next line and includes `{_short(included)}`"
                yield program.finding_at_token("W601", text, file, token)
        elif b"\r" in token.text.strip():
            included = file.text.decode(token.text.strip().partition(b"\r")[2])
            text = f"a carriage return ends no line: the comment includes `{_short(included)}`"
            yield program.finding_at_token("W601", text, file, token)
        return
    inner = file.text.decode(token.text)
    if not token.closed:
        yield program.finding_at_token(
            "W604", "this comment runs to the end of the file", file, token
        )
    elif data[token.start + 2 : token.start + 3] == b")":
        text = f"`( )` is not an empty comment: it ends after `{_short(inner)} )`"
        yield program.finding_at_token("W602", text, file, token)
    elif re.search(r"(^|\s)\((\s|$)", inner):
        text = "a comment begins inside this one, which the first `)` ends"
        yield program.finding_at_token("W603", text, file, token)


def _string(program: Program, file: ScriptFile, token: Token) -> Iterator[Finding]:
    opener = token.opener.decode()
    if not token.closed:
        text = f"the text of `{opener}` runs to the end of the file"
        yield program.finding_at_token("W604", text, file, token)
    elif file.text.data[token.start + len(opener) + 1 :][:1] == b'"':
        text = f"the text of `{opener}` is not empty: it extends to the next quote"
        yield program.finding_at_token("W606", text, file, token)
    if opener == 'S"' and not token.in_definition:
        text = 'the text of S" lies at PAD, and the next token overwrites it'
        yield program.finding_at_token("W605", text, file, token)


def _token(program: Program, file: ScriptFile, index: int, token: Token) -> Iterator[Finding]:
    name = file.word(index)
    if token.kind == WORD and name in CONTROL_WORDS and not token.in_definition:
        if file.word(index - 1) not in ("'", "[']", "[COMPILE]", "COMPILE"):
            text = f"`{name}` has no effect outside a definition"
            yield program.finding_at_token("W306", text, file, token)
    elif name == "LEAVE" and token.in_definition and file.word(index - 1) != ":":
        following = file.word(index + 1)
        if following and following not in _AFTER_LEAVE:
            text = f"`{following}` still runs after LEAVE: the current iteration runs to its end"
            yield program.finding_at_token("I311", text, file, token)
    elif name in _SWITCHES and file.word(index + 1) == "!":
        value = file.word(index - 1)
        if _INTEGER.match(value) and int(value) not in (0, -1):
            text = f"{value} in {name} does not count as on: only TRUE does"
            yield program.finding_at_token("W410", text, file, token)
    elif name == "IS":
        yield from _target_of_is(program, file, index)
    else:
        yield from _characters(program, file, index, token)


def _characters(program: Program, file: ScriptFile, index: int, token: Token) -> Iterator[Finding]:
    name = file.word(index)
    if name == "C@" and file.word(index + 2) in ("=", "<>", "<", ">", "<=", ">="):
        value = file.word(index + 1)
        if _INTEGER.match(value) and int(value) > _MAX_BYTE:
            text = f"C@ returns -128 to 127, never {value}"
            yield program.finding_at_token("W607", text, file, token)
    elif "\u00a0" in name:
        text = "a no-break space is part of this name"
        yield program.finding_at_token("W608", text, file, token)


def _target_of_is(program: Program, file: ScriptFile, index: int) -> Iterator[Finding]:
    name = file.word(index + 1)
    word = program.image.find(name)
    if word is not None and word.kind == COLON:
        text = f"IS would overwrite the first word in the definition of `{name}`"
        yield program.finding_at_token("W308", text, file, file.tokens[index])


def _create_does(program: Program, file: ScriptFile) -> Iterator[Finding]:
    for definition in file.definitions():
        if definition.defining_word != ":":
            continue
        inside = [file.word(n) for n in range(definition.name_index, definition.end_index)]
        if "CREATE" in inside and "DOES>" in inside and "<BUILDS" not in inside:
            token = file.tokens[definition.name_index + inside.index("CREATE")]
            text = (
                f"`{definition.name}` uses CREATE with DOES>: only <BUILDS reserves an action cell"
            )
            yield program.finding_at_token("W309", text, file, token)


def unset_rules(program: Program) -> Iterator[Finding]:
    """Find words that DEFER defines and whose action no IS sets."""
    image = program.image
    unset = image.find("(unset)")  # the action of a word until IS sets another action
    for word in program.own_words:
        if word.kind != DOES or image.defining_word(word) != "DEFER" or unset is None:
            continue
        if image.cell(word.body) == unset.cfa and not program.analysis.analyser.is_stored(
            word.body
        ):
            text = f"no IS sets the action of `{word.name}`"
            yield program.finding_at_cell("W307", text, word.cfa, word=word.name)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"  # keeps messages short
