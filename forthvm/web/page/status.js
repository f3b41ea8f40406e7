/**
 * Says what happens: whose turn it is, the result, the last move, what an engine thinks, and sounds.
 *
 * @import { Page, Shown } from "./app.js"
 * @import { Coded, Happening, Scene, State } from "./types.js"
 */
import { byId, make } from "./dom.js";
import { playSound } from "./sounds.js";
import { text } from "./texts.js";

export class StatusPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.ply = -1;
    this.pieces = 0;
    page.on("shown", (shown) => this.#show(shown));
    page.on("state", (state) => this.#tell(state));
    page.on("refused", () => this.#sound("refused"));
    page.on("thinking", (message) => { byId("engine").textContent = text("status.thinking", message); });
    page.on("info", ({ depth, score, pv, short = [] }) => {
      const moves = pv.map((/** @type {string} */ move, /** @type {number} */ at) => page.preferences.words(move, short[at])).join("; ");
      byId("engine").textContent = text("status.info", { depth: depth ?? "–", score: score ?? "–", moves });
    });
    page.preferences.onChange("moves", () => page.shown && this.#show(page.shown));
  }

  /** @param {Shown} shown */
  #show({ scene }) {
    byId("status").textContent = this.#status(scene);
    byId("notes").replaceChildren(...scene.notes.map((note) => make("li", {}, note)));
    const { events, players } = scene;
    let first = events.length - 1;
    while (first > 0 && players[events[first].player]?.chance) first -= 1; // a throw of dice is shown after a move
    const last = events.slice(first);
    byId("last").textContent = last.map((event) => inWords(scene, event, this.page.preferences.words(event.move, event.short))).join(" ");
    byId("last").title = last.some(({ short }) => short) ? last.map(({ move }) => move).join("; ") : "";
  }

  /** Whose turn it is, or how the game ended. @param {Scene} scene */
  #status(scene) {
    const { state } = this.page;
    if (state?.scene === scene && state.result) return resultText(state.result);
    return scene.result ?? text("status.turn", { player: scene.turn ?? "" });
  }

  /** Say a new move, and whose turn it is. @param {State} state */
  #tell(state) {
    byId("engine").textContent = "";
    const { scene, ply } = state;
    const isNew = ply > this.ply && this.ply >= 0;
    const taken = scene.pieces.length < this.pieces;
    [this.ply, this.pieces] = [ply, scene.pieces.length];
    if (!isNew) return;
    this.page.say([...scene.events.map((event) => inWords(scene, event)), this.#status(scene)].join(" "));
    this.#sound(state.result ? "end" : taken ? "capture" : "move");
  }

  /** @param {string} name */
  #sound(name) {
    if (this.page.preferences.is("sounds")) playSound(name);
  }
}

/** How a game ended. @param {Coded} result */
export const resultText = ({ code, values, text: english }) => text(`result.${code}`, values, english);

/**
 * A move and its effects, as sentences; of a move of chance only the effects.
 * @param {Scene} scene
 * @param {Happening} event
 */
function inWords({ players }, { player, move: full, effects }, move = full) {
  return [...(players[player]?.chance ? [] : [`${players[player]?.name ?? ""}: ${move}.`]), ...effects].join(" ");
}
