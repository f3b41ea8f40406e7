/**
 * The course of a game: taking back, offers to other people, resignation, a rematch, moving now.
 *
 * @import { Page } from "./app.js"
 * @import { State } from "./types.js"
 */
import { byId, make } from "./dom.js";
import { text } from "./texts.js";

/** The requests of the buttons that need no question. @type {Record<string, object>} */
const REQUESTS = {
  "undo": { do: "undo" }, "step-back": { do: "step back" }, "redo": { do: "redo" }, "move-now": { do: "move now" },
  "draw": { do: "offer", kind: "draw" }, "rematch": { do: "offer", kind: "rematch" },
};

export class MatchPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    for (const [id, request] of Object.entries(REQUESTS)) byId(id).onclick = () => page.send(request);
    byId("resign").onclick = () => this.#resign();
    page.on("state", (state) => this.#show(state));
    page.on("thinking", () => { byId("move-now").hidden = false; });
  }

  /** @param {State} state */
  #show(state) {
    const plays = state.seats.some(({ mine }) => mine);
    const may = plays || state.is_owner;
    const hidden = {
      "undo": !may, "redo": !state.is_owner, "step-back": !state.may_step_back, "move-now": true, "draw": !state.may_draw,
      "rematch": !may || !state.result, "resign": !this.#resigning(state),
    };
    for (const [id, is] of Object.entries(hidden)) byId(id).hidden = is;
    /** @type {HTMLButtonElement} */ (byId("undo")).disabled = !state.ply;
    /** @type {HTMLButtonElement} */ (byId("redo")).disabled = !state.may_redo;
    this.#showOffer(state);
  }

  /** The player who would resign: the one to move, else the first one of this window. @param {State} state */
  #resigning({ seats, scene, result }) {
    const mine = result ? [] : seats.filter((seat) => seat.mine && !seat.left).map(({ player }) => player);
    return mine.find((player) => player === scene.turn) ?? mine[0];
  }

  #resign() {
    const { state } = this.page;
    const player = state && this.#resigning(state);
    if (player && confirm(text("match.really-resign", { player }))) this.page.send({ do: "resign", player });
  }

  /** The offer that waits for an answer. @param {State} state */
  #showOffer({ offer }) {
    const place = byId("offer");
    place.hidden = !offer;
    if (!offer) {
      place.replaceChildren();
      return;
    }
    const answer = (/** @type {boolean} */ agrees) => () => this.page.send({ do: "answer", agrees });
    const words = text(`match.offer-${offer.kind}`, { player: offer.by.join(", ") });
    const buttons = offer.asks_me
      ? [make("button", { className: "primary", onclick: answer(true) }, text("match.agree")), make("button", { onclick: answer(false) }, text("match.refuse"))]
      : offer.mine ? [make("button", { onclick: answer(false) }, text("match.withdraw"))] : [];
    place.replaceChildren(`${words} `, ...buttons);
  }
}
