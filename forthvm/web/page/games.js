/**
 * The list of the games of a match, with filters.
 *
 * @typedef {[player: string, entrant: string, score: number | null, result: string | null]} Seat
 * @typedef {{id: number, seats: Seat[], plies: number, opening: number, end: string, problem: boolean, faults: string[]}} Game
 * @typedef {{games: Game[], total: number, whole: boolean}} GamesMessage
 */
import { make } from "./dom.js";
import { text } from "./texts.js";

const ROWS = 100; // shown at first, and more with each press of "more"
const RESULTS = ["won", "shared", "drawn", "lost", "problem"];
const ORDERS = ["first", "latest", "longest", "shortest"];

/** @param {Seat} seat */
const seatText = ([player, entrant, score]) => `${entrant} (${player}${score === null ? "" : `, ${Number(score.toFixed(2))}`})`;

/** @param {Game} game */
export const gameTitle = (game) => `${game.id}: ${game.seats.map(seatText).join(" : ")}`;

export class GamesList {
  /**
   * @param {HTMLElement} parent
   * @param {(game: Game) => void} onOpen Called with the game that was chosen.
   */
  constructor(parent, onOpen) {
    this.onOpen = onOpen;
    /** @type {Map<number, Game>} */ this.games = new Map();
    this.rows = ROWS;
    this.total = 0;
    this.opened = 0;
    const change = () => { this.rows = ROWS; this.draw(); };
    this.entrant = choice([], change);
    this.opponent = choice([], change);
    this.result = choice(RESULTS.map((value) => [value, text(`report.result.${value}`)]), change);
    this.order = choice(ORDERS.map((value) => [value, text(`report.order.${value}`)]), change);
    this.order.options[0].remove();
    this.search = make("input", { type: "search", oninput: change });
    this.count = make("p", { className: "note" });
    this.list = make("ol", { className: "games" });
    this.more = make("button", { onclick: () => { this.rows += ROWS; this.draw(); } }, text("report.more"));
    parent.append(
      make("h2", {}, text("report.games")),
      make("form", { className: "filters", onsubmit: () => false },
        make("label", {}, text("report.entrant"), this.entrant), make("label", {}, text("report.opponent"), this.opponent),
        make("label", {}, text("report.result"), this.result), make("label", {}, text("report.order"), this.order),
        make("label", {}, text("report.search"), this.search)),
      this.count, this.list, this.more,
    );
  }

  /** @param {GamesMessage} message */
  receive({ games, total, whole }) {
    if (whole) this.games.clear();
    for (const game of games) this.games.set(game.id, game);
    this.total = total;
    const entrants = [...new Set([...this.games.values()].flatMap(({ seats }) => seats.map(([, entrant]) => entrant)))];
    fill(this.entrant, entrants.map((name) => [name, name]));
    fill(this.opponent, entrants.map((name) => [name, name]));
    this.draw();
  }

  draw() {
    const found = this.#sorted([...this.games.values()].filter((game) => this.#matches(game)));
    const left = this.total - this.games.size;
    const counted = text("report.found", { count: found.length, total: this.games.size });
    this.count.textContent = left > 0 ? counted + " " + text("report.left out", { count: left }) : counted;
    this.list.replaceChildren(...found.slice(0, this.rows).map((game) => this.#row(game)));
    this.more.hidden = found.length <= this.rows;
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
    const [entrant, opponent, result] = [this.entrant.value, this.opponent.value, this.result.value];
    const own = game.seats.filter(([, name]) => !entrant || name === entrant);
    if (!own.length || (opponent && !game.seats.some((seat) => seat[1] === opponent && own.some((other) => other !== seat)))) return false;
    if (result === "problem" ? !game.problem : result && !own.some((seat) => seat[3] === result)) return false;
    const words = this.search.value.trim().toLowerCase();
    return !words || [gameTitle(game), game.end, ...game.faults].some((line) => line.toLowerCase().includes(words));
  }

  /** @param {Game[]} games */
  #sorted(games) {
    const orders = {
      latest: (/** @type {Game} */ a, /** @type {Game} */ b) => b.id - a.id,
      longest: (/** @type {Game} */ a, /** @type {Game} */ b) => b.plies - a.plies || a.id - b.id,
      shortest: (/** @type {Game} */ a, /** @type {Game} */ b) => a.plies - b.plies || a.id - b.id,
    };
    const order = orders[/** @type {keyof typeof orders} */ (this.order.value)];
    return games.sort(order ?? ((a, b) => a.id - b.id));
  }
}

/** @param {string[][]} options Values and labels. @param {() => void} onchange */
function choice(options, onchange) {
  const made = make("select", { onchange }, make("option", { value: "" }, text("report.any")));
  fill(made, options);
  return made;
}

/**
 * Replace the options after the first, and keep the chosen one.
 * @param {HTMLSelectElement} select
 * @param {string[][]} options
 */
function fill(select, options) {
  const { value } = select;
  select.replaceChildren(select.options[0], ...options.map(([key, label]) => make("option", { value: key }, label)));
  select.value = options.some(([key]) => key === value) ? value : "";
}
