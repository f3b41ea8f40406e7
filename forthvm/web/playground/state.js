/**
 * The visible state of a stopped run, as forthvm/debug/session/state.py describes it.
 *
 * @import { Author, Place } from "../offline/author.js"
 * @import { MoveCode } from "./move_code.js"
 * @import { Point, Trace } from "./trace.js"
 * @typedef {{player: string, piece: string, from: string, here: string}} Generation For what moves are being generated.
 * @typedef {{step: number, reason: string, place: Place | null, token: string, word: string,
 *   stack: {depth: number, cells: number[], names: string[]}, callers: {word: string, place: Place | null}[],
 *   generation: Generation, move: MoveCode, board: number[], error: string, ended: boolean, count: number}} State
 *   `reason`: why the run has stopped.  The top of the stack is last.  `move`: the one under construction.  `board`: its cells.  `count`: of the moves, at the end.
 */
import { unfinishedMove } from "./move_code.js";
import { HEADER } from "./trace.js";

const CELL = 4, MOVE_CODE = 1003; // FVM_OP_MOVE_CODE
const TYPE_MASK = 0x3ff, PLAYER_SHIFT = 11, PLAYER_NUMBERS = 0x1f;
const WITH_EFFECT = /:\s+\S+\s+\(\s([^)]*--[^)]*)\)/g;

/** @type {Omit<State, "step" | "reason">} */
const NOTHING = {
  place: null, token: "", word: "", stack: { depth: 0, cells: [], names: [] }, callers: [],
  generation: { player: "", piece: "", from: "", here: "" }, move: { code: "", changed: [] }, board: [], error: "", ended: false, count: 0,
};

/** Reads the core while a run is stopped. */
export class Inspector {
  /** The parameters of words, by their code fields. @type {Map<number, string[]>} */ #parameters = new Map();

  /** @param {Author} author @param {Trace} trace */
  constructor(author, trace) {
    this.author = author;
    this.trace = trace;
  }

  /** The state at a stop. @param {Point} point @param {string} reason @returns {State} */
  state(point, reason) {
    const { author } = this;
    const calls = this.trace.calls;
    const callers = calls.map(({ ip, word }) => ({ word: this.#name(word), place: ip ? author.placeAt(author.sourceOf(ip)) : null }));
    const { depth, cells } = author.stack;
    const place = author.placeAt(point.source) ?? (point.executed && !point.ip ? this.definition(point.word) : null);
    const written = point.source && !point.executed ? author.tokenAt(point.source) : "";
    return {
      ...NOTHING, step: point.step, reason, place, callers,
      token: written || this.#name(point.word),
      word: callers[0]?.word ?? "",
      stack: { depth, cells, names: this.#names(calls[0], depth, cells.length) },
      generation: this.generation,
      move: unfinishedMove(this),
      board: this.board,
    };
  }

  /** The state at the end of a run. @param {number} step @param {string} error @param {number} count @returns {State} */
  ended(step, error, count) {
    const { depth, cells } = this.author.stack;
    const stack = { depth, cells, names: cells.map(() => "") };
    return { ...NOTHING, step, reason: "end", stack, generation: this.generation, board: this.board, error, ended: true, count };
  }

  get board() {
    const { trace } = this;
    return trace.read(trace.variable("$board"), trace.variable("$positions"));
  }

  /** @returns {Generation} */
  get generation() {
    const { trace } = this;
    const player = trace.variable("$player");
    return {
      player: this.playerName(player),
      piece: this.pieceName(trace.variable("$piece")),
      from: this.positionName(trace.variable("$from")),
      here: this.positionName(trace.variable("$pos")),
    };
  }

  /** The name of a player, or of the owner of a piece; "" if there is none. @param {number} cell */
  playerName(cell) {
    return this.#constant("$players", ((cell >> PLAYER_SHIFT) & PLAYER_NUMBERS) - 1, 1);
  }

  /** The name of the type of a piece; "" if it has none. @param {number} piece */
  pieceName(piece) {
    return piece === -1 ? "" : this.#constant("$pieces", (piece & TYPE_MASK) - 1, 4);
  }

  /** @param {number} position */
  positionName(position) {
    const { trace } = this;
    const table = trace.variable("$posNames");
    if (!table || position < 0 || position >= trace.variable("$positions")) return "";
    return trace.text(trace.read(table + CELL * position, 1)[0]);
  }

  /** The name of a constant in a table of the library. @param {string} table @param {number} index @param {number} cells */
  #constant(table, index, cells) {
    const { trace } = this;
    const count = trace.variable(cells === 1 ? "$playerCount" : "$pieceCount");
    return index >= 0 && index < count ? this.author.word(trace.read(trace.variable(table) + CELL * cells * index, 1)[0]) : "";
  }

  /** Where a word is defined. @param {number} token */
  definition(token) {
    return this.author.placeAt(this.#definitionsOf(token).find((position) => this.author.textAt(position)) ?? 0);
  }

  /** The source positions at which a word may be defined. @param {number} token */
  #definitionsOf(token) {
    return [token, token - HEADER, token + CELL].map((address) => this.author.sourceOf(address));
  }

  /** @param {number} token */
  #name(token) {
    const { exports } = this.author.core;
    return exports.code_kind(token) === MOVE_CODE ? "(move)" : this.author.word(token) || String(token);
  }

  /** The names of the word's parameters that are still on the stack; "" for other items. */
  /** @param {{word: number, depth: number} | undefined} call @param {number} depth @param {number} shown @returns {string[]} */
  #names(call, depth, shown) {
    /** @type {string[]} */ const names = new Array(shown).fill("");
    if (!call) return names;
    const takes = this.#parametersOf(call.word);
    takes.forEach((name, index) => {
      const at = call.depth - takes.length - (depth - shown) + index;
      if (at >= 0 && at < shown) names[at] = name;
    });
    return names;
  }

  /** @param {number} token @returns {string[]} */
  #parametersOf(token) {
    const known = this.#parameters.get(token);
    if (known) return known;
    const found = this.#readParameters(token);
    this.#parameters.set(token, found);
    return found;
  }

  /** The parameters in the stack comment after the name in a word's definition. @param {number} token @returns {string[]} */
  #readParameters(token) {
    for (const position of this.#definitionsOf(token)) {
      const found = this.author.textAt(position);
      if (!found) continue;
      const { text } = found.file, offset = position - found.at;
      WITH_EFFECT.lastIndex = Math.max(text.lastIndexOf("\n", offset - 1), 0);
      const match = WITH_EFFECT.exec(text);
      if (!match || match.index > offset + 2) continue; // of a later definition
      const [before, after] = match[1].split(/--(.*)/s);
      return after.includes("--") ? [] : before.split(/\s+/).filter(Boolean);
    }
    return [];
  }
}
