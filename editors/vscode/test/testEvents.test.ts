import assert from "node:assert/strict";
import test from "node:test";
import { LineSplitter, readEvent } from "../src/testEvents";

test("a test and its result are read", () => {
    const line = { event: "test", id: "a.test:3", name: "opening", file: "/g/a.test", line: 3, kind: "position" };
    assert.deepEqual(readEvent(JSON.stringify(line)), line);
    const result = { event: "result", id: "a.test:3", outcome: "failed", message: "no move\na - b", seconds: 0.5, failedLine: 5 };
    assert.deepEqual(readEvent(JSON.stringify(result)), result);
});

test("optional fields have defaults", () => {
    assert.deepEqual(readEvent('{"event":"test","id":"a.perft:1","file":"/g/a.perft"}'), {
        event: "test",
        id: "a.perft:1",
        name: "a.perft:1",
        file: "/g/a.perft",
        line: 1,
        kind: "",
    });
    assert.deepEqual(readEvent('{"event":"result","id":"x","outcome":"passed"}'), {
        event: "result",
        id: "x",
        outcome: "passed",
        message: "",
        seconds: 0,
    });
});

test("anything else is no event", () => {
    const lines = [
        "",
        "text",
        "{",
        "{}",
        "null",
        '{"event":"end","passed":1}',
        '{"event":"test","id":"x"}',
        '{"event":"result","id":"x","outcome":"good"}',
        '{"event":"result","id":1,"outcome":"passed"}',
    ];
    for (const line of lines) assert.equal(readEvent(line), undefined, line);
});

test("lines may arrive in pieces", () => {
    const splitter = new LineSplitter();
    assert.deepEqual(splitter.push("on"), []);
    assert.deepEqual(splitter.push("e\r\ntwo\nth"), ["one", "two"]);
    assert.deepEqual(splitter.end(), ["th"]);
    assert.deepEqual(splitter.end(), []);
});
