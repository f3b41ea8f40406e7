/**
 * Board games in JavaScript: load a game, make moves, let an engine choose them.
 *
 * It owns what the npm package offers; forthvm/web/offline does the work.
 *
 * @import { Entry } from "../offline/line.js"
 * @typedef {{files: Record<string, string>, main: string}} Sources The texts of a game by the names of their files,
 *   and the file that is loaded first; `LOAD` finds the others.
 * @typedef {{milliseconds?: number, memory?: number}} Limits What a script may use: milliseconds for each file, hook
 *   and list of moves (default 10000), and bytes of memory (default 64 MB).
 * @typedef {{type: string, player: string | null, attribute: number}} Piece player: null for a piece without an owner.
 *   attribute: a number from 0 to 65535 that some games give their pieces.
 * @typedef {{player: string, text: string}} Move A move that was made.
 * @typedef {{code: "win" | "draw" | "over", winners: string[], text: string}} Result code: `over` if the only player has lost.
 *   text: who has won, and why, as a sentence.
 * @typedef {{position: CorePosition, line: Line}} Play The position in the core, and the moves that led to it.
 */
import { ScriptError } from "../offline/core.js";
import { ENGINES } from "../offline/engines.js";
import { Helper } from "../offline/helper.js";
import { Line } from "../offline/line.js";
import { OPTIONS, open } from "../offline/loading.js";
import { Position as CorePosition } from "../offline/position.js";
import { readTables } from "../offline/tables.js";
import { library } from "./library.js";
import { platform } from "./platform.js";

export { ScriptError };

const MAX_OUTPUT = 1 << 16; // characters that OnShow may print

/** The core; it is compiled once. @type {Promise<WebAssembly.Module> | null} */ let core = null;
/** Where a position is. @type {(position: Position) => {play: Play, seed: number | null, moves: Entry[]}} */ let placeOf;

/**
 * Load a game.
 * @param {Sources} sources
 * @param {Limits} [limits]
 * @returns {Promise<Game>} Fails with a `ScriptError` if the script is wrong or exceeds a limit.
 */
export async function load({ files, main }, limits = {}) {
  const wasm = await (core ??= platform.core());
  const options = { ...OPTIONS, ...limits };
  const texts = Object.entries(files).map(([name, text]) => ({ name, text }));
  let output = "";
  const opened = await open(wasm, { library, files: texts, main }, options, (text) => {
    if (output.length < MAX_OUTPUT) output += text;
  });
  const printed = () => {
    const text = output;
    output = "";
    return text;
  };
  try {
    opened.core.loadSources();
    opened.core.start(null);
    const tables = readTables(opened.core, opened.author, [], printed);
    const program = { sources: opened.author.loaded, ...options };
    const position = new CorePosition(opened.core, tables), line = new Line(opened.core, () => position.player);
    return new Game({ position, line }, { do: "load", wasm, program, tables });
  } catch (error) {
    if (error instanceof ScriptError) error.place = opened.author.place(error.status);
    throw error;
  }
}

/** A game that was loaded. */
export class Game {
  #play;
  #request;

  /** @param {Play} play @param {object} request The request that loads the game in a worker. */
  constructor(play, request) {
    this.#play = play;
    this.#request = request;
  }

  /** The names of the players, without those of chance. @returns {string[]} */
  get players() {
    const { contestants, movers } = this.#play.position.tables;
    return [...(contestants.length ? contestants : movers)];
  }

  /** The names of the positions of the board, without those that players do not see. @returns {string[]} */
  get squares() {
    const { names, hidden } = this.#play.position.tables;
    return names.filter((name) => !hidden.includes(name));
  }

  /**
   * The position at the start of a game.
   * @param {{seed?: number | null}} [options] seed: of the random numbers of the game, by default always the same.
   * @returns {Position}
   */
  start({ seed = null } = {}) {
    return new Position(this.#play, seed, []);
  }

  /**
   * An engine in a worker.
   * @param {string} specification Such as `negamax:depth=4`, `negamax:time=2`, `mcts:playouts=2000`, `mcts:time=1`,
   *   `random`, or `script:time=2`, which is the engine that the script defines.
   * @returns {Engine}
   */
  engine(specification) {
    if (!ENGINES.includes(specification.split(":")[0])) throw new RangeError(`there is no engine ${specification}`);
    return new Engine(this.#play, this.#request, specification);
  }
}

/** A position.  It does not change: moves return other positions. */
export class Position {
  #play;
  #seed;
  #moves;

  static {
    placeOf = (position) => ({ play: position.#play, seed: position.#seed, moves: position.#moves });
  }

  /** @param {Play} play @param {number | null} seed @param {Entry[]} moves */
  constructor(play, seed, moves) {
    this.#play = play;
    this.#seed = seed;
    this.#moves = moves;
  }

  /** The core in this position. */
  get #here() {
    const { position, line } = this.#play;
    line.goTo(this.#seed, this.#moves);
    return position;
  }

  /** The player to move. @returns {string} */
  get turn() {
    return this.#here.player.name;
  }

  /** The texts of the legal moves: none if the game is over, or the player has to pass. @returns {string[]} */
  get moves() {
    const { core, result } = this.#here;
    return result ? [] : core.moveTexts;
  }

  /** The pieces by the names of positions. @returns {Map<string, Piece>} */
  get board() {
    const { board, tables: { hidden, hiddenTypes } } = this.#here;
    const seen = [...board].filter(([name, { type }]) => !hidden.includes(name) && !hiddenTypes.includes(type));
    return new Map(seen.map(([name, { type, owner, attribute }]) => [name, { type, player: owner || null, attribute }]));
  }

  /** The result, null if the game is not over. @returns {Result | null} */
  get result() {
    return /** @type {Result | null} */ (this.#here.result);
  }

  /** The moves that led to this position. @returns {Move[]} */
  get history() {
    return this.#moves.map(({ player, text }) => ({ player, text }));
  }

  /** Whether chance moves: `draw` makes its move. @returns {boolean} */
  get isChance() {
    return this.#here.player.chance;
  }

  /** Whether the player to move has no move, so that only `pass` continues the game. @returns {boolean} */
  get mustPass() {
    const { core, result } = this.#here;
    return !core.moveCount && !result;
  }

  /**
   * The position after a move.
   * @param {string | number} move A text of `moves`, or its index.
   * @returns {Position}
   */
  make(move) {
    const { moves } = this;
    const index = typeof move === "number" ? move : moves.indexOf(move);
    if (moves[index] === undefined) throw new RangeError(`not a legal move: ${move}`);
    return this.#after(index);
  }

  /** The position after a move that the random numbers of the game choose. @returns {Position} */
  draw() {
    if (!this.moves.length) throw new RangeError("there is no move");
    return this.#after(null);
  }

  /** The position after the pass of a player who has no move. @returns {Position} */
  pass() {
    if (!this.mustPass) throw new RangeError("players pass only if they have no move");
    return this.#after(-1);
  }

  /** @param {number | null} chosen */
  #after(chosen) {
    const { line } = this.#play;
    line.goTo(this.#seed, this.#moves);
    return new Position(this.#play, this.#seed, [...this.#moves, line.make(chosen)]);
  }
}

/** An engine in a worker, which starts with the first question. */
export class Engine {
  #play;
  #helper;
  #specification;

  /** @param {Play} play @param {object} request @param {string} specification */
  constructor(play, request, specification) {
    this.#play = play;
    this.#helper = new Helper(platform.worker, request);
    this.#specification = specification;
  }

  /**
   * Choose a move.
   * @param {Position} position
   * @param {{milliseconds?: number}} [options] After how long the choice fails, by default never.
   * @returns {Promise<string>} Fails with a `ScriptError` if the script does, and if the engine is closed.
   */
  async choose(position, { milliseconds = 0 } = {}) {
    const { play, seed, moves } = placeOf(position), texts = position.moves;
    if (play !== this.#play) throw new RangeError("the position is one of another game");
    if (!texts.length) throw new RangeError("there is no move");
    try {
      const question = { do: "think", seed, moves, engine: this.#specification };
      const index = await this.#helper.ask(question, { patience: milliseconds });
      return texts[Math.max(index, 0)];
    } catch (error) {
      const { message, status } = /** @type {ScriptError} */ (error);
      throw status === undefined ? error : new ScriptError(message, status);
    }
  }

  /** End the worker; a question that is open fails.  A later question starts it again. */
  close() {
    this.#helper.stop("the engine was closed");
  }
}
