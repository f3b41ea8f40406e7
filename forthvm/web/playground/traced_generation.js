/**
 * The generation of a position's moves, which can be repeated with inverted decisions, as forthvm/debug/generation does it.
 *
 * @import { Author } from "../offline/author.js"
 * @import { Record, Trace } from "./trace.js"
 * @typedef {{step: number, flag: number}} Inversion At this step, `flag` takes the place of the flag on the stack.
 * @typedef {{number: number, word: number, square: number, firstMove: number, moveCount: number, records: Record[]}} Run
 *   The run of a move word for a board position.
 * @typedef {{before: Record[], runs: Run[], moves: string[], steps: number}} Generation `before`: what was logged before the runs.
 * @typedef {{records: Record[], moves: number[], failed: boolean}} Trial
 */
import { HEADER, MARK, REASON } from "./trace.js";

const CELL = 4, COLON = 1000;
const PIECE_CELLS = 4, MOVES = 1, DROPS = 2; // of a record of {pieces}
const LOG_CELLS = 1 << 20, RUN_CELLS = 1 << 16;
const MAX_IF_RUNS = 5000; // when the log is full, IFs that ran more often are left out
const MAX_LOGGED_CALL_DEPTH = 5; // of IFs
const MIN_STEPS = 20_000, STEP_FACTOR = 5; // limits of a generation with inverted decisions
const PASSES = ["$Pass", "Pass", "PassNoPartial"];
const GUARDS = ["z-add-safely", "z-add-as-safely", "z-drop-safely", "z-lay-safely"];
const ALL_MARKS = MARK.cellLog | MARK.word | MARK.wordLog;

export class TracedGeneration {
  /** The IFs that are logged. @type {Set<number>} */ #branches = new Set();
  /** Of the generation without inversions. */ #steps = 0;

  /** @param {Author} author Its core is in the position. @param {Trace} trace */
  constructor(author, trace) {
    this.author = author;
    this.trace = trace;
    const { exports } = author.core;
    /** @type {Map<string, number[]>} */ const tokens = new Map();
    for (let nfa = exports.code_latest(); nfa; nfa = exports.code_previous(nfa)) {
      const name = author.word(nfa + HEADER);
      tokens.set(name, [...(tokens.get(name) ?? []), nfa + HEADER]);
    }
    const named = (/** @type {string[]} */ ...names) => new Set(names.flatMap((name) => tokens.get(name) ?? []));
    this.verifyWords = named("verify");
    this.addMoveWords = new Set([...named("add-move")].filter((token) => exports.code_kind(token) < COLON));
    this.branchWord = Math.max(...named("0BRANCH"));
    const directions = this.#table("$directions", "$directionCount", 1).map(([token]) => author.word(token));
    /** The names of the directions, by their words. @type {Map<number, string>} */
    this.directions = new Map([...named(...directions)].map((token) => [token, author.word(token)]));
    this.moveWords = new Set([...this.#listedWords(), ...named(...PASSES)]);
    this.loggedWords = new Set([...this.verifyWords, ...this.addMoveWords, ...this.directions.keys()]);
    this.demandsType = author.core.variable("$ofType") !== 0;
  }

  /** The entries of a table of the library. @param {string} table @param {string} count @param {number} cells */
  #table(table, count, cells) {
    const { core } = this.author, length = Math.max(core.variable(count), 0);
    const all = core.read(core.variable(table), cells * length);
    return Array.from({ length }, (_, at) => all.slice(cells * at, cells * (at + 1)));
  }

  #listedWords() {
    const { core } = this.author;
    return this.#table("$pieces", "$pieceCount", PIECE_CELLS).flatMap((record) => [record[MOVES], record[DROPS]].filter(Boolean).flatMap((list) => {
      const body = list + CELL, [count] = core.read(body, 1);
      return core.read(body + CELL, 2 * Math.min(Math.max(count, 0), 1000)).filter((_, at) => at % 2 === 0);
    }));
  }

  /** Generate all moves, and log the decisions. @param {boolean} anyType Whether the words of all move types run. @returns {Generation} */
  generate(anyType) {
    /** @type {Record[]} */ let records = [];
    /** @type {Set<number>} */ const busy = new Set();
    const { trace } = this;
    const marked = [...this.loggedWords, ...this.moveWords, this.branchWord];
    const begin = () => {
      trace.log(LOG_CELLS);
      this.#mark(marked, MARK.wordLog);
    };
    const status = trace.run(begin, ({ reasons }) => {
      if (!(reasons & REASON.full)) return false;
      records.push(...trace.takeLog());
      /** @type {Map<number, number>} */ const runs = new Map();
      for (const { word, ip } of records) if (word === this.branchWord) runs.set(ip, (runs.get(ip) ?? 0) + 1);
      for (const [ip, count] of runs) if (count > MAX_IF_RUNS) busy.add(ip);
      records = records.filter(({ ip }) => !busy.has(ip));
      this.#mark([this.branchWord, ...busy], 0, ALL_MARKS);
      this.#mark([...this.#scriptBranches()].filter((address) => !busy.has(address)), MARK.cellLog);
      return false;
    }, { all: { anyType, steps: 0 } });
    records.push(...trace.takeLog());
    trace.log(0);
    this.#mark([...marked, ...this.#scriptBranches()], 0, ALL_MARKS);
    this.author.core.check(status);
    this.#steps = this.author.core.exports.trace_steps();
    this.#chooseBranches(records, busy);
    return { ...this.#inRuns(records), moves: this.texts(this.#moves), steps: this.#steps };
  }

  /** Repeat the generation with inverted decisions, all of one run. @param {Inversion[]} inversions @returns {Trial} */
  retry(inversions) {
    const { trace } = this, left = [...inversions], marked = [...this.loggedWords, ...this.#branches, ...this.moveWords];
    let isLogging = false;
    /** @type {Record[]} */ let records = [];
    const stopLog = () => {
      if (isLogging) records = trace.takeLog();
      isLogging = false;
      trace.log(0);
      this.#mark(marked, 0, ALL_MARKS);
    };
    const status = trace.run(() => trace.stopAt(left[0].step), ({ reasons, ip, nesting }) => {
      if (reasons & REASON.full) stopLog();
      const [inversion] = left;
      if (reasons & REASON.target && inversion) {
        this.author.core.exports.trace_replace(inversion.flag);
        left.shift();
        if (left.length) trace.stopAt(left[0].step);
        else {
          isLogging = true;
          trace.log(RUN_CELLS);
          this.#mark(this.loggedWords, MARK.wordLog);
          this.#mark(this.#branches, MARK.cellLog);
          this.#mark(this.moveWords, MARK.word);
        }
      } else if (reasons & REASON.break && !ip && nesting === 1) stopLog(); // the next move word
      return false;
    }, { all: { anyType: false, steps: Math.max(MIN_STEPS, STEP_FACTOR * this.#steps) } });
    if (isLogging) stopLog();
    return { records: ownOf(records), moves: status ? [] : this.#moves, failed: status !== 0 };
  }

  /** The addresses of the moves in the list. @returns {number[]} */
  get #moves() {
    const { core } = this.author, count = core.exports.trace_moves(0, 0);
    return core.cells(count, (to) => core.exports.trace_moves(to, count));
  }

  /** The texts of moves of the last generation. @param {number[]} moves */
  texts(moves) {
    const { core } = this.author;
    return moves.map((move) => core.textAt(core.exports.trace_move_text(move)));
  }

  /** @param {Iterable<number>} addresses @param {number} add @param {number} [remove] */
  #mark(addresses, add, remove = 0) {
    for (const address of addresses) this.trace.mark(address, add, remove);
  }

  /** Log all IFs but those deep in auxiliary words, which may run a thousand times in one move word. */
  /** @param {Record[]} records @param {Set<number>} busy */
  #chooseBranches(records, busy) {
    const shallow = new Set(records.filter(({ calls }) => calls.length <= MAX_LOGGED_CALL_DEPTH).map(({ ip }) => ip));
    const deep = new Set(records.map(({ ip }) => ip).filter((ip) => !shallow.has(ip)));
    this.#branches = new Set([...this.#scriptBranches()].filter((address) => !deep.has(address) && !busy.has(address)));
  }

  /** @type {Set<number> | null} */ #allBranches = null;

  /** The IFs of the script, and of the library's words that add moves. */
  #scriptBranches() {
    return this.#allBranches ??= this.#readBranches();
  }

  #readBranches() {
    const { author, trace } = this, { core } = author;
    const first = core.with("$positions", (at) => core.exports.trace_variable(at)), end = core.exports.author_here();
    /** @type {Set<number>} */ const branches = new Set();
    trace.read(first, (end - first) >> 2).forEach((cell, at) => {
      const address = first + CELL * at, position = cell === this.branchWord ? author.sourceOf(address) : 0;
      const text = position ? author.textAt(position) : undefined;
      if (text && (text.file.own || [...PASSES, ...GUARDS].includes(this.wordOf(address)))) branches.add(address);
    });
    return branches;
  }

  /** The name of the word whose code has a cell. @param {number} address */
  wordOf(address) {
    const nfa = this.author.core.exports.code_word_at(address);
    return nfa ? this.author.word(nfa + HEADER) : "";
  }

  /** Divide a log. @param {Record[]} records @returns {{before: Record[], runs: Run[]}} */
  #inRuns(records) {
    /** @type {Record[]} */ const before = [];
    /** @type {Run[]} */ const runs = [];
    let added = 0;
    for (const record of records) {
      const run = runs.at(-1);
      if (run && !record.move) continue; // see ownOf
      if (!record.ip && record.generator === record.word && !record.calls.length) {
        runs.push({ number: runs.length, word: record.word, square: record.from, firstMove: added, moveCount: 0, records: [] });
      } else if (record.word === this.branchWord && !this.#branches.has(record.ip)) continue;
      else if (!run) before.push(record);
      else {
        run.records.push(record);
        if (!this.addMoveWords.has(record.word)) continue;
        added++;
        run.moveCount++;
      }
    }
    return { before, runs };
  }
}

/** The log of a run without the words that `$CatchExit` runs: their decisions are not those of the move word. @param {Record[]} records */
const ownOf = (records) => (records[0]?.move ? records.filter(({ move }) => move) : records);
