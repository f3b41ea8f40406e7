"""The server: documents, analyses in threads, and the publication of findings.

Owns the connection, the worker threads, and the order in which results are published.  The requests
of the protocol are in handlers.py.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import TYPE_CHECKING, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from forthvm._version import __version__
from forthvm.core.errors import ForthVMError
from forthvm.core.loading.files import replaced_contents

from . import folders, rule_files
from .addresses import path_of
from .completion_in_tests import complete_test
from .diagnostics import diagnostics
from .documents import RULE_FILE_SUFFIX
from .files_with_tests import test_file_diagnostics
from .games import board_picture, test_board_picture, word_costs
from .names_in_tests import game_of
from .protocol import Protocol
from .rule_families import including, main_file
from .scripts import analyse, choose_script
from .worker import Worker
from .workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from forthvm.check import Finding

    from .documents import Document
    from .scripts import ScriptAnalysis, ScriptChoice

__all__ = ["Server"]

_Result = TypeVar("_Result")
_PAUSE = 0.02
"""Seconds without a change before an analysis starts."""
_COSTS_PAUSE = 1.0
_LARGE = 100_000
"""Characters of a document that is checked in the thread for long checks."""
_LONG = 1.0
"""Seconds of a check after which the next one of the document runs in that thread, too."""
_COLLECT_EVERY = 16
"""The number of analyses, each of some megabytes, after which memory is collected."""


def _is_defect(record: logging.LogRecord) -> bool:
    """Whether a logged exception is no answer to a request, such as a refused renaming."""
    return record.exc_info is None or not isinstance(record.exc_info[1], JsonRpcException)


class Server(LanguageServer):
    """A language server for one client.

    Attributes:
        state: The open documents and analyses.
        costs: Sentences about the cost of words, by the path of the document.
        commands: The commands of the client for code lenses.
    """

    def __init__(self) -> None:
        # A whole text for each change: pygls splits lines at characters that end no line here.
        super().__init__(
            "forthvm",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
        )
        logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_defect)
        self.state = Workspace()
        self.costs: dict[Path, dict[str, str]] = {}
        self.commands: frozenset[str] = frozenset()
        self._checks = Worker(self._check, _PAUSE)
        self._long_checks = Worker(self._check, _PAUSE)  # they do not delay the others
        self._took_long: set[Path] = set()
        self._first_checks: dict[Path, asyncio.Event] = {}  # of open documents
        self._measurements = Worker(self._measure, _COSTS_PAUSE)
        self._executor = ThreadPoolExecutor(max_workers=2)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._checked = 0  # number of analyses

    # --- documents -------------------------------------------------------------------

    def start(self, encoding: str) -> None:
        """Note the client's choices; called in the thread of the event loop."""
        gc.freeze()  # what is loaded now stays; collections need not visit it
        self.state.encoding = encoding
        self.folders_changed()
        capabilities = self.client_capabilities.workspace
        watched = capabilities.did_change_watched_files if capabilities else None
        if watched is not None and watched.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions(
                [lsp.FileSystemWatcher(glob_pattern="**/*.{4th,zrf,test,perft}")]
            )
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = lsp.Registration("files", method, options)
            self.client_register_capability(lsp.RegistrationParams([registration]))

    def folders_changed(self) -> None:
        """Note the folders of the editor."""
        self.state.set_folders(self.workspace.folders)

    def change(
        self,
        uri: str,
        text: str,
        version: int | None,
        *,
        language: str | None = None,
        measure: bool = False,
    ) -> None:
        """Take over a new version of a document; called in the thread of the event loop."""
        self._loop = asyncio.get_running_loop()
        document = self.state.put(uri, text, version, language)
        self._first_checks.setdefault(document.path, asyncio.Event())
        self.check_related(document.path)
        self._request_check(document.path)
        if measure and not (document.is_rule_file or document.is_test_file):
            self._measurements.request(document.path)

    def _request_check(self, path: Path) -> None:
        """Check a document soon."""
        document = self.state.documents.get(path)
        is_large = document is not None and len(document.text) > _LARGE
        worker = self._long_checks if is_large or path in self._took_long else self._checks
        worker.request(path)

    def check_related(self, changed: Path) -> None:
        """Check the open documents of other scripts that contain a changed file."""
        own = self.state.analyses.get(changed)
        for path, analysis in list(self.state.analyses.items()):
            same_script = own is not None and own.choice.main == analysis.choice.main
            if changed in analysis.paths.values() and not same_script:
                self._request_check(path)
        for path in self.state.forget_games_with(changed):
            self._request_check(path)
        for path in including(self.state, changed):
            self._request_check(path)

    def files_changed(self, changes: Sequence[lsp.FileEvent]) -> None:
        """Check the open documents that changes of files outside the editor can affect."""
        for change in changes:
            if change.type == lsp.FileChangeType.Changed:
                self.check_related(path_of(change.uri))
            else:  # a file that a script loads may have appeared
                for path in list(self.state.documents):
                    self._request_check(path)

    def close(self, uri: str) -> None:
        """Forget a document and its diagnostics."""
        path = path_of(uri)
        remaining = self.state.remove(uri)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        if remaining is not None:
            self._request_check(path)
        else:
            self.costs.pop(path, None)
            self._first_checks.pop(path, asyncio.Event()).set()
        self.check_related(path)  # the contents of the file count again

    def document(self, identifier: lsp.TextDocumentIdentifier) -> Document:
        """Return an open document, or a file.

        Raises:
            JsonRpcInvalidParams: There is no such document.
        """
        document = self.state.with_uri(identifier.uri)
        if document is None:
            raise JsonRpcInvalidParams(f"no such document: {identifier.uri}")
        return document

    async def checked_document(self, identifier: lsp.TextDocumentIdentifier) -> Document:
        """Return a document after its first check, on which answers depend.

        Raises:
            JsonRpcInvalidParams: There is no such document.
        """
        first_check = self._first_checks.get(self.document(identifier).path)
        if first_check is not None:
            await first_check.wait()
        return self.document(identifier)

    def analysis(self, document: Document) -> ScriptAnalysis | None:
        """Return the last analysis of the script of a document, or of the game that it tests."""
        path = game_of(document) if document.is_test_file else document.path
        return self.state.analyses.get(path) if path is not None else None

    # --- in worker threads -----------------------------------------------------------

    def _check(self, path: Path) -> None:
        """Check the script of a document, and note whether that takes long."""
        start = time.monotonic()
        try:
            self._check_document(path)
        finally:
            took_long = time.monotonic() - start > _LONG
            (self._took_long.add if took_long else self._took_long.discard)(path)
            self._call_in_loop(lambda: self._end_waiting(path))

    def _end_waiting(self, path: Path) -> None:
        """Let the requests continue that wait for the first check of a document."""
        if path in self._first_checks:
            self._first_checks[path].set()

    def _check_document(self, path: Path) -> None:
        """Check the script of a document, and publish the findings if it has not changed."""
        opened = self.state.documents.copy()  # these versions are checked
        document = opened.get(path)
        if document is None:
            return
        contents = {where: one.data for where, one in opened.items()}
        try:
            with replaced_contents(contents):
                if document.is_test_file:
                    self._publish_diagnostics(document, test_file_diagnostics(document))
                    self._analyse_game(document, contents)
                elif document.is_rule_file:
                    self._publish(document, rule_files.findings(self.state, document))
                else:
                    self._check_script(document, opened, contents)
        except (ForthVMError, OSError, RecursionError) as error:
            message = f"{path}: {error}"
            self._call_in_loop(lambda: self._log(message))
            return
        self._checked += 1
        if not self._checked % _COLLECT_EVERY:
            gc.collect()  # old analyses contain cycles

    def _check_script(
        self, document: Document, opened: Mapping[Path, Document], contents: Mapping[Path, bytes]
    ) -> None:
        """Check a script, and publish the findings in all of its open documents."""
        choice = self._choose(document.path, contents)
        analysis = analyse(choice)
        if analysis is None:
            self._publish(document, [])
            return
        found = {document: analysis}
        for path in analysis.paths.values():
            other = opened.get(path)
            if other is not None and other is not document:
                other_choice = self._choose(path, contents)
                if other_choice.main == choice.main:
                    found[other] = analysis.with_choice(other_choice)
        for open_document, its_analysis in found.items():
            if open_document.path in self.state.documents:
                self.state.keep_analysis(open_document.path, its_analysis)
            self._publish(open_document, its_analysis.findings_in(open_document.path))
        _ = analysis.effects  # computed in this thread, because completion must not wait
        self._call_in_loop(self._refresh)

    def _analyse_game(self, document: Document, contents: Mapping[Path, bytes]) -> None:
        """Analyse the script to which a file with tests belongs, unless that has been done."""
        path = game_of(document)
        if path is None or path.suffix.lower() == RULE_FILE_SUFFIX or path in self.state.analyses:
            return
        analysis = analyse(self._choose(path, contents))
        if analysis is not None:
            self.state.keep_analysis(path, analysis)

    def _choose(self, path: Path, contents: Mapping[Path, bytes]) -> ScriptChoice:
        return choose_script(path, contents, self.state.folders_above(path))

    def _measure(self, path: Path) -> None:
        analysis = self.state.analyses.get(path)
        main = analysis.choice.main if analysis is not None else path
        costs = word_costs(main, self.state.unsaved())
        if costs:
            self.costs[path] = costs

    def _call_in_loop(self, function: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)

    def _publish(self, document: Document, found: list[Finding]) -> None:
        """Publish findings unless the document has changed; in any thread."""
        self._publish_diagnostics(document, diagnostics(document, found))

    def _publish_diagnostics(self, document: Document, shown: list[lsp.Diagnostic]) -> None:
        def publish() -> None:
            if self.state.documents.get(document.path) is not document:
                return  # a newer version will be checked
            for one in self.state.with_text(document):
                self.text_document_publish_diagnostics(
                    lsp.PublishDiagnosticsParams(one.uri, shown, one.version)
                )

        self._call_in_loop(publish)

    def _refresh(self) -> None:
        """Let the client request inlay hints again, which depend on the analysis."""
        capabilities = self.client_capabilities.workspace
        if capabilities and capabilities.inlay_hint and capabilities.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def _log(self, message: str) -> None:
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Warning, message))

    # --- answers that take long -------------------------------------------------------

    async def board(self, uri: str, line: int) -> dict[str, str]:
        """Return the board of the game to which a document belongs, or of the test at a line."""
        path = path_of(uri)
        document = self.state.with_uri(uri)
        contents = self.state.unsaved()
        if document is not None and document.is_test_file:
            source = document.text
            picture = await self._in_thread(
                lambda: test_board_picture(path, source, line + 1, contents)
            )
        else:
            main = self._main(path, document)
            picture = await self._in_thread(lambda: board_picture(main, contents))
        return asdict(picture)

    def _main(self, path: Path, document: Document | None) -> Path:
        """Return the main script or rule file of the game to which a file belongs."""
        analysis = self.state.analyses.get(path)
        if analysis is not None:
            return analysis.choice.main
        if document is not None and document.is_rule_file:
            return main_file(self.state, document)
        return path

    async def complete_test(self, document: Document, position: lsp.Position) -> lsp.CompletionList:
        """Return what can stand at a position in a file with tests."""
        contents = self.state.unsaved()
        return await self._in_thread(lambda: complete_test(document, position, contents))

    async def workspace_symbols(self, query: str) -> list[lsp.WorkspaceSymbol]:
        """Return the definitions in the folders of the editor whose names fit a query."""
        return await self._in_thread(lambda: folders.workspace_symbols(self.state, query))

    async def rename_files(self, files: Sequence[lsp.FileRename]) -> lsp.WorkspaceEdit:
        """Return the edits of the files that load or include renamed files."""
        renamed = {path_of(file.old_uri): path_of(file.new_uri) for file in files}
        capabilities = self.client_capabilities.workspace
        edits = capabilities.workspace_edit if capabilities else None
        operations = (edits.resource_operations if edits else None) or ()
        can_rename = lsp.ResourceOperationKind.Rename in operations
        return await self._in_thread(
            lambda: folders.renamed_files(self.state, renamed, can_rename=can_rename)
        )

    async def _in_thread(self, work: Callable[[], _Result]) -> _Result:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)
