/**
 * The tree of the moves of an exported game, as forthvm/web/table/variations.py on the server: the game as it was
 * played, moves that were taken back, and variations with comments.
 *
 * @import { Entry } from "./line.js"
 * @typedef {{number: number, parent: MoveNode | null, entry: Entry | null, children: MoveNode[], comment: string,
 *   glyph: string, ofGame: boolean}} MoveNode ofGame: whether the move was made in the game.
 */
import { visible } from "./notation.js";
import { Refusal } from "./refusal.js";

export class Moves {
  /** @type {Map<number, MoveNode>} */ #nodes = new Map();

  /** @param {number} first The number of the root; numbers of earlier games are not used again. */
  constructor(first = 0) {
    this.next = first;
    /** The node that the game has reached. @type {MoveNode} */
    this.played = this.#newNode(null, null);
    this.root = this.played;
  }

  /** @param {MoveNode | null} parent @param {Entry | null} entry @returns {MoveNode} */
  #newNode(parent, entry) {
    const node = { number: this.next++, parent, entry, children: [], comment: "", glyph: "", ofGame: false };
    this.#nodes.set(node.number, node);
    parent?.children.push(node);
    return node;
  }

  /** @param {number} number @returns {MoveNode} */
  node(number) {
    const node = this.#nodes.get(number);
    if (!node) throw new Refusal("no-node", "This variation does not exist any more.");
    return node;
  }

  /** The moves that lead to a node. @param {MoveNode} node @returns {MoveNode[]} */
  pathTo(node) {
    return node.parent ? [...this.pathTo(node.parent), node] : [];
  }

  /** The moves that lead to a node. @param {MoveNode} node @returns {Entry[]} */
  lineTo(node) {
    return this.pathTo(node).flatMap(({ entry }) => entry ?? []);
  }

  /** The moves of the game so far. */
  get line() {
    return this.lineTo(this.played);
  }

  // --- the game -------------------------------------------------------------------------

  /** Make a move in the game; it becomes the first child. @param {Entry} entry */
  play(entry) {
    this.goTo(this.add(this.played, entry));
  }

  /** Continue the game from a node; the line that leads to it becomes the main line. @param {MoveNode} node */
  goTo(node) {
    this.played = node;
    for (const step of this.pathTo(node)) {
      step.ofGame = true;
      const siblings = step.parent?.children ?? [];
      siblings.unshift(...siblings.splice(siblings.indexOf(step), 1));
    }
  }

  back() {
    this.played = this.played.parent ?? this.played;
  }

  /** Whether a move of the game was taken back that can be made again. */
  get mayGoForward() {
    return Boolean(this.played.children[0]?.ofGame);
  }

  forward() {
    this.played = this.played.children[0];
  }

  // --- variations -----------------------------------------------------------------------

  /** Add a move to a node unless it is there. @param {MoveNode} node @param {Entry} entry @returns {MoveNode} */
  add(node, entry) {
    const isSame = (/** @type {MoveNode} */ child) => child.entry?.index === entry.index && child.entry.text === entry.text;
    return node.children.find(isSame) ?? this.#newNode(node, entry);
  }

  /** Delete a variation with all moves that follow. @param {MoveNode} node */
  delete(node) {
    if (!node.parent || this.pathTo(this.played).includes(node)) {
      throw new Refusal("move-of-game", "A move of the game cannot be deleted.");
    }
    node.parent.children = node.parent.children.filter((child) => child !== node);
    for (const gone of this.#below(node)) this.#nodes.delete(gone.number);
  }

  /** Move a variation up by one; moves of the game stay in front. @param {MoveNode} node */
  promote(node) {
    let branch = node;
    while (branch.parent?.children[0] === branch) branch = branch.parent;
    if (!branch.parent) throw new Refusal("main-line", "This is the main line.");
    const siblings = branch.parent.children, at = siblings.indexOf(branch);
    if (this.pathTo(this.played).includes(siblings[at - 1])) {
      throw new Refusal("game-first", "Moves of the game come first.");
    }
    siblings.splice(at - 1, 2, branch, siblings[at - 1]);
  }

  /** A node and all below it, parents and first children first. @param {MoveNode} node @returns {MoveNode[]} */
  #below(node) {
    const found = [], waiting = [node];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      found.push(next);
      waiting.push(...[...next.children].reverse());
    }
    return found;
  }

  /** The message with the whole tree. */
  get message() {
    const rows = this.#below(this.root).map(({ number, parent, entry, comment, glyph, children }) => [
      number, parent?.number ?? null, visible(entry?.player ?? ""), visible(entry?.text ?? ""), comment, glyph,
      children.map((child) => child.number),
    ]);
    return { is: "tree", whole: true, rows, played: this.played.number };
  }
}
