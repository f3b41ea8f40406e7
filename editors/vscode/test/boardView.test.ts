import assert from "node:assert/strict";
import test, { after, beforeEach } from "node:test";
import { setTimeout } from "node:timers/promises";
import { BoardView } from "../src/board";
import type { Board } from "../src/boardPage";
import type { Server } from "../src/client";
import { Uri, debug, events, state, window } from "./fakeVscode";

const answer = { title: "Chess", svg: "<svg/>", text: "board", error: "" };
const requests: { method: string; parameters: object }[] = [];
const server = {
    request: async (method: string, parameters: object) => {
        requests.push({ method, parameters });
        return answer;
    },
} as unknown as Server;
const view = new BoardView(server);
view.listeners();
after(() => view.dispose());

const chess = { document: { uri: Uri.file("/g/chess.4th"), languageId: "forthscript" } };
const last = (): Board => state.posted.at(-1) as Board;

beforeEach(async () => {
    window.activeTextEditor = chess;
    debug.activeDebugSession = undefined;
    view.open();
    await setTimeout(1);
    requests.length = 0;
});

test("the board of the current file is shown in one panel", async () => {
    view.open();
    await setTimeout(1);
    assert.equal(state.panels, 1);
    assert.deepEqual(requests, [{ method: "forthvm/board", parameters: { textDocument: { uri: "file:///g/chess.4th" } } }]);
    assert.deepEqual(last(), { ...answer, source: "chess.4th" });
    assert.match(state.html, /default-src 'none'/);
});

test("changes are drawn after a pause, once", async () => {
    for (let key = 0; key < 5; key++) await events.textChanged.fire({ document: chess.document });
    assert.equal(requests.length, 0);
    await setTimeout(400);
    assert.equal(requests.length, 1);
});

test("other files leave the board", async () => {
    window.activeTextEditor = { document: { uri: Uri.file("/g/readme.md"), languageId: "markdown" } };
    await events.editorChanged.fire();
    await setTimeout(400);
    assert.equal(last().source, "chess.4th");
});

test("a file with tests shows the position at the cursor", async () => {
    const document = { uri: Uri.file("/g/chess.test"), languageId: "forthvm-test" };
    const position = { line: 7, character: 2 };
    window.activeTextEditor = { document, selection: { active: position } };
    await events.selectionChanged.fire({ textEditor: window.activeTextEditor });
    await setTimeout(400);
    const parameters = { textDocument: { uri: "file:///g/chess.test" }, position };
    assert.deepEqual(requests, [{ method: "forthvm/board", parameters }]);
    await events.selectionChanged.fire({ textEditor: chess }); // the board of a script is one
    await setTimeout(400);
    assert.equal(requests.length, 1);
});

test("the board follows the debugger, and returns to the file", async () => {
    const customRequest = async (): Promise<unknown> => ({ ...answer, title: "asked" });
    debug.activeDebugSession = { type: "forthvm", name: "Moves", customRequest };
    await events.sessionChanged.fire();
    await setTimeout(400);
    assert.equal(last().title, "asked");
    const session = { type: "forthvm", name: "Moves" };
    await events.customEvent.fire({ session, event: "forthvm/board", body: { ...answer, title: "stopped" } });
    assert.deepEqual([last().title, last().source], ["stopped", "Moves"]);
    await events.customEvent.fire({ session: { type: "other" }, event: "forthvm/board", body: answer });
    assert.equal(last().title, "stopped");
    debug.activeDebugSession = undefined;
    await events.sessionChanged.fire();
    await setTimeout(400);
    assert.deepEqual([last().title, last().source], ["Chess", "chess.4th"]);
});

test("while the program runs the last board remains", async () => {
    const customRequest = async (): Promise<unknown> => Promise.reject(new Error("the program runs"));
    debug.activeDebugSession = { type: "forthvm", name: "Moves", customRequest };
    await events.sessionChanged.fire();
    await setTimeout(400);
    assert.equal(last().title, "Chess");
});

test("a page that is shown again gets the board", async () => {
    const count = state.posted.length;
    await events.received.fire("ready");
    assert.equal(state.posted.length, count + 1);
    assert.equal(last().title, "Chess");
});
