/**
 * Why a click on the board was refused: the decisions of the script, each of which opens where it stands.
 *
 * @import { WhyNot } from "./why_not.js"
 */
import { byId, make } from "../page/dom.js";
import { text } from "../page/texts.js";

/** A decision that refuses a move, in words. @param {WhyNot["answers"][0]} answer */
function sentenceOf({ refusals: [first, ...others] }) {
  const { condition, kind, word, here, place } = first;
  const more = others.length ? ` ${text("refusal.more", { count: others.length })}` : "";
  const where = place ? ` ${text("refusal.at", { file: place.file, line: place.line })}` : "";
  return `${text("refusal.by", { decision: `${condition} ${kind}`.trim(), word, here })}${more}${where}`;
}

/**
 * Show why a move was refused.
 * @param {string[]} squares
 * @param {WhyNot} found
 * @param {(refusal: WhyNot["answers"][0]["refusals"][0]) => void} open
 * @returns {string} The most likely reason.
 */
export function showRefusal(squares, { kind, answers }, open) {
  const sentences = answers.length ? answers.map(sentenceOf) : [text(`refusal.${kind}`)];
  byId("refusal").replaceChildren(
    make("span", {}, text("threats.why-not", { squares: squares.join(" – ") })),
    ...sentences.map((sentence, at) => (answers[at]?.refusals[0].place ? make("button", { onclick: () => open(answers[at].refusals[0]) }, sentence) : make("span", {}, sentence))),
  );
  return sentences[0];
}

export function hideRefusal() {
  byId("refusal").replaceChildren();
}
