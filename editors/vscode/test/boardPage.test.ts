import assert from "node:assert/strict";
import test from "node:test";
import { NO_BOARD, boardPage, readBoard } from "../src/boardPage";

test("an answer is read field by field", () => {
    const answer = { title: "Chess", svg: "<svg/>", text: "a", error: "" };
    assert.deepEqual(readBoard(answer, "chess.4th"), { ...answer, source: "chess.4th" });
    for (const broken of [undefined, null, 1, "x", { svg: 1, title: null }]) {
        assert.deepEqual(readBoard(broken, "s"), { ...NO_BOARD, source: "s" });
    }
});

test("the page loads nothing", () => {
    const page = boardPage("abc");
    assert.match(page, /default-src 'none'; img-src data:; style-src 'nonce-abc'; script-src 'nonce-abc'/);
    assert.doesNotMatch(page, /unsafe|https?:|\bon[a-z]+=|style=/);
    assert.equal(page.match(/<(script|style)\b/g)?.length, page.match(/<(script|style) nonce="abc"/g)?.length);
});
