// The command line of forthvm.  Owns the setting's meaning; does not use vscode.

import { homedir } from "node:os";

/** A program and its arguments. */
export interface Invocation {
    readonly program: string;
    readonly args: readonly string[];
}

/**
 * Returns the invocation of `forthvm` with arguments.
 *
 * @param setting - The value of `forthvm.command`; anything unusable counts as "forthvm".
 * @param folder - The workspace folder, which replaces `${workspaceFolder}`.
 */
export function invocation(setting: unknown, folder: string | undefined, args: readonly string[]): Invocation {
    const parts = (Array.isArray(setting) ? setting : [setting])
        .filter((part): part is string => typeof part === "string" && part.trim() !== "")
        .map((part) => expanded(part.trim(), folder));
    const [program = "forthvm", ...first] = parts;
    return { program, args: [...first, ...args] };
}

function expanded(part: string, folder: string | undefined): string {
    const home = part.replace(/^~(?=$|[/\\])/, () => homedir());
    return folder === undefined ? home : home.replaceAll("${workspaceFolder}", () => folder);
}
