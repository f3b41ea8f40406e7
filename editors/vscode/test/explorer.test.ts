import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { Explorer } from "../src/tests";
import { type Item, Token, Uri, controller, state, workspace } from "./fakeVscode";

// A program in the place of forthvm: two tests pass and fail, the third ends the program.
const PROGRAM = `
const [command, ...args] = process.argv.slice(2);
const { existsSync } = require("node:fs");
const print = (value) => console.log(JSON.stringify(value));
const file = (name) => process.cwd() + "/" + name;
const tests = [["a.test", 2, "opens"], ["a.test", 9, "captures"], ["b.perft", 1, "perft 2"]];
const listed = args.includes("--list");
while (!listed && existsSync("hold")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
for (const [name, line, title] of tests) {
    const place = file(name) + ":" + line;
    if (!args.some((one) => one === "." || one === place || one === file(name))) continue;
    const id = (listed ? name : file(name)) + ":" + line; // as forthvm: the path that is given, and the line
    const kind = name.endsWith(".perft") ? "perft" : "position";
    print({ event: "test", id, name: title, file: file(name), line, kind });
    if (listed) continue;
    if (line === 1) { console.error("no memory"); process.exit(3); }
    if (line === 2) print({ event: "result", id, outcome: "passed", message: "", seconds: 0.1 });
    if (line === 9) print({ event: "result", id, outcome: "failed", message: "not a move", seconds: 0.2, failedLine: 11 });
    console.log("text of " + command);
}
`;
const folder = mkdtempSync(join(tmpdir(), "forthvm-explorer-"));
writeFileSync(join(folder, "program.js"), PROGRAM);
workspace.workspaceFolders = [{ uri: Uri.file(folder), name: "games" }];
state.command = [process.execPath, join(folder, "program.js")];
const explorer = new Explorer();
after(() => {
    explorer.dispose();
    rmSync(folder, { recursive: true });
});

async function reports(profile: string, include?: readonly Item[], token = new Token()): Promise<string[]> {
    controller.reports.length = 0;
    await controller.profiles.get(profile)?.handler({ include, exclude: [] }, token);
    return controller.reports;
}

test("tests are shown by file", async () => {
    await controller.refreshHandler();
    const shown = controller.items.all.map(({ label, children }) => [label, ...children.all.map(({ label }) => label)]);
    assert.deepEqual(shown, [["a.test", "opens", "captures"], ["b.perft", "perft 2"]]);
    assert.equal(controller.items.all[0]?.children.all[1]?.range?.start.line, 8);
});

test("a run reports the results", async () => {
    assert.deepEqual(await reports("Run"), [
        "enqueued opens",
        "enqueued captures",
        "enqueued perft 2",
        "started opens",
        "passed opens",
        "output text of test",
        "started captures",
        "failed captures at line 11: not a move",
        "output text of test",
        "started perft 2",
        "errored perft 2: no memory",
        "end",
    ]);
});

test("a single test is run", async () => {
    const [file] = controller.items.all;
    const found = await reports("Run", file?.children.all.slice(1));
    assert.deepEqual(found, ["enqueued captures", "started captures", "failed captures at line 11: not a move", "output text of test", "end"]);
});

test("a run reports the results of tests that are listed again meanwhile", async () => {
    const hold = join(folder, "hold");
    writeFileSync(hold, "");
    const found = reports("Run", controller.items.all[0]?.children.all.slice(1));
    await controller.refreshHandler();
    rmSync(hold);
    assert.equal((await found)[2], "failed captures at line 11: not a move");
    assert.equal((await found).at(-1), "end");
    assert.equal((await found).length, 5);
});

test("a cancelled run starts nothing", async () => {
    const token = new Token();
    token.cancel();
    assert.deepEqual(await reports("Run", undefined, token), ["end"]);
});

test("a position test is debugged, a perft line is not", async () => {
    const [positions, perft] = controller.items.all;
    const tag = controller.profiles.get("Debug")?.tag;
    assert.ok(tag && positions?.children.all[0]?.tags.includes(tag));
    assert.ok(!perft?.children.all[0]?.tags.includes(tag));
    await reports("Debug", positions?.children.all.slice(1));
    const [configuration] = state.started as { target: string; test: string }[];
    assert.equal(configuration?.target, "test");
    assert.equal(configuration?.test, `${join(folder, "a.test")}:9`);
});

test("without the program there are no tests", async () => {
    state.command = join(folder, "absent");
    await controller.refreshHandler();
    assert.deepEqual(controller.items.all, []);
});
