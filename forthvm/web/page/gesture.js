/**
 * A move under construction: the clicks so far, and which clicks may follow.
 *
 * It walks the tree of gestures of a state.
 *
 * @import { Follow, GestureNode } from "./types.js"
 */

export class Gesture {
  /** @param {GestureNode | null} root The tree of all legal moves; null if no person is to move. */
  constructor(root) {
    this.root = root ?? {};
    /** The clicks so far. @type {Follow[]} */ this.path = [];
  }

  /** The node after the clicks so far. @returns {GestureNode} */
  get node() {
    return this.path.at(-1)?.[3] ?? this.root;
  }

  /** The squares that were clicked. @returns {string[]} */
  get squares() {
    return this.path.filter(([kind]) => kind === "square").map(([, name]) => name);
  }

  /** The squares that may be clicked next. @returns {Set<string>} */
  get open() {
    return new Set(this.follows("square").map(([, name]) => name));
  }

  /** The clicks that may follow. @param {"square" | "store" | "choice"} kind @returns {Follow[]} */
  follows(kind) {
    return (this.node.clicks ?? []).filter((one) => one[0] === kind);
  }

  /** Forget all clicks. */
  cancel() {
    this.path = [];
  }

  /** Forget the last click. */
  back() {
    this.path.pop();
  }

  /** Whether a click on a square would begin or continue a move, but not end it. @param {string} square */
  continues(square) {
    const next = find(this.node, "square", square, null) ?? find(this.root, "square", square, null);
    return Boolean(next?.[3].clicks);
  }

  /**
   * Follow a click.  A click that cannot follow begins a new move if it can; on the last square it is undone.
   * @param {string} kind
   * @param {string} name
   * @param {string | null} player
   * @returns {{followed: boolean, move?: number}} The move, if it is complete.
   */
  click(kind, name, player) {
    let next = find(this.node, kind, name, player);
    if (!next) {
      const last = this.path.at(-1);
      if (last?.[0] === kind && last[1] === name && last[2] === player) {
        this.back();
        return { followed: true };
      }
      this.cancel();
      next = find(this.root, kind, name, player);
      if (!next) return { followed: false };
    }
    this.path.push(next);
    return { followed: true, move: next[3].clicks ? undefined : next[3].move };
  }

  /** The legal moves: index, texts, and the names of the clicks. @returns {Generator<{move: number, text: string, short?: string, clicks: string[]}>} */
  * moves(node = this.root, /** @type {string[]} */ clicks = []) {
    if (node.move !== undefined) yield { move: node.move, text: node.text ?? "", short: node.short, clicks };
    for (const [, name, , child] of node.clicks ?? []) yield* this.moves(child, [...clicks, name]);
  }
}

/** @param {GestureNode} node @param {string} kind @param {string} name @param {string | null} player */
function find(node, kind, name, player) {
  return node.clicks?.find((one) => one[0] === kind && one[1] === name && one[2] === player);
}

/** Letters and digits only, since people type moves without spaces and signs. @param {string} typed */
const plain = (typed) => typed.toLowerCase().replace(/[^\p{L}\p{N}+]/gu, "");

/** A short text without the signs that people leave out; in castling, zeros stand for letters. @param {string} typed */
const bare = (typed) => typed.replace(/[-x:+#=*!?\s]/g, "").replace(/^0{2,}$/, (zeros) => "O".repeat(zeros.length));

/**
 * The moves that a typed text means: those it names wholly, else those that contain it.  In a game with short texts
 * the text may also be a short one; then moves that only contain it do not count: `pawn d2 - d3` contains `Nd2`.
 * @param {Gesture} gesture
 * @param {string} typed
 * @returns {{move: number, text: string, short?: string}[]}
 */
export function movesNamed(gesture, typed) {
  const wanted = plain(typed);
  const moves = [...gesture.moves()].map((one) => ({ ...one, names: [plain(one.text), plain(one.clicks.join(""))] }));
  const whole = moves.filter(({ names }) => names.includes(wanted));
  if (!whole.length && moves.some(({ short }) => short)) {
    const same = (/** @type {(words: string) => string} */ fold) => moves.filter(({ short }) => short && fold(bare(short)) === fold(bare(typed)));
    const exact = same((words) => words);
    return exact.length ? exact : same((words) => words.toLowerCase());
  }
  return whole.length || !wanted ? whole : moves.filter(({ names }) => names.some((name) => name.includes(wanted)));
}
