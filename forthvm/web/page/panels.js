/**
 * The tabs of the panel beside the board: a click or an arrow key opens one.
 */
import { byId } from "./dom.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

/** @returns {HTMLElement[]} */
const allTabs = () => [...document.querySelectorAll("[role=tab]")].map((tab) => /** @type {HTMLElement} */ (tab));

export function startTabs() {
  for (const tab of allTabs()) {
    tab.onclick = () => open(tab);
    tab.onkeydown = (event) => pressed(event, tab);
  }
}

/** @param {HTMLElement} chosen */
function open(chosen) {
  for (const tab of allTabs()) {
    const isChosen = tab === chosen;
    tab.ariaSelected = String(isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    byId(tab.getAttribute("aria-controls") ?? "").hidden = !isChosen;
  }
}

/** @param {KeyboardEvent} event @param {HTMLElement} tab */
function pressed(event, tab) {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const tabs = allTabs().filter(({ hidden }) => !hidden);
  const next = tabs[Math.min(Math.max(tabs.indexOf(tab) + step, 0), tabs.length - 1)];
  open(next);
  next.focus();
  event.preventDefault();
  event.stopPropagation();
}
