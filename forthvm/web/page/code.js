/**
 * For authors: the code that moves the piece on a square, and a move word by word.
 *
 * @import { Page } from "./app.js"
 * @import { Place } from "./types.js"
 * @typedef {{place: Place | null, word: string, calls: string[], from: string, here: string, stack: number[], depth: number,
 *   code: string, changed: string[]}} Stage
 * @typedef {{word: string, piece: string, place: Place | null, moves: string[]}} MoveWord
 */
import { make } from "./dom.js";
import { text } from "./texts.js";

const GROUP = "construction";

export class CodePart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.node = -1;
    /** @type {Map<string, string[]>} */ this.files = new Map();
    /** The place to show when its file comes. @type {Place | null} */ this.wanted = null;
    this.button = make("button", { onclick: () => this.#askCode() });
    this.words = make("div");
    this.stages = make("div", { className: "stages" });
    this.source = make("div", { className: "source" });
    this.summary = make("summary");
    this.area = make("details", {}, this.summary, make("div", { className: "buttons" }, this.button), this.words, this.stages, this.source);
    page.panel("analysis").append(this.area);
    page.on("shown", ({ node }) => this.#follow(node));
    page.on("code", (answer) => this.#showWords(answer));
    page.on("construction", (answer) => this.#showStages(answer));
    page.on("source", ({ file, text: content }) => {
      this.files.set(file, content.split("\n"));
      const { wanted } = this;
      if (wanted && wanted.file === file) this.#showPlace(wanted);
    });
    page.on("source line", (place) => { page.panels.open("analysis"); this.area.setAttribute("open", ""); this.#open(place); });
  }

  /** @param {number} node */
  #follow(node) {
    this.area.hidden = !this.page.mayExplain;
    this.summary.textContent = text("code.authors");
    this.button.textContent = text("code.of-square");
    if (node === this.node) return;
    this.node = node;
    this.words.replaceChildren();
    this.#clearStages();
  }

  #askCode() {
    const square = this.page.board.focused;
    if (square) this.page.send({ do: "code", node: this.node, square });
  }

  /** @param {{node: number, square: string, words: MoveWord[]}} answer */
  #showWords({ node, square, words }) {
    if (node !== this.node) return;
    const items = words.map(({ word, piece, place, moves }) => {
      const open = make("button", { className: "move", disabled: !place, onclick: () => place && this.#open(place) }, place ? `${word} (${place.file}:${place.line})` : word);
      const built = moves.map((move) => make("button", { className: "move", onclick: () => this.page.send({ do: "construct", node: this.node, move }) }, move));
      return make("li", {}, open, ` ${piece} `, ...built);
    });
    this.words.replaceChildren(make("h2", {}, text("code.words", { square })), items.length ? make("ul", {}, ...items) : make("p", {}, text("code.none")));
  }

  // --- word by word --------------------------------------------------------------------------

  #clearStages() {
    this.stages.replaceChildren();
    this.page.board.marks(GROUP, []);
  }

  /** @param {{node: number, move: string, omitted: number, stages: Stage[]}} answer */
  #showStages({ node, move, omitted, stages }) {
    if (node !== this.node || !stages.length) return;
    const line = make("pre", { className: "line", tabIndex: 0 });
    const facts = make("dl");
    const slider = /** @type {HTMLInputElement} */ (make("input", {
      type: "range", min: "0", max: String(stages.length - 1), value: "0", ariaLabel: text("code.step"), oninput: () => show(),
    }));
    const step = (/** @type {number} */ by) => { slider.value = String(Number(slider.value) + by); show(); };
    const show = () => {
      const { place, word, calls, from, here, stack, depth, code, changed } = stages[Number(slider.value)];
      slider.ariaValueText = `${word} ${place?.line ?? ""}`;
      if (place) line.replaceChildren(`${place.file}:${place.line}  `, ...marked(place));
      const rows = [
        ["code.step", `${Number(slider.value) + 1} / ${stages.length}`], ["code.word", [word, ...calls].join(" ← ")], ["code.here", here],
        ["code.stack", `${depth > stack.length ? "… " : ""}${stack.join(" ")}` || "–"], ["code.so-far", code || "–"],
      ];
      facts.replaceChildren(...rows.flatMap(([key, value]) => [make("dt", {}, text(key)), make("dd", {}, value)]));
      this.page.board.marks(GROUP, [
        { square: from, kind: "from" }, { square: here, kind: "here" }, ...changed.map((square) => ({ square, kind: "changed" })),
      ]);
    };
    this.stages.replaceChildren(
      make("h2", {}, text("code.construction", { move })), line, slider,
      make("div", { className: "buttons" },
        make("button", { onclick: () => step(-1), ariaLabel: text("code.back") }, "←"), make("button", { onclick: () => step(1), ariaLabel: text("code.on") }, "→"),
        make("button", { onclick: () => { const { place } = stages[Number(slider.value)]; if (place) this.#open(place); } }, text("code.file")),
        make("button", { onclick: () => this.#clearStages() }, text("page.close"))),
      facts, ...(omitted ? [make("p", { className: "muted" }, text("code.omitted", { count: omitted }))] : []),
    );
    show();
  }

  // --- source --------------------------------------------------------------------------------

  /** Show a place in its file. @param {Place} place */
  #open(place) {
    this.wanted = place;
    if (this.files.has(place.file)) this.#showPlace(place);
    else this.page.send({ do: "source", file: place.file });
  }

  /** @param {Place} place */
  #showPlace(place) {
    const lines = this.files.get(place.file) ?? [];
    const shown = make("pre", { tabIndex: 0, ariaLabel: place.file });
    lines.forEach((line, at) => {
      const isHere = at + 1 === place.line;
      shown.append(make("div", { className: isHere ? "current" : "" }, `${String(at + 1).padStart(5)}  `, ...(isHere ? marked({ ...place, source: line }) : [line])));
    });
    this.source.replaceChildren(make("h2", {}, place.file), shown);
    const current = /** @type {HTMLElement | null} */ (shown.querySelector(".current"));
    if (current) shown.scrollTop = current.offsetTop - shown.offsetTop - shown.clientHeight / 2;
  }
}

/** A source line with its token marked. @param {Place} place */
function marked({ source, column, length }) {
  const from = column - 1;
  return [source.slice(0, from), make("mark", {}, source.slice(from, from + length)), source.slice(from + length)];
}
