/**
 * Copies moves into a changed game, as far as they are legal there: the game and its variations.
 *
 * @import { Entry } from "../offline/line.js"
 * @import { MoveNode } from "../offline/moves.js"
 * @import { Table } from "../offline/table.js"
 */

export class Copying {
  /** The nodes of the new game, by those of the old one, with their positions. @type {Map<MoveNode, {node: MoveNode, position: any}>} */
  #copies = new Map();

  /** @param {Table[]} sources The newest game before, and others of which the variations were not all copied. @param {Table} table */
  constructor(sources, table) {
    this.sources = sources;
    this.table = table;
    table.seed = sources[0].seed;
  }

  /** Make the moves of the game until one is not legal. */
  async game() {
    const { moves } = this.sources[0];
    for (const node of moves.pathTo(moves.played)) {
      const copy = await this.#copy(node);
      if (!copy) return;
      this.table.moves.goTo(copy);
    }
  }

  /** Copy the variations, and moves that were taken back. @param {() => boolean} isWanted Whether to go on. @returns {Promise<boolean>} Whether all were copied. */
  async variations(isWanted) {
    const waiting = this.sources.map(({ moves }) => moves.root).reverse();
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      for (const child of node.children) {
        if (!isWanted()) return false;
        const copy = await this.#copy(child);
        if (!copy) continue;
        copy.comment ||= child.comment;
        copy.glyph ||= child.glyph;
        copy.ofGame ||= child.ofGame;
        waiting.push(child);
      }
    }
    this.table.tell(this.table.moves.message);
    return true;
  }

  /** @param {MoveNode} node @returns {Promise<MoveNode | null>} Its copy; null if the move is not legal. */
  async #copy(node) {
    const known = this.#copies.get(node);
    if (known) return known.node;
    const parent = /** @type {MoveNode} */ (node.parent), { text, index, drawn } = /** @type {Entry} */ (node.entry);
    const { node: above, position } = await this.#above(parent);
    const found = index < 0 ? -1 : position.moves.indexOf(text);
    if (position.result || (index < 0 ? !position.isStuck : found < 0)) return null;
    const made = await this.#ask({ do: "make", index: drawn ? null : found }, above);
    const copy = this.table.moves.add(above, made.entry);
    this.#copies.set(node, { node: copy, position: made });
    return copy;
  }

  /** The copy of a node that has one, or of the root. @param {MoveNode} node */
  async #above(node) {
    const { root } = this.table.moves;
    const copy = this.#copies.get(node) ?? { node: root, position: await this.#ask({ do: "show" }, root) };
    this.#copies.set(node, copy);
    return copy;
  }

  /** @param {object} request @param {MoveNode} node */
  #ask(request, node) {
    const { positions, moves, seed } = this.table;
    return positions.ask({ ...request, seed, moves: moves.lineTo(node), viewer: null });
  }
}
