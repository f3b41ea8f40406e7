/**
 * The lines of the engine: scores, moves that become variations by a click, arrows, and the scores along the game.
 *
 * @import { Page } from "./app.js"
 * @import { Coded, State } from "./types.js"
 * @typedef {{player: string, score: number, decided: number | null}} Score
 * @typedef {{scores: Score[], moves: string[], short?: string[], squares: string[]}} EngineLine
 * @typedef {{is: "lines", node: number, running: boolean, error: Coded | null, lines: EngineLine[],
 *   depth?: number, nodes?: number, speed?: number}} LinesMessage
 */
import { byId, make, makeSvg } from "./dom.js";
import { contestants } from "./players.js";
import { text } from "./texts.js";

const SHOWN_MOVES = 12;
const GROUP = "engine";
const HINT = "hint";
const HINT_TIME = 1500; // milliseconds
const GRAPH = { width: 300, height: 70 };

export class EnginePart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.on = false;
    this.node = -1;
    /** The lines of each position. @type {Map<number, LinesMessage>} */ this.known = new Map();
    /** The nodes of the game in order. @type {number[]} */ this.game = [];
    /** The node for which a hint was asked, else null. @type {number | null} */ this.hinted = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.hinting = undefined;
    byId("hint").onclick = () => this.#ask();
    this.button = byId("engine-switch");
    this.button.onclick = () => this.#switch(!this.on);
    page.on("tree", ({ whole }) => { if (whole) this.node = -1; }); // after a new connection, ask again
    page.on("game line", (nodes) => { this.game = nodes; });
    page.on("shown", ({ node }) => this.#follow(node));
    page.on("state", (state) => this.#allow(state));
    page.preferences.onChange("moves", () => this.#draw());
    page.on("lines", (message) => {
      this.known.set(message.node, message);
      if (message.node === this.hinted && !message.running && message.lines.length) this.#hint();
      this.#draw();
    });
  }

  /** In a game with clocks against a guest the engine is off. @param {State} state */
  #allow({ allows_analysis: allowed, is_owner, gestures }) {
    this.button.toggleAttribute("disabled", !allowed);
    if (this.on && !allowed) this.#switch(false);
    this.page.set({ "may-ask-hint": allowed && is_owner && gestures });
  }

  /** Let the engine search for a moment, and show its move. */
  #ask() {
    if (!this.page.send({ do: "analyse", node: this.node })) return;
    this.hinted = this.node;
    clearTimeout(this.hinting);
    if (this.page.conditions.server) this.hinting = setTimeout(() => this.#hint(), HINT_TIME); // an exported page ends it itself
  }

  /** Show the best move that was found in the position for which a hint was asked. */
  #hint() {
    const node = this.hinted;
    const best = node === null ? undefined : this.known.get(node)?.lines[0];
    this.hinted = null;
    if (node === null) return;
    if (!this.on) this.page.send({ do: "stop analysis" });
    if (!best || node !== this.node) return;
    const { squares, moves, short } = best;
    this.page.message(text("engine.hinted", { move: this.page.preferences.words(moves[0], short?.[0]) }));
    if (squares.length) this.page.board.arrows(HINT, [arrowAlong(squares, GROUP, "")]);
  }

  /** @param {boolean} on */
  #switch(on) {
    if (on && !this.page.send({ do: "analyse", node: this.node })) return;
    if (!on) this.page.send({ do: "stop analysis" });
    this.on = on;
    this.#draw();
  }

  /** @param {number} node */
  #follow(node) {
    if (this.on && node !== this.node && node >= 0) this.page.send({ do: "analyse", node });
    if (node !== this.node) this.page.board.arrows(HINT, []);
    this.node = node;
    this.#draw();
  }

  #draw() {
    this.button.textContent = text(this.on ? "engine.off" : "engine.on");
    this.button.ariaPressed = String(this.on);
    const found = this.on ? this.known.get(this.node) : undefined;
    const lines = found?.lines ?? [];
    byId("effort").textContent = this.on ? effort(found) : "";
    byId("lines").replaceChildren(...lines.map((line, rank) => this.#line(line, rank)));
    this.page.board.arrows(GROUP, lines.flatMap(({ squares }, rank) => squares.length
      ? [arrowAlong(squares, `${GROUP} rank-${rank}`, String(rank + 1))] : []));
    this.#drawGraph();
    this.#evaluate();
  }

  /** Show the share of the first player's score in a bar, in games of two. */
  #evaluate() {
    const { shown } = this.page;
    const players = shown ? contestants(shown.scene) : [];
    this.page.set({ evaluated: this.on && players.length === 2 });
    const share = this.on && players.length ? this.#share(this.node, players[0].name, this.#most) : null;
    const percent = share === null ? 50 : Math.round(100 * share);
    const bar = byId("evaluation");
    bar.ariaValueNow = String(percent);
    bar.style.setProperty("--share", `${percent}%`);
    players.forEach(({ fill }, at) => bar.style.setProperty(at ? "--second" : "--first", fill));
  }

  /** The share of a player's score in a position; null if it is not known. @param {number} node @param {string} player @param {number} most */
  #share(node, player, most) {
    const score = this.known.get(node)?.lines[0]?.scores.find((one) => one.player === player);
    return score ? shareOf(score, most) : null;
  }

  /** The greatest score of an undecided position so far. */
  get #most() {
    const scores = [...this.known.values()].flatMap(({ lines }) => lines[0]?.scores ?? []);
    return Math.max(1, ...scores.filter(({ decided }) => decided === null).map(({ score }) => Math.abs(score)));
  }

  /** @param {EngineLine} line @param {number} rank */
  #line({ scores, moves, short }, rank) {
    const follow = (/** @type {number} */ count) => {
      this.page.emit("following");
      this.page.send({ do: "follow", node: this.node, line: rank, moves: count });
    };
    const buttons = moves.slice(0, SHOWN_MOVES).map((move, at) => {
      const words = this.page.preferences.words(move, short?.[at]);
      return make("button", { className: "move", title: words === move ? "" : move, onclick: () => follow(at + 1) }, words);
    });
    return make("li", {}, make("p", { className: "scores" }, scores.map(said).join(" · ")), ...buttons);
  }

  /** The score of the first player along the game, as far as it is known. */
  #drawGraph() {
    const points = this.game.flatMap((node, at) => {
      const score = this.known.get(node)?.lines[0]?.scores[0];
      return score ? [{ node, at, score }] : [];
    });
    const graph = byId("graph");
    if (points.length > 1 && points.length >= this.game.length - 1) { // the last position may be the end
      const most = this.#most;
      this.page.emit("reviewed", (/** @type {number} */ node, /** @type {string} */ player) => this.#share(node, player, most));
    }
    graph.hidden = points.length < 2;
    if (graph.hidden) return;
    const { width, height } = GRAPH;
    const usual = points.filter(({ score }) => score.decided === null).map(({ score }) => Math.abs(score.score));
    const most = Math.max(1, ...usual);
    const x = (/** @type {number} */ at) => 4 + (at / Math.max(this.game.length - 1, 1)) * (width - 8);
    const y = (/** @type {Score} */ { score, decided }) =>
      height / 2 - Math.max(-1, Math.min(1, decided === null ? 0.8 * score / most : Math.sign(score))) * (height / 2 - 4);
    const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": text("engine.graph", points[0].score) },
      makeSvg("path", { class: "zero", d: `M0 ${height / 2}H${width}` }),
      makeSvg("path", { class: "curve", d: `M${points.map(({ at, score }) => `${x(at)} ${y(score)}`).join("L")}` }),
      ...points.map(({ node, at, score }) => node === this.node
        ? makeSvg("circle", { class: "here", cx: x(at), cy: y(score), r: 4 })
        : makeSvg("circle", { cx: x(at), cy: y(score), r: 2 })));
    graph.replaceChildren(make("figcaption", { className: "muted" }, text("engine.graph", points[0].score)), svg);
  }
}

/** An arrow from the first to the last square of a move. @param {string[]} squares @param {string} kind @param {string} label */
const arrowAlong = (squares, kind, label) => ({ from: squares[0], to: squares[squares.length - 1], kind, label });

/** The share of a score, from 0, lost, to 1, won. @param {Score} score @param {number} most The greatest undecided score. */
function shareOf({ score, decided }, most) {
  return decided === null ? 0.5 + 0.4 * score / most : decided > 0 || score > 0 ? 1 : 0;
}

/** What the engine has searched, in words. @param {LinesMessage | undefined} found */
function effort(found) {
  if (found?.error) return text(`error.${found.error.code}`, found.error.values, found.error.text);
  if (found && !found.running && !found.lines.length) return text("engine.nothing");
  if (!found?.depth) return text("engine.begins");
  return text("engine.effort", { depth: found.depth, speed: (found.speed ?? 0).toLocaleString() });
}

/** A score in words. @param {Score} score */
function said({ player, score, decided }) {
  if (decided !== null) return text(decided > 0 || score > 0 ? "engine.wins" : "engine.loses", { player, count: Math.abs(decided) });
  return text("engine.score", { player, score: score > 0 ? `+${score}` : score });
}
