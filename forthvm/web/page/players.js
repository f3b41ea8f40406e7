/**
 * The bars of the players above and below the board: name, outline, store, captured pieces, whose turn it is; and the dice.
 *
 * @import { Page } from "./app.js"
 * @import { Follow, Material, Player, Scene, State } from "./types.js"
 */
import { captures } from "./captures.js";
import { byId, make, makeSvg } from "./dom.js";
import { pieceIcon } from "./pieces.js";
import { text } from "./texts.js";

const PIPS = ["", "4", "08", "048", "0268", "02468", "023568"]; // in a box of 3 by 3
const TWO = 2;
const UNLIMITED = 1000; // rule files write 9999 for a store that is never empty

export class PlayersPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {Map<string, HTMLElement>} */ this.bars = new Map();
    /** The pieces that may be clicked. @type {Follow[]} */ this.open = [];
    /** Whether the player of this window begins on the upper side. */ this.isAbove = false;
    /** The players of people elsewhere who have no window open. @type {string[]} */ this.absent = [];
    page.on("absent", ({ players }) => { this.absent = players; if (page.shown) this.#show(page.shown.scene); });
    page.on("game", () => this.bars.clear());
    page.on("state", (state) => this.#turnBoard(state));
    page.on("shown", ({ scene }) => this.#show(scene));
    page.on("stores", (open) => { this.open = open; this.#showStores(); });
    page.on("flipped", () => { if (page.shown && this.bars.size) this.#place(page.shown.scene); });
  }

  /** Turn the board if the player of this window is not on the lower side. @param {State} state */
  #turnBoard({ seats, scene }) {
    const names = barred(scene).map(({ name }) => name);
    const mine = seats.filter((seat) => seat.mine).map(({ player }) => player);
    const isAbove = mine.includes(names[Math.floor(names.length / TWO)]) && !mine.includes(names[0]);
    const { board } = this.page;
    const turns = isAbove !== this.isAbove && isAbove !== board.flipped;
    this.isAbove = isAbove;
    if (!turns) return;
    board.flip();
    this.page.emit("flipped");
  }

  /** @param {Scene} scene */
  #show(scene) {
    const shown = barred(scene);
    if (shown.some(({ name }) => !this.bars.has(name)) || this.bars.size !== shown.length) {
      this.bars = new Map(shown.map((player) => [player.name, this.#bar(player)]));
      this.#place(scene);
    }
    for (const player of shown) {
      const bar = /** @type {HTMLElement} */ (this.bars.get(player.name));
      bar.classList.toggle("turn", player.name === scene.turn);
      bar.classList.toggle("eliminated", player.eliminated);
      const states = [
        player.eliminated ? "players.eliminated" : player.name === scene.turn ? "players.turn" : "",
        this.absent.includes(player.name) ? "players.absent" : "",
      ];
      part(bar, "turn-sign").textContent = states.filter(Boolean).map((state) => text(state)).join(" · ");
    }
    byId("dice").replaceChildren(...scene.dice.map(die));
    this.#showOrder(scene);
    this.#showStores();
    this.#showCaptures(scene);
  }

  /** @param {Player} player */
  #bar(player) {
    const sign = { type: player.name, label: "", symbol: null };
    return make("div", { className: "bar", "data-player": player.name, role: "group", ariaLabel: player.name },
      pieceIcon(sign, player, this.page.board.drawings), make("span", { className: "name" }, player.name),
      make("span", { className: "turn-sign" }),
      ...(this.page.game?.has_secrets ? [] : [make("span", { className: "captured", role: "img" })]),
      make("span", { className: "clock", role: "timer", hidden: true }), make("ul", { className: "store" }));
  }

  /** The first player is at the lower left; the others follow clockwise, half of them above the board. @param {Scene} scene */
  #place(scene) {
    const [first, ...others] = barred(scene).map(({ name }) => name);
    const above = Math.ceil(others.length / TWO);
    const sides = [others.slice(0, above), [first, ...others.slice(above).reverse()]];
    const [top, bottom] = this.page.board.flipped ? sides.reverse() : sides;
    for (const [id, side] of /** @type {[string, string[]][]} */ ([["players-top", top], ["players-bottom", bottom]])) {
      byId(id).replaceChildren(...side.flatMap((name) => this.bars.get(name) ?? []));
    }
  }

  /** The pieces in the stores; those that may be clicked are buttons. */
  #showStores() {
    const { page } = this;
    for (const player of page.shown?.scene.players ?? []) {
      const bar = this.bars.get(player.name);
      if (!bar) continue;
      part(bar, "store").replaceChildren(...player.store.map((stored) => {
        const follow = this.open.find(([, name, owner]) => name === stored.type && owner === player.name);
        const count = stored.count < UNLIMITED ? String(stored.count) : "∞";
        const words = text("players.stored", { type: stored.type, count });
        const inside = [pieceIcon(stored, player, page.board.drawings), make("span", { ariaHidden: "true" }, count)];
        const piece = follow
          ? make("button", { "data-stored": stored.type, ariaLabel: words, title: words, onclick: () => page.emit("click", follow) }, ...inside)
          : make("span", { role: "img", ariaLabel: words, title: words }, ...inside);
        return make("li", {}, piece);
      }));
    }
  }

  /** The pieces that each player has captured, and the lead in their values; where they are not known, the pieces on the board. @param {Scene} scene */
  #showCaptures({ pieces, players }) {
    const { game, board, shown, state } = this.page;
    const material = state?.material ?? game?.material ?? [];
    const beside = new Set((shown?.board ?? game?.board)?.squares.filter((square) => square.beside).map(({ name }) => name));
    const known = Boolean(material.length);
    const captured = captures(material, pieces);
    const sum = (/** @type {Material[]} */ taken) => taken.reduce((total, { count, value }) => total + count * value, 0);
    const all = sum([...captured.values()].flat());
    for (const [at, { name }] of players.entries()) {
      const place = this.bars.get(name)?.querySelector(".captured");
      if (!place) continue;
      const taken = captured.get(at) ?? [];
      const count = pieces.filter(({ player, square }) => player === at && !beside.has(square)).length;
      const lead = Math.round(2 * sum(taken) - all);
      const listed = taken.map((one) => `${one.type} ${one.count}`).join(", ");
      const words = known ? text(taken.length ? "players.captured" : "players.captured-none", { pieces: listed }) : text("players.pieces", { count });
      place.setAttribute("aria-label", words);
      place.setAttribute("title", words);
      place.replaceChildren(...taken.flatMap((one) => [
        pieceIcon(one, players[one.player], board.drawings), make("span", { ariaHidden: "true" }, one.count > 1 ? String(one.count) : ""),
      ]), make("span", { ariaHidden: "true" }, known ? (lead > 0 ? `+${lead}` : "") : String(count)));
    }
  }

  /** The order of turns, if there are more than two players. @param {Scene} scene */
  #showOrder(scene) {
    const order = byId("order");
    order.hidden = barred(scene).length <= TWO || !scene.turns.length;
    const out = scene.players.filter(({ eliminated }) => eliminated);
    order.replaceChildren(
      ...scene.turns.filter(({ player }) => !scene.players[player].chance).map(({ player, moves }) => make("li", {}, scene.players[player].name + (moves > 1 ? ` ×${moves}` : ""))),
      ...out.map(({ name }) => make("li", {}, make("s", {}, name))),
    );
  }
}

/** The players who can win. @param {Scene} scene */
export const contestants = ({ players }) => players.filter(({ neutral, chance }) => !neutral && !chance);

/** The players that have a bar. @param {Scene} scene */
const barred = ({ players }) => players.filter(({ neutral, chance, store }) => (!neutral && !chance) || store.length);

/** @param {HTMLElement} bar @param {string} name @returns {HTMLElement} */
const part = (bar, name) => /** @type {HTMLElement} */ (bar.querySelector(`.${name}`));

/** @param {number} value */
function die(value) {
  const face = makeSvg("svg", { class: "die", viewBox: "0 0 36 36", role: "img", "aria-label": text("players.die", { value }) },
    makeSvg("rect", { x: 1, y: 1, width: 34, height: 34, rx: 7 }));
  const pips = PIPS[value];
  if (pips === undefined) face.append(makeSvg("text", { x: 18, y: 19 }, String(value)));
  else face.append(...[...pips].map(Number).map((at) => makeSvg("circle", { cx: 9 + 9 * (at % 3), cy: 9 + 9 * Math.floor(at / 3), r: 3.2 })));
  return face;
}
