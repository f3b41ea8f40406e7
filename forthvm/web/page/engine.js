/**
 * The lines of the engine: scores, moves that become variations by a click, arrows, and the scores along the game.
 *
 * @import { Page } from "./app.js"
 * @import { TreeMessage } from "./tree.js"
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
    /** @type {Map<number, number>} */ this.parents = new Map();
    this.button = make("button", { onclick: () => this.#switch(!this.on), ariaPressed: "false" });
    this.review = make("button", { onclick: () => page.send({ do: "review" }) });
    this.effort = make("p", { className: "muted" });
    this.lines = make("ol", { className: "lines" });
    this.graph = make("div", { className: "graph" });
    this.area = make("section", {}, make("div", { className: "buttons" }, this.button, this.review), this.effort, this.lines, this.graph);
    page.panel("analysis").append(this.area);
    page.on("game", (game) => { byId("tab-analysis").hidden = Boolean(game.offline); });
    page.on("shown", ({ node }) => this.#follow(node));
    page.on("tree", (message) => this.#readTree(message));
    page.on("lines", (message) => this.known.set(message.node, message));
    page.onFrame("lines", () => this.#draw());
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
    this.area.hidden = !this.page.mayExplain;
    if (node !== this.node) {
      this.node = node;
      if (this.on) this.page.send({ do: "analyse", node });
    }
    this.#draw();
  }

  /** @param {TreeMessage} message */
  #readTree({ whole, rows, played }) {
    if (whole) { // also after a new connection, which must ask again
      this.parents.clear();
      this.node = -1;
    }
    for (const [number, parent] of rows) if (parent !== null) this.parents.set(number, parent);
    this.game = [];
    for (let node = /** @type {number | undefined} */ (played); node !== undefined; node = this.parents.get(node)) this.game.unshift(node);
  }

  #draw() {
    this.button.textContent = text(this.on ? "engine.off" : "engine.on");
    this.button.ariaPressed = String(this.on);
    this.review.textContent = text("engine.review");
    const found = this.on ? this.known.get(this.node) : undefined;
    const { depth = 0, speed = 0, error } = found ?? {};
    const nothing = found && !found.running && !found.lines.length;
    this.effort.textContent = error ? text(`error.${error.code}`, error.values, error.text)
      : nothing ? text("engine.nothing")
      : found?.depth ? text("engine.effort", { depth, speed: speed.toLocaleString() }) : this.on ? text("engine.begins") : "";
    const lines = found?.lines ?? [];
    this.lines.replaceChildren(...lines.map((line, rank) => this.#line(line, rank)));
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
    this.graph.hidden = points.length < 2;
    if (this.graph.hidden) return;
    const { width, height } = GRAPH;
    const usual = points.filter(({ score }) => score.decided === null).map(({ score }) => Math.abs(score.score));
    const most = Math.max(1, ...usual);
    const x = (/** @type {number} */ at) => 4 + (at / Math.max(this.game.length - 1, 1)) * (width - 8);
    const y = (/** @type {Score} */ { score, decided }) =>
      height / 2 - Math.max(-1, Math.min(1, decided === null ? 0.8 * score / most : Math.sign(score))) * (height / 2 - 4);
    const svg = makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": text("engine.graph", points[0].score) });
    svg.append(makeSvg("path", { class: "zero", d: `M0 ${height / 2}H${width}` }));
    svg.append(makeSvg("path", { class: "curve", d: `M${points.map(({ at, score }) => `${x(at)} ${y(score)}`).join("L")}` }));
    for (const { node, at, score } of points) {
      svg.append(makeSvg("circle", { class: node === this.node ? "here" : "", cx: x(at), cy: y(score), r: node === this.node ? 4 : 2 }));
    }
    this.graph.replaceChildren(make("p", { className: "muted" }, text("engine.graph", points[0].score)), svg);
  }
}

/** A score in words. @param {Score} score */
function said({ player, score, decided }) {
  if (decided !== null) return text(decided > 0 || score > 0 ? "engine.wins" : "engine.loses", { player, count: Math.abs(decided) });
  return text("engine.score", { player, score: score > 0 ? `+${score}` : score });
}
