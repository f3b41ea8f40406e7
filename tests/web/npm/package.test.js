// The npm package in node: positions, engines, and scripts that fail.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, ScriptError } from "forthvm";
import chess from "forthvm/games/chess.js";
import tictactoe from "forthvm/games/tictactoe.js";
import ur from "forthvm/games/ur.js";

// White walks to the right; Black has no moves.  `moves` are further moves of White.
const walking = (words = "", moves = "") => ({
  main: "walk.4th",
  files: {
    "walk.4th": `
{board 2 4 {grid} board}
{directions 0 1 {direction} right directions}
{players {player} White {player} Black players}
{turn-order {turn} White {turn} Black turn-order}
: walk ( -- ) right verify empty? verify from here move add-move ;
${words}
{moves walks {move} walk ${moves} moves}
{pieces {piece} walker {moves} walks {piece} rock pieces}
{board-setup {setup} White walker a1 {setup} Black rock a2 board-setup}
: OnIsGameOver ( -- score ) d1 empty-at? IF #UnknownScore ELSE #LossScore ENDIF ;`,
  },
});

// A game in which the list of moves fails when the walker is on c1.
const trapped = (words) => walking(`: trap ( -- ) c1 empty-at? 0= IF ${words} ENDIF ;`, "{move} trap");

test("a position stays as it is when moves are made", async () => {
  const game = await load(tictactoe), start = game.start();
  assert.deepEqual(game.players, ["X", "O"]);
  const [one, other] = [start.make(start.moves[0]), start.make(8)];
  assert.equal(start.board.size, 0);
  assert.deepEqual([...one.board.keys()], [game.squares[0]]);
  assert.deepEqual([...other.board.values()].map(({ player }) => player), ["X"]);
  assert.deepEqual([start.turn, one.turn, one.moves.length], ["X", "O", 8]);
  assert.deepEqual(one.history, [{ player: "X", text: start.moves[0] }]);
});

test("a game ends with a result", async () => {
  let position = (await load(tictactoe)).start();
  for (const index of [0, 2, 0, 2, 0]) position = position.make(index);
  const { code, winners, text } = position.result;
  assert.deepEqual([code, winners], ["win", ["X"]]);
  assert.match(text, /^X has won|O has lost, X won/);
  assert.deepEqual(position.moves, []);
  assert.throws(() => position.make(0), RangeError);
});

test("moves that are not legal are refused", async () => {
  const position = (await load(chess)).start();
  for (const move of ["e2 - e5", "", -1, 99, 0.5]) assert.throws(() => position.make(move), RangeError);
  assert.throws(() => position.pass(), RangeError);
  assert.equal(position.moves.length, 20);
});

test("players without moves pass", async () => {
  const start = (await load(walking())).start(), black = start.make(0);
  assert.deepEqual([start.mustPass, black.mustPass, black.turn], [false, true, "Black"]);
  assert.equal(black.pass().turn, "White");
  assert.throws(() => black.draw(), RangeError);
});

test("chance draws by the seed", async () => {
  const game = await load(ur);
  const drawn = (seed) => {
    let position = game.start({ seed });
    while (position.history.length < 12) position = position.isChance ? position.draw() : position.mustPass ? position.pass() : position.make(0);
    return position.history.map(({ text }) => text).join();
  };
  const texts = [1, 2, 3, 1].map(drawn);
  assert.equal(texts[0], texts[3]);
  assert.equal(new Set(texts).size, 3);
});

test("an engine mates in one move", async () => {
  const game = await load(chess), engine = game.engine("negamax:depth=2");
  let position = game.start();
  for (const move of ["pawn f2 - f3", "pawn e7 - e5", "pawn g2 - g4"]) position = position.make(move);
  const chosen = await engine.choose(position);
  engine.close();
  assert.deepEqual(position.make(chosen).result.winners, ["Black"]);
});

test("a closed engine fails what it was asked, and starts again", async () => {
  const game = await load(chess), engine = game.engine("negamax:depth=60");
  const open = engine.choose(game.start());
  engine.close();
  await assert.rejects(open, /closed/);
  const quick = game.engine("random");
  assert.ok(game.start().moves.includes(await quick.choose(game.start())));
  quick.close();
  assert.ok(game.start().moves.includes(await quick.choose(game.start())));
  quick.close();
});

test("questions that make no sense are refused", async () => {
  const game = await load(tictactoe), other = await load(tictactoe), engine = game.engine("random");
  assert.throws(() => game.engine("deep-blue"), RangeError);
  await assert.rejects(engine.choose(other.start()), RangeError);
  await assert.rejects(load({ main: "missing.4th", files: {} }), /no file missing.4th/);
});

test("errors of loading have a place", async () => {
  const sources = { main: "a.4th", files: { "a.4th": "LOAD B.4TH", "b.4th": "1 nonsense" } };
  await assert.rejects(load(sources), (error) => {
    assert.ok(error instanceof ScriptError);
    assert.match(error.message, /nonsense/);
    const { file, line, from, to } = error.place;
    assert.deepEqual([file, line, from, to], ["b.4th", 1, 2, 10]);
    return true;
  });
  await assert.rejects(load({ main: "a.4th", files: { "a.4th": ": seven 7 ;" } }), ScriptError);
});

test("endless loops and greed end with errors", async () => {
  const limits = { milliseconds: 100, memory: 8 << 20 };
  const alone = (text) => ({ main: "a.4th", files: { "a.4th": text } });
  await assert.rejects(load(alone(": f BEGIN 0 UNTIL ; f"), limits), /time limit/);
  await assert.rejects(load(alone("1000000000 ALLOT"), limits), /memory/);
  await assert.rejects(load(alone(": f 1 BEGIN DUP . 0 UNTIL ; f"), limits), /time limit/);
  await assert.rejects(load(alone("LOAD a.4th"), limits), ScriptError);
  await assert.rejects(load(alone(": f RECURSE ; f"), limits), ScriptError);
});

test("a script that fails in a position leaves the others usable", async () => {
  const game = await load(trapped("BEGIN 0 UNTIL"), { milliseconds: 100 });
  const b1 = game.start().make(0).pass(), c1 = b1.make(0);
  assert.throws(() => c1.pass(), ScriptError);
  assert.deepEqual([c1.turn, c1.mustPass, c1.board.get("c1").type], ["Black", true, "walker"]);
  assert.throws(() => c1.pass(), /time limit/);
  assert.deepEqual([b1.turn, b1.moves.length, game.start().turn], ["White", 1, "White"]);
});

test("engines fail as the script does, and answer again", async (context) => {
  const failing = await load(trapped("1 0 /")), endless = await load(trapped("BEGIN 0 UNTIL"));
  const engine = failing.engine("negamax:depth=2"), slow = endless.engine("negamax:depth=2"), timed = endless.engine("negamax:time=0.2");
  context.after(() => [engine, slow, timed].forEach((one) => one.close()));
  const [one, other] = [failing, endless].map((game) => game.start().make(0).pass());
  await assert.rejects(engine.choose(one), ScriptError);
  assert.equal(await engine.choose(failing.start()), failing.start().moves[0]);
  await assert.rejects(slow.choose(other, { milliseconds: 1000 }), /does not answer/);
  assert.equal(await slow.choose(endless.start()), endless.start().moves[0]);
  assert.equal(await timed.choose(other), other.moves[0]);
});
