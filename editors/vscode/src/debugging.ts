// Connects VS Code to the debug adapter.

import * as vscode from "vscode";
import { type Configuration, DEBUG_TYPE, completed, configurationsFor, isProgram } from "./configurations";
import { forthvm } from "./settings";

/** Registers the debug type. */
export function registerDebugging(): vscode.Disposable[] {
    const { debug, languages } = vscode;
    const offered = vscode.DebugConfigurationProviderTriggerKind.Dynamic;
    return [
        debug.registerDebugAdapterDescriptorFactory(DEBUG_TYPE, {
            createDebugAdapterDescriptor: ({ workspaceFolder, configuration }) => {
                const { program, args } = forthvm(workspaceFolder?.uri, "dap");
                const cwd = typeof configuration.cwd === "string" ? configuration.cwd : workspaceFolder?.uri.fsPath;
                return new vscode.DebugAdapterExecutable(program, [...args], cwd ? { cwd } : {});
            },
        }),
        debug.registerDebugConfigurationProvider(DEBUG_TYPE, {
            resolveDebugConfiguration: async (_folder, configuration) => {
                const hasBreakpoints = debug.breakpoints.some(({ enabled }) => enabled);
                const found = completed(configuration as Configuration, currentFile(), hasBreakpoints);
                if (typeof found !== "string") return found;
                await vscode.window.showInformationMessage(found);
                return undefined;
            },
        }),
        debug.registerDebugConfigurationProvider(
            DEBUG_TYPE,
            {
                provideDebugConfigurations: () => {
                    const file = currentFile();
                    return file !== undefined && isProgram(file) ? configurationsFor(file) : [];
                },
            },
            offered,
        ),
        // Words of Forth contain characters that end names elsewhere.
        languages.registerEvaluatableExpressionProvider("forthscript", {
            provideEvaluatableExpression: (document, position) => {
                const range = document.getWordRangeAtPosition(position);
                return range && new vscode.EvaluatableExpression(range);
            },
        }),
    ];
}

/** Debugs the moves of a file. */
export async function debugFile(file: vscode.Uri): Promise<void> {
    const [configuration] = configurationsFor(file.fsPath);
    const stopOnEntry = !vscode.debug.breakpoints.some(({ enabled }) => enabled);
    const folder = vscode.workspace.getWorkspaceFolder(file);
    await vscode.debug.startDebugging(folder, { ...configuration, stopOnEntry } as vscode.DebugConfiguration);
}

/** Adds a breakpoint on the word at the cursor, or removes it. */
export function breakOnWord({ document, selection }: vscode.TextEditor): void {
    const range = document.getWordRangeAtPosition(selection.active);
    if (range === undefined) return;
    const word = document.getText(range);
    const set = vscode.debug.breakpoints.filter(
        (one) => one instanceof vscode.FunctionBreakpoint && one.functionName === word,
    );
    if (set.length > 0) vscode.debug.removeBreakpoints(set);
    else vscode.debug.addBreakpoints([new vscode.FunctionBreakpoint(word)]);
}

function currentFile(): string | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri?.scheme === "file" ? uri.fsPath : undefined;
}
