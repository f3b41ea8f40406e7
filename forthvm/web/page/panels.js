/**
 * The tabs of the panel beside the board.
 */

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

export class Panels {
  constructor() {
    this.tabs = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[role=tab]"))];
    for (const tab of this.tabs) {
      tab.onclick = () => this.#open(tab);
      tab.onkeydown = (event) => this.#key(event, tab);
    }
  }

  /** Open a tab. @param {string} name */
  open(name) {
    const tab = this.tabs.find(({ id }) => id === `tab-${name}`);
    if (tab) this.#open(tab);
  }

  /** @param {HTMLElement} chosen */
  #open(chosen) {
    for (const tab of this.tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = !isChosen;
    }
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} tab */
  #key(event, tab) {
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    if (step === undefined) return;
    const tabs = this.tabs.filter(({ hidden }) => !hidden);
    const at = Math.min(Math.max(tabs.indexOf(tab) + step, 0), tabs.length - 1);
    this.#open(tabs[at]);
    tabs[at].focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
