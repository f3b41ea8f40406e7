/**
 * A bounded search for decisions that, when inverted, let a missing move be added, as forthvm/debug/why_not/search.py.
 *
 * @import { Record } from "./trace.js"
 * @import { Generation, Run, TracedGeneration } from "./traced_generation.js"
 * @typedef {{record: Record, isVerify: boolean, direction: string}} Decision
 * @typedef {{run: Run | null, decisions: Decision[], move: string, cost: number}} Solution
 * @typedef {{run: Run | null, previous: Node | null, records: Record[], index: number, cost: number}} Node
 */

const MAX_TRIALS = 400, MAX_STEPS = 1_200_000, MIN_TRIALS = 40;
const MAX_INVERSIONS = 6, MAX_SOLUTIONS = 4, MAX_CHILDREN = 300;
// The higher the cost of inverting a decision, the less likely it refuses the move.
const VERIFY = 1, BRANCH = 1.6, CALL_LEVEL = 0.4, NEXT_BRANCH = 0.8, REPETITION = 0.05;
const OTHER_SQUARE = 1.2, UNNAMED_SQUARE = 3, HOOK = 4, MAX_COST = 7, TOLERANCE = 0.7;
export const SQUARES = 2; // the similarity of a move that is the wanted one
const TRUE = -1;

export class RefusalSearch {
  #trials = 0;
  #steps = 0;
  /** @type {Node[]} */ #open = [];
  /** The most likely first. @type {Solution[]} */ solutions = [];

  /**
   * @param {TracedGeneration} traced
   * @param {Generation} generation
   * @param {{squares: number[], similarity: (move: string) => number}} wanted
   */
  constructor(traced, generation, wanted) {
    this.traced = traced;
    this.generation = generation;
    this.wanted = wanted;
    this.maxSteps = Math.max(MAX_STEPS, MIN_TRIALS * generation.steps);
  }

  /** Search until there are solutions, or a limit is reached. */
  run() {
    const { squares } = this.wanted, { runs, before } = this.generation;
    for (const run of runs) this.#expand(run, null, run.records, run.square === squares[0] ? 0 : squares.includes(run.square) ? OTHER_SQUARE : UNNAMED_SQUARE);
    if (before.length) this.#expand(null, null, before, HOOK);
    for (let node = this.#take(); node; node = this.#take()) {
      const [best] = this.solutions;
      if (best && (node.cost > best.cost + TOLERANCE || this.solutions.length >= MAX_SOLUTIONS)) return;
      if (this.#trials >= MAX_TRIALS || this.#steps >= this.maxSteps) return;
      this.#try(node);
    }
  }

  /** The cheapest node, the oldest of equal ones. */
  #take() {
    const at = this.#open.reduce((best, { cost }, index) => (cost < (this.#open[best]?.cost ?? Infinity) ? index : best), -1);
    return at < 0 ? undefined : this.#open.splice(at, 1)[0];
  }

  /** @param {Node} node */
  #try(node) {
    this.#trials++;
    const { traced, generation, wanted } = this, path = pathOf(node);
    const inversions = path.map(({ records, index }) => ({ step: records[index].step, flag: this.#isVerify(records[index]) || !records[index].top ? TRUE : 0 }));
    const trial = traced.retry(inversions);
    this.#steps += traced.author.core.exports.trace_steps();
    if (trial.failed) return;
    const { run } = node, additional = Math.max(trial.moves.length - generation.moves.length, 0);
    const moves = run ? trial.moves.slice(run.firstMove, run.firstMove + run.moveCount + additional) : trial.moves;
    const best = traced.texts(moves).reduce((one, other) => (!one || wanted.similarity(other) > wanted.similarity(one) ? other : one), "");
    if (best && wanted.similarity(best) >= SQUARES) this.#add({ run, decisions: this.#decisions(path), move: best, cost: node.cost });
    else this.#expand(run, node, trial.records, node.cost);
  }

  /** Add a solution unless a part of its decisions is one. @param {Solution} solution */
  #add(solution) {
    const cells = new Set(solution.decisions.map(({ record }) => record.ip));
    const isPart = this.solutions.some(({ run, decisions }) => run === solution.run && decisions.every(({ record }) => cells.has(record.ip)));
    if (!isPart) this.solutions.push(solution);
  }

  /** Add the decisions that can be inverted next. @param {Run | null} run @param {Node | null} previous @param {Record[]} records @param {number} cost */
  #expand(run, previous, records, cost) {
    const path = previous ? pathOf(previous).map((node) => node.records[node.index]) : [];
    const choices = records.flatMap((record, index) => {
      const more = this.#costOf(record, path, index === records.length - 1);
      return more !== null && cost + more <= MAX_COST ? [{ run, previous, records, index, cost: cost + more }] : [];
    });
    this.#open.push(...choices.sort((one, other) => one.cost - other.cost || one.index - other.index).slice(0, MAX_CHILDREN));
  }

  /** @param {Record} record */
  #isVerify(record) {
    return this.traced.verifyWords.has(record.word);
  }

  /** The cost of inverting a decision; null: it is none. @param {Record} record @param {Record[]} path @param {boolean} isLast */
  #costOf(record, path, isLast) {
    const isVerify = this.#isVerify(record);
    if (isVerify ? record.top !== 0 || !isLast : record.word !== this.traced.branchWord) return null;
    const earlier = path.filter(({ ip }) => ip === record.ip);
    if (earlier.length && earlier.every((one) => one.position !== record.position && Boolean(one.top) === Boolean(record.top))) return REPETITION;
    if (new Set(path.map(({ ip }) => ip)).size >= MAX_INVERSIONS) return MAX_COST;
    if (isVerify) return VERIFY;
    const follows = path.some(({ calls }) => calls.join() === record.calls.join());
    return follows ? NEXT_BRANCH : BRANCH + CALL_LEVEL * Math.max(record.calls.length - 1, 0);
  }

  /** @param {Node[]} path @returns {Decision[]} */
  #decisions(path) {
    /** @type {Record[]} */ const earlier = [];
    return path.map(({ records, index }) => {
      earlier.push(...records.slice(0, index));
      const record = records[index], direction = this.#direction(earlier, record);
      earlier.push(record);
      return { record, isVerify: this.#isVerify(record), direction };
    });
  }

  /** The last direction taken by a word that is still open at a decision. @param {Record[]} earlier @param {Record} decision */
  #direction(earlier, decision) {
    const isOpen = (/** @type {Record} */ { calls }) => calls.join() === decision.calls.slice(decision.calls.length - calls.length).join();
    const found = [...earlier].reverse().find((record) => this.traced.directions.has(record.word) && isOpen(record));
    return found ? this.traced.directions.get(found.word) ?? "" : "";
  }
}

/** The inverted decisions up to a node. @param {Node} last */
function pathOf(last) {
  /** @type {Node[]} */ const path = [];
  for (let node = /** @type {Node | null} */ (last); node; node = node.previous) path.unshift(node);
  return path;
}
