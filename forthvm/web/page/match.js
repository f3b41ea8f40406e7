/**
 * The course of a game: taking back, offers to other people, resignation.
 *
 * @import { Page } from "./app.js"
 * @import { State } from "./types.js"
 */
import { ask } from "./ask.js";
import { byId } from "./dom.js";
import { text } from "./texts.js";

export class MatchPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    byId("resign").onclick = () => this.#resign();
    page.on("state", (state) => this.#show(state));
  }

  /** @param {State} state */
  #show(state) {
    const { offer, ply, may_redo } = state;
    this.page.set({ "may-ask-analysis": !state.allows_analysis, "may-resign": this.#resigning(state), "may-answer": offer?.asks_me, "may-withdraw": offer?.mine });
    byId("offer-words").textContent = offer ? text(`match.offer-${offer.kind}`, { player: offer.by.join(", ") }) : "";
    byId("undo").toggleAttribute("disabled", !ply);
    byId("redo").toggleAttribute("disabled", !may_redo);
  }

  /** The player who would resign: the one to move, else the first one of this window. @param {State} state */
  #resigning({ seats, scene, result }) {
    const mine = result ? [] : seats.filter((seat) => seat.mine && !seat.left).map(({ player }) => player);
    return mine.find((player) => player === scene.turn) ?? mine[0];
  }

  async #resign() {
    const { state } = this.page;
    const player = state && this.#resigning(state);
    if (player && await ask(text("match.really-resign", { player }), text("match.resign"))) this.page.send({ do: "resign", player });
  }
}
