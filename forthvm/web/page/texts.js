/**
 * The catalogue of all texts that a person reads.
 *
 * Texts contain places such as {player}, which `text` fills in.  A text with plural forms is an object; the value
 * `count` chooses the form by the rules of the language.
 *
 * @typedef {string | Record<string, string>} Entry
 */

export const LANGUAGES = ["en", "ru"];

/** @type {Record<string, Entry>} */ let texts = {};
let language = "en";

/** The language of the browser, if there is a catalogue for it. */
export function browserLanguage() {
  return navigator.languages.map((name) => name.slice(0, 2)).find((name) => LANGUAGES.includes(name)) ?? "en";
}

/**
 * Use a language; English fills its gaps.
 * @param {string} chosen
 * @param {(language: string) => Promise<Record<string, Entry>>} load
 */
export async function loadTexts(chosen, load) {
  const [english, own] = await Promise.all([load("en"), chosen === "en" ? {} : load(chosen)]);
  texts = { ...english, ...own };
  language = chosen;
  document.documentElement.lang = chosen;
  translate(document);
}

/** Show the texts of the elements that name one. @param {ParentNode} root */
export function translate(root) {
  for (const element of root.querySelectorAll("[data-text]")) {
    element.textContent = text(element.getAttribute("data-text") ?? "");
  }
  for (const element of root.querySelectorAll("[data-label]")) {
    const label = text(element.getAttribute("data-label") ?? "");
    element.setAttribute("aria-label", label);
    if (element.tagName === "BUTTON") element.setAttribute("title", label);
    if (element.matches("input, textarea")) element.setAttribute("placeholder", label);
  }
}

/**
 * Return a text of the catalogue.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @param {string} [missing] The text if the catalogue has none.
 * @returns {string}
 */
export function text(key, values = {}, missing = key) {
  const entry = texts[key] ?? missing;
  const form = typeof entry === "string" ? entry : pluralForm(entry, Number(values.count));
  return form.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}

/** @param {Record<string, string>} forms @param {number} count */
const pluralForm = (forms, count) => forms[new Intl.PluralRules(language).select(count)] ?? forms.other;

/** The name of a setting, such as `dead-positions`, as people write it. @param {string} name */
export const plainName = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
