/**
 * The choice of a set of pieces: pictures of the rule file, drawings, letters, kanji.
 *
 * @import { Page } from "./app.js"
 */
import { byId, options } from "./dom.js";
import { remember, remembered } from "./preferences.js";
import { text } from "./texts.js";

export class PieceSetPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.select = /** @type {HTMLSelectElement} */ (byId("pieces"));
    this.select.onchange = () => { remember("pieces", this.select.value); this.#ask(); };
    page.on("game", ({ piece_sets }) => this.#offer(piece_sets ?? []));
    page.on("symbols", ({ symbols }) => page.setSymbols(symbols));
  }

  /** Offer the sets of a game; the one that was chosen last is chosen again if the game has it. @param {string[]} sets */
  #offer(sets) {
    const chosen = sets.find((set) => set === remembered("pieces")) ?? sets[0];
    this.select.replaceChildren(...options(sets.map((set) => {
      const [kind, number = ""] = set.split(" ");
      return [set, text(`settings.pieces-${kind}`, { number })];
    }), chosen));
    this.page.set({ "piece-sets": sets.length });
    if (chosen !== sets[0]) this.#ask();
  }

  #ask() {
    this.page.send({ do: "pieces", set: this.select.value });
  }
}
