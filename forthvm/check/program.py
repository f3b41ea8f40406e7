"""A loaded script with all data that the rules read: tokens, dictionary, effects.

The word *script* means a main script with all files that it loads.  This file also creates findings
with their locations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .analysis.effects import WordAnalysis
from .finding import Finding
from .text.interpreted import interpreted_calls
from .text.lexer import COMMENT, NAME, STRING, lex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from forthvm.core.loading.source import Text
    from forthvm.core.location import Location
    from forthvm.core.words.dictionary import Word

    from .loaded_script import LoadedScript
    from .text.lexer import Token

__all__ = ["HOOKS", "Definition", "Program", "ScriptFile"]

#: The number of arguments and the number of results of each word that the host runs or reads by its
#: name: hooks, and a constant with which a script makes a promise.
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
    "independent-moves": (0, 1),
    "hooks-ignore-moves": (0, 1),
    "hooks-keep-moves": (0, 1),
    "$NewGame": (0, 0),
    "z-begin-game": (0, 0),
}


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition in a file of a script.

    Attributes:
        name: The name that is defined.
        defining_word: The word before the name, such as `:` or CONSTANT.
        file: The file.
        name_index: Index of the name in the tokens of the file.
        end_index: Index after a colon definition, or after the name of another definition.
    """

    name: str
    defining_word: str
    file: ScriptFile
    name_index: int
    end_index: int

    @property
    def token(self) -> Token:
        """The token of the name."""
        return self.file.tokens[self.name_index]


class ScriptFile:
    """A file of a script: the main file, or a file that it loads.

    Attributes:
        text: The text of the file.
        all_tokens: All source tokens of the text.
        tokens: The source tokens of the text that are not comments.
        words: The text of each token; "" for a string.
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        self.all_tokens = lex(text.data).tokens
        self.tokens = tuple(token for token in self.all_tokens if token.kind != COMMENT)
        self.words = [
            "" if token.kind == STRING else text.decode(token.text) for token in self.tokens
        ]

    def word(self, index: int) -> str:
        """Return the text of `tokens[index]`; "" for a string or an index out of range."""
        return self.words[index] if 0 <= index < len(self.words) else ""

    def definitions(self) -> Iterator[Definition]:
        """Yield the definitions in the file, in order."""
        for index, token in enumerate(self.tokens):
            if token.kind != NAME or not index:
                continue
            end = index + 1
            if self.word(index - 1) == ":":
                while end < len(self.tokens) and self.tokens[end].in_definition:
                    end += 1
            yield Definition(self.word(index), self.word(index - 1), self, index, end)


class Program:
    """A script with the data that the rules read.

    Attributes:
        loaded: The VM with the loaded script.
        analysis: The analysis of all words.
        image: The dictionary.
        files: The files of the script, in the order in which their loading began.
        own_words: The words that the script defines.
        own_xts: The execution tokens of `own_words`.
        built_in_names: Names of the words that the script does not define.
        definitions: All definitions in the files.
    """

    def __init__(self, loaded: LoadedScript) -> None:
        self.loaded = loaded
        self.analysis = WordAnalysis(loaded.vm, loaded.placeholder_xts)
        self.image = self.analysis.image
        self.files = [ScriptFile(text) for text in loaded.script_texts]
        self.analysis.note_calls(interpreted_calls(self.analysis.analyser, self.files))
        self._own = {id(text) for text in loaded.script_texts}
        self.own_words = [word for word in self.image.words if self._is_own(word)]
        self.own_xts = frozenset(word.cfa for word in self.own_words)
        others = (word for word in self.image.words if word.cfa not in self.own_xts)
        self.built_in_names = frozenset(word.name for word in others) - set(loaded.unknown_names)
        self.definitions = [definition for file in self.files for definition in file.definitions()]

    @property
    def files_latest_first(self) -> list[ScriptFile]:
        """The main file, then the files that it loads, the last one first.

        A search in this order finds the last occurrence of a word, because the end of the main file
        is loaded after all other files.
        """
        return [self.files[0], *reversed(self.files[1:])] if self.files else []

    def _is_own(self, word: Word) -> bool:
        text = self.loaded.table.text_at(self.image.source(word.cfa))
        return text is not None and id(text) in self._own

    def is_in_script(self, address: int) -> bool:
        """Whether a cell was compiled from a file of the script."""
        text = self.loaded.table.text_at(self.image.source(address))
        return text is not None and id(text) in self._own

    def locate(self, position: int) -> Location | None:
        """Return the location of a source position."""
        return self.loaded.table.locate(position)

    def finding_at_cell(self, code: str, message: str, address: int, *, word: str = "") -> Finding:
        """Return a finding at the token that compiled a cell."""
        return Finding(code, message, self.locate(self.image.source(address)), word)

    def finding_at_token(self, code: str, message: str, file: ScriptFile, token: Token) -> Finding:
        """Return a finding at a token."""
        return Finding(code, message, self.locate(file.text.base + token.start))
