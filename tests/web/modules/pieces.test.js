import assert from "node:assert/strict";
import { test } from "node:test";
import { cameFrom } from "./page/pieces.js";

const piece = (square, type, player = 0) => ({ square, type, player });
const marks = (from, to) => [{ square: from, kind: "from" }, { square: to, kind: "to" }];
const origins = (...position) => Object.fromEntries(cameFrom(...position));

test("pieces that stay are the same", () => {
  const before = [piece("a1", "rook"), piece("h1", "rook")];
  assert.deepEqual(origins(before, before, []), { a1: "a1", h1: "h1" });
});

test("of equal pieces the one moves that the marks name", () => {
  const before = [piece("a1", "rook"), piece("h1", "rook"), piece("d4", "pawn", 1)];
  const after = [piece("a1", "rook"), piece("d4", "rook")];
  assert.deepEqual(origins(before, after, marks("h1", "d4")), { a1: "a1", d4: "h1" });
});

test("a captured piece is not moved", () => {
  const before = [piece("a1", "rook"), piece("a8", "rook", 1)];
  assert.deepEqual(origins(before, [piece("a8", "rook")], marks("a1", "a8")), { a8: "a1" });
});

test("a promoted piece comes from where the pawn stood", () => {
  const before = [piece("a7", "pawn"), piece("b7", "pawn")];
  const after = [piece("a8", "queen"), piece("b7", "pawn")];
  assert.deepEqual(origins(before, after, marks("a7", "a8")), { a8: "a7", b7: "b7" });
});

test("castling moves two pieces", () => {
  const before = [piece("e1", "king"), piece("h1", "rook")];
  const after = [piece("g1", "king"), piece("f1", "rook")];
  assert.deepEqual(origins(before, after, marks("e1", "g1")), { g1: "e1", f1: "h1" });
});

test("a new piece comes from nowhere, also where a piece is turned over", () => {
  const before = [piece("d4", "disc", 0), piece("e4", "disc", 1)];
  const after = [piece("d4", "disc", 0), piece("e4", "disc", 0), piece("f4", "disc", 0)];
  assert.deepEqual(origins(before, after, []), { d4: "d4" });
});
