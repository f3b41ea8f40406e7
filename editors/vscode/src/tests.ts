// The test explorer.  Owns the tree of tests and the processes that list and run them.

import { spawn } from "node:child_process";
import * as vscode from "vscode";
import { testConfiguration } from "./configurations";
import { forthvm } from "./settings";
import { LineSplitter, type Result, type Test, readEvent } from "./testEvents";
import { type Chosen, type TestFiles, byFile, placeOf, selection } from "./testSelection";

const PAUSE = 500; // milliseconds after a change of a file before the tests are listed
const FILES = "**/*.{test,perft}";
const CAN_DEBUG = new vscode.TestTag("debug");

/** The tests of all workspace folders. */
export class Explorer implements vscode.Disposable {
    private readonly controller = vscode.tests.createTestController("forthvm", "forthvm");
    private files = new Map<string, TestFiles>(); // by the path of the workspace folder
    private readonly items = new Map<string, vscode.TestItem>(); // by their ids, which are places
    private timer: NodeJS.Timeout | undefined;
    private readonly disposables: vscode.Disposable[] = [this.controller];

    constructor() {
        const { Run, Debug } = vscode.TestRunProfileKind;
        this.controller.refreshHandler = (token) => this.list(token);
        this.controller.createRunProfile("Run", Run, (request, token) => this.run(request, token), true);
        const debug = (request: vscode.TestRunRequest): Promise<void> => this.debug(request);
        this.controller.createRunProfile("Debug", Debug, debug, true, CAN_DEBUG);
        const watcher = vscode.workspace.createFileSystemWatcher(FILES);
        const listLater = (): void => this.listLater();
        watcher.onDidChange(listLater, undefined, this.disposables);
        watcher.onDidCreate(listLater, undefined, this.disposables);
        watcher.onDidDelete(listLater, undefined, this.disposables);
        vscode.workspace.onDidChangeWorkspaceFolders(listLater, undefined, this.disposables);
        this.disposables.push(watcher);
        listLater();
    }

    dispose(): void {
        clearTimeout(this.timer);
        for (const disposable of this.disposables) disposable.dispose();
    }

    private listLater(): void {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.list(), PAUSE);
    }

    // --- the tree ----------------------------------------------------------------------

    private async list(token?: vscode.CancellationToken): Promise<void> {
        const found = new Map<string, TestFiles>(); // until all are listed, the old tests remain
        for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
            const tests: Test[] = [];
            await execute(uri, ["--list", "--json", "."], token, (line) => {
                const event = readEvent(line);
                if (event?.event === "test") tests.push(event);
            });
            found.set(uri.fsPath, byFile(tests));
        }
        if (token?.isCancellationRequested) return;
        this.files = found;
        this.items.clear();
        const all = [...found.values()].flatMap((files) => [...files]);
        this.controller.items.replace(all.map(([file, tests]) => this.fileItem(file, tests)));
    }

    private fileItem(file: string, tests: readonly Test[]): vscode.TestItem {
        const uri = vscode.Uri.file(file);
        const item = this.controller.createTestItem(file, vscode.workspace.asRelativePath(uri), uri);
        item.children.replace(tests.map((test) => this.testItem(test, uri)));
        item.tags = [CAN_DEBUG];
        return item;
    }

    private testItem(test: Test, uri: vscode.Uri): vscode.TestItem {
        const item = this.controller.createTestItem(placeOf(test), test.name, uri);
        const start = new vscode.Position(test.line - 1, 0);
        item.range = new vscode.Range(start, start);
        item.sortText = String(test.line).padStart(8, "0");
        item.tags = test.kind === "position" ? [CAN_DEBUG] : [];
        this.items.set(item.id, item);
        return item;
    }

    // --- runs --------------------------------------------------------------------------

    private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
        const run = this.controller.createTestRun(request);
        for (const [folder, files] of this.files) {
            const { tests, paths } = selection(files, request.include && chosen(request.include), chosen(request.exclude));
            if (paths.length > 0 && !token.isCancellationRequested) {
                await this.runFolder(run, vscode.Uri.file(folder), tests, paths, token);
            }
        }
        run.end();
    }

    private async runFolder(
        run: vscode.TestRun,
        folder: vscode.Uri,
        tests: readonly Test[],
        paths: readonly string[],
        token: vscode.CancellationToken,
    ): Promise<void> {
        const items = new Map<string, vscode.TestItem>(); // by place; listing the tests again replaces `this.items`
        const waiting = new Set<vscode.TestItem>(); // tests without a result
        const started = new Map<string, vscode.TestItem>(); // by forthvm's ids, which depend on `paths`
        for (const test of tests) {
            const item = this.items.get(placeOf(test));
            if (!item) continue;
            items.set(item.id, item);
            waiting.add(item);
        }
        for (const item of waiting) run.enqueued(item);
        const failure = await execute(folder, ["--json", ...paths], token, (line) => {
            const event = readEvent(line);
            const item = event?.event === "test" ? items.get(placeOf(event)) : event && started.get(event.id);
            if (item && event?.event === "test") {
                started.set(event.id, item);
                run.started(item);
            } else if (item && event?.event === "result") {
                waiting.delete(item);
                report(run, item, event);
            } else if (!line.startsWith("{")) {
                run.appendOutput(`${line}\r\n`);
            }
        });
        const message = new vscode.TestMessage(failure || "The run ended before this test.");
        for (const item of waiting) {
            if (token.isCancellationRequested) run.skipped(item);
            else run.errored(item, message);
        }
    }

    private async debug(request: vscode.TestRunRequest): Promise<void> {
        for (const [folder, files] of this.files) {
            const { tests } = selection(files, request.include && chosen(request.include), chosen(request.exclude));
            const [test] = tests.filter(({ kind }) => kind === "position");
            if (test === undefined) continue;
            const workspace = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder));
            await vscode.debug.startDebugging(workspace, testConfiguration(test) as vscode.DebugConfiguration);
            return; // one at a time
        }
    }
}

/** Returns the files and tests that items stand for. */
function chosen(items: readonly vscode.TestItem[] | undefined): Chosen {
    const ids = (wanted: readonly vscode.TestItem[]): Set<string> => new Set(wanted.map(({ id }) => id));
    const all = items ?? [];
    return { files: ids(all.filter(({ parent }) => !parent)), tests: ids(all.filter(({ parent }) => parent)) };
}

function report(run: vscode.TestRun, item: vscode.TestItem, result: Result): void {
    const milliseconds = result.seconds * 1000;
    if (result.outcome === "passed") {
        run.passed(item, milliseconds);
    } else if (result.outcome === "skipped") {
        run.skipped(item);
    } else {
        const message = new vscode.TestMessage(result.message || result.outcome);
        const start = result.failedLine && new vscode.Position(result.failedLine - 1, 0);
        const range = start ? new vscode.Range(start, start) : item.range;
        if (item.uri && range) message.location = new vscode.Location(item.uri, range);
        if (result.outcome === "failed") run.failed(item, message, milliseconds);
        else run.errored(item, message, milliseconds);
    }
}

/** Runs `forthvm test` in a folder; returns what it printed as errors, or why it did not start. */
function execute(
    folder: vscode.Uri,
    args: readonly string[],
    token: vscode.CancellationToken | undefined,
    onLine: (line: string) => void,
): Promise<string> {
    return new Promise((resolve) => {
        const { program, args: all } = forthvm(folder, "test", ...args);
        const child = spawn(program, all, { cwd: folder.fsPath, stdio: ["ignore", "pipe", "pipe"] });
        const lines = new LineSplitter();
        let errors = "";
        const listener = token?.onCancellationRequested(() => child.kill());
        child.stdout.setEncoding("utf8").on("data", (piece: string) => lines.push(piece).forEach(onLine));
        child.stderr.setEncoding("utf8").on("data", (piece: string) => (errors += piece));
        const end = (text: string): void => {
            listener?.dispose();
            lines.end().forEach(onLine);
            resolve(text);
        };
        child.on("error", (error) => end(String(error)));
        child.on("close", () => end(errors.trim()));
    });
}
