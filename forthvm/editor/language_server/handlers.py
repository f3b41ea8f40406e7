"""The requests and notifications of the protocol.

Owns the registration of the handlers, which are thin: the other files of the package compute the
answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from forthvm.syntax import format_source

from . import calls, files_with_tests, hints, navigation, outline, rule_calls, rule_files, words
from .diagnostics import fixes
from .file_names import complete_file_name
from .server import Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from .documents import Document
    from .workspace import Workspace

__all__ = ["BOARD", "make_server"]

BOARD = "forthvm/board"
"""The request for a board: `{textDocument: {uri}, position?}` to `{title, svg, text, error}`."""
_MAX_SELECTIONS = 100  # each is nested in the next one in the answer, which clients may not allow
_TRIGGERS = ["{", "$", "'", "#", "?", "@", "!", "^", "-", "/", ".", "("]
_RENAMED = lsp.FileOperationRegistrationOptions(
    [
        lsp.FileOperationFilter(lsp.FileOperationPattern("**/*.{4th,zrf,test,perft}"), "file"),
        lsp.FileOperationFilter(
            lsp.FileOperationPattern("**", lsp.FileOperationPatternKind.Folder), "file"
        ),
    ]
)


class _Names(Protocol):
    """What each module about names offers."""

    def definition(
        self, workspace: Workspace, document: Document, position: lsp.Position, /
    ) -> list[lsp.Location]: ...

    def references(
        self,
        workspace: Workspace,
        document: Document,
        position: lsp.Position,
        /,
        *,
        declaration: bool,
    ) -> list[lsp.Location]: ...

    def rename(
        self, workspace: Workspace, document: Document, position: lsp.Position, new_name: str, /
    ) -> lsp.WorkspaceEdit: ...


def make_server() -> Server:
    """Return a server with all handlers."""
    server = Server()
    _handle_documents(server)
    _handle_text(server)
    _handle_formatting(server)
    _handle_names(server)
    _handle_places(server)
    _handle_rename(server)
    _handle_stack(server)
    _handle_calls(server)
    _handle_folders(server)
    return server


def _handle_documents(server: Server) -> None:
    @server.feature(lsp.INITIALIZE)
    async def initialize(params: lsp.InitializeParams) -> None:
        options = params.initialization_options
        commands = options.get("commands") if isinstance(options, dict) else None
        if isinstance(commands, list):
            server.commands = frozenset(name for name in commands if isinstance(name, str))

    @server.feature(lsp.INITIALIZED)
    async def initialized(_: lsp.InitializedParams) -> None:
        server.start(lsp.PositionEncodingKind(server.workspace.position_encoding).value)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        language = item.language_id
        server.change(item.uri, item.text, item.version, language=language, measure=True)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        identifier = params.text_document
        for change in params.content_changes[-1:]:
            server.change(identifier.uri, change.text, identifier.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        document = server.state.with_uri(params.text_document.uri)
        if document is not None and document.version is not None:
            server.change(document.uri, document.text, document.version, measure=True)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)


def _handle_text(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = server.document(params.text_document)
        return rule_files.symbols(document) if document.is_rule_file else outline.symbols(document)

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        document = server.document(params.text_document)
        if document.is_rule_file:
            return rule_files.folding_ranges(document)
        return outline.folding_ranges(document)

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, outline.LEGEND)
    async def tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        document = server.document(params.text_document)
        if document.is_rule_file:
            return lsp.SemanticTokens(rule_files.semantic_tokens(server.state, document))
        return lsp.SemanticTokens(outline.semantic_tokens(document))

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return fixes(server.document(params.text_document), params.context.diagnostics)


def _handle_formatting(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document = server.document(params.text_document)
        if document.is_test_file:
            return []
        formatted = format_source(document.text, rules=document.is_rule_file)
        if formatted == document.text:
            return []
        return [lsp.TextEdit(document.range(0, len(document.text)), formatted)]

    @server.feature(lsp.TEXT_DOCUMENT_RANGE_FORMATTING)
    async def formatting_of_lines(params: lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit]:
        document = server.document(params.text_document)
        if document.is_test_file:
            return []
        formatted = format_source(document.text, rules=document.is_rule_file)
        lines = zip(document.text.split("\n"), formatted.split("\n"), strict=False)
        edits = [
            lsp.TextEdit(document.range(*document.source_line(number)), new)
            for number, (old, new) in enumerate(lines)
            if old != new
        ]
        first, last = params.range.start.line, params.range.end.line
        return [e for e in edits if first <= e.range.end.line and e.range.start.line <= last]


def _names_of(document: Document) -> _Names:
    """Return the module that knows the names in a document."""
    if document.is_test_file:
        return files_with_tests
    return rule_files if document.is_rule_file else navigation


def _handle_names(server: Server) -> None:
    options = lsp.CompletionOptions(trigger_characters=_TRIGGERS)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    async def complete(params: lsp.CompletionParams) -> lsp.CompletionList:
        document = await server.checked_document(params.text_document)
        files = complete_file_name(document, params.position)
        if files is not None:
            return files
        if document.is_rule_file:
            return rule_files.complete(server.state, document, params.position)
        if document.is_test_file:
            return await server.complete_test(document, params.position)
        return words.complete(document, server.analysis(document), params.position)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = await server.checked_document(params.text_document)
        if document.is_rule_file:
            return rule_files.hover(server.state, document, params.position)
        if document.is_test_file:
            analysis = server.analysis(document)
            return files_with_tests.hover(server.state, document, analysis, params.position)
        costs = server.costs.get(document.path, {})
        return words.hover(document, server.analysis(document), params.position, costs)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        document = await server.checked_document(params.text_document)
        return _names_of(document).definition(server.state, document, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        document = await server.checked_document(params.text_document)
        declaration = params.context.include_declaration
        find = _names_of(document).references
        return find(server.state, document, params.position, declaration=declaration)


def _handle_places(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlights(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        document = server.document(params.text_document)
        if document.is_rule_file:
            return rule_files.highlights(server.state, document, params.position)
        return navigation.highlights(document, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_SELECTION_RANGE)
    async def selections(params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange]:
        document = server.document(params.text_document)
        find = rule_files.selections if document.is_rule_file else outline.selections
        return [_nested(document, find, position) for position in params.positions]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    async def lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        return calls.lenses(server.document(params.text_document), server.commands)


def _nested(
    document: Document,
    find: Callable[[Document, int], list[tuple[int, int]]],
    position: lsp.Position,
) -> lsp.SelectionRange:
    """Return the ranges around a position, each with the larger one as its parent."""
    selection = lsp.SelectionRange(document.whole())
    for start, end in reversed(find(document, document.offset(position))[:_MAX_SELECTIONS]):
        selection = lsp.SelectionRange(document.range(start, end), selection)
    return selection


def _handle_rename(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: lsp.PrepareRenameParams) -> lsp.Range:
        document = await server.checked_document(params.text_document)
        try:
            if document.is_rule_file:
                return rule_files.renamable(server.state, document, params.position)[1]
            if document.is_test_file:
                name = files_with_tests.renamable(server.state, document, params.position)[1]
                return document.range(name.start, name.end)
            token = navigation.renamable(server.state, document, params.position)
        except navigation.RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        return document.range(token.start, token.end)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        document = await server.checked_document(params.text_document)
        change = _names_of(document).rename
        try:
            return change(server.state, document, params.position, params.new_name)
        except navigation.RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error


def _handle_stack(server: Server) -> None:
    options = lsp.SignatureHelpOptions(trigger_characters=[" "], retrigger_characters=[" "])

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, options)
    async def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        document = await server.checked_document(params.text_document)
        if document.is_rule_file:
            return None
        return hints.signature_help(document, server.analysis(document), params.position)

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = await server.checked_document(params.text_document)
        if document.is_rule_file:
            return []
        return hints.inlay_hints(document, server.analysis(document), params.range)


def _handle_calls(server: Server) -> None:
    def document_of(item: lsp.CallHierarchyItem) -> Document:
        return server.document(lsp.TextDocumentIdentifier(item.uri))

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    async def prepare(params: lsp.CallHierarchyPrepareParams) -> list[lsp.CallHierarchyItem]:
        document = await server.checked_document(params.text_document)
        find = rule_calls.prepare if document.is_rule_file else calls.prepare
        return find(server.state, document, params.position)

    @server.feature(lsp.CALL_HIERARCHY_INCOMING_CALLS)
    async def incoming(
        params: lsp.CallHierarchyIncomingCallsParams,
    ) -> list[lsp.CallHierarchyIncomingCall]:
        document = document_of(params.item)
        find = rule_calls.incoming if document.is_rule_file else calls.incoming
        return find(server.state, document, params.item.name)

    @server.feature(lsp.CALL_HIERARCHY_OUTGOING_CALLS)
    async def outgoing(
        params: lsp.CallHierarchyOutgoingCallsParams,
    ) -> list[lsp.CallHierarchyOutgoingCall]:
        document = document_of(params.item)
        find = rule_calls.outgoing if document.is_rule_file else calls.outgoing
        return find(server.state, document, params.item)


def _handle_folders(server: Server) -> None:
    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.files_changed(params.changes)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    async def folders_changed(_: lsp.DidChangeWorkspaceFoldersParams) -> None:
        server.folders_changed()

    @server.feature(lsp.WORKSPACE_SYMBOL)
    async def symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        return await server.workspace_symbols(params.query)

    @server.feature(lsp.WORKSPACE_WILL_RENAME_FILES, _RENAMED)
    async def rename_files(params: lsp.RenameFilesParams) -> lsp.WorkspaceEdit:
        return await server.rename_files(params.files)

    @server.feature(BOARD)
    async def board(params: Any) -> dict[str, Any]:  # noqa: ANN401 - a request without a schema
        uri = getattr(getattr(params, "textDocument", None), "uri", None)
        line = getattr(getattr(params, "position", None), "line", 0)
        if not (isinstance(uri, str) and isinstance(line, int)):
            raise JsonRpcInvalidParams(f"{BOARD} needs a document, and may have a position")
        return await server.board(uri, line)
