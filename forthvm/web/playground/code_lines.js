/**
 * The compiled cells of the lines of the author's files, as forthvm/debug/source_map/code_map.py and line_entries.py find them.
 *
 * @import { Author } from "../offline/author.js"
 * @import { Trace } from "./trace.js"
 * @typedef {{address: number, op: number, next: number, operand: number}} Instruction
 * @typedef {{line: number, cells: Set<number>, wordsBefore: Map<number, number>, starts: Set<number>, problem: string}} FoundCode
 *   `line`: the line with code.  `wordsBefore`: for each cell that is also executed after an earlier word of the line, that
 *   word.  `starts`: the cells with which calls of the definitions begin.  `problem`: why there is no code; "" if there is.
 */
import { HEADER } from "./trace.js";

const CELL = 4, MAX_LINES_BELOW = 10, MAX_INSTRUCTIONS = 20_000;
// Opcodes, see native/generated/ops.h and native/vm/layout.h.
const RETURN = 71, STOP = 72, BRANCH = 74, ZERO_BRANCH = 75, LOOP = 77, ADD_LOOP = 78, COMPILE = 84, LIT = 73, DOES = 99, COLON = 1000;
const JUMPS = [BRANCH, ZERO_BRANCH, LOOP, ADD_LOOP];
const WITH_OPERAND = [LIT, COMPILE, ...JUMPS];
const ENDS = [RETURN, STOP];
const LEAVES = [BRANCH, DOES, ...ENDS]; // the next cell is not executed after them
const IN_LINE_TEXT = ['(S")', '(.")', '(ABORT")', '(^")'];
const TOKENS = /(?<!\S)(?:\\(?=\s|$).*|\((?=\s)[^)]*\)?|:\s+\S+|\S+)/g;

/** The instruction at an address; its opcode is -1 if there is none. @param {Author} author @param {Trace} trace @param {number} address */
export function instructionAt(author, trace, address) {
  const { op, token, operand } = trace.decode(address), name = op < 0 ? "" : author.word(token), after = address + CELL;
  const next = WITH_OPERAND.includes(op) ? after + CELL : IN_LINE_TEXT.includes(name) ? after + Math.floor((trace.textLength(after) + 5) / CELL) * CELL : after;
  return { op, token, operand, name, next };
}

export class CodeLines {
  /** The first cell of each line in each definition, by the line's source position and the header. @type {Map<number, Map<number, number>>} */
  #cells = new Map();
  /** The address after each definition, by its header. @type {Map<number, number>} */ #ends = new Map();

  /** @param {Author} author @param {Trace} trace */
  constructor(author, trace) {
    this.author = author;
    this.trace = trace;
    const { exports } = author.core;
    for (let nfa = exports.code_latest(), end = exports.author_here(); nfa; end = nfa, nfa = exports.code_previous(nfa)) {
      if (exports.code_kind(nfa + HEADER) === COLON) this.#add(nfa, end);
    }
  }

  /** Add the cells of a definition. @param {number} nfa @param {number} end */
  #add(nfa, end) {
    this.#ends.set(nfa, end);
    let own = null; // after a definition, data of another text may follow
    for (let address = nfa + HEADER + CELL; address < end; address += CELL) {
      const position = this.author.sourceOf(address), text = position ? this.author.textAt(position) : undefined;
      own ??= text;
      if (own && !own.file.own) return;
      if (!text || text !== own) continue;
      const [line] = this.author.lineAt(position);
      const cells = this.#cells.get(line) ?? new Map();
      if (!cells.has(nfa)) cells.set(nfa, address);
      this.#cells.set(line, cells);
    }
  }

  /** The code at which a breakpoint on a line stops, or on the next line with code. @param {string} file @param {number} line @returns {FoundCode} */
  find(file, line) {
    const loaded = this.author.textNamed(file);
    const none = { line, cells: new Set(), wordsBefore: new Map(), starts: new Set() };
    if (!loaded) return { ...none, problem: "not-loaded" };
    const lines = loaded.file.text.split("\n"), interpreted = interpretedLines(loaded.file.text);
    let start = loaded.at + lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    for (let number = line; number <= Math.min(line + MAX_LINES_BELOW, lines.length); start += lines[number - 1].length + 1, number++) {
      const cells = this.#cells.get(start);
      if (cells) return { ...this.#found(start, cells), line: number };
      if (interpreted.has(number)) return { ...none, problem: "only-loading" };
    }
    return { ...none, problem: "no-code" };
  }

  /** @param {number} line @param {Map<number, number>} first @returns {Omit<FoundCode, "line">} */
  #found(line, first) {
    const cells = new Set(first.values()), starts = new Set();
    /** @type {Map<number, number>} */ const wordsBefore = new Map();
    for (const nfa of first.keys()) {
      const entries = this.#entriesOf(nfa), onLine = entries.filter(({ address }) => this.#lineOf(address) === line);
      for (const { address } of onLine) cells.add(address);
      const found = onLine.filter(({ before }) => before);
      for (const { address, before } of found) wordsBefore.set(address, before);
      if (found.length) for (const start of [nfa + HEADER + CELL, ...entries.filter(({ startsCall }) => startsCall).map(({ address }) => address)]) starts.add(start);
    }
    return { cells, wordsBefore, starts, problem: "" };
  }

  /** @param {number} address */
  #lineOf(address) {
    return this.author.lineAt(this.author.sourceOf(address))[0];
  }

  /**
   * The cells at which code outside a line enters it, such as the word after ELSE.
   * @param {number} nfa
   * @returns {{address: number, before: number, startsCall: boolean}[]}
   */
  #entriesOf(nfa) {
    const start = nfa + HEADER + CELL, end = this.#ends.get(nfa) ?? start;
    const isSame = (/** @type {number} */ one, /** @type {number} */ other) => this.#lineOf(one) === this.#lineOf(other);
    const entries = [];
    /** @type {Map<number, number>} */ const wordsBefore = new Map();
    /** @type {[number, number][]} */ const jumps = [];
    let last = { op: -1, address: start, leaves: false };
    for (const { address, op, operand, leaves } of this.instructions(start, end)) {
      if (last.op === DOES) entries.push({ address, before: 0, startsCall: true });
      if (!last.leaves) wordsBefore.set(address, JUMPS.includes(last.op) ? 0 : last.address);
      if (JUMPS.includes(op)) jumps.push([address, operand]);
      last = { op, address, leaves };
    }
    for (const [source, target] of jumps) {
      const isLoop = target <= source && wordsBefore.has(target);
      if (target < start || target >= end || isLoop || isSame(source, target)) continue;
      const before = wordsBefore.get(target) ?? 0;
      entries.push({ address: target, before: before && isSame(before, target) ? before : 0, startsCall: false });
    }
    return entries;
  }

  /** The instructions from an address to the last return. @param {number} start @param {number} end */
  *instructions(start, end) {
    let furthest = 0;
    for (let address = start, count = 0; address < end && count < MAX_INSTRUCTIONS; count++) {
      const { op, token, operand, name, next } = instructionAt(this.author, this.trace, address);
      if (op < 0) return;
      yield { address, op, token, name, operand, leaves: LEAVES.includes(op) || name === "EXIT" };
      if (JUMPS.includes(op)) furthest = Math.max(furthest, operand);
      else if (ENDS.includes(op) && address >= furthest) return;
      address = next;
    }
  }
}

/** The numbers of the lines of which something runs only while the file is loaded. @param {string} text */
function interpretedLines(text) {
  /** @type {Set<number>} */ const lines = new Set();
  let isCompiling = false, line = 1, at = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    line += text.slice(at, index).split("\n").length - 1;
    at = index;
    if (/^(?:\\|\()(?:\s|$)/.test(token)) continue;
    if (/^:\s/.test(token)) isCompiling = true;
    else if (token === ";") isCompiling = false;
    else if (!isCompiling && !/^[+-]?\d+$/.test(token)) lines.add(line);
  }
  return lines;
}
