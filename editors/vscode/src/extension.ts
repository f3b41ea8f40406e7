// Activation: connects the parts of the extension to VS Code.

import * as vscode from "vscode";
import { BoardView } from "./board";
import { Server } from "./client";
import { breakOnWord, debugFile, registerDebugging } from "./debugging";
import { registerTasks, runWithFile } from "./tasks";
import { Explorer } from "./tests";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
    if (vscode.workspace.isTrusted) {
        begin(context);
    } else {
        // Games are programs, so nothing is started before the user trusts the folder.
        context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(() => begin(context)));
    }
}

export async function deactivate(): Promise<void> {
    await server?.stop();
}

function begin(context: vscode.ExtensionContext): void {
    const started = (server = new Server());
    const board = new BoardView(started);
    started.start(context);
    context.subscriptions.push(
        ...board.listeners(),
        ...registerDebugging(),
        registerTasks(),
        new Explorer(),
        ...commands(started, board),
    );
}

/** Registers the commands.  Their argument is the address of a file, by default the current one. */
function commands(server: Server, board: BoardView): vscode.Disposable[] {
    const register = vscode.commands.registerCommand;
    const withFile = (id: string, action: (file: vscode.Uri) => unknown): vscode.Disposable =>
        register(id, async (place?: unknown) => {
            const file = addressed(place) ?? vscode.window.activeTextEditor?.document.uri;
            if (file?.scheme === "file") await action(file);
        });
    return [
        register("forthvm.restartServer", () => server.restart()),
        register("forthvm.showBoard", (place?: unknown) => board.open(addressed(place))),
        register("forthvm.format", () => vscode.commands.executeCommand("editor.action.formatDocument")),
        vscode.commands.registerTextEditorCommand("forthvm.breakOnWord", breakOnWord),
        withFile("forthvm.debugFile", debugFile),
        withFile("forthvm.playInBrowser", (file) => runWithFile("board", file)),
        withFile("forthvm.playInTerminal", (file) => runWithFile("run", file)),
        withFile("forthvm.check", (file) => runWithFile("check", file)),
        withFile("forthvm.runTests", (file) => runWithFile("test", file)),
    ];
}

/** Returns the file that an argument of a command names: a `Uri`, an address as text, or a path. */
function addressed(place: unknown): vscode.Uri | undefined {
    if (place instanceof vscode.Uri) return place;
    if (typeof place !== "string") return undefined;
    return place.startsWith("file:") ? vscode.Uri.parse(place) : vscode.Uri.file(place);
}
