/**
 * A breakpoint on a line: it stops a run that enters the line, as LinePasses in forthvm/debug/session/breakpoints.py.
 *
 * @import { FoundCode } from "./code_lines.js"
 * @import { Point } from "./trace.js"
 */

export class Breakpoint {
  /** Whether the run enters the line at the last stop. */ enters = false;
  /** By call: the last word before an entry of the line, and its step. @type {Map<string, [number, number]>} */ #last = new Map();

  /** @param {FoundCode} code */
  constructor(code) {
    this.code = code;
    this.wordsBefore = new Set(code.wordsBefore.values());
    /** The cells at which the trace must stop. */
    this.cells = new Set([...code.cells, ...code.starts, ...this.wordsBefore]);
  }

  /** Follow the run to a stop of the trace. @param {Point} point */
  follow({ executed, ip, nesting, calls, step }) {
    this.enters = false;
    if (executed || !this.cells.has(ip)) return;
    const call = `${nesting} ${calls}`, [before, lastStep] = this.#last.get(call) ?? [0, 0];
    this.#last.delete(call);
    const continues = lastStep < step && before !== 0 && before === this.code.wordsBefore.get(ip); // after going back, the step may be a later one
    this.enters = this.code.cells.has(ip) && !continues;
    if (this.wordsBefore.has(ip)) this.#last.set(call, [ip, step]);
  }
}
