import assert from "node:assert/strict";
import { test } from "node:test";
import { Gesture, movesNamed } from "./page/gesture.js";

const click = (name, node, kind = "square", player = null) => [kind, name, player, node];
const move = (index, text, ...clicks) => ({ move: index, text, ...(clicks.length ? { clicks } : {}) });

/** a1 goes to a2, or to a3 and then perhaps to a4; a7 is promoted on a8. */
const TREE = {
  clicks: [
    click("a1", { clicks: [click("a2", move(0, "man a1 - a2")), click("a3", move(1, "man a1 - a3", click("a4", move(2, "man a1 - a3 - a4"))))] }),
    click("a7", { clicks: [click("a8", { clicks: [click("queen", move(3, "man a7 - a8 = queen"), "choice"), click("rook", move(4, "man a7 - a8 = rook"), "choice")] })] }),
    click("Pass", move(5, "Pass"), "choice"),
  ],
};
const after = (...names) => {
  const gesture = new Gesture(TREE);
  for (const name of names) gesture.click("square", name, null);
  return gesture;
};

test("the first clicks are those of all moves", () => {
  assert.deepEqual([...after().open], ["a1", "a7"]);
  assert.deepEqual(after().follows("choice").map(([, name]) => name), ["Pass"]);
});

test("the last click makes the move", () => {
  assert.deepEqual(after("a1").click("square", "a2", null), { followed: true, move: 0 });
});

test("a move that may go on waits", () => {
  const gesture = after("a1");
  assert.equal(gesture.click("square", "a3", null).move, undefined);
  assert.equal(gesture.node.move, 1);
  assert.deepEqual([...gesture.open], ["a4"]);
});

test("moves that share all clicks end with a choice", () => {
  const gesture = after("a7", "a8");
  assert.equal(gesture.open.size, 0);
  assert.deepEqual(gesture.follows("choice").map(([, name]) => name), ["queen", "rook"]);
});

test("another piece begins a new move", () => assert.deepEqual(after("a1", "a7").squares, ["a7"]));

test("a second click on the same square takes the first back", () => assert.deepEqual(after("a1", "a1").squares, []));

test("a click that cannot follow is refused, and the clicks are forgotten", () => {
  const gesture = after("a1");
  assert.deepEqual(gesture.click("square", "h8", null), { followed: false });
  assert.deepEqual(gesture.squares, []);
});

test("back forgets one click, cancel all", () => {
  const gesture = after("a1", "a3");
  gesture.back();
  assert.deepEqual(gesture.squares, ["a1"]);
  gesture.cancel();
  assert.deepEqual(gesture.squares, []);
});

test("a piece can be picked up where a move begins and does not end", () => {
  assert.equal(after().continues("a1"), true);
  assert.equal(after("a1").continues("a2"), false);
  assert.equal(after().continues("h8"), false);
});

test("nothing can be clicked while no person is to move", () => {
  const gesture = new Gesture(null);
  assert.deepEqual(gesture.click("square", "a1", null), { followed: false });
  assert.equal(gesture.open.size, 0);
});

test("typed moves: whole texts first, then parts, without regard to spaces and signs", () => {
  const named = (typed) => movesNamed(after(), typed).map((one) => one.move);
  assert.deepEqual(named("a1a2"), [0]);
  assert.deepEqual(named("Man A1-A3"), [1]);
  assert.deepEqual(named("a3-a4"), [2]);
  assert.deepEqual(named("queen"), [3]);
  assert.deepEqual(named("a7a8"), [3, 4]);
  assert.deepEqual(named("pass"), [5]);
  assert.deepEqual(named("?"), []);
});
