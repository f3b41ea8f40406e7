"""A loaded script with all data that the rules read: tokens, dictionary, effects.

This file also creates findings with their locations.  It must not know the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .analysis.effects import Words
from .finding import Finding
from .text.interpreted import interpreted_calls
from .text.lexer import COMMENT, NAME, STRING, lex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.loading.source import Text
    from forthvm.core.location import Location
    from forthvm.core.words.dictionary import Word

    from .loading import Loaded
    from .text.lexer import Token

__all__ = ["HOOKS", "Definition", "Program", "Script"]

#: The hooks, with their numbers of arguments and results.
HOOKS: dict[str, tuple[int, int]] = {
    "OnNewGame": (0, 0),
    "OnGenerateMoves": (0, 0),
    "OnMovesGenerated": (0, 0),
    "OnIsGameOver": (0, 1),
    "OnEvaluate": (0, 1),
    "OnIsTerminal?": (0, 1),
    "OnMakeAMove": (0, 0),
    "OnRetractMove": (0, 0),
    "OnNextTurn": (0, 0),
    "OnSearch": (0, 0),
    "OnEditAdd": (3, 0),
    "OnEditRemove": (1, 0),
    "OnFriends?": (2, 1),
    "OnTerminate": (0, 0),
    "OnExplain": (0, 0),
    "OnAnnounce": (0, 0),
    "OnShow": (0, 0),
    "OnForget": (0, 0),
    "$NewGame": (0, 0),
}


class Definition(NamedTuple):
    """A definition in the text of a script.

    Attributes:
        name: The name that is defined.
        defining_word: The word before the name, such as `:` or CONSTANT.
        script: The text.
        at: Index of the name in the tokens of the text.
        end: Index after the last token of a colon definition; index after the name for others.
    """

    name: str
    defining_word: str
    script: Script
    at: int
    end: int

    @property
    def token(self) -> Token:
        """The token of the name."""
        return self.script.tokens[self.at]


class Script:
    """One text of a script: the main script, or a file that it loads.

    Attributes:
        text: The text.
        all_tokens: All source tokens of the text.
        tokens: The source tokens that are not comments.
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        self.all_tokens = lex(text.data).tokens
        self.tokens = tuple(token for token in self.all_tokens if token.kind != COMMENT)
        self._words = [
            "" if token.kind == STRING else text.decode(token.text) for token in self.tokens
        ]

    def word(self, index: int) -> str:
        """Return the text of a token; "" for strings and for indexes out of range."""
        return self._words[index] if 0 <= index < len(self._words) else ""

    def definitions(self) -> Iterator[Definition]:
        """Yield the definitions of the text, in order."""
        for index, token in enumerate(self.tokens):
            if token.kind != NAME or not index:
                continue
            end = index + 1
            if self.word(index - 1) == ":":
                while end < len(self.tokens) and self.tokens[end].compiled:
                    end += 1
            yield Definition(self.word(index), self.word(index - 1), self, index, end)


class Program:
    """A main script with all files that it loads.

    Attributes:
        loaded: The VM with the loaded script.
        words: The effects of all words.
        image: The dictionary.
        scripts: The texts of the script, in the order of loading.
        own_words: The words that the script defines.
        own_tokens: The execution tokens of these words.
        built_in: Names of the words that the script does not define.
        definitions: All definitions in the texts.
    """

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self.words = Words(loaded.vm, loaded.placeholders)
        self.image = self.words.image
        self.scripts = [Script(text) for text in loaded.scripts]
        self.words.note_calls(interpreted_calls(self.words.analyser, self.scripts))
        self._own = {id(text) for text in loaded.scripts}
        self.own_words = [word for word in self.image.words if self._is_own(word)]
        self.own_tokens = frozenset(word.cfa for word in self.own_words)
        others = (word for word in self.image.words if word.cfa not in self.own_tokens)
        self.built_in = frozenset(word.name for word in others) - set(loaded.unknown)
        self.definitions = [
            definition for script in self.scripts for definition in script.definitions()
        ]

    @property
    def scripts_latest_first(self) -> list[Script]:
        """The main script, then the files that it loads in the reverse order of `scripts`.

        The main script comes first because its loading ends after that of all files.
        """
        return [self.scripts[0], *reversed(self.scripts[1:])] if self.scripts else []

    def _is_own(self, word: Word) -> bool:
        text = self.loaded.table.text_at(self.image.source(word.cfa))
        return text is not None and id(text) in self._own

    def is_in_script(self, address: int) -> bool:
        """Whether a cell was compiled from one of the texts of the script."""
        text = self.loaded.table.text_at(self.image.source(address))
        return text is not None and id(text) in self._own

    def locate(self, position: int) -> Location | None:
        """Return the location of a source position."""
        return self.loaded.table.locate(position)

    def finding_at_cell(self, code: str, message: str, address: int, *, word: str = "") -> Finding:
        """Return a finding at the token that compiled a cell."""
        return Finding(code, message, self.locate(self.image.source(address)), word)

    def finding_at_token(self, code: str, message: str, script: Script, token: Token) -> Finding:
        """Return a finding at a token."""
        return Finding(code, message, self.locate(script.text.base + token.start))
