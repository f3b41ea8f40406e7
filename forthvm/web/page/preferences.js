/**
 * What a person prefers: the selections of the tab of settings, remembered by the browser.
 *
 * @typedef {"theme" | "language" | "board" | "sounds" | "motion" | "letters" | "moves"} Name
 */
import { byId } from "./dom.js";

const PREFIX = "forthvm.";

export class Preferences {
  constructor() {
    this.form = /** @type {HTMLFormElement} */ (byId("preferences"));
    for (const select of this.form.querySelectorAll("select")) {
      const option = [...select.options].find(({ value }) => value === remembered(select.name));
      if (option) option.selected = true;
      select.addEventListener("change", () => remember(select.name, select.value));
    }
  }

  /** @param {Name} name */
  get(name) {
    return this.#select(name).value;
  }

  /** Whether something is on. @param {Name} name */
  is(name) {
    return this.get(name) === "on";
  }

  /** A move as the person reads it: in short, if the game has a short notation. @param {string} move @param {string} [short] */
  words(move, short) {
    return (this.get("moves") === "short" && short) || move;
  }

  /** @param {Name} name @param {string} value */
  set(name, value) {
    this.#select(name).value = value;
    this.#select(name).dispatchEvent(new Event("change"));
  }

  /** @param {Name} name @param {() => void} run */
  onChange(name, run) {
    this.#select(name).addEventListener("change", run);
  }

  /** @param {Name} name */
  #select(name) {
    return /** @type {HTMLSelectElement} */ (this.form.elements.namedItem(name));
  }
}

/** What the browser has remembered under a name. @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null; // the browser does not allow it
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
    return true;
  } catch {
    return false; // the browser does not allow it
  }
}
