/**
 * Who plays for each player, and links for people elsewhere.
 *
 * @import { Page } from "./app.js"
 * @import { Seat, State } from "./types.js"
 */
import { byId, copy, make, options } from "./dom.js";
import { text } from "./texts.js";

/** The seats of people here and elsewhere; others are engines. */
const PEOPLE = ["person", "guest"];
const LEVEL = "level:";

/** The name of a person or an engine; a level has the strength that was measured. @param {Page} page @param {string} by */
export function seatName(page, by) {
  if (PEOPLE.includes(by)) return text(`seats.${by}`);
  if (!by.startsWith(LEVEL)) return by;
  const number = Number(by.slice(LEVEL.length));
  const elo = page.game?.levels?.find(([one]) => one === number)?.[1] ?? null;
  return elo === null ? text("seats.level", { number }) : text("seats.level-elo", { number, elo: Math.round(elo) });
}

export class SeatsPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.shown = "";
    page.on("state", (state) => this.#show(state));
    page.on("error", () => { this.shown = ""; }); // a refused choice is corrected with the next state
  }

  /** @param {State} state */
  #show(state) {
    const { seats, engines, watch_key } = state;
    const shown = JSON.stringify([seats, engines, watch_key, this.page.game?.levels, document.documentElement.lang]);
    if (shown === this.shown) return; // a new position leaves the focus and open links as they are
    this.shown = shown;
    const watch = watch_key === null ? [] : [this.#link(text("seats.watch-link"), watch_key)];
    byId("seats").replaceChildren(...seats.flatMap((seat) => this.#row(state, seat)), ...watch);
  }

  /** @param {State} state @param {Seat} seat @returns {HTMLElement[]} */
  #row(state, seat) {
    if (!state.is_owner) {
      const who = seat.left ? text(`seats.${seat.left}`) : seat.mine ? text("seats.you") : seatName(this.page, seat.by);
      return [make("p", { className: "row" }, make("span", {}, seat.player), who)];
    }
    const row = make("label", { className: "row" }, make("span", {}, seat.player), this.#choice(state, seat));
    if (seat.by !== "guest" || seat.key === null) return [row];
    const request = JSON.stringify({ do: "renew", player: seat.player });
    const renew = make("button", { "data-send": request, title: text("seats.renew-help") }, text("seats.renew"));
    return [row, this.#link(text("seats.link", { player: seat.player }), seat.key, renew)];
  }

  /** @param {State} state @param {Seat} seat */
  #choice({ engines, watch_key }, { player, by }) {
    const choices = (/** @type {string[]} */ names) => options(names.map((name) => [name, seatName(this.page, name)]), by);
    const people = watch_key === null ? PEOPLE.slice(0, 1) : PEOPLE; // an exported file has no links
    const select = make("select", {
      ariaLabel: text("seats.seat", { player }),
      onchange: () => this.page.send({ do: "seat", player, by: select.value }),
    }, ...choices(people));
    const levels = choices(engines.filter((spec) => spec.startsWith(LEVEL)));
    const others = choices(engines.filter((spec) => !spec.startsWith(LEVEL)));
    if (levels.length) select.append(make("optgroup", { label: text("seats.levels") }, ...levels));
    if (others.length) select.append(make("optgroup", { label: text("seats.engines") }, ...others));
    return select;
  }

  /** A link for another person, to be copied. @param {string} label @param {string} key @param {HTMLElement[]} buttons */
  #link(label, key, ...buttons) {
    const value = `${this.page.game?.address || location.origin}/?key=${encodeURIComponent(key)}`;
    const field = make("input", { readOnly: true, value, ariaLabel: label, onfocus: () => field.select() });
    const button = make("button", { onclick: () => copy(field) }, text("seats.copy"));
    return make("details", { className: "link" }, make("summary", {}, label), field, button, ...buttons);
  }
}
