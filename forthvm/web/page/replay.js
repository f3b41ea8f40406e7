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
import { byId, make, scrollTo } from "./dom.js";
import { gameTitle } from "./games.js";
import { text } from "./texts.js";

const PLY_TIME = 700; // milliseconds for which each position of a running replay is shown

/** @param {Lists} some @param {Lists} more @returns {Lists} */
const joined = (some, more) => ({
  squares: [...some.squares, ...more.squares],
  kinds: [...some.kinds, ...more.kinds],
  values: [...some.values, ...more.values],
});

/** The scene after some steps. @param {Lists} lists @param {Step[]} steps @returns {any} */
function sceneAfter({ squares, kinds, values }, steps) {
  /** @type {Record<string, any>} */ const fields = {};
  /** @type {Map<string, object>} */ const pieces = new Map();
  for (const [changes, newValues] of steps) {
    for (let at = 0; at < changes.length; at += 2) {
      const [square, kind] = [squares[changes[at]], kinds[changes[at + 1]]];
      if (kind) pieces.set(square, { square, ...kind });
      else pieces.delete(square);
    }
    for (const at of newValues) fields[values[at][0]] = values[at][1];
  }
  return { ...fields, pieces: [...pieces.values()] };
}

export class Replay {
  /** @param {(game: number, ply: number) => void} onShow Called with the position that is shown. */
  constructor(onShow) {
    this.onShow = onShow;
    /** @type {BoardView} */ this.board = new BoardView(byId("board"), (square) => this.#describe(square));
    /** @type {Drawings} */ this.symbols = {};
    /** @type {Lists} */ this.lists = { squares: [], kinds: [], values: [] };
    /** @type {Step[]} */ this.steps = [];
    /** @type {string[]} */ this.moves = [];
    this.ply = 0;
    /** The position to be shown when its step comes. */ this.wanted = 0;
    this.timer = 0;
    this.slider = /** @type {HTMLInputElement} */ (byId("ply"));
    this.slider.oninput = () => this.go(this.slider.valueAsNumber);
    byId("first").onclick = () => this.go(0);
    byId("back").onclick = () => this.go(this.ply - 1);
    byId("next").onclick = () => this.go(this.ply + 1);
    byId("last").onclick = () => this.go(Infinity);
    byId("play").onclick = () => this.#run(!this.timer);
    byId("flip").onclick = () => this.board.flip();
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
    this.end = "";
    this.lists = { squares: [], kinds: [], values: [] };
    this.steps = [];
    this.moves = [];
    byId("game-title").textContent = gameTitle(game);
    byId("faults").textContent = game.faults.join(" | ");
    byId("now").textContent = "";
    byId("moves").replaceChildren();
  }

  /** @param {StepsMessage} message */
  receive(message) {
    if (message.game !== this.game?.id) return;
    this.lists = joined(this.lists, message);
    this.steps.push(...message.steps);
    for (const move of message.moves) this.#addMove(move.join(": "));
    byId("moves").append(...message.rest.map((move) => make("li", { className: "missing" }, move.join(": "))));
    this.end = message.complete ? message.problem || this.game.end : "";
    this.#show(Math.min(this.wanted, this.steps.length - 1));
  }

  /** @param {number} ply */
  go(ply) {
    this.#run(false);
    this.wanted = Math.max(0, ply);
    this.#show(Math.min(this.wanted, this.steps.length - 1));
  }

  /** @param {string} words */
  #addMove(words) {
    const ply = this.moves.push(words);
    const button = make("button", { onclick: () => this.go(ply) }, `${ply}. ${words}`);
    byId("moves").append(make("li", { className: ply <= (this.game?.opening ?? 0) ? "opening" : "" }, button));
  }

  /** @param {number} ply */
  #show(ply) {
    if (!this.game || !this.steps[ply]) return;
    const scene = sceneAfter(this.lists, this.steps.slice(0, ply + 1));
    this.ply = ply;
    this.board.setBoard(scene.board, this.symbols);
    this.board.draw(scene);
    this.slider.max = String(this.steps.length - 1);
    this.slider.value = String(ply);
    byId("now").textContent = this.#words();
    byId("notes").textContent = scene.notes.join(" | ");
    const list = byId("moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = /** @type {HTMLElement | undefined} */ (list.children[ply - 1]);
    item?.firstElementChild?.setAttribute("aria-current", "true");
    if (item) scrollTo(list, item);
    this.onShow(this.game.id, ply);
  }

  /** @param {string} square */
  #describe(square) {
    const { scene, pieces } = this.board;
    const piece = pieces.get(square)?.piece;
    return piece ? `${square} ${scene?.players[piece.player].name} ${piece.type}` : square;
  }

  #words() {
    const here = this.ply ? `${this.ply}. ${this.moves[this.ply - 1]}` : text("report.begins");
    return this.end && this.ply === this.steps.length - 1 ? `${here} — ${this.end}` : here;
  }

  /** @param {boolean} on */
  #run(on) {
    clearInterval(this.timer);
    this.timer = 0;
    byId("play").textContent = on ? text("report.stop") : text("report.play");
    if (!on) return;
    const isAtEnd = () => this.ply >= this.steps.length - 1;
    if (isAtEnd()) this.#show(0);
    this.timer = setInterval(() => {
      if (isAtEnd()) this.#run(false);
      else this.#show(this.ply + 1);
    }, PLY_TIME);
  }
}
