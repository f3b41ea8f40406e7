/**
 * The worker of an exported game: answers requests about a position, one after another.
 *
 * It owns a copy of the game.  A page uses two workers: one for the position of the game, and one for engines,
 * whose searches would delay answers.
 */
import { Core } from "./core.js";
import { chooseMove } from "./engines.js";
import { Position } from "./position.js";

/**
 * @typedef {{player: string, text: string, index: number, drawn: boolean}} Entry A move that was made.  index: in
 *   the list of legal moves, -1 for the pass of a player without moves.  drawn: by the game's random numbers.
 * @typedef {{id: number, do: string, [field: string]: any}} Request
 */

const DEPTH = 4, SCORE = 2, LINE = 5; // of fvm_report_kind

/** @type {Core} */ let core;
/** @type {Position} */ let position;
/** The seed of the game. @type {number | null} */ let seed;
/** @type {Entry[]} */ let history = [];

/** Make a move, the pass of a player without moves (-1), or a move that is drawn (null). @param {number | null} chosen */
function make(chosen) {
  const player = position.player.name;
  const texts = core.moveTexts;
  const index = chosen ?? drawnIndex();
  if (index < 0) core.pass();
  else core.make(index);
  history.push({ player, text: texts[index] ?? "Pass", index, drawn: chosen === null });
}

/** Draw a move as the engine `chance` does: by the player's own engine, or by the game's random numbers. */
function drawnIndex() {
  if (["", "$NegamaxMove"].includes(position.player.engine)) return core.draw();
  return Math.max(core.runScriptEngine({ depth: 3, variety: 0, seconds: 0 }), 0);
}

/** Go to the position after some moves; moves that both games share stay. @param {number | null} newSeed @param {Entry[]} moves */
function goTo(newSeed, moves) {
  if (newSeed !== seed || !history.length) {
    [seed, history] = [newSeed, []];
    core.start(newSeed);
  }
  let same = 0;
  while (same < history.length && same < moves.length && history[same].index === moves[same].index) same++;
  while (history.length > same) {
    core.takeBack();
    history.pop();
  }
  for (const { index, drawn } of moves.slice(same)) make(drawn ? null : index);
}

/** @type {Record<string, (request: Request) => unknown>} */
const requests = {
  /** Load the game.  wasm: the bytes of the core, or the core. */
  async load({ wasm, program, tables }) {
    core = await Core.load(wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm), program);
    position = new Position(core, tables);
  },
  /** Describe the position after some moves of a game. */
  show({ seed, moves, viewer }) {
    goTo(seed, moves);
    return position.describe(history, viewer);
  },
  /** Make a move in the position after some moves, and describe the new position. */
  make({ seed, moves, index, viewer }) {
    goTo(seed, moves);
    make(index);
    return { ...position.describe(history, viewer), entry: history.at(-1) };
  },
  /** Let an engine choose a move in the position after some moves. */
  think({ id, seed, moves, engine }) {
    goTo(seed, moves);
    /** @type {Record<number, number>} */ const values = {};
    core.onReport = ({ kind, text, value }) => {
      values[kind] = value;
      if (kind !== LINE) return;
      const pv = text.split("\n").filter(Boolean);
      self.postMessage({ id, info: { depth: values[DEPTH], score: values[SCORE], pv } });
    };
    return chooseMove(engine, core, position);
  },
};

/** @param {Request} request */
async function answer(request) {
  const { id } = request;
  try {
    self.postMessage({ id, value: await requests[request.do](request) });
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

let answered = Promise.resolve(); // loading takes time, so requests wait for those before them
self.onmessage = ({ data }) => { answered = answered.then(() => answer(data)); };
