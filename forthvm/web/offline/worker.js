/**
 * The worker of an exported game: answers requests about a position, one after another.
 *
 * It owns a copy of the game.  A page uses two workers: one for the position of the game, and one for engines,
 * whose searches would delay answers.
 */
import { Core } from "./core.js";
import { Describer } from "./describer.js";
import { chooseMove, HINT } from "./engines.js";
import { Line } from "./line.js";
import { parseParts } from "./notation.js";
import { Position } from "./position.js";
import { grantRequests } from "./requests.js";

const DEPTH = 4, SCORE = 2, LINE = 5; // of fvm_report_kind

/** @type {Core} */ let core;
/** @type {Position} */ let position;
/** @type {Describer} */ let describer;
/** @type {Line} */ let line;

/** @type {Record<string, (request: any) => unknown>} */
const requests = {
  /** Load the game.  wasm: the bytes of the core, or the core. */
  async load({ wasm, program, tables }) {
    core = await Core.load(wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm), program);
    position = new Position(core, tables);
    describer = new Describer(position, tables);
    line = new Line(core, () => position.player);
  },
  /** Describe the position after some moves of a game. */
  show({ seed, moves, viewer }) {
    line.goTo(seed, moves);
    return describer.describe(line.entries, viewer);
  },
  /** Make a move in the position after some moves, and describe the new position. */
  make({ seed, moves, index, viewer }) {
    line.goTo(seed, moves);
    const entry = line.make(index);
    return { ...describer.describe(line.entries, viewer), entry };
  },
  /** Let an engine choose a move in the position after some moves. */
  think({ id, seed, moves, engine }) {
    line.goTo(seed, moves);
    /** @type {Record<number, number>} */ const values = {};
    core.onReport = ({ kind, text, value }) => {
      values[kind] = value;
      if (kind !== LINE) return;
      const pv = text.split("\n").filter(Boolean);
      self.postMessage({ id, info: { depth: values[DEPTH], score: values[SCORE], pv } });
    };
    return chooseMove(engine, core, position);
  },
  /** The best move in the position after some moves, and the squares that it names first. */
  hint({ seed, moves }) {
    line.goTo(seed, moves);
    const texts = core.moveTexts;
    core.onReport = () => {};
    const text = texts[chooseMove(HINT, core, position)];
    return { text, squares: parseParts(text, describer.known).find(({ squares }) => squares.length)?.squares ?? [] };
  },
};

grantRequests(requests);
