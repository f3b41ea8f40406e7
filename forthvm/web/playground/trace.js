/**
 * The trace of the core: the generation of a position's moves, which can stop before each token.
 *
 * It owns the calls of native/wasm/stepping.c.
 *
 * @import { Core } from "../offline/core.js"
 * @typedef {{step: number, ip: number, word: number, source: number, executed: boolean, reasons: number, runs: number,
 *   nesting: number, calls: number, generator: number}} Point A stop, before a token; see TracePoint in
 *   forthvm/core/bindings/trace.py.
 * @typedef {{ip: number, word: number, depth: number}} Call
 * @typedef {{step: number, ip: number, word: number, top: number, move: number, from: number, position: number, piece: number,
 *   generator: number, calls: number[]}} Record An entry of the log; see Record in forthvm/core/bindings/trace.py.
 * @typedef {{mostCalls: number, source: number, exceptCalls: number, exceptStart: number, exceptEnd: number}} Until
 *   See Until in forthvm/core/bindings/trace.py.
 */

const CELL = 4, POINT_CELLS = 10, MAX_CALLS = 256;
const LOG_HEAD = 17; // cells of a record before its calls
const BUFFER = 1 << 16; // cells of the log that are read at once

/** The bits of a stop's reasons. */
export const REASON = { target: 1, break: 2, until: 4, full: 64, failure: 128 };
/** What happens before a cell or a word. */
export const MARK = { cell: 1, cellLog: 2, word: 4, wordLog: 8 };
/** More than any number of calls, and beyond all source positions. */
export const ANY = 0x7fffffff;
/** The bytes of a header, from its address to the code field. */
export const HEADER = 12;

export class Trace {
  /** Memory for results. */ #to = 0;
  /** The error of `onStop`. @type {unknown} */ #failure = null;

  /** @param {Core} core */
  constructor(core) {
    this.core = core;
    this.#to = core.exports.malloc(3 * CELL * MAX_CALLS);
  }

  /**
   * Generate the moves of the core's position.
   * @param {() => void} prepare Sets the first stops.
   * @param {(point: Point) => boolean} onStop Called at each stop; returns whether the run ends.
   * @param {{again?: boolean, all?: {anyType: boolean, steps: number} | null}} [options] again: the last run was the same one.  all:
   *   without OnMovesGenerated and priorities, of any type, and with a limit of steps.
   * @returns {number} A status.
   */
  run(prepare, onStop, { again = false, all = null } = {}) {
    const { core } = this, { exports } = core;
    core.check(exports.trace_attach());
    core.check(exports.trace_restart(+again));
    prepare();
    this.#failure = null;
    core.onTrace = () => {
      try {
        return onStop(this.point);
      } catch (error) { // an exception must not pass through the frames of the core
        this.#failure = error;
        return true;
      }
    };
    const status = all ? exports.trace_generate_all(+all.anyType, all.steps, core.result) : exports.trace_generate(core.result);
    core.onTrace = () => false;
    if (this.#failure) throw this.#failure;
    return status;
  }

  /** Run without a trace again. */
  end() {
    this.core.exports.trace_detach();
  }

  // --- where to stop ---------------------------------------------------------------------

  /** Stop at a step; 0: at none. @param {number} step */
  stopAt(step) {
    this.core.exports.trace_stop_at(step);
  }

  /** Do not stop before a step; words that ended before it are not traced again. @param {number} step */
  skipTo(step) {
    this.core.exports.trace_skip_to(step);
  }

  /** Stop whenever a condition is true; null: no condition. @param {Until | null} until */
  goUntil(until) {
    const { exports } = this.core;
    if (until) exports.trace_go_until(until.mostCalls, until.source, until.exceptCalls, until.exceptStart, until.exceptEnd);
    else exports.trace_go_on();
  }

  /** Add and remove marks of a cell, or of a word's code field. @param {number} address @param {number} add @param {number} [remove] */
  mark(address, add, remove = 0) {
    this.core.exports.trace_mark(address, add, remove);
  }

  /** Begin a log; 0: end it. @param {number} capacity In cells. */
  log(capacity) {
    this.core.check(this.core.exports.trace_log(capacity));
  }

  /** Take the records out of the log. @returns {Record[]} */
  takeLog() {
    const { exports } = this.core, to = exports.malloc(CELL * BUFFER);
    /** @type {Record[]} */ const records = [];
    for (let used = exports.trace_take_log(to, BUFFER); used; used = exports.trace_take_log(to, BUFFER)) {
      const cells = new Int32Array(exports.memory.buffer, to, used);
      for (let at = 0; at < used; at += cells[at]) {
        const [, , step, , ip, word, , top, , , move, from, position, piece, generator] = cells.subarray(at, at + LOG_HEAD);
        records.push({ step, ip, word, top, move, from, position, piece, generator, calls: Array.from(cells.subarray(at + LOG_HEAD, at + cells[at])) });
      }
    }
    exports.free(to);
    return records;
  }

  // --- a stop ----------------------------------------------------------------------------

  /** The number of moves that the last run has generated. */
  get count() {
    return this.core.resultCell;
  }

  /** The stop; after a run, only its step is valid. @returns {Point} */
  get point() {
    this.core.exports.trace_point(this.#to);
    const [step, ip, word, source, executed, reasons, runs, nesting, calls, generator] = this.#cells(POINT_CELLS);
    return { step, ip, word, source, executed: executed !== 0, reasons, runs, nesting, calls, generator };
  }

  /** The open calls, innermost first. @returns {Call[]} */
  get calls() {
    const [cells, words, depths] = [0, 1, 2].map((at) => this.#to + at * CELL * MAX_CALLS);
    const count = Math.min(this.core.exports.trace_calls(cells, words, depths, MAX_CALLS), MAX_CALLS);
    const all = this.#cells(3 * MAX_CALLS);
    return Array.from({ length: count }, (_, at) => ({ ip: all[at], word: all[MAX_CALLS + at], depth: all[2 * MAX_CALLS + at] }));
  }

  /** @param {number} count */
  #cells(count) {
    return Array.from(new Int32Array(this.core.exports.memory.buffer, this.#to, count));
  }

  /** Cells of the live memory; zeros outside. @param {number} address @param {number} count @returns {number[]} */
  read(address, count) {
    let status = 0;
    const cells = this.core.cells(count, (to) => { status = this.core.exports.trace_read(address, to, CELL * count); });
    return status ? new Array(count).fill(0) : cells;
  }

  /** A zero-terminated text of the live memory. @param {number} address */
  text(address) {
    const cells = this.read(address, 64), bytes = new Uint8Array(Int32Array.from(cells).buffer), end = bytes.indexOf(0);
    return this.core.decode(bytes.slice(0, end < 0 ? bytes.length : end));
  }

  /** The current value of a variable of the library; 0: there is none. @param {string} name */
  variable(name) {
    const address = this.core.with(name, (at) => this.core.exports.trace_variable(at));
    return address ? this.read(address, 1)[0] : 0;
  }

  /** The length of a zero-terminated text, in bytes. @param {number} address */
  textLength(address) {
    for (let length = 0; ; length += 4) {
      const [cell] = this.read(address + length, 1), end = [0, 8, 16, 24].findIndex((shift) => !((cell >> shift) & 0xff));
      if (end >= 0) return length + end;
    }
  }

  /** Decode the instruction at an address; its opcode is -1 if there is none. @param {number} address */
  decode(address) {
    const op = this.core.exports.code_decode(address, this.#to), [token, operand] = this.#cells(2);
    return { op, token, operand };
  }
}
