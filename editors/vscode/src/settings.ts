// Reads the extension's settings.  Owns their names, and those of the languages.

import * as vscode from "vscode";
import { type Invocation, invocation } from "./program";

export const LANGUAGES = ["forthscript", "zrf"];
export const TEST_LANGUAGE = "forthvm-test";
export const COMMAND_SETTING = "forthvm.command";

/** Returns the invocation of forthvm for a file or folder; without one, for the first folder. */
export function forthvm(place: vscode.Uri | undefined, ...args: string[]): Invocation {
    const folders = vscode.workspace.workspaceFolders;
    const folder = (place && vscode.workspace.getWorkspaceFolder(place)) ?? folders?.[0];
    const setting = vscode.workspace.getConfiguration("forthvm", place).get<unknown>("command");
    return invocation(setting, folder?.uri.fsPath, args);
}
