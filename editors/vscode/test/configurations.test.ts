import assert from "node:assert/strict";
import test from "node:test";
import { completed, configurationsFor, testConfiguration } from "../src/configurations";

const empty = { type: "", request: "", name: "" };

test("without launch.json the moves of the current file are debugged", () => {
    assert.deepEqual(completed(empty, "/g/my game.4th", false), {
        type: "forthvm",
        request: "launch",
        name: "Moves of my game.4th",
        program: "/g/my game.4th",
        target: "moves",
        stopOnEntry: true,
    });
    const found = completed(empty, "/g/a.zrf", true);
    assert.equal(typeof found === "string" || found.stopOnEntry, false);
});

test("without a script there is a reason", () => {
    assert.match(String(completed(empty, undefined, false)), /Open a script/);
    assert.match(String(completed(empty, "/g/readme.md", false)), /Open a script/);
});

test("a configuration remains as it is, except for a missing program", () => {
    const own = { type: "forthvm", request: "launch", name: "mine", program: "chess", target: "play", moves: ["a - b"] };
    assert.deepEqual(completed(own, "/g/a.4th", false), own);
    const { program: _, ...rest } = own;
    assert.deepEqual(completed(rest, "/g/a.4th", false), { ...own, program: "/g/a.4th" });
});

test("a test needs no program", () => {
    const configuration = { type: "forthvm", request: "launch", name: "t", target: "test", test: "/g/a.test:4" };
    assert.deepEqual(completed(configuration, undefined, false), configuration);
    assert.equal(testConfiguration({ file: "/g/a.test", line: 4, name: "t" }).test, "/g/a.test:4");
});

test("the configurations of a file name it", () => {
    const found = configurationsFor("C:\\g\\a.4th");
    assert.deepEqual(found.map(({ name }) => name), ["Moves of a.4th", "Load a.4th", "Search in a.4th"]);
    assert.ok(found.every(({ program }) => program === "C:\\g\\a.4th"));
});
