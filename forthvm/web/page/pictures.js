/**
 * The choice between the pictures of a rule file and the symbols of forthvm.
 *
 * @import { Page } from "./app.js"
 */
import { byId, options } from "./dom.js";
import { text } from "./texts.js";

const SYMBOLS = "-1";

export class PicturesPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.select = /** @type {HTMLSelectElement} */ (byId("pictures"));
    this.select.onchange = () => this.#ask();
    page.on("game", ({ picture_sets }) => this.#offer(picture_sets ?? 0));
    page.on("symbols", ({ symbols }) => page.setSymbols(symbols));
  }

  /** @param {number} sets */
  #offer(sets) {
    const chosen = this.select.value || "0";
    const numbers = [...Array(sets).keys()];
    this.select.replaceChildren(
      ...options(numbers.map((number) => [String(number), text("settings.pictures-set", { number: number + 1 })]), chosen),
      ...options([[SYMBOLS, text("settings.pictures-none")]], chosen),
    );
    this.page.set({ pictures: sets });
    if (sets && this.select.value !== "0") this.#ask();
  }

  #ask() {
    this.page.send({ do: "pictures", set: Number(this.select.value) });
  }
}
