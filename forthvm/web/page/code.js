/**
 * For authors: the code that moves the piece on a square, and a move word by word.
 *
 * @import { Page } from "./app.js"
 * @import { Place } from "./types.js"
 * @typedef {{place: Place | null, word: string, calls: string[], from: string, here: string, stack: number[], depth: number,
 *   code: string, changed: string[]}} Stage
 * @typedef {{word: string, piece: string, place: Place | null, moves: string[]}} MoveWord
 */
import { byId, make, scrollTo } from "./dom.js";
import { text } from "./texts.js";

const GROUP = "construction";

export class CodePart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.node = -1;
    /** @type {Map<string, string[]>} */ this.files = new Map();
    /** The place to show when its file comes. @type {Place | null} */ this.wanted = null;
    byId("code-ask").onclick = () => this.#askCode();
    this.words = byId("words");
    this.area = byId("stages");
    /** The stages of the move that is shown word by word. @type {Stage[]} */ this.stages = [];
    this.stage = /** @type {HTMLInputElement} */ (byId("stage-slider"));
    this.stage.oninput = () => this.#showStage();
    byId("stage-back").onclick = () => this.#step(-1);
    byId("stage-on").onclick = () => this.#step(1);
    byId("stage-file").onclick = () => this.#open(this.stages[this.stage.valueAsNumber].place);
    byId("stages-close").onclick = () => this.#closeStages();
    page.on("shown", ({ node }) => this.#follow(node));
    page.on("code", (answer) => this.#showWords(answer));
    page.on("construction", (answer) => this.#showStages(answer));
    page.on("source", ({ file, text: content }) => {
      this.files.set(file, content.split("\n"));
      const { wanted } = this;
      if (wanted && wanted.file === file) this.#showPlace(wanted);
    });
    page.on("source line", (place) => {
      byId("tab-analysis").click();
      byId("code").setAttribute("open", "");
      this.#open(place);
    });
  }

  /** @param {number} node */
  #follow(node) {
    if (node === this.node) return;
    this.node = node;
    this.words.replaceChildren();
    this.#closeStages();
  }

  #askCode() {
    const square = this.page.board.focused;
    if (square) this.page.send({ do: "code", node: this.node, square });
  }

  /** @param {{node: number, square: string, words: MoveWord[]}} answer */
  #showWords({ node, square, words }) {
    if (node !== this.node) return;
    const items = words.map(({ word, piece, place, moves }) => {
      const open = make("button", { className: "move", disabled: !place, onclick: () => this.#open(place) }, place ? `${word} (${place.file}:${place.line})` : word);
      const built = moves.map((move) => make("button", { className: "move", onclick: () => this.page.send({ do: "construct", node: this.node, move }) }, move));
      return make("li", {}, open, ` ${piece} `, ...built);
    });
    this.words.replaceChildren(make("h2", {}, text("code.words", { square })), items.length ? make("ul", {}, ...items) : make("p", {}, text("code.none")));
  }

  #closeStages() {
    this.area.hidden = true;
    this.page.board.marks(GROUP, []);
  }

  /** @param {{node: number, move: string, omitted: number, stages: Stage[]}} answer */
  #showStages({ node, move, omitted, stages }) {
    if (node !== this.node || !stages.length) return;
    this.stages = stages;
    this.area.hidden = false;
    this.stage.max = String(stages.length - 1);
    this.stage.value = "0";
    byId("stages-move").textContent = text("code.construction", { move });
    byId("stages-omitted").textContent = omitted ? text("code.omitted", { count: omitted }) : "";
    this.#showStage();
  }

  /** @param {number} by */
  #step(by) {
    this.stage.value = String(this.stage.valueAsNumber + by);
    this.#showStage();
  }

  #showStage() {
    const at = this.stage.valueAsNumber;
    const { place, word, calls, from, here, stack, depth, code, changed } = this.stages[at];
    this.stage.ariaValueText = `${word} ${place?.line ?? ""}`;
    if (place) byId("stage-line").replaceChildren(`${place.file}:${place.line}  `, ...marked(place));
    const facts = {
      "code.step": `${at + 1} / ${this.stages.length}`,
      "code.word": [word, ...calls].join(" ← "),
      "code.here": here,
      "code.stack": `${depth > stack.length ? "… " : ""}${stack.join(" ")}` || "–",
      "code.so-far": code || "–",
    };
    const rows = Object.entries(facts).flatMap(([key, value]) => [make("dt", {}, text(key)), make("dd", {}, value)]);
    byId("stage-facts").replaceChildren(...rows);
    this.page.board.marks(GROUP, [
      { square: from, kind: "from" }, { square: here, kind: "here" }, ...changed.map((square) => ({ square, kind: "changed" })),
    ]);
  }

  /** Show a place in its file. @param {Place | null} place */
  #open(place) {
    if (!place) return;
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
    byId("source").replaceChildren(make("h2", {}, place.file), shown);
    const current = /** @type {HTMLElement | null} */ (shown.querySelector(".current"));
    if (current) scrollTo(shown, current);
  }
}

/** A source line with its token marked. @param {Place} place */
function marked({ source, column, length }) {
  const from = column - 1;
  return [source.slice(0, from), make("mark", {}, source.slice(from, from + length)), source.slice(from + length)];
}
