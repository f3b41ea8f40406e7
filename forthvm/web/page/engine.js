/**
 * The lines of the engine: scores, moves that become variations by a click, arrows, and the scores along the game.
 *
 * @import { Page } from "./app.js"
 * @import { Coded } from "./types.js"
 * @typedef {{player: string, score: number, decided: number | null}} Score
 * @typedef {{scores: Score[], moves: string[], squares: string[]}} EngineLine
 * @typedef {{is: "lines", node: number, running: boolean, error: Coded | null, lines: EngineLine[],
 *   depth?: number, nodes?: number, speed?: number}} LinesMessage
 */
import { byId, make, makeSvg } from "./dom.js";
import { text } from "./texts.js";

const SHOWN_MOVES = 12;
const GROUP = "engine";
const GRAPH = { width: 300, height: 70 };

export class EnginePart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.on = false;
    this.node = -1;
    /** The lines of each position. @type {Map<number, LinesMessage>} */ this.known = new Map();
    /** The nodes of the game in order. @type {number[]} */ this.game = [];
    this.button = byId("engine-switch");
    this.button.onclick = () => this.#switch(!this.on);
    page.on("tree", ({ whole }) => { if (whole) this.node = -1; }); // after a new connection, ask again
    page.on("game line", (nodes) => { this.game = nodes; });
    page.on("shown", ({ node }) => this.#follow(node));
    page.on("state", (state) => this.#allow(state.allows_analysis));
    page.on("lines", (message) => { this.known.set(message.node, message); this.#draw(); });
  }

  /** In a game with clocks against a guest the engine is off. @param {boolean} allowed */
  #allow(allowed) {
    this.button.toggleAttribute("disabled", !allowed);
    if (this.on && !allowed) this.#switch(false);
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
    if (this.on && node !== this.node) this.page.send({ do: "analyse", node });
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
      ? [{ from: squares[0], to: squares[squares.length - 1], kind: `${GROUP} rank-${rank}`, label: String(rank + 1) }] : []));
    this.#drawGraph();
  }

  /** @param {EngineLine} line @param {number} rank */
  #line({ scores, moves }, rank) {
    const follow = (/** @type {number} */ count) => {
      this.page.emit("following");
      this.page.send({ do: "follow", node: this.node, line: rank, moves: count });
    };
    const buttons = moves.slice(0, SHOWN_MOVES).map((move, at) => make("button", { className: "move", onclick: () => follow(at + 1) }, move));
    return make("li", {}, make("p", { className: "scores" }, scores.map(said).join(" · ")), ...buttons);
  }

  /** The score of the first player along the game, as far as it is known. */
  #drawGraph() {
    const points = this.game.flatMap((node, at) => {
      const score = this.known.get(node)?.lines[0]?.scores[0];
      return score ? [{ node, at, score }] : [];
    });
    const graph = byId("graph");
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
