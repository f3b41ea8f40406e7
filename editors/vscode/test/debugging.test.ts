import assert from "node:assert/strict";
import test from "node:test";
import { breakOnWord, debugFile, registerDebugging } from "../src/debugging";
import { FunctionBreakpoint, Uri, debug, state, workspace } from "./fakeVscode";

test("the debug adapter is the program of the folder", () => {
    workspace.workspaceFolders = [{ uri: Uri.file("/games"), name: "games" }];
    state.command = "${workspaceFolder}/.venv/bin/forthvm";
    registerDebugging();
    const session = { workspaceFolder: workspace.workspaceFolders[0], configuration: {} };
    const adapter = state.factory.createDebugAdapterDescriptor(session);
    assert.deepEqual([adapter.command, adapter.args], ["/games/.venv/bin/forthvm", ["dap"]]);
    assert.deepEqual(adapter.options, { cwd: "/games" });
});

test("a file is debugged from its beginning if there is no breakpoint", async () => {
    await debugFile(Uri.file("/games/a.4th") as never);
    const [configuration] = state.started as { target: string; stopOnEntry: boolean }[];
    assert.deepEqual([configuration?.target, configuration?.stopOnEntry], ["moves", true]);
});

test("a breakpoint on a word is set and removed", () => {
    const document = { getWordRangeAtPosition: () => ({}), getText: () => "try-move" };
    const editor = { document, selection: { active: {} } } as never;
    breakOnWord(editor);
    assert.deepEqual(debug.breakpoints, [new FunctionBreakpoint("try-move")]);
    breakOnWord(editor);
    assert.deepEqual(debug.breakpoints, []);
});
