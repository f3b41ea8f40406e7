/**
 * The keys of the page, and the dialog that lists them.
 *
 * @import { Preferences } from "./preferences.js"
 */
import { byId, make } from "./dom.js";
import { text } from "./texts.js";

/** Keys that the board itself knows. */
const OF_THE_BOARD = [
  ["keys.arrows", "keys.board-arrows"],
  ["keys.enter", "keys.board-enter"],
  ["keys.letters", "keys.board-letters"],
  ["keys.right-button", "keys.board-right-button"],
];
/** @type {Record<string, string>} */
const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", Backspace: "⌫", Home: "Home", End: "End" };

export class Shortcuts {
  /** @param {Preferences} preferences */
  constructor(preferences) {
    this.preferences = preferences;
    /** @type {{keys: string[], label: string, run: () => void}[]} */ this.list = [];
    this.add(["?"], "keys.help", () => this.#help());
    document.addEventListener("keydown", (event) => this.#key(event));
    byId("help").onclick = () => this.#help();
    this.add(["m"], "keys.sounds", () => preferences.set("sounds", preferences.is("sounds") ? "off" : "on"));
  }

  /** @param {string[]} keys @param {string} label A key of the catalogue. @param {() => void} run */
  add(keys, label, run) {
    this.list.push({ keys, label, run });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return;
    const isSign = key.length === 1 && key !== " ";
    if (isSign && byId("board").contains(/** @type {Node} */ (target)) && key !== "?") {
      byId("typed").focus(); // the letter goes there
      return;
    }
    if (isSign && !this.preferences.is("letters")) return;
    const shortcut = this.list.find(({ keys }) => keys.includes(isSign ? key.toLowerCase() : key));
    if (!shortcut) return;
    event.preventDefault();
    shortcut.run();
  }

  #help() {
    const row = (/** @type {string} */ keys, /** @type {string} */ label) =>
      make("tr", {}, make("th", { scope: "row" }, keys), make("td", {}, text(label)));
    const own = this.list.map(({ keys, label }) => row(keys.map((key) => NAMES[key] ?? key.toUpperCase()).join(" "), label));
    byId("help-keys").replaceChildren(...own, ...OF_THE_BOARD.map(([keys, label]) => row(text(keys), label)));
    /** @type {HTMLDialogElement} */ (byId("help-dialog")).showModal();
  }
}
