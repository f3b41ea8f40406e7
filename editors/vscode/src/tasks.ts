// Tasks and commands that run forthvm in a terminal.

import * as vscode from "vscode";
import { forthvm } from "./settings";

const MATCHERS: Readonly<Record<string, string>> = { check: "$forthvm-check", test: "$forthvm-test" };
const OFFERED = ["check", "test"];

/** Returns a task: a command of forthvm with arguments, for example `check FILE`. */
export function taskFor(
    command: string,
    args: readonly string[],
    place: vscode.Uri | undefined,
    definition: vscode.TaskDefinition = { type: "forthvm", command, args },
): vscode.Task {
    const { program, args: all } = forthvm(place, command, ...args);
    const folder = (place && vscode.workspace.getWorkspaceFolder(place)) ?? vscode.workspace.workspaceFolders?.[0];
    const options = folder ? { cwd: folder.uri.fsPath } : {};
    return new vscode.Task(
        definition,
        folder ?? vscode.TaskScope.Workspace,
        command,
        "forthvm",
        new vscode.ProcessExecution(program, [...all], options),
        MATCHERS[command] ?? [],
    );
}

/** Registers the tasks `check` and `test` of each folder. */
export function registerTasks(): vscode.Disposable {
    return vscode.tasks.registerTaskProvider("forthvm", {
        provideTasks: () =>
            (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
                OFFERED.map((command) => taskFor(command, ["."], uri)),
            ),
        resolveTask: ({ definition, scope }) => {
            const { command, args } = definition as { command?: unknown; args?: unknown };
            if (typeof command !== "string") return undefined;
            const texts = Array.isArray(args) ? args.filter((one): one is string => typeof one === "string") : [];
            const place = typeof scope === "object" ? scope.uri : undefined;
            return taskFor(command, texts, place, definition);
        },
    });
}

/** Runs a command of forthvm with a file, in a terminal. */
export async function runWithFile(command: string, file: vscode.Uri): Promise<void> {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
    if (document?.isDirty) await document.save();
    const task = taskFor(command, [file.fsPath], file);
    task.presentationOptions = { focus: command === "run", panel: vscode.TaskPanelKind.Dedicated, clear: true };
    await vscode.tasks.executeTask(task);
}
