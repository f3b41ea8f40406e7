/**
 * The panel of the players: who plays for each, links for people elsewhere, and the pieces in the stores.
 *
 * @typedef {import("./app.js").State} State
 * @typedef {{player: string, by: string, mine: boolean, key: string | null}} Seat
 *   The key is there for the owner only.
 */
import { make } from "./dom.js";
import { text } from "./texts.js";

/** The seats of people here and elsewhere; others are engines. */
const PEOPLE = ["person", "guest"];

/** @param {string} key */
const linkOf = (key) => `${location.origin}/?key=${encodeURIComponent(key)}`;

export class SeatsPanel {
  /** @param {HTMLElement} parent @param {(request: object) => void} send */
  constructor(parent, send) {
    this.parent = parent;
    this.send = send;
  }

  /** @param {State} state */
  show(state) {
    const rows = state.seats.flatMap((seat) => this.#row(state, seat));
    const stores = state.scene.players.filter(({ store }) => store.length);
    const lists = stores.map(({ name, store }) => {
      const pieces = store.map(({ type, count }) => (count === 1 ? type : `${count} ${type}`));
      return make("p", { className: "store" }, text("store", { player: name, pieces: pieces.join(", ") }));
    });
    const watch = state.watch_key === null ? [] : [this.#link(text("seats.watch link"), state.watch_key)];
    this.parent.replaceChildren(...rows, ...lists, ...watch);
  }

  /** @param {State} state @param {Seat} seat */
  #row(state, seat) {
    const swatch = make("span", { className: "swatch" });
    const colours = state.scene.players.find(({ name }) => name === seat.player);
    if (colours) swatch.style.backgroundColor = colours.fill;
    if (!state.is_owner) {
      const who = seat.mine ? text("seats.you") : this.#name(seat.by);
      return [make("p", { className: "seat" }, swatch, seat.player, who)];
    }
    const row = make("label", { className: "seat" }, swatch, seat.player, this.#choice(state, seat));
    if (seat.by !== "guest" || seat.key === null) return [row];
    const renew = make("button", {
      onclick: () => this.send({ do: "renew", player: seat.player }), title: text("seats.renew help"),
    }, text("seats.renew"));
    return [row, this.#link(text("seats.link", { player: seat.player }), seat.key, renew)];
  }

  /** @param {State} state @param {Seat} seat */
  #choice({ engines }, { player, by }) {
    const options = [...PEOPLE, ...engines].map((value) =>
      make("option", { value, selected: value === by }, this.#name(value)),
    );
    return make("select", {
      ariaLabel: text("seat", { player }),
      /** @param {Event} event */
      onchange: (event) => this.send({ do: "seat", player, by: /** @type {HTMLSelectElement} */ (event.target).value }),
    }, ...options);
  }

  /** @param {string} by */
  #name(by) {
    return PEOPLE.includes(by) ? text(`seats.${by}`) : by;
  }

  /**
   * A link for somebody else, to be copied.
   * @param {string} label
   * @param {string} key
   * @param {HTMLElement[]} buttons
   */
  #link(label, key, ...buttons) {
    const field = /** @type {HTMLInputElement} */ (make("input", {
      readOnly: true, value: linkOf(key), ariaLabel: label, onfocus: () => field.select(),
    }));
    const copy = make("button", { onclick: () => this.#copy(field) }, text("seats.copy"));
    return make("details", { className: "link" }, make("summary", {}, label), field, copy, ...buttons);
  }

  /** @param {HTMLInputElement} field */
  #copy(field) {
    field.select();
    navigator.clipboard?.writeText(field.value); // only where the page is served by HTTPS or from this computer
  }
}
