/**
 * What a person prefers, remembered by the browser, and the tab that changes it.
 *
 * @import { Page } from "./app.js"
 */
import { make } from "./dom.js";
import { LANGUAGES } from "./texts.js";

const PREFIX = "forthvm.";
/** The values that each preference can have; the first is the default. */
const CHOICES = {
  theme: ["system", "light", "dark"],
  language: ["", ...LANGUAGES],
  sounds: ["off", "on"],
  motion: ["on", "off"],
  letters: ["on", "off"],
};
/** @typedef {keyof typeof CHOICES} Name */
const NAMES = /** @type {Name[]} */ (Object.keys(CHOICES));

export class Preferences {
  constructor() {
    /** @type {Map<Name, string>} */ this.values = new Map();
    /** @type {{name: Name, run: (value: string) => void}[]} */ this.listeners = [];
    for (const name of NAMES) {
      const stored = this.#stored(name);
      this.values.set(name, stored !== null && CHOICES[name].includes(stored) ? stored : CHOICES[name][0]);
    }
  }

  /** @param {Name} name */
  get(name) {
    return this.values.get(name) ?? "";
  }

  /** Whether something is on. @param {Name} name */
  is(name) {
    return this.get(name) === "on";
  }

  /** @param {Name} name @param {string} value */
  set(name, value) {
    this.values.set(name, value);
    try {
      localStorage.setItem(PREFIX + name, value);
    } catch {
      // Not remembered: the browser does not allow it.
    }
    for (const { run } of this.listeners.filter((one) => one.name === name)) run(value);
  }

  /** @param {Name} name @param {(value: string) => void} run */
  onChange(name, run) {
    this.listeners.push({ name, run });
  }

  /** @param {string} name */
  #stored(name) {
    try {
      return localStorage.getItem(PREFIX + name);
    } catch {
      return null;
    }
  }
}

export class SettingsPart {
  /** @param {Page} page */
  constructor(page) {
    const { preferences } = page;
    page.panel("settings").append(...NAMES.map((name) => this.#row(preferences, name)));
    const theme = () => document.documentElement.setAttribute("data-theme", preferences.get("theme"));
    const motion = () => { page.board.animated = preferences.is("motion"); };
    preferences.onChange("theme", theme);
    preferences.onChange("motion", motion);
    theme();
    motion();
    page.shortcut(["m"], "keys.sounds", () => preferences.set("sounds", preferences.is("sounds") ? "off" : "on"));
  }

  /** @param {Preferences} preferences @param {Name} name */
  #row(preferences, name) {
    const options = CHOICES[name].map((value) =>
      make("option", { value, selected: value === preferences.get(name), "data-text": optionText(name, value) }),
    );
    const select = make("select", { name, onchange: () => preferences.set(name, select.value) }, ...options);
    preferences.onChange(name, (value) => { select.value = value; });
    return make("label", { className: "row" }, make("span", { "data-text": `settings.${name}` }), select);
  }
}

/** @param {Name} name @param {string} value */
function optionText(name, value) {
  if (value === "on" || value === "off") return `settings.${value}`;
  return `settings.${name}-${value || "browser"}`;
}
