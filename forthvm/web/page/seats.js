/**
 * Who plays for each player, links for people elsewhere, and the buttons that change the table.
 *
 * @typedef {import("./app.js").Page} Page
 * @typedef {import("./types.js").State} State
 * @typedef {{player: string, by: string, mine: boolean, key: string | null}} Seat
 *   The key is there for the owner only.
 */
import { byId, make } from "./dom.js";
import { text } from "./texts.js";

/** The seats of people here and elsewhere; others are engines. */
const PEOPLE = ["person", "guest"];

/** @param {string} key */
const linkOf = (key) => `${location.origin}/?key=${encodeURIComponent(key)}`;

export class SeatsPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    for (const request of ["undo", "redo", "new"]) byId(request).onclick = () => page.send({ do: request });
    page.on("state", (state) => this.#show(state));
  }

  /** @param {State} state */
  #show(state) {
    const watch = state.watch_key === null ? [] : [this.#link(text("seats.watch-link"), state.watch_key)];
    byId("seats").replaceChildren(...state.seats.flatMap((seat) => this.#row(state, seat)), ...watch);
    /** @type {HTMLButtonElement} */ (byId("undo")).disabled = !state.ply;
    /** @type {HTMLButtonElement} */ (byId("redo")).disabled = !state.may_redo;
  }

  /** @param {State} state @param {Seat} seat @returns {HTMLElement[]} */
  #row(state, seat) {
    if (!state.is_owner) {
      const who = seat.mine ? text("seats.you") : this.#name(seat.by);
      return [make("p", { className: "row" }, make("span", {}, seat.player), who)];
    }
    const row = make("label", { className: "row" }, make("span", {}, seat.player), this.#choice(state, seat));
    if (seat.by !== "guest" || seat.key === null) return [row];
    const renew = make("button", {
      onclick: () => this.page.send({ do: "renew", player: seat.player }), title: text("seats.renew-help"),
    }, text("seats.renew"));
    return [row, this.#link(text("seats.link", { player: seat.player }), seat.key, renew)];
  }

  /** @param {State} state @param {Seat} seat */
  #choice({ engines }, { player, by }) {
    const options = [...PEOPLE, ...engines].map((value) =>
      make("option", { value, selected: value === by }, this.#name(value)),
    );
    const select = make("select", {
      ariaLabel: text("seats.seat", { player }),
      onchange: () => this.page.send({ do: "seat", player, by: select.value }),
    }, ...options);
    return select;
  }

  /** @param {string} by */
  #name(by) {
    return PEOPLE.includes(by) ? text(`seats.${by}`) : by;
  }

  /**
   * A link for another person, to be copied.
   * @param {string} label
   * @param {string} key
   * @param {HTMLElement[]} buttons
   */
  #link(label, key, ...buttons) {
    const field = make("input", { readOnly: true, value: linkOf(key), ariaLabel: label, onfocus: () => field.select() });
    const copy = make("button", { onclick: () => this.#copy(field) }, text("seats.copy"));
    return make("details", { className: "link" }, make("summary", {}, label), field, copy, ...buttons);
  }

  /** @param {HTMLInputElement} field */
  #copy(field) {
    field.select();
    navigator.clipboard?.writeText(field.value); // only where the page is served by HTTPS or from this computer
  }
}
