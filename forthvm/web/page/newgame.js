/**
 * The dialog for a new game: which game, variant and settings, against whom, and how much time.
 *
 * @import { Page } from "./app.js"
 * @import { Options, Setting } from "./types.js"
 */
import { byId, make, options, svgAddress } from "./dom.js";
import { seatName } from "./seats.js";
import { plainName, text } from "./texts.js";

export class NewGamePart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("new-dialog"));
    this.game = /** @type {HTMLSelectElement} */ (byId("new-game"));
    this.time = /** @type {HTMLSelectElement} */ (byId("new-time"));
    this.opponent = /** @type {HTMLSelectElement} */ (byId("new-opponent"));
    this.side = /** @type {HTMLSelectElement} */ (byId("new-side"));
    this.opponent.onchange = () => { this.side.disabled = !this.opponent.value; };
    /** The fields of the variant and the settings. @type {Map<string, HTMLSelectElement | HTMLInputElement>} */ this.fields = new Map();
    byId("new").onclick = () => this.#open();
    byId("new-form").onsubmit = (event) => {
      if (event.submitter === byId("new-start") && !this.#start()) event.preventDefault(); // the dialog stays
    };
    this.game.onchange = () => this.#ask();
    page.on("options", (message) => { if (message.game === this.game.value) this.#showOptions(message); });
  }

  #open() {
    const { game, state } = this.page;
    if (!game?.games) { // an exported file has one game
      this.page.send({ do: "new" });
      return;
    }
    this.game.replaceChildren(...options(game.games.map(({ name, title }) => [name, title]), game.name));
    const control = state?.clocks?.control ?? "";
    this.time.value = control;
    if (this.time.selectedIndex < 0) this.time.append(...options([[control, control]], control));
    this.#ask(); // the dialog opens with the answer
  }

  /** Ask for the options of the chosen game. @param {string} [variant] One of its variants. */
  #ask(variant) {
    this.page.send({ do: "options", game: this.game.value, variant });
  }

  /** @param {Options} options */
  #showOptions({ players, engines, variants, variant, settings, picture }) {
    const opponents = ["person", ...engines].map((by) => /** @type {[string, string]} */ ([by, seatName(this.page, by)]));
    this.opponent.replaceChildren(...options([["", text("new.same-seats")], ...opponents], ""));
    this.side.replaceChildren(...options(players.map((player) => [player, player]), players[0]));
    this.side.disabled = true;
    this.fields = new Map();
    const rows = settings.map((setting) => this.#row(setting.name, this.#field(setting), setting.help || plainName(setting.name)));
    byId("new-settings").hidden = !rows.length;
    byId("new-settings-rows").replaceChildren(...rows);
    byId("new-variants").replaceChildren();
    if (variants.length > 1) {
      const choice = make("select", {}, ...options(variants.map((title) => [title, title]), variant));
      choice.onchange = () => this.#ask(choice.value);
      byId("new-variants").append(this.#row("", choice, text("new.variant")));
    }
    /** @type {HTMLImageElement} */ (byId("new-picture")).src = svgAddress(picture);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** @param {Setting} setting */
  #field({ value, choices }) {
    if (!choices.length) return make("input", { value, inputMode: "numeric", size: 6 });
    return make("select", {}, ...options(choices.map((one) => [one.value, one.help || one.value]), value));
  }

  /** @param {string} name @param {HTMLSelectElement | HTMLInputElement} field @param {string} label */
  #row(name, field, label) {
    this.fields.set(name, field);
    return make("label", { className: "row", "data-setting": name }, make("span", {}, label), field);
  }

  /** @returns {boolean} Whether the request was sent. */
  #start() {
    const entries = [...this.fields].map(([name, field]) => [name, field.value]);
    const { "": variant = null, ...settings } = Object.fromEntries(entries.filter(([name, value]) => name === "" || value !== ""));
    return this.page.send({
      do: "new", game: this.game.value, variant, settings, time: this.time.value, opponent: this.opponent.value, side: this.side.value,
    });
  }
}
