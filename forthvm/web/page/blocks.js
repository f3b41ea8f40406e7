/**
 * Elements for the blocks of a report: headings, tables, facts, pictures, notes.
 *
 * @typedef {{text: string, title: string, tint: number}} Cell
 * @typedef {{svg: string, title: string, caption: string}} Picture
 * @typedef {{is: "heading", text: string, level: number} | {is: "table", head: Cell[], rows: Cell[][]}
 *   | {is: "facts", pairs: [string, string][]} | {is: "picture"} & Picture | {is: "gallery", pictures: Picture[]}
 *   | {is: "note", text: string, kind: string} | {is: "listing", title: string, text: string}} Block
 */
import { make, svgAddress } from "./dom.js";
import { text } from "./texts.js";

/** Return a word of the report in the language of the page. @param {string} english */
const word = (english) => text(`report.word.${english}`, {}, english);

/** @param {Block} block @returns {HTMLElement} */
export function blockElement(block) {
  switch (block.is) {
    case "heading": return make(block.level === 1 ? "h1" : "h2", {}, word(block.text));
    case "table": return table(block.head, block.rows);
    case "facts": return make("dl", {}, ...block.pairs.flatMap(([name, fact]) => [make("dt", {}, word(name)), make("dd", {}, fact)]));
    case "picture": return figure(block);
    case "gallery": return make("div", { className: "gallery" }, ...block.pictures.map(figure));
    case "note": return make("p", { className: block.kind }, block.text);
    case "listing": return make("details", { open: true }, make("summary", {}, block.title), make("pre", {}, block.text));
  }
}

/** @param {Cell[]} head @param {Cell[][]} rows */
function table(head, rows) {
  const first = make("tr", {}, ...head.map((cell) => make("th", { scope: "col", title: cell.title }, word(cell.text))));
  const others = rows.map(([name, ...cells]) => make(
    "tr", {}, make("th", { scope: "row", title: name.title }, name.text), ...cells.map(numberCell),
  ));
  return make("div", { className: "scroll", tabIndex: 0 }, make("table", {}, make("thead", {}, first), make("tbody", {}, ...others)));
}

/** @param {Cell} cell */
function numberCell({ text: content, title, tint }) {
  const made = make("td", { title }, content);
  if (tint) made.style.backgroundColor = `hsl(${tint > 0 ? 120 : 0} 60% 50% / ${0.6 * Math.abs(tint)})`;
  return made;
}

/** A picture is an image, in which the browser runs no scripts. @param {Picture} picture */
function figure({ svg, title, caption }) {
  const image = make("img", { src: svgAddress(svg), alt: title });
  return make("figure", {}, image, ...(caption ? [make("figcaption", {}, caption)] : []));
}
