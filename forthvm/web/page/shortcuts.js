/**
 * The keys of the page, which the dialog in index.html lists.
 *
 * @import { Preferences } from "./preferences.js"
 */
import { byId } from "./dom.js";

export class Shortcuts {
  /** @param {Preferences} preferences */
  constructor(preferences) {
    this.preferences = preferences;
    /** @type {Map<string, () => void>} */ this.actions = new Map();
    this.add("?", () => byId("help").click());
    this.add("m", () => preferences.set("sounds", preferences.is("sounds") ? "off" : "on"));
    byId("help").onclick = () => /** @type {HTMLDialogElement} */ (byId("help-dialog")).showModal();
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Run a function when a key is pressed. @param {string} key @param {() => void} run */
  add(key, run) {
    this.actions.set(key, run);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog:modal")) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement) return;
    const isSign = key.length === 1 && key !== " ";
    if (isSign && byId("board").contains(/** @type {Node} */ (target)) && key !== "?") {
      byId("tab-game").click(); // the field is there
      byId("typed").focus(); // the letter goes there
      return;
    }
    if (isSign && !this.preferences.is("letters")) return;
    const run = this.actions.get(isSign ? key.toLowerCase() : key);
    if (!run) return;
    event.preventDefault();
    run();
  }
}
