import assert from "node:assert/strict";
import test from "node:test";
import type { Test } from "../src/testEvents";
import { byFile, selection } from "../src/testSelection";

const made = (file: string, line: number): Test => ({
    event: "test",
    id: `${file}:${line}`,
    name: `test ${line}`,
    file: `/g/${file}`,
    line,
    kind: "position",
});
const files = byFile([made("b.test", 7), made("b.test", 2), made("a.perft", 1)]);
const set = (...items: string[]): ReadonlySet<string> => new Set(items);

test("files and lines are sorted", () => {
    assert.deepEqual([...files.keys()], ["/g/a.perft", "/g/b.test"]);
    assert.deepEqual(files.get("/g/b.test")?.map(({ line }) => line), [2, 7]);
});

test("everything is run by file", () => {
    const { tests, paths } = selection(files, undefined);
    assert.equal(tests.length, 3);
    assert.deepEqual(paths, ["/g/a.perft", "/g/b.test"]);
});

test("single tests are run by line", () => {
    const { paths } = selection(files, { files: set(), tests: set("/g/b.test:7") });
    assert.deepEqual(paths, ["/g/b.test:7"]);
});

test("excluded tests and files are not run", () => {
    const excluded = { files: set("/g/a.perft"), tests: set("/g/b.test:2") };
    assert.deepEqual(selection(files, undefined, excluded).paths, ["/g/b.test:7"]);
    assert.deepEqual(selection(files, { files: set("/g/a.perft"), tests: set() }, excluded).paths, []);
});
