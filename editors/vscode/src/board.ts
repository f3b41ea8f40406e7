// The board beside the source.  Owns the choice of the position: the debugger's, else that of the file.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { type Board, NO_BOARD, boardPage, readBoard } from "./boardPage";
import type { Server } from "./client";
import { DEBUG_TYPE } from "./configurations";
import { LANGUAGES, TEST_LANGUAGE } from "./settings";

const BOARD = "forthvm/board"; // the requests and the event of both protocols
const DRAWN = [...LANGUAGES, TEST_LANGUAGE];
const PAUSE = 300; // milliseconds without a change before the board is drawn again

/** The view, which is opened by a command. */
export class BoardView implements vscode.Disposable {
    private panel: vscode.WebviewPanel | undefined;
    private shown: Board = NO_BOARD;
    private file: vscode.Uri | undefined;
    private position: vscode.Position | undefined; // of the cursor in a file with tests
    private timer: NodeJS.Timeout | undefined;
    private requests = 0;

    constructor(private readonly server: Server) {}

    /** Returns the listeners that keep the board current. */
    listeners(): vscode.Disposable[] {
        const { debug, window, workspace } = vscode;
        return [
            this,
            window.onDidChangeActiveTextEditor(() => this.drawLater()),
            workspace.onDidChangeTextDocument(({ document }) => {
                if (DRAWN.includes(document.languageId)) this.drawLater();
            }),
            window.onDidChangeTextEditorSelection(({ textEditor }) => {
                if (textEditor.document.languageId === TEST_LANGUAGE) this.drawLater();
            }),
            debug.onDidReceiveDebugSessionCustomEvent(({ session, event, body }) => {
                if (session.type === DEBUG_TYPE && event === BOARD) this.show(readBoard(body, session.name));
            }),
            debug.onDidChangeActiveDebugSession(() => this.drawLater()),
        ];
    }

    /** Opens the view beside the editor, with the board of a file; without one, of the current editor. */
    open(file?: vscode.Uri): void {
        this.file = file ?? this.file;
        if (this.panel === undefined) {
            this.panel = vscode.window.createWebviewPanel(
                "forthvm.board",
                "Board",
                { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
                { enableScripts: true, localResourceRoots: [] },
            );
            this.panel.onDidDispose(() => (this.panel = undefined));
            this.panel.webview.onDidReceiveMessage(() => this.post());
            this.panel.webview.html = boardPage(randomBytes(16).toString("base64"));
        } else {
            this.panel.reveal(undefined, true);
        }
        void this.draw();
    }

    dispose(): void {
        clearTimeout(this.timer);
        this.panel?.dispose();
    }

    private drawLater(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.draw(), PAUSE);
    }

    private async draw(): Promise<void> {
        const editor = vscode.window.activeTextEditor;
        if (editor && DRAWN.includes(editor.document.languageId)) {
            this.file = editor.document.uri;
            this.position = editor.document.languageId === TEST_LANGUAGE ? editor.selection.active : undefined;
        }
        if (this.panel === undefined) return;
        const request = ++this.requests;
        const board = (await this.debugged()) ?? (await this.ofFile());
        if (board && request === this.requests) this.show(board);
    }

    private async debugged(): Promise<Board | undefined> {
        const session = vscode.debug.activeDebugSession;
        if (session?.type !== DEBUG_TYPE) return undefined;
        try {
            return readBoard(await session.customRequest(BOARD), session.name);
        } catch {
            return this.shown; // the program runs
        }
    }

    private async ofFile(): Promise<Board | undefined> {
        const { file, position } = this;
        if (file === undefined) return undefined;
        const source = vscode.workspace.asRelativePath(file);
        try {
            const parameters = { textDocument: { uri: file.toString() }, ...(position && { position }) };
            const answer = await this.server.request(BOARD, parameters);
            return answer === undefined ? undefined : readBoard(answer, source);
        } catch (error) {
            return { ...NO_BOARD, error: String(error), source };
        }
    }

    private show(board: Board): void {
        this.requests++; // an answer that is still under way is older
        this.shown = board;
        this.post();
    }

    private post(): void {
        void this.panel?.webview.postMessage(this.shown);
    }
}
