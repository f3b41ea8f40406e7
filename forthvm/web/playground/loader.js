/**
 * The worker that loads the author's files: says what is wrong with them, or describes the game, and is the console.
 *
 * @import { Author, File, Place } from "../offline/author.js"
 * @import { Text } from "../offline/loading.js"
 * @import { Tables } from "../offline/describer.js"
 * @import { Example, Looks } from "./drawing.js"
 * @import { Grid } from "../offline/tables.js"
 * @import { Offered } from "./engines_offered.js"
 * @import { Entry } from "../offline/line.js"
 * @typedef {{text: string, place: Place | null, isMissing?: boolean}} Problem isMissing: a file is missing.
 * @typedef {{seed: number | null, moves: Entry[]}} Played The moves made on the board.
 * @typedef {{program: {sources: File[]}, tables: Tables, message: object, engines: Record<string, string>, grid: Grid}} LoadedGame
 * @typedef {{problem: Problem | null, output: string, stack: {depth: number, cells: number[]}, ply: number,
 *   definitions: string[], undoable: number, undone?: string,
 *   program?: {sources: File[]} | null, game: LoadedGame | null}} Answer ply: of the position in
 *   which the console works.  definitions: its lines that have changed the dictionary.  undoable: the number of its lines
 *   that can be undone.  program: the texts of a script with a board, also if it fails when its game begins.
 */
import { NO_FILE, ScriptError } from "../offline/core.js";
import { Line } from "../offline/line.js";
import { OPTIONS, open } from "../offline/loading.js";
import { Position } from "../offline/position.js";
import { grantRequests } from "../offline/requests.js";
import { readTables } from "../offline/tables.js";
import { drawn } from "./drawing.js";
import { enginesOf } from "./engines_offered.js";
import { Session } from "./session.js";

const MAX_OUTPUT = 20_000; // characters for each load or line

/** @type {WebAssembly.Module} */ let wasm;
/** @type {Text[]} */ let library;
/** @type {Looks} */ let looks;
/** @type {Offered} */ let offered;
/** @type {Author} */ let author;
/** @type {Session} */ let session;
/** The moves of the game; null if there is none. @type {Line | null} */ let line;
/** The board's position that the console has reached. @type {Played} */ let played;
let output = "";

/** What was printed since the last call. */
function printed() {
  const text = output.length > MAX_OUTPUT ? `${output.slice(0, MAX_OUTPUT)}…` : output;
  output = "";
  return text;
}

/** Run something that may fail. @param {() => void} run @returns {Problem | null} */
function problemOf(run) {
  try {
    run();
    return null;
  } catch (error) {
    const { message, status } = /** @type {ScriptError} */ (error);
    return { text: message, place: error instanceof ScriptError ? author.place(status) : null, isMissing: status === NO_FILE };
  }
}

/** @param {Problem | null} problem @param {Answer["game"]} game @returns {Answer} */
function answer(problem, game = null) {
  const { definitions, undoable } = session;
  return { problem, output: printed(), stack: author.stack, ply: line?.entries.length ?? 0, definitions, undoable, game };
}

/** Go to the position of the board; return what went wrong there. @param {Played} wanted */
function goTo(wanted) {
  const isThere = wanted.seed === played.seed && wanted.moves.length === played.moves.length &&
    wanted.moves.every(({ text }, at) => text === played.moves[at].text);
  if (!line || isThere) return null;
  const { seed, moves } = played = wanted, before = output;
  const problem = problemOf(() => session.moveTo(() => {
    author.core.restore();
    try {
      line?.goTo(seed, moves);
    } finally {
      author.core.restore();
    }
  }));
  output = before; // without what the moves and earlier lines have printed
  return problem;
}

/** @type {Record<string, (request: any) => unknown>} */
const requests = {
  /** Get ready. */
  begin({ wasm: given, texts, looks: known, engines }) {
    wasm = given;
    library = texts;
    looks = known;
    offered = engines;
  },
  /**
   * Load files from the start, and go on with definitions of the console.
   * @param {{files: Text[], main: string, example: Example | null, definitions?: string[]}} request
   * @returns {Promise<Answer>}
   */
  async load({ files, main, example, definitions = [] }) {
    const opened = await open(wasm, { library, files, main }, OPTIONS, (text) => { if (output.length <= MAX_OUTPUT) output += text; });
    const { core } = opened;
    author = opened.author;
    line = null;
    played = { seed: null, moves: [] };
    /** @type {Answer["game"]} */ let game = null;
    /** @type {Answer["program"]} */ let program = null;
    const problem = problemOf(() => core.loadSources()) ?? problemOf(() => {
      if (!core.variable("$positions")) return; // words, and no game
      const loaded = program = { sources: author.loaded, ...OPTIONS };
      core.start(null);
      const before = output;
      try {
        const read = readTables(core, author, example?.tables.variables ?? [], printed);
        const { message, tables } = drawn(read, example, looks);
        const position = new Position(core, tables);
        line = new Line(core, () => position.player);
        const { engines, levels } = enginesOf(read, example, offered);
        game = { program: loaded, tables, message: { ...message, levels }, engines, grid: read.grid };
      } finally {
        output = before; // without what OnShow has printed
        core.restore();
      }
    });
    const before = output;
    session = new Session(author, definitions);
    output = before;
    return { program, ...answer(problem, game) };
  },
  /** Interpret what was typed, in the position of the board. @param {Played & {text: string}} request */
  line({ text, ...wanted }) {
    return answer(goTo(wanted) ?? problemOf(() => session.interpret(text)));
  },
  /** Go to the position of the board. @param {Played} wanted */
  go(wanted) {
    return answer(goTo(wanted));
  },
  /** Undo the last line. */
  undo() {
    return { undone: session.undo(), ...answer(null) };
  },
};

grantRequests(requests);
