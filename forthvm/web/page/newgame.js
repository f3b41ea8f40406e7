/**
 * The dialog for a new game: which game, variant and settings, and how much time.
 *
 * @import { Page } from "./app.js"
 * @import { Options, Setting } from "./types.js"
 */
import { byId, make } from "./dom.js";
import { text } from "./texts.js";

const TIMES = ["", "1+0", "3+2", "5+3", "10+5", "15+10", "30+20", "90+30"]; // minutes, and seconds after each turn

export class NewGamePart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("new-dialog"));
    this.game = /** @type {HTMLSelectElement} */ (byId("new-game"));
    this.time = /** @type {HTMLSelectElement} */ (byId("new-time"));
    /** The fields of the variant and the settings. @type {Map<string, HTMLSelectElement | HTMLInputElement>} */ this.fields = new Map();
    byId("new").onclick = () => this.#open();
    byId("new-cancel").onclick = () => this.dialog.close();
    byId("new-start").onclick = () => this.#start();
    this.game.onchange = () => page.send({ do: "options", game: this.game.value });
    page.on("options", (message) => { if (message.game === this.game.value) this.#showOptions(message); });
    page.on("state", (state) => { byId("new").hidden = !state.is_owner; });
  }

  #open() {
    const { game, state } = this.page;
    if (!game?.games?.length) { // an exported file has one game
      this.page.send({ do: "new" });
      return;
    }
    this.game.replaceChildren(...game.games.map(({ name, title }) => make("option", { value: name, selected: name === game.name }, title)));
    const control = state?.clocks?.control ?? "";
    const times = TIMES.includes(control) ? TIMES : [...TIMES, control];
    this.time.replaceChildren(...times.map((time) => make("option", { value: time, selected: time === control }, time || text("new.no-clock"))));
    this.#showOptions(game.options ?? { variants: [], variant: null, settings: [] });
    this.dialog.showModal();
  }

  /** @param {Options} options */
  #showOptions({ variants, variant, settings }) {
    this.fields = new Map();
    const rows = settings.map((setting) => this.#row(setting.name, this.#field(setting), setting.help));
    if (variants.length > 1) {
      const choices = variants.map((title) => make("option", { value: title, selected: title === variant }, title));
      rows.unshift(this.#row("", make("select", {}, ...choices), "", text("new.variant")));
    }
    byId("new-options").replaceChildren(...rows);
  }

  /** @param {Setting} setting */
  #field({ value, choices }) {
    if (!choices.length) return make("input", { value, inputMode: "numeric", size: 6 });
    return make("select", {}, ...choices.map((choice) => {
      const words = choice.help ? `${choice.value}: ${choice.help}` : choice.value;
      return make("option", { value: choice.value, selected: choice.value === value }, words);
    }));
  }

  /** @param {string} name @param {HTMLSelectElement | HTMLInputElement} field @param {string} help @param {string} label */
  #row(name, field, help, label = name) {
    this.fields.set(name, field);
    return make("label", { className: "row", title: help }, make("span", {}, label), field);
  }

  #start() {
    const entries = [...this.fields].map(([name, field]) => [name, field.value]);
    const { "": variant = null, ...settings } = Object.fromEntries(entries.filter(([name, value]) => name === "" || value !== ""));
    if (this.page.send({ do: "new", game: this.game.value, variant, settings, time: this.time.value })) this.dialog.close();
  }
}
