/**
 * The tree of the moves of an exported game: the game as it was played, and moves that were taken back.
 *
 * It has the form that the server sends (forthvm/web/variations.py).
 *
 * @typedef {import("./worker.js").Entry} Entry
 * @typedef {{number: number, parent: MoveNode | null, entry: Entry | null, children: MoveNode[]}} MoveNode
 */
import { visible } from "./notation.js";

export class Moves {
  /** @param {number} first The number of the root; numbers of earlier games are not used again. */
  constructor(first = 0) {
    this.next = first;
    /** The node at which the game is. @type {MoveNode} */
    this.played = this.#newNode(null, null);
    this.root = this.played;
  }

  /** @param {MoveNode | null} parent @param {Entry | null} entry @returns {MoveNode} */
  #newNode(parent, entry) {
    return { number: this.next++, parent, entry, children: [] };
  }

  /** The moves from the start to the current position. @returns {Entry[]} */
  get line() {
    const line = [];
    for (let node = this.played; node.parent && node.entry; node = node.parent) line.unshift(node.entry);
    return line;
  }

  /** Make a move; it becomes the first child. @param {Entry} entry */
  play(entry) {
    const { children } = this.played;
    const known = children.find((child) => child.entry?.index === entry.index && child.entry.text === entry.text);
    const node = known ?? this.#newNode(this.played, entry);
    this.played.children = [node, ...children.filter((child) => child !== node)];
    this.played = node;
  }

  back() {
    this.played = this.played.parent ?? this.played;
  }

  get mayGoForward() {
    return this.played.children.length > 0;
  }

  forward() {
    this.played = this.played.children[0] ?? this.played;
  }

  /** The message with the whole tree. */
  get message() {
    /** @type {unknown[][]} */ const rows = [];
    const waiting = [this.root];
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      const { number, parent, entry } = node;
      rows.push([number, parent?.number ?? null, entry && visible(entry.player), entry && visible(entry.text), "", ""]);
      waiting.push(...[...node.children].reverse());
    }
    return { is: "tree", rows, played: this.played.number };
  }
}
