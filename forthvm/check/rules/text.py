"""Rules on texts and their tokens.  Owns the findings 6xx and others that need no analysis."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from forthvm.check.text.lexer import COMMENT, STRING, WORD
from forthvm.core.bindings.layout import COLON, DOES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.check.finding import Finding
    from forthvm.check.program import Program, Script
    from forthvm.check.text.lexer import Token

__all__ = ["text_rules"]

_CONTROL = frozenset(
    {"IF", "ELSE", "ENDIF", "THEN", "BEGIN", "UNTIL", "WHILE", "REPEAT", "DO", "LOOP", "+LOOP"}
)
#: Words that may follow LEAVE without a finding, since they end the branch or the iteration.
_AFTER_LEAVE = frozenset(["ENDIF", "THEN", "ELSE", "LOOP", "+LOOP"])
_SWITCHES = frozenset(["$partial", "$gameLog", "$passTurnForced"])
_INTEGER = re.compile(r"[+-]?\d+$")
_MAX_BYTE = 127


def text_rules(program: Program) -> Iterator[Finding]:
    """Check the tokens of every text."""
    for script in program.scripts:
        for token in script.all_tokens:
            if token.kind == COMMENT:
                yield from _comment(program, script, token)
            elif token.kind == STRING:
                yield from _string(program, script, token)
        for index, token in enumerate(script.tokens):
            if token.kind != STRING:
                yield from _token(program, script, index, token)
        yield from _create_does(program, script)


def _comment(program: Program, script: Script, token: Token) -> Iterator[Finding]:
    data = script.text.data
    if token.opener == b"\\":
        following = data[token.start + 1 : token.start + 3]
        if following[:1] == b"\n" or following == b" \n":
            included = script.text.decode(token.text).strip()
            if included and not included.startswith("\\"):
                text = f"this comment continues on the next line and includes `{_short(included)}`"
                yield program.finding_at_token("W601", text, script, token)
        return
    inner = script.text.decode(token.text)
    if not token.closed:
        yield program.finding_at_token(
            "W604", "this comment runs to the end of the file", script, token
        )
    elif data[token.start + 2 : token.start + 3] == b")":
        text = f"`( )` is not an empty comment: it ends after `{_short(inner)} )`"
        yield program.finding_at_token("W602", text, script, token)
    elif re.search(r"(^|\s)\((\s|$)", inner):
        text = "a comment begins inside this one, which the first `)` ends"
        yield program.finding_at_token("W603", text, script, token)


def _string(program: Program, script: Script, token: Token) -> Iterator[Finding]:
    opener = token.opener.decode()
    if not token.closed:
        text = f"the text of `{opener}` runs to the end of the file"
        yield program.finding_at_token("W604", text, script, token)
    elif script.text.data[token.start + len(opener) + 1 :][:1] == b'"':
        text = f"the text of `{opener}` is not empty: it extends to the next quote"
        yield program.finding_at_token("W606", text, script, token)
    if opener == 'S"' and not token.compiled:
        text = 'the text of S" lies at PAD, and the next token overwrites it'
        yield program.finding_at_token("W605", text, script, token)


def _token(program: Program, script: Script, index: int, token: Token) -> Iterator[Finding]:
    name = script.word(index)
    if token.kind == WORD and name in _CONTROL and not token.compiled:
        if script.word(index - 1) not in ("'", "[']", "[COMPILE]", "COMPILE"):
            text = f"`{name}` has no effect outside a definition"
            yield program.finding_at_token("W306", text, script, token)
    elif name == "LEAVE" and token.compiled and script.word(index - 1) != ":":
        following = script.word(index + 1)
        if following and following not in _AFTER_LEAVE:
            text = f"`{following}` still runs after LEAVE: the current iteration runs to its end"
            yield program.finding_at_token("I311", text, script, token)
    elif name in _SWITCHES and script.word(index + 1) == "!":
        value = script.word(index - 1)
        if _INTEGER.match(value) and int(value) not in (0, -1):
            text = f"{value} in {name} does not count as on: only TRUE does"
            yield program.finding_at_token("W410", text, script, token)
    elif name == "IS":
        yield from _target_of_is(program, script, index)
    else:
        yield from _characters(program, script, index, token)


def _characters(program: Program, script: Script, index: int, token: Token) -> Iterator[Finding]:
    name = script.word(index)
    if name == "C@" and script.word(index + 2) in ("=", "<>", "<", ">", "<=", ">="):
        value = script.word(index + 1)
        if _INTEGER.match(value) and int(value) > _MAX_BYTE:
            text = f"C@ returns -128 to 127, never {value}"
            yield program.finding_at_token("W607", text, script, token)
    elif "\u00a0" in name:
        text = "a no-break space is part of this name"
        yield program.finding_at_token("W608", text, script, token)


def _target_of_is(program: Program, script: Script, index: int) -> Iterator[Finding]:
    name = script.word(index + 1)
    word = program.image.find(name)
    if word is not None and word.kind == COLON:
        text = f"IS would overwrite the first word in the definition of `{name}`"
        yield program.finding_at_token("W308", text, script, script.tokens[index])


def _create_does(program: Program, script: Script) -> Iterator[Finding]:
    for definition in script.definitions():
        if definition.defining_word != ":":
            continue
        inside = [script.word(n) for n in range(definition.at, definition.end)]
        if "CREATE" in inside and "DOES>" in inside and "<BUILDS" not in inside:
            token = script.tokens[definition.at + inside.index("CREATE")]
            text = (
                f"`{definition.name}` uses CREATE with DOES>: only <BUILDS reserves an action cell"
            )
            yield program.finding_at_token("W309", text, script, token)


def unset_rules(program: Program) -> Iterator[Finding]:
    """Find words defined by DEFER without an action."""
    image = program.image
    unset = image.find("(unset)")
    for word in program.own_words:
        if word.kind != DOES or image.defining_word(word) != "DEFER" or unset is None:
            continue
        if image.cell(word.body) == unset.cfa and not program.words.analyser.is_stored(word.body):
            text = f"no IS sets the action of `{word.name}`"
            yield program.finding_at_cell("W307", text, word.cfa, word=word.name)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 40 else text[:39] + "…"  # noqa: PLR2004 - keeps messages short
