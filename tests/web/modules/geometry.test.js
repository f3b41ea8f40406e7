import assert from "node:assert/strict";
import { test } from "node:test";
import { Layout, neighbour, rowsOf, withPlacesBelow } from "./page/geometry.js";

/** A square of a grid: column and row from the upper left corner. */
function square(name, column, row, more = {}) {
  const corners = [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]];
  return { name, corners, centre: [column + 0.5, row + 0.5], size: 1, beside: false, ...more };
}

const grid = ["a2", "b2", "c2", "a1", "b1", "c1"].map((name, at) => square(name, at % 3, Math.floor(at / 3)));
const store = square("store", 5, 0, { beside: true });
const board = { width: 6, height: 2, squares: [...grid, store], labels: [], lines: [], picture: null };
const names = (rows) => rows.map((row) => row.map(({ name }) => name));

test("a turned board is turned about the centre of its own squares", () => {
  const layout = new Layout(board, true);
  assert.deepEqual(layout.centre(grid[0]), [2.5, 1.5]);
  assert.deepEqual(layout.centre(store), store.centre);
});

test("labels stay on their side of a turned board", () => {
  const layout = new Layout(board, true);
  assert.deepEqual(layout.labelPlace([-0.3, 0.5]), [-0.3, 1.5]);
  assert.deepEqual(layout.labelPlace([0.5, 2.3]), [2.5, 2.3]);
  assert.deepEqual(layout.labelPlace([5.5, -0.3]), [5.5, -0.3]);
});

test("in a narrow window, places beside the board and their headings are below it", () => {
  const hand = ["pawn", "rook"].map((name, at) => square(name, 5 + at, 0.6, { beside: true, group: "South" }));
  const labels = [{ text: "1", at: [-0.3, 0.5] }, { text: "South", at: [6, 0.3] }];
  const below = withPlacesBelow({ ...board, squares: [...grid, ...hand], labels });
  assert.deepEqual(below.squares.slice(0, 6), grid);
  const [pawn, rook] = below.squares.slice(6);
  assert.deepEqual(rook.centre, [pawn.centre[0] + 1, pawn.centre[1]]);
  assert.ok(pawn.corners[0][1] > 2 && rook.corners[1][0] <= 3);
  assert.deepEqual(below.labels[0], labels[0]);
  const [x, y] = below.labels[1].at;
  assert.ok(Math.abs(x - rook.corners[0][0]) < 0.001 && Math.abs(y - rook.corners[0][1] + 0.3) < 0.001);
});

test("rows are read from the top and from the left", () => {
  assert.deepEqual(names(rowsOf(grid, new Layout(board, false))), [["a2", "b2", "c2"], ["a1", "b1", "c1"]]);
  assert.deepEqual(names(rowsOf(grid, new Layout(board, true))), [["c1", "b1", "a1"], ["c2", "b2", "a2"]]);
});

test("arrow keys go to the nearest square in their direction", () => {
  const layout = new Layout(board, false);
  const go = (from, direction) => neighbour(board.squares, layout, from, direction);
  assert.equal(go("a2", [1, 0]), "b2");
  assert.equal(go("c2", [1, 0]), "store");
  assert.equal(go("b2", [0, 1]), "b1");
  assert.equal(go("a1", [-1, 0]), "a1");
});

test("arrow keys reach every hexagon", () => {
  const shifted = [0, 1, 2, 3].flatMap((row) => [0, 1, 2].map((column) => square(`${column},${row}`, column + (row % 2) / 2, row * 0.87)));
  const layout = new Layout({ ...board, squares: shifted }, false);
  const reached = new Set(["0,0"]);
  for (const from of reached) {
    for (const direction of [[1, 0], [-1, 0], [0, 1], [0, -1]]) reached.add(neighbour(shifted, layout, from, direction));
  }
  assert.equal(reached.size, shifted.length);
});
