// Activation: connects the parts of the extension to VS Code.

import * as vscode from "vscode";
import { Server } from "./client";

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
    context.subscriptions.push(
        vscode.commands.registerCommand("forthvm.restartServer", () => started.restart()),
    );
    started.start(context);
}
