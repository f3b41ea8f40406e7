/**
 * A debugging session: the generation of a position's moves, which stops, continues and goes back.
 *
 * It owns the ways to continue, which are those of forthvm/debug/session.  A run cannot wait in a browser: each action
 * runs the generation again, up to the place where it has stopped, and from there to the next stop.
 *
 * @import { Author } from "../offline/author.js"
 * @import { State } from "./state.js"
 * @import { Point, Trace, Until } from "./trace.js"
 * @typedef {{step: number, square: string, piece: string, word: string}} Run A move word that runs for a board position.
 * @typedef {{calls: number, line: string, step: number, isFirst: boolean}} Pass The tokens of a line that run one after another.
 */
import { Breakpoint } from "./breakpoint.js";
import { CodeLines } from "./code_lines.js";
import { Inspector } from "./state.js";
import { ANY, MARK, REASON } from "./trace.js";

const MAX_STEPS = 20_000_000; // of a run
const MAX_RUNS = 2000; // move words that are listed
const WINDOW = 520; // steps in which going back searches for tokens at first
const STOP_WINDOW = 200_000; // and for breakpoints

/** @type {Until} */
const ANYWHERE = { mostCalls: ANY, source: 0, exceptCalls: -1, exceptStart: 0, exceptEnd: 0 };
/** Words that the host runs. @type {Until} */
const RUN = { ...ANYWHERE, mostCalls: 0 };

export class DebugSession {
  #hasRun = false;
  /** @type {Breakpoint[]} */ #breakpoints = [];
  /** The stop; null before the beginning and after the end. @type {Point | null} */ #point = null;
  /** The state in which the generation has stopped. @type {State} */ state;

  /** @param {Author} author Its core is in the position. @param {Trace} trace */
  constructor(author, trace) {
    this.author = author;
    this.trace = trace;
    this.inspector = new Inspector(author, this.trace);
    this.state = this.inspector.ended(0, "", 0);
    this.#forward(RUN, "entry");
    this.entryStep = this.state.step;
    this.code = new CodeLines(author, this.trace);
  }

  /** Other runs have been traced. */
  interrupted() {
    this.#hasRun = false;
  }

  /** Give the core back. */
  close() {
    this.trace.end();
  }

  /** The move words of the script that the generation runs, in order; at most the first 2,000. @returns {Run[]} */
  get runs() {
    /** @type {Run[]} */ const found = [];
    this.#generate(() => this.trace.goUntil(RUN), ({ executed, ip, generator, nesting, word, step }) => {
      if (executed && !ip && generator && nesting === 1 && this.inspector.definition(word)?.own) {
        const { from, piece } = this.inspector.generation;
        found.push({ step, square: from, piece, word: this.author.word(word) });
      }
      return found.length === MAX_RUNS || step >= MAX_STEPS;
    });
    return found;
  }

  /**
   * Set breakpoints instead of those before.
   * @param {{file: string, line: number}[]} lines
   * @returns {{file: string, line: number, problem: string}[]} Those that cannot stop a run, and why.
   */
  setBreakpoints(lines) {
    for (const { cells } of this.#breakpoints) for (const address of cells) this.trace.mark(address, 0, MARK.cell);
    const found = lines.map(({ file, line }) => ({ file, line, code: this.code.find(file, line) }));
    this.#breakpoints = found.filter(({ code }) => !code.problem).map(({ code }) => new Breakpoint(code));
    for (const { cells } of this.#breakpoints) for (const address of cells) this.trace.mark(address, MARK.cell);
    return found.filter(({ code }) => code.problem).map(({ file, line, code: { problem } }) => ({ file, line, problem }));
  }

  // --- forward ---------------------------------------------------------------------------

  /** Run to the next token or line; `over`: without stopping in called words. @param {{byLine?: boolean, over?: boolean}} [options] */
  step({ byLine = false, over = false } = {}) {
    const until = over ? this.#conditionOver : this.#condition;
    const [exceptStart, exceptEnd] = this.#line;
    return this.#forward(byLine ? { ...until, exceptCalls: this.#calls, exceptStart, exceptEnd } : until, "step");
  }

  /** Run until the current word has returned; a word that the host has run returns to the next one. */
  out() {
    const isCalled = this.#calls > 1;
    return this.#forward(isCalled ? { ...this.#conditionOver, mostCalls: this.#calls - 1 } : { ...this.#conditionOver, exceptCalls: 1, exceptEnd: ANY }, "step");
  }

  /** Run to the next breakpoint, or to the end. */
  go() {
    return this.#forward(null, "step");
  }

  /** Go to a step, forward or back. @param {number} step */
  runTo(step) {
    return this.#goTo(step, "step");
  }

  // --- back ------------------------------------------------------------------------------

  /** Go back by a token or line. @param {{byLine?: boolean, over?: boolean}} [options] */
  back({ byLine = false, over = false } = {}) {
    const isOver = over && !(this.state.ended && this.state.error);
    return this.#back(isOver ? this.#conditionOver : this.#condition, byLine);
  }

  /** Go back to the beginning. */
  restart() {
    return this.#goTo(this.entryStep, "start");
  }

  /** Go back to the last breakpoint. */
  goBack() {
    const end = this.state.step;
    for (let start = Math.max(1, end - STOP_WINDOW); ; start = Math.max(1, end - 8 * (end - start))) {
      let found = 0;
      this.#generate(() => { this.trace.goUntil(null); this.trace.skipTo(start); this.trace.stopAt(end); }, (point) => {
        if (point.step < end && this.#isReached(point)) found = point.step;
        return point.step >= end;
      });
      if (found) return this.#goTo(found, "breakpoint");
      if (start === 1) return this.restart();
    }
  }

  /** Go back to the last token before the current one for which a condition is true, or to the first token of its line. */
  /** @param {Until} until @param {boolean} byLine */
  #back(until, byLine) {
    const end = this.state.step, origin = byLine ? this.#passOf(this.#point) : null;
    for (let start = Math.max(1, end - WINDOW); ; start = Math.max(1, end - 8 * (end - start))) {
      /** The last passes. @type {Pass[]} */ let passes = [];
      this.#generate(() => { this.trace.goUntil(until); this.trace.skipTo(start); this.trace.stopAt(end); }, (point) => {
        if (point.step >= end) return true;
        if (!(point.reasons & REASON.until) || this.#isPassed(point)) return false;
        const pass = { ...this.#passOf(point), step: point.step, isFirst: !passes.length }, last = passes.at(-1);
        if (!byLine || last?.calls !== pass.calls || last.line !== pass.line) passes = [...passes.slice(-1), pass];
        return false;
      });
      const last = passes.at(-1), isSame = last?.calls === origin?.calls && last?.line === origin?.line;
      const found = isSame ? passes.at(-2) : last;
      if (found && (!found.isFirst || !byLine || start === 1)) return found.step < this.entryStep ? this.restart() : this.#goTo(found.step, "step");
      if (start === 1) return this.restart();
    }
  }

  // --- runs ------------------------------------------------------------------------------

  /** @param {() => void} prepare @param {(point: Point) => boolean} onStop */
  #generate(prepare, onStop) {
    const follow = (/** @type {Point} */ point) => {
      for (const breakpoint of this.#breakpoints) breakpoint.follow(point);
      return onStop(point);
    };
    const status = this.trace.run(prepare, follow, { again: this.#hasRun });
    this.#hasRun = true;
    return status;
  }

  /** Run on until a condition is true; null: to the end. @param {Until | null} until @param {string} reason */
  #forward(until, reason) {
    const { state } = this, from = state.step;
    if (state.ended && from) return state;
    let isThere = !from;
    const go = () => {
      this.trace.goUntil(until);
      this.trace.stopAt(MAX_STEPS);
    };
    const begin = () => {
      if (isThere) go();
      else this.#aim(from);
    };
    return this.#stopped(begin, (point) => {
      if (!isThere) {
        isThere = true;
        go();
        return "";
      }
      if (point.reasons & REASON.failure) return point.step === from && state.reason === "failure" ? "" : "failure";
      if (this.#isReached(point)) return "breakpoint";
      if (point.reasons & REASON.until && !(until?.source && this.#isPassed(point))) return reason;
      return point.reasons & REASON.target ? "limit" : "";
    });
  }

  /** @param {number} step @param {string} reason */
  #goTo(step, reason) {
    return this.#stopped(() => this.#aim(step), ({ reasons }) => (reasons & REASON.target ? reason : ""));
  }

  /** Stop at a step, and nowhere else. @param {number} step */
  #aim(step) {
    this.trace.goUntil(null);
    this.trace.skipTo(step);
    this.trace.stopAt(step);
  }

  /** Run until there is a reason to stop, or to the end. @param {() => void} prepare @param {(point: Point) => string} reasonAt */
  #stopped(prepare, reasonAt) {
    /** @type {State | null} */ let found = null;
    const status = this.#generate(prepare, (point) => {
      const reason = found ? "" : reasonAt(point);
      if (!reason) return false;
      found = this.inspector.state(point, reason);
      this.#point = point;
      return reason !== "failure"; // a run that fails ends by itself, which makes the text of its error
    });
    const { core } = this.author;
    const error = status ? core.textAt(core.exports.play_error_text(status)) : "";
    const stopped = /** @type {State | null} */ (found);
    if (!stopped) this.#point = null;
    this.state = !stopped ? this.inspector.ended(this.trace.point.step + 1, error, status ? 0 : this.trace.count)
      : stopped.reason === "failure" ? { ...stopped, error } : stopped;
    return this.state;
  }

  /** Whether a breakpoint is at a stop. @param {Point} point */
  #isReached({ reasons }) {
    return (reasons & REASON.break) !== 0 && this.#breakpoints.some(({ enters }) => enters);
  }

  // --- places ----------------------------------------------------------------------------

  /** Stops at each token of the script. @returns {Until} */
  get #condition() {
    return { ...ANYWHERE, source: this.author.scriptStart };
  }

  /** Stops at each token outside called words. @returns {Until} */
  get #conditionOver() {
    return { ...this.#condition, mostCalls: Math.max(this.#calls, 1) };
  }

  get #calls() {
    return this.#point?.calls ?? 0;
  }

  get #line() {
    return this.author.lineAt(this.#point?.source ?? 0);
  }

  /** A pass through a line: a line that the host runs again begins another one. @param {Point | null} point */
  #passOf(point) {
    return { calls: point?.calls ?? 0, line: [...this.author.lineAt(point?.source ?? 0), point?.ip ? point.runs : 0].join() };
  }

  /** Whether steps pass a token: the script has loaded it from the library. @param {Point} point */
  #isPassed({ source }) {
    return source >= this.author.scriptStart && this.author.textAt(source)?.file.own === false;
  }
}
