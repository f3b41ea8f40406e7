"""Colours, matching words, completion and indentation in the line editor.

Owns the adapters between the lexer of ForthScript and prompt_toolkit.  It must not run lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.formatted_text.utils import split_lines
from prompt_toolkit.layout.processors import Processor, Transformation
from prompt_toolkit.layout.utils import explode_text_fragments
from prompt_toolkit.lexers import Lexer

from forthvm.core.text.visible import visible
from forthvm.repl.prompt.completion import candidates
from forthvm.syntax import Kind, Structure, read_structure, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prompt_toolkit.document import Document
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.layout.processors import TransformationInput

    from forthvm.repl.shell import Shell

__all__ = [
    "ForthCompleter",
    "ForthLexer",
    "MatchProcessor",
    "Structures",
    "coloured",
    "indentation",
]

INDENT_COLUMNS = 2
_MAX_MARKED_CHARACTERS = 1 << 16
"""Matching words are not marked in longer texts, since each key press reads the text."""
_CLOSING_WORDS = frozenset(
    ["ENDIF", "THEN", "ELSE", "LOOP", "+LOOP", "UNTIL", "REPEAT", "WHILE", ";"]
)


class Structures:
    """Reads the structure of the text in the editor, and caches the last structure."""

    def __init__(self) -> None:
        self._text: str | None = None
        self._structure = read_structure("")

    def __call__(self, text: str) -> Structure:
        """Return the structure of a text."""
        if text != self._text:
            self._structure, self._text = read_structure(text), text
        return self._structure


def coloured(shell: Shell, text: str, *, typing: bool = False) -> StyleAndTextTuples:
    """Colour a text, with unknown names highlighted.

    Args:
        shell: Provides the commands and words.
        text: ForthScript, or a command.
        typing: Whether the text is being typed, so that its last word may be incomplete.
    """
    if shell.command_of(text) is not None:
        name, blank, argument = text.partition(" ")
        return [("class:forth-defining", name), ("", f"{blank}{argument}")]
    parts: StyleAndTextTuples = []
    defined: set[str] = set()
    at = 0
    find = shell.session.vm.find
    for token in tokenize(text, compiling=shell.session.open_definition is not None):
        kind = token.kind.value
        if token.kind is Kind.NAME:
            defined.add(token.text)
        elif token.kind is Kind.WORD and token.text not in defined:
            is_incomplete = typing and token.end == len(text)
            kind = kind if is_incomplete or find(token.text) is not None else "unknown"
        parts.append(("", text[at : token.start]))
        parts.append((f"class:forth-{kind}", text[token.start : token.end]))
        at = token.end
    parts.append(("", text[at:]))
    return parts


class ForthLexer(Lexer):
    """Colours the text in the editor."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        """Return a function from line numbers to coloured lines."""
        lines = list(split_lines(coloured(self._shell, document.text, typing=True)))

        def line(number: int) -> StyleAndTextTuples:
            return lines[number] if number < len(lines) else []

        return line


class MatchProcessor(Processor):
    """Marks the words that match the word at the cursor, and unmatched closing words."""

    def __init__(self, structures: Structures) -> None:
        self._structures = structures

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """Return a line with matching and unmatched words highlighted."""
        document = transformation_input.document
        if len(document.text) > _MAX_MARKED_CHARACTERS:
            return Transformation(transformation_input.fragments)
        structure = self._structures(document.text)
        marks = [(span, "match") for span in structure.partners(document.cursor_position)]
        marks += [((stray.start, stray.end), "stray") for stray in structure.strays]
        line_start = document.translate_row_col_to_index(transformation_input.lineno, 0)
        line_end = line_start + len(document.lines[transformation_input.lineno])
        marks = [(span, style) for span, style in marks if line_start <= span[0] < line_end]
        if not marks:
            return Transformation(transformation_input.fragments)
        # One fragment for each character.
        fragments = explode_text_fragments(transformation_input.fragments)
        for (start, stop), style in marks:
            for at in range(start - line_start, min(stop - line_start, len(fragments))):
                fragments[at] = (f"{fragments[at][0]} class:forth-{style}", fragments[at][1])
        return Transformation(fragments)


class ForthCompleter(Completer):
    """Provides completions with their stack effects and help."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yield the completions; while typing, only after the first character of a word."""
        before = document.text_before_cursor
        if not complete_event.completion_requested and (not before or before[-1].isspace()):
            return
        for candidate in candidates(self._shell, before):
            yield Completion(
                candidate.text,
                start_position=-candidate.replaced_length,
                display=visible(candidate.text),
                display_meta=lambda description=candidate.description: description(),
            )


def indentation(structure: Structure, text: str) -> int:
    """Return the indentation of the last line, from its open structures and its first word."""
    line = structure.lines[-1]
    words = text[line.start :].split(None, 1)
    closes = bool(words) and (words[0] in _CLOSING_WORDS or words[0].endswith("}"))
    return INDENT_COLUMNS * max(line.depth - closes, 0)
