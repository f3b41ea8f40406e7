"""Files with tests (`.test`, `.perft`): findings, and answers about the names of their game.

Owns the diagnostics of both formats, which the reader of `forthvm test` makes, and the meaning of
keywords.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from forthvm.testing.reader import read_text

from . import navigation, rule_files, words
from .diagnostics import location_range
from .names_in_tests import game_of, test_words

if TYPE_CHECKING:
    from forthvm.core.errors import ForthVMError

    from .documents import Document
    from .names_in_tests import TestWord
    from .scripts import ScriptAnalysis
    from .workspace import Workspace

__all__ = [
    "KEYWORDS",
    "definition",
    "hover",
    "references",
    "renamable",
    "rename",
    "test_file_diagnostics",
]

KEYWORDS = {
    "game": ("game FILE", "The script or rule file, if it has another name."),
    "variant": ("variant TITLE", "The variant of a rule file."),
    "seed": ("seed NUMBER", "The seed of the script's random numbers (default 0)."),
    "setting": ("setting NAME=VALUE", "A setting of the game."),
    "test": ("test NAME", "Begins a test; its statements are indented."),
    "board": ("board", "The pieces, drawn on the following lines as `forthvm show` prints them."),
    "pieces": ("pieces PLAYER TYPE POSITION...; ...", "The pieces of the first position."),
    "turn": ("turn PLAYER", "The player to move, or an index in the turn order."),
    "variable": ("variable NAME VALUE", "The value of a variable; `NAME[2]` is an entry."),
    "play": ("play MOVE; MOVE", "The moves are legal; they are made."),
    "moves": ("moves MOVE; MOVE", "These are all legal moves; also `moves 20`, `moves none`."),
    "legal": ("legal MOVE; MOVE", "The moves are legal."),
    "refused": ("refused MOVE because REASON", "The move is not legal; the reason is optional."),
    "perft": ("perft DEPTH COUNT", "The number of move sequences; `perft joined`: chains are one."),
    "expect": ("expect ...", "`turn PLAYER`, pieces, `empty`, `board`, `variable`, or a result."),
    "variant:": ("variant: TITLE", "The variant of the counts below."),
    "series:": ("series: joined", "A chain of partial moves is one ply in the counts below."),
}
"""The form and the meaning of each keyword; those of `.perft` files end with a colon."""


def test_file_diagnostics(document: Document) -> list[lsp.Diagnostic]:
    """Return the errors that `forthvm test` finds when it reads the text."""
    errors: list[ForthVMError] = []
    read_text(document.path, document.text, errors.append)
    return [_diagnostic(document, error) for error in errors]


def _diagnostic(document: Document, error: ForthVMError) -> lsp.Diagnostic:
    place = error.location
    start = lsp.Position(0, 0)
    found = location_range(document, place) if place else lsp.Range(start, start)
    message = "\n".join([error.message, *error.hints])
    return lsp.Diagnostic(found, message, lsp.DiagnosticSeverity.Error, source="forthvm")


# --- names of the game -----------------------------------------------------------------


def _name_at(document: Document, position: lsp.Position) -> TestWord | None:
    offset = document.offset(position)
    return next((one for one in test_words(document) if one.start <= offset <= one.end), None)


def _game(workspace: Workspace, document: Document) -> Document | None:
    path = game_of(document)
    return workspace.document(path) if path is not None else None


def hover(
    workspace: Workspace,
    document: Document,
    analysis: ScriptAnalysis | None,
    position: lsp.Position,
) -> lsp.Hover | None:
    """Return the meaning of the keyword at a position, or the text about a name of the game."""
    name = _name_at(document, position)
    if name is not None:
        game = _game(workspace, document)
        if game is None:
            return None
        if game.is_rule_file:
            text = rule_files.description(workspace, game, name.text)
        else:
            text = words.description(game, analysis, name.text, {})
        place = document.range(name.start, name.end)
    else:
        line = document.text.split("\n")[min(position.line, document.text.count("\n"))]
        keyword = (line.split() or [""])[0]
        start = line.find(keyword)
        begin = document.offset(lsp.Position(position.line, 0)) + start
        if keyword not in KEYWORDS or not begin <= document.offset(position) <= begin + len(
            keyword
        ):
            return None
        form, meaning = KEYWORDS[keyword]
        text = f"`{form}`\n\n{meaning}"
        place = document.range(begin, begin + len(keyword))
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, place) if text else None


def definition(
    workspace: Workspace, document: Document, position: lsp.Position
) -> list[lsp.Location]:
    """Return the definitions of the name at a position, in the game."""
    name, game = _name_at(document, position), _game(workspace, document)
    if name is None or game is None:
        return []
    find = rule_files.definitions_of if game.is_rule_file else navigation.definitions_of
    return find(workspace, game, name.text)


def references(
    workspace: Workspace, document: Document, position: lsp.Position, *, declaration: bool
) -> list[lsp.Location]:
    """Return the occurrences of the name at a position in the game and its tests."""
    name, game = _name_at(document, position), _game(workspace, document)
    if name is None or game is None:
        return []
    find = rule_files.references_of if game.is_rule_file else navigation.references_of
    return find(workspace, game, name.text, declaration=declaration)


def renamable(
    workspace: Workspace, document: Document, position: lsp.Position
) -> tuple[Document, TestWord]:
    """Return the game and the name at a position, if the name can be changed.

    Raises:
        RenameError: It cannot.
    """
    name, game = _name_at(document, position), _game(workspace, document)
    if name is None or game is None:
        raise navigation.RenameError("there is no name of a game here")
    require = rule_files.require_renamable if game.is_rule_file else navigation.require_renamable
    require(workspace, game, name.text)
    return game, name


def rename(
    workspace: Workspace, document: Document, position: lsp.Position, new_name: str
) -> lsp.WorkspaceEdit:
    """Return the edits that rename what the name at a position means, in the game and its tests.

    Raises:
        RenameError: The name cannot be changed, or the new name is not free.
    """
    game, name = renamable(workspace, document, position)
    change = rule_files.rename_name if game.is_rule_file else navigation.rename_name
    return change(workspace, game, name.text, new_name)
