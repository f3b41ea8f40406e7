/**
 * Steps through a recorded game on the board.
 *
 * @import { Game } from "./games.js"
 * @import { Drawings } from "./types.js"
 * @typedef {[changes: number[], values: number[]]} Step
 * @typedef {{squares: string[], kinds: object[], values: [string, any][]}} Lists
 * @typedef {Lists & {game: number, steps: Step[], moves: [string, string][], problem: string | null, rest: [string, string][], complete: boolean}} StepsMessage
 */
import { BoardView } from "./board.js";
import { byId, make } from "./dom.js";
import { gameTitle } from "./games.js";
import { inWidths } from "./symbols.js";
import { text } from "./texts.js";

const PLY_TIME = 700; // milliseconds for which each position of a running replay is shown

/** @param {Lists} some @param {Lists} more @returns {Lists} */
const joined = (some, more) => ({
  squares: [...some.squares, ...more.squares],
  kinds: [...some.kinds, ...more.kinds],
  values: [...some.values, ...more.values],
});

/** A scene that steps change. */
class ChangingScene {
  constructor() {
    /** @type {Record<string, any>} */ this.fields = {};
    /** @type {Map<string, object>} */ this.pieces = new Map();
  }

  /** @param {Lists} lists @param {Step} step */
  apply(lists, [changes, values]) {
    for (let at = 0; at < changes.length; at += 2) {
      const square = lists.squares[changes[at]];
      if (changes[at + 1] < 0) this.pieces.delete(square);
      else this.pieces.set(square, { square, ...lists.kinds[changes[at + 1]] });
    }
    for (const at of values) this.fields[lists.values[at][0]] = lists.values[at][1];
  }

  /** @returns {any} */
  get scene() {
    return { ...this.fields, pieces: [...this.pieces.values()] };
  }
}

export class Replay {
  /** @param {(game: number, ply: number) => void} onShow Called with the position that is shown. */
  constructor(onShow) {
    this.onShow = onShow;
    /** @type {BoardView} */ this.board = new BoardView(byId("board"), (square) => this.#describe(square));
    /** @type {Drawings} */ this.symbols = {};
    this.ply = 0;
    this.wanted = 0;
    this.timer = 0;
    this.slider = /** @type {HTMLInputElement} */ (byId("ply"));
    this.slider.oninput = () => this.go(Number(this.slider.value));
    byId("first").onclick = () => this.go(0);
    byId("back").onclick = () => this.go(this.ply - 1);
    byId("next").onclick = () => this.go(this.ply + 1);
    byId("last").onclick = () => this.go(Infinity);
    byId("play").onclick = () => this.#run(!this.timer);
    byId("flip").onclick = () => this.board.flip();
    byId("moves").onclick = (event) => {
      const ply = /** @type {HTMLElement} */ (event.target).dataset.ply;
      if (ply) this.go(Number(ply));
    };
  }

  /**
   * Begin to show a game, whose steps follow.
   * @param {Game} game
   * @param {number} ply The position to be shown.
   */
  open(game, ply) {
    this.#run(false);
    this.game = game;
    this.wanted = ply;
    this.complete = false;
    this.problem = "";
    /** @type {Lists} */ this.lists = { squares: [], kinds: [], values: [] };
    /** @type {Step[]} */ this.steps = [];
    /** @type {string[]} */ this.moves = [];
    byId("game-title").textContent = gameTitle(game);
    byId("faults").textContent = game.faults.join(" | ");
    byId("now").textContent = "";
    byId("moves").replaceChildren();
  }

  /** @param {StepsMessage} message */
  receive(message) {
    if (message.game !== this.game?.id || !this.steps || !this.lists) return;
    this.lists = joined(this.lists, message);
    this.steps.push(...message.steps);
    for (const move of message.moves) this.#addMove(move.join(": "));
    byId("moves").append(...message.rest.map((move) => make("li", { className: "missing" }, move.join(": "))));
    this.problem = message.problem ?? "";
    this.complete = message.complete;
    this.#show(Math.min(this.wanted, this.steps.length - 1));
  }

  /** @param {number} ply */
  go(ply) {
    this.#run(false);
    this.wanted = Math.max(0, ply);
    if (this.steps?.length) this.#show(Math.min(this.wanted, this.steps.length - 1));
  }

  /** @param {string} words */
  #addMove(words) {
    const ply = this.moves?.push(words) ?? 0;
    const button = make("button", { "data-ply": ply }, `${ply}. ${words}`);
    byId("moves").append(make("li", { className: ply <= (this.game?.opening ?? 0) ? "opening" : "" }, button));
  }

  /** @param {number} ply */
  #show(ply) {
    if (!this.steps || !this.lists || !this.game || ply < 0) return;
    const shown = new ChangingScene();
    for (const step of this.steps.slice(0, ply + 1)) shown.apply(this.lists, step);
    const { scene } = shown;
    this.ply = ply;
    if (this.board.board !== scene.board) this.board.setBoard(scene.board, inWidths(this.symbols, scene.board.pixel));
    this.board.draw(scene);
    this.slider.max = String(this.steps.length - 1);
    this.slider.value = String(ply);
    byId("now").textContent = this.#words();
    byId("notes").textContent = scene.notes.join(" | ");
    byId("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
    const list = byId("moves");
    const item = /** @type {HTMLElement | undefined} */ (list.children[ply - 1]);
    item?.firstElementChild?.setAttribute("aria-current", "true");
    if (item) list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
    this.onShow(this.game.id, ply);
  }

  /** @param {string} square @returns {string} */
  #describe(square) {
    const { scene } = this.board;
    const piece = scene?.pieces.find((one) => one.square === square);
    return piece ? `${square} ${scene?.players[piece.player].name} ${piece.type}` : square;
  }

  #words() {
    const here = this.ply ? `${this.ply}. ${this.moves?.[this.ply - 1]}` : text("report.begins");
    if (!this.complete || this.ply < (this.steps?.length ?? 0) - 1) return here;
    return `${here} — ${this.problem || this.game?.end}`;
  }

  /** @param {boolean} on */
  #run(on) {
    clearInterval(this.timer);
    this.timer = 0;
    byId("play").textContent = on ? text("report.stop") : text("report.play");
    if (!on || !this.steps) return;
    if (this.ply >= this.steps.length - 1) this.#show(0);
    this.timer = setInterval(() => {
      if (this.ply < (this.steps?.length ?? 0) - 1) this.#show(this.ply + 1);
      else this.#run(false);
    }, PLY_TIME);
  }
}
