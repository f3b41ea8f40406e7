/**
 * The panel of the players: who plays, and the pieces in their stores.
 *
 * @typedef {import("./app.js").State} State
 */
import { make } from "./dom.js";
import { text } from "./texts.js";

export class SeatsPanel {
  /** @param {HTMLElement} parent @param {(request: object) => void} send */
  constructor(parent, send) {
    this.parent = parent;
    this.send = send;
  }

  /** @param {State} state */
  show(state) {
    const rows = Object.entries(state.seats).map(([player, by]) => this.#row(state, player, by));
    const stores = state.scene.players.filter(({ store }) => store.length);
    const lists = stores.map(({ name, store }) => {
      const pieces = store.map(({ type, count }) => (count === 1 ? type : `${count} ${type}`));
      return make("p", { className: "store" }, text("store", { player: name, pieces: pieces.join(", ") }));
    });
    this.parent.replaceChildren(...rows, ...lists);
  }

  /** @param {State} state @param {string} player @param {string} by */
  #row(state, player, by) {
    const choices = ["person", ...state.engines].map((value) =>
      make("option", { value, selected: value === by }, value === "person" ? text("person") : value),
    );
    const select = make("select", {
      ariaLabel: text("seat", { player }),
      /** @param {Event} event */
      onchange: (event) => this.send({ do: "seat", player, by: /** @type {HTMLSelectElement} */ (event.target).value }),
    }, ...choices);
    const swatch = make("span", { className: "swatch" });
    const colours = state.scene.players.find(({ name }) => name === player);
    if (colours) swatch.style.backgroundColor = colours.fill;
    return make("label", {}, swatch, player, select);
  }
}
