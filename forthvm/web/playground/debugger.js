/**
 * The worker of the debugger: it has a copy of the game, and steps through the generation of a position's moves.
 *
 * @import { File } from "../offline/author.js"
 * @import { Entry } from "../offline/line.js"
 * @import { Run } from "./debugging.js"
 * @import { State } from "./state.js"
 * @typedef {{state: State, scene: object | null}} View `scene`: what the board shows; null if the script fails before
 *   there is one.
 * @typedef {{file: string, line: number}} FileLine A line with a breakpoint.
 * @typedef {FileLine & {problem: string}} Unreachable A breakpoint that cannot stop a run, and why.
 * @typedef {View & {runs: Run[], unreachable: Unreachable[]}} Beginning
 */
import { Author } from "../offline/author.js";
import { Core } from "../offline/core.js";
import { Describer } from "../offline/describer.js";
import { Line } from "../offline/line.js";
import { Position } from "../offline/position.js";
import { grantRequests } from "../offline/requests.js";
import { DebugSession } from "./debugging.js";
import { Trace } from "./trace.js";
import { TracedGeneration } from "./traced_generation.js";
import { whyNot } from "./why_not.js";

/** @type {Author} */ let author;
/** @type {Position | null} */ let position;
/** @type {Describer | null} */ let describer;
/** @type {Line} */ let line;
/** @type {Trace} */ let trace;
/** @type {DebugSession | null} */ let session = null;
/** The scene of the position. @type {any} */ let base = null;

/** Go to a position, whose moves may be those that the script cannot generate. @param {number | null} seed @param {Entry[]} moves */
function goTo(seed, moves) {
  session?.close();
  session = base = null;
  try {
    line.goTo(seed, moves);
  } catch (error) {
    if (moves.length || author.core.ply < 0) throw error;
    return;
  }
  base = describer?.describe(line.entries, null).scene ?? null;
}

/** The session, which must have begun. */
function begun() {
  if (!session) throw new Error("nothing is being debugged");
  return session;
}

/** @param {DebugSession} stopped @returns {View} */
function viewOf({ state }) {
  const { from, here } = state.generation;
  const changed = state.move.changed.map((square) => ({ square, kind: "changed" }));
  const marks = [{ square: from, kind: "from" }, { square: here, kind: "here" }, ...changed].filter(({ square }) => square);
  return { state, scene: base && describer ? describer.withCells(base, state.board, state.ended ? [] : marks) : null };
}

/** The ways to continue. @type {Record<string, (session: DebugSession, byLine: boolean) => void>} */
const ACTIONS = {
  step: (one, byLine) => one.step({ byLine }),
  over: (one, byLine) => one.step({ byLine, over: true }),
  out: (one) => one.out(),
  go: (one) => one.go(),
  back: (one, byLine) => one.back({ byLine }),
  "back over": (one, byLine) => one.back({ byLine, over: true }),
  "back go": (one) => one.goBack(),
  restart: (one) => one.restart(),
};

/** @type {Record<string, (request: any) => unknown>} */
const requests = {
  /** Load the game. */
  async load({ wasm, program, tables }) {
    const core = await Core.create(wasm, program, { begins: (file, at) => author.begins(/** @type {File} */ (file), at) });
    author = new Author(core);
    core.loadSources();
    trace = new Trace(core);
    position = tables && new Position(core, tables);
    describer = position && new Describer(position, tables);
    line = new Line(core, () => /** @type {Position} */ (position).player);
  },
  /**
   * Begin to step in a position.
   * @param {{seed: number | null, moves: Entry[], breakpoints: FileLine[], at?: number}} request
   *   at: the step at which to stop.
   * @returns {Beginning}
   */
  begin({ seed, moves, breakpoints, at }) {
    goTo(seed, moves);
    session = new DebugSession(author, trace);
    const unreachable = session.setBreakpoints(breakpoints);
    const { runs } = session;
    if (at) session.runTo(at);
    else session.step();
    return { ...viewOf(session), runs, unreachable };
  },
  /** Set other breakpoints. @param {{breakpoints: FileLine[]}} request @returns {View & {unreachable: Unreachable[]}} */
  "set breakpoints"({ breakpoints }) {
    const current = begun(), unreachable = current.setBreakpoints(breakpoints);
    return { ...viewOf(current), unreachable };
  },
  /** Why a move over some squares is not legal. @param {{seed: number | null, moves: Entry[], squares: string[]}} request */
  "why not"({ seed, moves, squares }) {
    if (!session) goTo(seed, moves);
    const { names, types, players } = /** @type {Position} */ (position).tables;
    try {
      return whyNot(new TracedGeneration(author, trace), squares, { names, others: new Set([...Object.values(types), ...players.map(({ name }) => name)]) });
    } finally {
      if (session) session.interrupted();
      else trace.end();
    }
  },
  /** End the session. */
  end() {
    session?.close();
    session = null;
  },
  /** Continue, forward or back. @param {{how: string, byLine: boolean}} request */
  continue({ how, byLine }) {
    const current = begun();
    ACTIONS[how](current, byLine);
    return viewOf(current);
  },
  /** Go to the first token of a move word. @param {{step: number}} request */
  enter({ step }) {
    const current = begun();
    current.runTo(step);
    current.step();
    return viewOf(current);
  },
};

grantRequests(requests);
