/**
 * Threats, and why a move was refused, in sentences and as marks and arrows on the board.
 *
 * @import { Page } from "./app.js"
 * @import { Arrow, Coded, Place } from "./types.js"
 * @typedef {{player: string, move: string, from: string | null, taken: [string, string][], reasons: string[]}} Capture
 * @typedef {{move: string, from: string | null, to: string | null, replies: Capture[]}} Exposure
 * @typedef {{is: "threats", node: number, now: Capture[], next: Capture[] | null, exposing: Exposure[], complete: boolean}} Threats
 * @typedef {{word: string, place: Place | null, refusals: {kind: string, condition: string, here: string, place: Place | null}[]}} Refuser
 */
import { byId, make } from "./dom.js";
import { text } from "./texts.js";

const GROUP = "threats";
const MANY = 8; // arrows

export class ThreatsPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.on = false;
    this.node = -1;
    this.button = byId("threats-switch");
    this.button.onclick = () => this.#switch();
    this.list = byId("threats");
    this.refusal = byId("refusal");
    page.on("shown", ({ node }) => this.#follow(node));
    page.on("threats", (threats) => this.#show(threats));
    page.on("refused", (squares) => this.#ask(squares));
    page.on("why not", (answer) => this.#explain(answer));
  }

  #switch() {
    this.on = !this.on;
    this.button.ariaPressed = String(this.on);
    this.#clear();
    if (this.on) this.page.send({ do: "threats", node: this.node });
  }

  /** @param {number} node */
  #follow(node) {
    if (node === this.node) return;
    this.node = node;
    if (this.refusal.childElementCount) this.page.message(""); // it was about another position
    this.refusal.replaceChildren();
    this.#clear();
    if (this.on && node >= 0) this.page.send({ do: "threats", node });
  }

  #clear() {
    this.list.replaceChildren();
    this.page.board.arrows(GROUP, []);
    this.page.board.marks(GROUP, []);
  }

  /** @param {Threats} threats */
  #show({ node, now, next, exposing, complete }) {
    if (!this.on || node !== this.node) return;
    const sentences = (/** @type {Capture[]} */ captures, /** @type {string} */ kind) =>
      captures.map((capture) => this.#sentence(said(capture), arrows([capture], kind)));
    const exposed = exposing.map(({ move, from, to, replies }) => this.#sentence(
      text("threats.exposes", { move, pieces: [...new Set(replies.flatMap(piecesOf))].join(", ") }),
      [...(from && to ? [{ from, to, kind: "own" }] : []), ...arrows(replies, "danger")],
    ));
    this.list.replaceChildren(
      ...this.#section("threats.now", sentences(now, "threat")),
      ...(next === null ? [make("p", { className: "muted" }, text("threats.unknown"))] : this.#section("threats.next", sentences(next, "danger"))),
      ...(next === null ? [] : this.#section("threats.exposing", exposed)),
      ...(complete ? [] : [make("p", { className: "muted" }, text("threats.incomplete"))]),
    );
    const all = [...arrows(now, "threat"), ...arrows(next ?? [], "danger")];
    this.page.board.arrows(GROUP, all.length > MANY ? [] : all); // of many, those of the chosen sentence are shown
    this.page.board.marks(GROUP, [...marks(now, "threat"), ...marks(next ?? [], "danger")]);
  }

  /** @param {string} heading @param {HTMLElement[]} sentences */
  #section(heading, sentences) {
    const items = sentences.length ? sentences : [text("threats.none")];
    return [make("h2", {}, text(heading)), make("ul", {}, ...items.map((item) => make("li", {}, item)))];
  }

  /** A sentence that shows its arrows when it is chosen. @param {string} words @param {Arrow[]} shown */
  #sentence(words, shown) {
    return make("button", { className: "move", onclick: () => this.page.board.arrows(GROUP, shown) }, words);
  }

  /** @param {string[]} squares */
  #ask(squares) {
    const { board, shown, conditions } = this.page;
    const known = squares.filter((square) => board.cells.has(square));
    const mayBePut = shown?.gestures?.clicks?.some(([kind, name]) => kind === "square" && !board.pieces.has(name));
    const isMeant = known.length > 1 || (known.length === 1 && (board.pieces.has(known[0]) || mayBePut)); // not a click beside the pieces
    if (conditions.plays && conditions.explains && isMeant) this.page.send({ do: "why not", node: this.node, squares: known });
  }

  /** @param {{node: number, squares: string[], kind: string, reasons: Coded[], legal: string[], code: Refuser[]}} answer */
  #explain({ node, squares, kind, reasons, legal, code }) {
    if (node !== this.node || kind === "legal") return;
    const sentences = reasons.map((reason) => text(`why.${reason.code}`, reason.values, reason.text));
    this.page.message(sentences.join(" "));
    if (legal.length) sentences.push(text("threats.legal", { moves: legal.join("; ") }));
    const places = code.flatMap(({ refusals }) => refusals).filter(({ place }) => place);
    const lines = places.map(({ condition, kind: word, here, place }) => {
      const open = make("button", { className: "move", onclick: () => this.page.emit("source line", place) }, `${place?.file}:${place?.line}`);
      return make("li", {}, open, ` ${condition} ${word} (${here})`, make("pre", { tabIndex: 0 }, (place?.source ?? "").trim()));
    });
    const details = lines.length ? [make("details", {}, make("summary", {}, text("threats.code")), make("ul", {}, ...lines))] : [];
    this.refusal.replaceChildren(
      make("h2", {}, text("threats.why-not", { squares: squares.join(" – ") })),
      ...sentences.map((sentence) => make("p", {}, sentence)), ...details,
    );
  }
}

/** @param {Capture} capture */
const piecesOf = ({ taken }) => taken.map(([square, piece]) => text("threats.piece", { square, piece }));

/** @param {Capture} capture */
function said(capture) {
  const { player, move, reasons } = capture;
  const sentence = text("threats.takes", { player, move, pieces: piecesOf(capture).join(", ") });
  return reasons.length ? `${sentence}: ${reasons.join("; ")}` : sentence;
}

/** @param {Capture[]} captures @param {string} kind */
function arrows(captures, kind) {
  const pairs = captures.flatMap(({ from, taken }) => (from ? taken.map(([to]) => `${from}\n${to}`) : []));
  return [...new Set(pairs)].map((pair) => ({ from: pair.split("\n")[0], to: pair.split("\n")[1], kind }));
}

/** @param {Capture[]} captures @param {string} kind */
function marks(captures, kind) {
  /** @type {Map<string, string>} */ const reasons = new Map();
  for (const capture of captures) for (const [square] of capture.taken) if (!reasons.has(square)) reasons.set(square, said(capture));
  return [...reasons].map(([square, reason]) => ({ square, kind, reason }));
}
