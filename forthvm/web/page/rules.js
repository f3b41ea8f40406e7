/**
 * The panel that shows the texts about the game: rules, history, strategy, pieces.
 *
 * @import { Page } from "./app.js"
 * @import { Block, Game, Texts } from "./types.js"
 */
import { byId, make } from "./dom.js";
import { plainName, translate } from "./texts.js";

export class RulesPart {
  /** @param {Page} page */
  constructor(page) {
    this.element = make("div", { className: "rules" });
    byId("panel-rules").append(this.element);
    page.on("game", (game) => this.#show(game));
  }

  /** @param {Game} game */
  #show({ texts }) {
    this.element.replaceChildren(...textElements(texts));
    translate(this.element);
  }
}

/** The texts about a game; they are not translated yet. @param {Texts | undefined} texts */
export function textElements(texts) {
  const { sections, pieces, settings, notes } = texts ?? { sections: [], pieces: [], settings: [], notes: [] };
  const chosen = settings.map(([name, value, meaning]) =>
    make("tr", {}, make("th", { scope: "row" }, plainName(name)), make("td", {}, value), make("td", {}, meaning)));
  return [
    ...sections.flatMap(({ kind, blocks }) => [make("h2", { "data-text": `rules.${kind}` }), ...blocks.map(blockElement)]),
    ...(pieces.length ? [make("h2", { "data-text": "rules.pieces" })] : []),
    ...pieces.flatMap(({ type, blocks }) => [make("h3", {}, type), ...blocks.map(blockElement)]),
    ...(chosen.length ? [make("h2", { "data-text": "rules.settings" }), make("table", {}, ...chosen)] : []),
    ...(sections.length + pieces.length ? [] : [make("p", { "data-text": "rules.none" })]),
    ...notes.map((note) => make("p", { className: "note" }, note)),
  ];
}

/** @param {Block} block */
function blockElement(block) {
  switch (block.is) {
    case "list":
      return make("ul", {}, ...block.items.map((item) => make("li", {}, item)));
    case "table":
      return make("table", {}, ...block.rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell)))));
    case "heading":
      return make("h3", {}, block.text);
    case "code":
      return make("pre", { tabIndex: 0 }, block.text); // it may be wider than the panel
    default:
      return make("p", {}, block.text);
  }
}
