/**
 * The moves of the game and its variations, and looking at their positions without disturbing the game.
 *
 * @import { Page } from "./app.js"
 * @import { Board, GestureNode, Scene } from "./types.js"
 * @typedef {(node: number, player: string) => number | null} ShareOf
 * @typedef {{number: number, parent: number | null, player: string, text: string, comment: string, glyph: string,
 *   children: number[], short: string}} TreeNode
 * @typedef {[number, number | null, string, string, string, string, number[], string?]} Row
 * @typedef {{is: "tree", whole: boolean, rows: Row[], removed?: number[], played: number}} TreeMessage
 * @typedef {{is: "view", node: number, board: Board | null, scene: Scene, gestures: GestureNode | null}} View
 */
import { byId, make, scrollTo } from "./dom.js";
import { contestants } from "./players.js";
import { text } from "./texts.js";

const MOVE_WIDTH = 9; // of a column of moves, in widths of a letter m

/** What a player loses of the greatest score by a mistake, and its sign. @type {[number, string][]} */
const MISTAKES = [[0.3, "??"], [0.2, "?"], [0.1, "?!"]];

export class TreePart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Map<number, TreeNode>} */ this.nodes = new Map();
    this.root = 0;
    this.played = 0;
    /** The moves of the game, from the start. @type {Set<number>} */ this.line = new Set();
    /** The node on the board; null while the board follows the game. @type {number | null} */ this.at = null;
    /** The node whose position was requested; null while the server adds a variation. @type {number | null} */ this.expected = null;
    /** The players that have a column of moves. @type {string[]} */ this.columns = [];
    /** The greatest number of columns. */ this.room = 0;
    /** The elements of the moves, by node. @type {Map<number, HTMLLIElement>} */ this.items = new Map();
    /** The nodes whose elements are marked as moves of the game. @type {Set<number>} */ this.marked = new Set();
    /** The button that Tab goes to. @type {HTMLButtonElement | null} */ this.stop = null;
    this.list = byId("history");
    this.comment = /** @type {HTMLTextAreaElement} */ (byId("comment"));
    this.judgement = /** @type {HTMLSelectElement} */ (byId("judgement"));
    /** The node of the comment and the judgement. */ this.commented = -1;
    this.comment.onchange = () => page.send({ do: "comment", node: this.commented, text: this.comment.value });
    /** The share of a player's score in a position of the game, once all of them were reviewed. @type {ShareOf | null} */ this.shareOf = null;
    page.on("reviewed", (shareOf) => { this.shareOf = shareOf; this.#markMistakes(); });
    this.judgement.onchange = () => page.send({ do: "judge", node: this.commented, glyph: this.judgement.value });
    byId("try").onclick = () => this.look(this.commented);
    byId("play-from").onclick = () => {
      if (page.send({ do: "play from", node: this.commented })) page.showLive();
    };
    new ResizeObserver(() => { // also when its tab is opened
      this.room = this.list.clientWidth / parseFloat(getComputedStyle(this.list).fontSize) / MOVE_WIDTH;
      this.#setColumns();
      this.#scroll();
    }).observe(this.list);
    page.on("tree", (message) => this.receive(message));
    page.on("view", (view) => this.#show(view));
    page.on("following", () => { this.expected = null; });
    page.preferences.onChange("moves", () => this.#draw());
    page.on("game", ({ has_short }) => page.set({ "has-short": has_short }));
    page.on("shown", () => {
      this.#setColumns();
      if (page.live || page.shown?.edit) this.at = null;
      this.#mark();
      this.#showTools();
    });
    page.shortcuts.add("ArrowLeft", () => this.#go(this.#node?.parent));
    page.shortcuts.add("ArrowRight", () => this.#go(this.#node?.children[0]));
    page.shortcuts.add("ArrowUp", () => this.#goAside(-1));
    page.shortcuts.add("ArrowDown", () => this.#goAside(1));
    page.shortcuts.add("Home", () => this.#go(this.root));
    page.shortcuts.add("End", () => this.#go(this.#endOfLine()));
  }

  /** The node on the board. @returns {TreeNode | undefined} */
  get #node() {
    return this.nodes.get(this.at ?? this.played);
  }

  // --- messages ------------------------------------------------------------------------------

  /** @param {TreeMessage} message */
  receive(message) {
    if (message.whole) this.nodes.clear();
    for (const number of message.removed ?? []) this.nodes.delete(number);
    for (const [number, parent, player, words, comment, glyph, children, short = ""] of message.rows) {
      this.nodes.set(number, { number, parent, player, text: words, comment, glyph, children, short });
      if (parent === null) this.root = number;
    }
    this.played = message.played;
    this.line = this.#lineTo(message.played);
    this.page.emit("game line", [...this.line]);
    if (!message.whole && this.#append(message.rows)) this.#mark();
    else this.#draw();
    if (this.at !== null && !this.nodes.has(this.at)) this.page.showLive();
    else if (this.at !== null && message.whole && this.expected !== null) this.look(this.at);
  }

  /** @param {number} number @returns {Set<number>} */
  #lineTo(number) {
    /** @type {number[]} */ const line = [];
    for (let node = this.nodes.get(number); node; node = this.nodes.get(node.parent ?? -1)) line.unshift(node.number);
    return new Set(line);
  }

  // --- looking -------------------------------------------------------------------------------

  /** @param {number | null | undefined} number */
  #go(number) {
    if (number === null || number === undefined || this.page.shown?.edit) return;
    if (number === this.played) this.page.showLive();
    else this.look(number);
  }

  /** Look at a node, also at that of the game: moves there are variations. @param {number} number */
  look(number) {
    if (this.page.send({ do: "look", node: number })) this.at = this.expected = number;
    this.#mark();
  }

  /** @param {number} step */
  #goAside(step) {
    const siblings = this.nodes.get(this.#node?.parent ?? -1)?.children ?? [];
    this.#go(siblings[siblings.indexOf(this.#node?.number ?? -1) + step]);
  }

  #endOfLine() {
    let node = this.#node;
    while (node?.children.length) node = this.nodes.get(node.children[0]);
    return node?.number;
  }

  /** @param {View} view */
  #show({ node, board, scene, gestures }) {
    const shown = this.nodes.get(node);
    const { page } = this;
    if (!shown || (this.expected !== null && this.expected !== node)) return; // another node was requested meanwhile
    this.at = this.expected = node;
    const label = this.#label(shown);
    const play = (/** @type {number} */ move) => {
      this.expected = null;
      return page.send({ do: "vary", node, move });
    };
    page.show({ scene, board, gestures: page.state?.is_owner ? gestures : null, label, play, node });
  }

  /** Mark the moves of the game after which their player had much less than before. */
  #markMistakes() {
    for (const number of this.line) {
      const node = this.nodes.get(number);
      const button = this.items.get(number)?.querySelector(".move");
      if (!node || !button || node.parent === null) continue;
      const [before, after] = [node.parent, number].map((at) => this.shareOf?.(at, node.player) ?? null);
      const lost = before === null || after === null ? 0 : before - after;
      const [, sign] = MISTAKES.find(([least]) => lost >= least) ?? [0, ""];
      button.setAttribute("data-mistake", node.glyph ? "" : sign);
    }
  }

  /** Which position a node has, in words. @param {TreeNode} node */
  #label(node) {
    if (node.number === this.played) return text(this.page.state?.result?.code === "analysis" ? "result.analysis" : "tree.trying");
    if (node.parent === null) return text("tree.start");
    const { player, text: words } = this.#readable(node);
    return text("tree.after", { player, text: words || "…" });
  }

  // --- drawing -------------------------------------------------------------------------------

  /** Show the moves of each player in a column, if there is room; those of chance stay between them. */
  #setColumns() {
    const { shown } = this.page;
    const others = shown ? contestants(shown.scene).map(({ name }) => name) : [];
    const names = this.#alternating.length ? this.#alternating : others;
    const columns = names.length > 1 && names.length <= this.room ? names : [];
    if (columns.join("\n") === this.columns.join("\n")) return;
    this.columns = columns;
    for (const list of [this.list, byId("history-heads")]) {
      list.classList.toggle("turns", columns.length > 0);
      list.style.setProperty("--columns", String(columns.length));
    }
    byId("history-heads").replaceChildren(...columns.map((name) => make("span", {}, name)));
    this.#draw();
  }

  #draw() {
    const first = this.nodes.get(this.root)?.children[0];
    const start = this.nodes.get(this.root)?.comment;
    const hadFocus = this.list.contains(document.activeElement);
    this.items.clear();
    this.marked = new Set();
    this.list.replaceChildren(
      ...(start ? [make("li", { className: "remark" }, start)] : []),
      ...(first === undefined ? [] : this.#line(first, 0)),
    );
    if (hadFocus) this.list.querySelector("button")?.focus({ preventScroll: true });
    if (this.shareOf) this.#markMistakes();
    this.#mark();
  }

  /**
   * Elements of the moves of a line, and of the variations that branch off it.
   * @param {number} first
   * @param {number} before The number of the move before the line; 0 at the start of the game.
   * @returns {HTMLElement[]}
   */
  #line(first, before) {
    /** @type {HTMLElement[]} */ const items = [];
    for (let node = this.nodes.get(first), number = before; node; node = this.nodes.get(node.children[0]), before = number) {
      number = this.#numberAfter(before, node);
      items.push(this.#item(node, number, node.number !== first && this.#isNumbered(node, number)));
      const [main, ...others] = this.nodes.get(node.parent ?? -1)?.children ?? [];
      if (main !== node.number) continue; // the first move of a variation
      items.push(...others.map((other) => make("li", { className: "variation" }, make("ol", {}, ...this.#line(other, before)))));
    }
    return items;
  }

  /**
   * The number of a move.  If two players alternate, it counts the turns of the first one, and moves of chance and
   * partial moves belong to the turn before them; in other games it counts moves.
   * @param {number} before The number of the move before.
   * @param {TreeNode} node
   */
  #numberAfter(before, node) {
    const [first, second] = this.#alternating;
    if (!before || !first) return before + 1;
    return node.player === first && this.#lastTurn(node)?.player === second ? before + 1 : before;
  }

  /** The last move before another one that is not of chance, if two players alternate. @param {TreeNode} node */
  #lastTurn(node) {
    const players = this.#alternating;
    let last = this.nodes.get(node.parent ?? -1);
    while (last && !players.includes(last.player)) last = this.nodes.get(last.parent ?? -1);
    return last;
  }

  /** Whether the number of a move stands before an earlier move of its line. @param {TreeNode} node @param {number} number */
  #isNumbered(node, number) {
    const players = this.#alternating;
    return players.length > 0 && (!players.includes(node.player) || this.items.get(this.#lastTurn(node)?.number ?? -1)?.value === number);
  }

  /** The players whose turns alternate. */
  get #alternating() {
    return (this.page.nextGame ?? this.page.game)?.alternating ?? [];
  }

  /** @param {TreeNode} node @param {number} number @param {boolean} isNumbered Whether the number is shown before. */
  #item(node, number, isNumbered) {
    const { player, text: words } = this.#readable(node);
    const who = make("span", { className: "who" }, `${player}: `);
    const shown = [words || "…", node.glyph].join(" ").trim();
    const button = make("button", { className: "move", tabIndex: -1, onclick: () => this.#go(node.number) }, who, shown);
    const remark = node.comment ? [make("p", { className: "remark" }, node.comment)] : [];
    button.title = words === node.short ? node.text : "";
    const item = make("li", { value: number, "data-node": node.number, "data-move": node.text }, button, ...remark);
    item.classList.toggle("quiet", !words && !node.comment);
    item.classList.toggle("numbered", isNumbered);
    item.classList.toggle("reply", node.player === this.#alternating[1]);
    const column = this.columns.indexOf(node.player) + 1;
    if (column) item.style.gridColumn = String(column);
    this.items.set(node.number, item);
    return item;
  }

  /** Add the item of a new move to the end of its line, if nothing else has changed. @param {Row[]} rows */
  #append([parent, added, ...others]) {
    const before = parent && this.items.get(parent[0]);
    const node = added && this.nodes.get(added[0]);
    if (!before || before.nextElementSibling || node?.parent !== parent[0] || others.length) return false;
    const number = this.#numberAfter(before.value, node);
    before.parentElement?.append(this.#item(node, number, this.#isNumbered(node, number)));
    return true;
  }

  /** Mark the moves of the game, and the one that is on the board; Tab and the keyboard in the list go there. */
  #mark() {
    for (const number of this.marked) if (!this.line.has(number)) this.items.get(number)?.classList.remove("played");
    for (const number of this.line) if (!this.marked.has(number)) this.items.get(number)?.classList.add("played");
    this.marked = this.line;
    this.stop?.removeAttribute("aria-current");
    if (this.stop) this.stop.tabIndex = -1;
    const current = this.items.get(this.at ?? this.played)?.querySelector("button");
    current?.setAttribute("aria-current", "step");
    this.stop = current ?? this.list.querySelector("button");
    if (this.stop) this.stop.tabIndex = 0;
    if (this.list.contains(document.activeElement)) this.stop?.focus({ preventScroll: true });
    this.#scroll();
  }

  /** Scroll to the move that is on the board. */
  #scroll() {
    const shown = this.items.get(this.at ?? this.played);
    if (shown) scrollTo(this.list, shown);
  }

  // --- changing ------------------------------------------------------------------------------

  /** Whether another variation is in front of the one with this node. @param {TreeNode} node */
  #mayMoveUp(node) {
    for (let at = node; ;) {
      const parent = this.nodes.get(at.parent ?? -1);
      if (!parent) return false;
      const before = parent.children[parent.children.indexOf(at.number) - 1];
      if (before !== undefined) return !this.line.has(before);
      at = parent;
    }
  }

  /** What can be done with the move on the board. */
  #showTools() {
    const node = this.#node;
    if (!node) return;
    const { number, comment, glyph, parent } = node;
    this.page.set({
      "is-move": parent !== null,
      "is-variation": parent !== null && !this.line.has(number),
      "may-vary": this.at === null,
      "may-play-from": this.at !== null && number !== this.played,
      "may-promote": this.#mayMoveUp(node),
    });
    const isTyping = document.activeElement === this.comment && this.commented === number;
    if (!isTyping) this.comment.value = comment;
    this.judgement.value = glyph;
    this.commented = number;
  }

  /**
   * A move of chance without what only its script needs: the sign and name of the player, and what is cleared away.
   * @param {TreeNode} node
   */
  #readable({ player, text: move, short }) {
    if (!player.startsWith("?")) return { player, text: this.page.preferences.words(move, short) };
    const name = player.slice(1); // it may be that of the player for whom chance moves, or only a letter
    const isOther = this.page.shown?.scene.players.some((other) => other.name === name);
    return {
      player: name.length > 1 && !isOther ? name : text("players.chance"),
      text: move.replaceAll(`${player} `, "").replace(/\bx \S+/g, "").trim(),
    };
  }
}
