import assert from "node:assert/strict";
import { test } from "node:test";
import { captures, lost } from "./page/captures.js";

const kind = (type, count, player = 0) => ({ type, count, player, label: "", symbol: null });
const pieces = (counts, player = 0) => Object.entries(counts).flatMap(([type, count]) => Array(count).fill({ type, player }));
const CHESS = [kind("pawn", 8), kind("rook", 2), kind("queen", 1)];

test("what is missing was lost", () => {
  assert.deepEqual(lost(CHESS, pieces({ pawn: 7, rook: 2 })), [kind("pawn", 1), kind("queen", 1)]);
});

test("nothing was lost at the start", () => {
  assert.deepEqual(lost(CHESS, pieces({ pawn: 8, rook: 2, queen: 1 })), []);
});

test("a promoted pawn was not lost", () => {
  assert.deepEqual(lost(CHESS, pieces({ pawn: 7, rook: 2, queen: 2 })), []);
  assert.deepEqual(lost(CHESS, pieces({ pawn: 6, rook: 1, queen: 2 })), [kind("pawn", 1), kind("rook", 1)]);
});

test("a type that is not there at the start is a promotion too", () => {
  assert.deepEqual(lost([kind("man", 12), kind("king", 0)], pieces({ man: 9, king: 2 })), [kind("man", 1)]);
});

test("other pieces of the player, such as markers, do not count", () => {
  assert.deepEqual(lost(CHESS, pieces({ pawn: 8, rook: 2, queen: 1, marker: 3 })), []);
});

test("each player has captured what the other one has lost", () => {
  const material = [kind("man", 2, 0), kind("man", 2, 2)];
  const taken = captures(material, [...pieces({ man: 1 }, 0), ...pieces({ man: 2 }, 2)]);
  assert.deepEqual([...taken], [[0, []], [2, [kind("man", 1, 0)]]]);
});

test("pieces that change sides are not captured", () => {
  const material = [kind("man", 2, 0), kind("man", 2, 1)];
  assert.equal(captures(material, [...pieces({ man: 1 }, 0), ...pieces({ man: 3 }, 1)]).size, 0);
});
