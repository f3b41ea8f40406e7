/**
 * The catalogue of all texts that a person reads, in the language of the browser.
 *
 * Texts may contain places such as {player}, which `text` fills in.
 */

const LANGUAGES = ["en", "ru"];

/** @type {Record<string, string>} */
let texts = {};

/** Load the catalogue; English fills the gaps of other languages. */
export async function loadTexts() {
  const chosen = navigator.languages.map((name) => name.slice(0, 2)).find((name) => LANGUAGES.includes(name)) ?? "en";
  for (const language of new Set(["en", chosen])) {
    const answer = await fetch(`/page/texts/${language}.json`);
    texts = { ...texts, ...(await answer.json()) };
  }
  document.documentElement.lang = chosen;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = text(/** @type {HTMLElement} */ (element).dataset.text ?? "");
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", text(/** @type {HTMLElement} */ (element).dataset.label ?? ""));
  }
}

/**
 * Return a text of the catalogue.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @param {string} [missing] The text if the catalogue has none.
 * @returns {string}
 */
export function text(key, values = {}, missing = key) {
  return (texts[key] ?? missing).replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
}
