"""The server: requests and notifications of the protocol.

Owns the connection, the worker threads, and the order in which results are published.  The handlers
are thin; the other files of the package compute the answers.
"""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from forthvm._version import __version__
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import replaced_contents
from forthvm.syntax import format_source

from . import hints, navigation, outline, rule_files, words
from .diagnostics import diagnostics, fixes
from .games import board_picture, word_costs
from .scripts import analyse, choose_script
from .worker import Worker
from .workspace import Workspace, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from .documents import Document
    from .scripts import ScriptAnalysis

__all__ = ["BOARD", "Server", "make_server"]

BOARD = "forthvm/board"
"""The request for the board of a game: `{textDocument: {uri}}` to `{title, svg, error}`."""
_PAUSE = 0.02
"""Seconds without a change before an analysis starts."""
_COSTS_PAUSE = 1.0
_COLLECT_EVERY = 16
"""The number of analyses, each of some megabytes, after which memory is collected."""
_TRIGGERS = ["{", "$", "'", "#", "?", "@", "!", "^", "-", "/", "."]


class Server(LanguageServer):
    """A language server for one client.

    Attributes:
        state: The open documents and analyses.
    """

    def __init__(self) -> None:
        # A whole text for each change: pygls splits lines at characters that end no line here.
        super().__init__(
            "forthvm", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full
        )
        self.state = Workspace()
        self.costs: dict[Path, dict[str, str]] = {}
        self._checks = Worker(self._check, _PAUSE)
        self._measurements = Worker(self._measure, _COSTS_PAUSE)
        self._executor = ThreadPoolExecutor(max_workers=2)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._published: set[Path] = set()
        self._checked = 0  # number of analyses

    # --- documents -------------------------------------------------------------------

    def start(self, encoding: str) -> None:
        """Note the client's choices; called in the thread of the event loop."""
        self._loop = asyncio.get_running_loop()
        self.state.encoding = encoding

    def change(self, uri: str, text: str, version: int | None, *, measure: bool = False) -> None:
        """Take over a new version of a document."""
        document = self.state.put(uri, text, version)
        self._checks.request(document.path)
        if measure and not document.is_rule_file:
            self._measurements.request(document.path)

    def check_related(self, changed: Path) -> None:
        """Check the open documents whose script contains a changed file."""
        for path, analysis in list(self.state.analyses.items()):
            if path != changed and changed in analysis.paths.values():
                self._checks.request(path)

    def close(self, uri: str) -> None:
        """Forget a document and its diagnostics."""
        path = path_of(uri)
        self.state.remove(uri)
        self.costs.pop(path, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def document(self, identifier: lsp.TextDocumentIdentifier) -> Document:
        """Return an open document, or a file.

        Raises:
            JsonRpcInvalidParams: There is no such document.
        """
        document = self.state.document(path_of(identifier.uri))
        if document is None:
            raise JsonRpcInvalidParams(f"no such document: {identifier.uri}")
        return document

    def analysis(self, document: Document) -> ScriptAnalysis | None:
        """Return the last analysis of the script of a document."""
        return self.state.analyses.get(document.path)

    # --- in worker threads -----------------------------------------------------------

    def _check(self, path: Path) -> None:
        """Check the script of a document, and publish the findings if it has not changed."""
        document = self.state.documents.get(path)
        if document is None:
            return
        contents = self.state.unsaved()
        try:
            with replaced_contents(contents):
                if document.is_rule_file:
                    found = diagnostics(document, rule_files.findings(document))
                else:
                    found = self._check_script(document, contents)
        except (ForthVMError, OSError, RecursionError) as error:
            message = f"{path}: {error}"
            self._call_in_loop(lambda: self._log(message))
            return
        self._call_in_loop(lambda: self._publish(document, found))
        analysis = self.state.analyses.get(path)
        if analysis is not None:
            _ = analysis.effects  # computed in this thread, because completion must not wait
        self._checked += 1
        if not self._checked % _COLLECT_EVERY:
            gc.collect()  # old analyses contain cycles

    def _check_script(
        self, document: Document, contents: Mapping[Path, bytes]
    ) -> list[lsp.Diagnostic]:
        analysis = analyse(choose_script(document.path, contents))
        if analysis is None:
            return []
        if document.path in self.state.documents:
            self.state.analyses[document.path] = analysis
        return diagnostics(document, analysis.findings_in(document.path))

    def _measure(self, path: Path) -> None:
        analysis = self.state.analyses.get(path)
        main = analysis.choice.main if analysis is not None else path
        costs = word_costs(main, self.state.unsaved())
        if costs:
            self.costs[path] = costs

    def _call_in_loop(self, function: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)

    def _publish(self, document: Document, found: list[lsp.Diagnostic]) -> None:
        if self.state.documents.get(document.path) is not document:
            return  # a newer version will be checked
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(document.uri, found, document.version)
        )
        if document.path not in self._published:  # the first analysis makes hints possible
            self._published.add(document.path)
            self._refresh()

    def _refresh(self) -> None:
        capabilities = self.client_capabilities.workspace
        if capabilities and capabilities.inlay_hint and capabilities.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def _log(self, message: str) -> None:
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Warning, message))

    async def board(self, uri: str) -> dict[str, Any]:
        """Return the board of the game to which a document belongs."""
        path = path_of(uri)
        analysis = self.state.analyses.get(path)
        main = analysis.choice.main if analysis is not None else path
        contents = self.state.unsaved()
        loop = asyncio.get_running_loop()
        picture = await loop.run_in_executor(self._executor, board_picture, main, contents)
        return picture._asdict()


def make_server() -> Server:
    """Return a server with all handlers."""
    server = Server()
    _handle_documents(server)
    _handle_text(server)
    _handle_names(server)
    _handle_rename(server)
    _handle_stack(server)
    return server


def _handle_documents(server: Server) -> None:
    @server.feature(lsp.INITIALIZED)
    async def initialized(_: lsp.InitializedParams) -> None:
        server.start(lsp.PositionEncodingKind(server.workspace.position_encoding).value)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        server.change(item.uri, item.text, item.version, measure=True)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        identifier = params.text_document
        for change in params.content_changes[-1:]:
            server.change(identifier.uri, change.text, identifier.version)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        document = server.state.documents.get(path)
        if document is not None:
            server.change(document.uri, document.text, document.version, measure=True)
        server.check_related(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION)
    async def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return fixes(server.document(params.text_document), params.context.diagnostics)

    @server.feature(BOARD)
    async def board(params: Any) -> dict[str, Any]:  # noqa: ANN401 - a request without a schema
        return await server.board(str(params.textDocument.uri))


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

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document = server.document(params.text_document)
        formatted = format_source(document.text, rules=document.is_rule_file)
        if formatted == document.text:
            return []
        return [lsp.TextEdit(document.range(0, len(document.text)), formatted)]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    async def highlights(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        document = server.document(params.text_document)
        if document.is_rule_file:
            return rule_files.highlights(server.state, document, params.position)
        return navigation.highlights(document, params.position)


def _handle_names(server: Server) -> None:
    options = lsp.CompletionOptions(trigger_characters=_TRIGGERS)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    async def complete(params: lsp.CompletionParams) -> lsp.CompletionList:
        document = server.document(params.text_document)
        if document.is_rule_file:
            return rule_files.complete(server.state, document, params.position)
        return words.complete(document, server.analysis(document), params.position)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = server.document(params.text_document)
        if document.is_rule_file:
            return rule_files.hover(server.state, document, params.position)
        costs = server.costs.get(document.path, {})
        return words.hover(document, server.analysis(document), params.position, costs)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        document = server.document(params.text_document)
        if document.is_rule_file:
            return rule_files.definition(server.state, document, params.position)
        return navigation.definition(server.state, document, params.position)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        document = server.document(params.text_document)
        find = rule_files.references if document.is_rule_file else navigation.references
        declaration = params.context.include_declaration
        return find(server.state, document, params.position, declaration=declaration)


def _handle_rename(server: Server) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: lsp.PrepareRenameParams) -> lsp.Range:
        document = server.document(params.text_document)
        try:
            if document.is_rule_file:
                return rule_files.renamable(server.state, document, params.position)[1]
            token = navigation.renamable(server.state, document, params.position)
        except navigation.RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error
        return document.range(token.start, token.end)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        document = server.document(params.text_document)
        change = rule_files.rename if document.is_rule_file else navigation.rename
        try:
            return change(server.state, document, params.position, params.new_name)
        except navigation.RenameError as error:
            raise JsonRpcInvalidParams(str(error)) from error


def _handle_stack(server: Server) -> None:
    options = lsp.SignatureHelpOptions(trigger_characters=[" "], retrigger_characters=[" "])

    @server.feature(lsp.TEXT_DOCUMENT_SIGNATURE_HELP, options)
    async def signature(params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        document = server.document(params.text_document)
        if document.is_rule_file:
            return None
        return hints.signature_help(document, server.analysis(document), params.position)

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def inlay(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = server.document(params.text_document)
        if document.is_rule_file:
            return []
        return hints.inlay_hints(document, server.analysis(document), params.range)
