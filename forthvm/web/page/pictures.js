/**
 * The choice between the pictures of a rule file and the symbols of forthvm.
 *
 * @import { Page } from "./app.js"
 */
import { make } from "./dom.js";
import { text, translate } from "./texts.js";

const SYMBOLS = -1;

export class PicturesPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.chosen = 0;
    this.select = make("select", { name: "pictures", onchange: () => this.#choose(Number(this.select.value)) });
    this.row = make("label", { className: "row" }, make("span", { "data-text": "settings.pictures" }), this.select);
    page.on("game", ({ picture_sets }) => this.#offer(picture_sets ?? 0));
    page.on("symbols", ({ symbols }) => page.setSymbols(symbols));
  }

  /** @param {number} sets */
  #offer(sets) {
    if (sets === 0) this.row.remove();
    else this.page.panel("settings").append(this.row);
    const numbers = [...Array(sets).keys(), SYMBOLS];
    this.select.replaceChildren(...numbers.map((number) => make("option", { value: String(number), selected: number === this.chosen },
      number === SYMBOLS ? text("settings.pictures-none") : text("settings.pictures-set", { number: number + 1 }))));
    translate(this.row);
    if (sets && this.chosen !== 0) this.#choose(this.chosen);
  }

  /** @param {number} set */
  #choose(set) {
    this.chosen = set;
    this.page.send({ do: "pictures", set });
  }
}
