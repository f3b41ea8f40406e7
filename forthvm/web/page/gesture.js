/**
 * A move under construction: the clicks so far, and which clicks may follow.
 *
 * It walks the tree of gestures of a state.  It must not know how clicks are made or drawn.
 *
 * @typedef {[string, string, string | null, GestureNode]} Follow Kind, name, player, and the node after the click.
 * @typedef {{move?: number, text?: string, clicks?: Follow[]}} GestureNode
 */

export class Gesture {
  /** @param {GestureNode | null} root The tree of all legal moves; null if no person is to move. */
  constructor(root) {
    this.root = root;
    this.node = root;
    /** The squares that were clicked. @type {string[]} */
    this.squares = [];
  }

  /** Forget all clicks. */
  cancel() {
    this.node = this.root;
    this.squares = [];
  }

  /** The squares that may be clicked next. @returns {Set<string>} */
  get open() {
    return new Set(this.#follows.filter(([kind]) => kind === "square").map(([, name]) => name));
  }

  /** The clicks that are no squares. @returns {Follow[]} */
  get choices() {
    return this.#follows.filter(([kind]) => kind !== "square");
  }

  /** The move that the clicks so far make, although more may follow. */
  get move() {
    return this.node?.move;
  }

  /**
   * Follow a click.  A click that cannot follow begins a new gesture if it can.
   * @param {string} kind
   * @param {string} name
   * @param {string | null} player
   * @returns {number | undefined} The move, if the gesture is complete.
   */
  click(kind, name, player) {
    let next = this.#child(kind, name, player);
    if (!next) {
      this.cancel();
      next = this.#child(kind, name, player);
    }
    if (!next) return undefined;
    this.node = next;
    if (kind === "square") this.squares.push(name);
    return next.clicks ? undefined : next.move;
  }

  get #follows() {
    return this.node?.clicks ?? [];
  }

  /** @param {string} kind @param {string} name @param {string | null} player */
  #child(kind, name, player) {
    return this.#follows.find((one) => one[0] === kind && one[1] === name && one[2] === player)?.[3];
  }
}
