// The language client.  Owns the server's process: it starts, restarts and stops it.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, RevealOutputChannelOn } from "vscode-languageclient/node";
import { COMMAND_SETTING, LANGUAGES, TEST_LANGUAGE, forthvm } from "./settings";

/** The commands for which the server offers code lenses. */
const LENS_COMMANDS = ["forthvm.showBoard", "forthvm.runTests"];

/** The connection to `forthvm lsp`. */
export class Server implements vscode.Disposable {
    private client: LanguageClient | undefined;
    private queue: Promise<void> = Promise.resolve(); // starts and stops, one after the other
    private readonly output = vscode.window.createOutputChannel("forthvm");

    /** Starts the server; it restarts when the setting of its command changes. */
    start(context: vscode.ExtensionContext): void {
        context.subscriptions.push(
            this,
            vscode.workspace.onDidChangeConfiguration((event) => {
                if (event.affectsConfiguration(COMMAND_SETTING)) void this.restart();
            }),
        );
        void this.restart();
    }

    /** Stops the server if it runs, and starts it. */
    restart(): Promise<void> {
        return this.enqueue(async () => {
            await this.end();
            await this.begin();
        });
    }

    /** Sends a request when the server has started; undefined if it does not run. */
    async request<Result>(method: string, parameters: object): Promise<Result | undefined> {
        await this.queue;
        return this.client?.isRunning() ? this.client.sendRequest<Result>(method, parameters) : undefined;
    }

    /** Stops the server. */
    stop(): Promise<void> {
        return this.enqueue(() => this.end());
    }

    dispose(): void {
        void this.stop().finally(() => this.output.dispose());
    }

    private enqueue(task: () => Promise<void>): Promise<void> {
        this.queue = this.queue.then(task, task);
        return this.queue;
    }

    private async begin(): Promise<void> {
        const { program, args } = forthvm(undefined, "lsp");
        const options: LanguageClientOptions = {
            documentSelector: [...LANGUAGES, TEST_LANGUAGE].flatMap((language) => [
                { scheme: "file", language },
                { scheme: "untitled", language },
            ]),
            outputChannel: this.output,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            initializationOptions: { commands: LENS_COMMANDS },
        };
        const client = new LanguageClient("forthvm", "forthvm", { command: program, args: [...args] }, options);
        try {
            await client.start();
            this.client = client;
        } catch (error) {
            void this.explain(program, error);
        }
    }

    private async end(): Promise<void> {
        const client = this.client;
        this.client = undefined;
        await client?.dispose();
    }

    private async explain(program: string, error: unknown): Promise<void> {
        this.output.appendLine(String(error));
        const message = `${program} does not start as a language server. Install it with: pip install 'forthvm[lsp]'`;
        const chosen = await vscode.window.showErrorMessage(message, "Settings", "Output");
        if (chosen === "Settings") {
            await vscode.commands.executeCommand("workbench.action.openSettings", COMMAND_SETTING);
        } else if (chosen === "Output") {
            this.output.show();
        }
    }
}
