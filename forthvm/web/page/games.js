/**
 * The list of the games of a match, with filters.
 *
 * @typedef {[player: string, entrant: string, score: number | null, result: string | null]} Seat
 * @typedef {{id: number, seats: Seat[], plies: number, opening: number, end: string, problem: boolean, faults: string[]}} Game
 * @typedef {{games: Game[], total: number, whole: boolean}} GamesMessage
 */
import { byId, make, options } from "./dom.js";
import { text } from "./texts.js";

const ROWS = 100; // shown at first, and more with each press of "more"
/** @type {Record<string, (a: Game, b: Game) => number>} */
const ORDERS = {
  first: (a, b) => a.id - b.id,
  latest: (a, b) => b.id - a.id,
  longest: (a, b) => b.plies - a.plies || a.id - b.id,
  shortest: (a, b) => a.plies - b.plies || a.id - b.id,
};

/** @param {Seat} seat */
const seatText = ([player, entrant, score]) => `${entrant} (${player}${score === null ? "" : `, ${Number(score.toFixed(2))}`})`;

/** @param {Game} game */
export const gameTitle = (game) => `${game.id}: ${game.seats.map(seatText).join(" : ")}`;

export class GamesList {
  /** @param {(game: Game) => void} onOpen Called with the game that was chosen. */
  constructor(onOpen) {
    this.onOpen = onOpen;
    /** @type {Map<number, Game>} */ this.games = new Map();
    this.rows = ROWS;
    this.total = 0;
    this.opened = 0;
    this.filters = /** @type {HTMLFormElement} */ (byId("filters"));
    this.filters.onsubmit = (event) => event.preventDefault();
    this.filters.oninput = () => { this.rows = ROWS; this.draw(); };
    byId("more").onclick = () => { this.rows += ROWS; this.draw(); };
  }

  /** @param {GamesMessage} message */
  receive({ games, total, whole }) {
    if (whole) this.games.clear();
    for (const game of games) this.games.set(game.id, game);
    this.total = total;
    const entrants = new Set([...this.games.values()].flatMap(({ seats }) => seats.map(([, entrant]) => entrant)));
    for (const name of ["entrant", "opponent"]) {
      const select = /** @type {HTMLSelectElement} */ (this.filters.elements.namedItem(name));
      select.replaceChildren(select.options[0], ...options([...entrants].map((entrant) => [entrant, entrant]), select.value));
    }
    this.draw();
  }

  draw() {
    const found = [...this.games.values()].filter((game) => this.#matches(game)).sort(ORDERS[this.#value("order")]);
    const left = this.total - this.games.size;
    const counted = text("report.found", { count: found.length, total: this.games.size });
    byId("count").textContent = left > 0 ? counted + " " + text("report.left out", { count: left }) : counted;
    byId("found").replaceChildren(...found.slice(0, this.rows).map((game) => this.#row(game)));
    byId("more").hidden = found.length <= this.rows;
  }

  /** @param {Game} game */
  #row(game) {
    const button = make("button", { onclick: () => this.onOpen(game) }, gameTitle(game));
    if (game.id === this.opened) button.setAttribute("aria-current", "true");
    const end = make("span", { className: "note" }, text("report.plies", { count: game.plies }) + " · " + game.end);
    return make("li", { className: game.problem ? "problem" : "" }, button, end);
  }

  /** @param {Game} game */
  #matches(game) {
    const [entrant, opponent, result] = ["entrant", "opponent", "result"].map((name) => this.#value(name));
    const own = game.seats.filter(([, name]) => !entrant || name === entrant);
    if (!own.length || (opponent && !game.seats.some((seat) => seat[1] === opponent && own.some((other) => other !== seat)))) return false;
    if (result === "problem" ? !game.problem : result && !own.some((seat) => seat[3] === result)) return false;
    const words = this.#value("search").trim().toLowerCase();
    return [gameTitle(game), game.end, ...game.faults].some((line) => line.toLowerCase().includes(words));
  }

  /** @param {string} name Of a filter, or of the order. */
  #value(name) {
    return String(new FormData(this.filters).get(name));
  }
}
