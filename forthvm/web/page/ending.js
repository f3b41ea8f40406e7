/**
 * The end of a game: a card over the board with the result, its reason, and what can be done next.
 *
 * @import { Page } from "./app.js"
 * @import { State } from "./types.js"
 */
import { byId, make } from "./dom.js";
import { resultText } from "./status.js";

export class EndingPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.card = /** @type {HTMLDialogElement} */ (byId("ending"));
    /** Whether the game went on when the last state came: a game that had ended before shows no card. */ this.wentOn = false;
    page.on("state", (state) => this.#show(state));
    page.on("shown", () => { if (!page.live) this.card.close(); });
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.card.close(); });
    byId("ending-new").onclick = () => byId("new").click();
    byId("ending-review").onclick = () => byId("tab-analysis").click();
    this.card.onclick = ({ target }) => { if (/** @type {Element} */ (target).closest("button")) this.card.close(); };
  }

  /** @param {State} state */
  #show({ result, scene }) {
    const ends = this.wentOn && result !== null && result.code !== "analysis";
    this.wentOn = result === null;
    if (!ends) {
      if (!result) this.card.close();
      return;
    }
    const [headline, ...reason] = resultText(result).split(": ");
    byId("ending-title").textContent = headline;
    byId("ending-reason").textContent = reason.join(": ");
    byId("ending-notes").replaceChildren(...scene.notes.map((note) => make("li", {}, note)));
    if (this.page.live) this.card.show();
  }
}
