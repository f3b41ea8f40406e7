/**
 * Why a move is not legal: the decisions of the script that refuse it, as forthvm/debug/why_not finds them.
 *
 * @import { Author, Place } from "../offline/author.js"
 * @import { Solution } from "./refusal_search.js"
 * @import { TracedGeneration } from "./traced_generation.js"
 * @typedef {{kind: string, condition: string, word: string, here: string, place: Place | null, step: number}} Refusal A decision
 *   that refuses the move.  `kind`: `verify` or the word of another decision.  `step`: of the generation, if it is the first one.
 * @typedef {{kind: "refused" | "type" | "not-listed" | "unexplained", answers: {word: string, move: string, refusals: Refusal[]}[]}} WhyNot
 *   `type`: the turn demands moves of another type.  `not-listed`: the move is generated, but a priority or OnMovesGenerated
 *   leaves it out.
 */
import { RefusalSearch, SQUARES } from "./refusal_search.js";

const SEPARATORS = ["-", "x", "on", "="];
const MAX_TOKENS = 12, MAX_CONDITION = 2000;
const COMMENTS = /(?<!\S)\\(?=\s|$)[^\n]*|(?<!\S)\((?=\s)[^)]*\)/g;
const CONTROL = ["DO", "LOOP", "+LOOP", "LEAVE", "BEGIN", "WHILE", "REPEAT", "UNTIL", "IF", "ELSE", "ENDIF", "THEN", "verify", "add-move", ";"];

/** A wanted move, given by its squares, see RequestedMove in forthvm/debug/why_not/requested_move.py. */
class Wanted {
  /** @param {string[]} names The squares that were clicked. @param {string[]} all The board positions. @param {Set<string>} others Types and players. */
  constructor(names, all, others) {
    this.names = names.map((name) => name.toLowerCase());
    this.squares = names.map((name) => all.indexOf(name));
    this.all = new Set(all);
    this.others = others;
  }

  /** How similar a move is; from 2 on it is the wanted one. @param {string} move */
  similarity(move) {
    const [words, squares] = this.#read(move), { names } = this;
    if (words.join(" ") === names.join(" ")) return SQUARES + 1;
    const begins = (/** @type {string[]} */ one) => names.every((name, at) => one[at] === name);
    if (begins(words) || begins(squares)) return SQUARES;
    return names.length > 1 && words[0] === names[0] && words[1] === names[1] ? 1 : 0;
  }

  /** The words from the first square on, and the squares among them. @param {string} move @returns {[string[], string[]]} */
  #read(move) {
    let words = move.split(/\s+/).filter(Boolean);
    if (words[0]?.toLowerCase() === "partial" && /^\d+$/.test(words[1] ?? "")) words = words.slice(2);
    let end = 0; // captures before the moving piece are read last
    while (words.length > end + 1 && words[end] === "x" && this.all.has(words[end + 1])) end += 2;
    if (end && words.length > end && words[end] !== "-") words = [...words.slice(end), ...words.slice(0, end)];
    words = words.filter((word) => !SEPARATORS.includes(word));
    const isSquare = words.map((word, at) => this.all.has(word) && !(this.others.has(word) && this.all.has(words[at + 1])));
    const first = Math.max(isSquare.indexOf(true), 0);
    const folded = words.map((word) => word.toLowerCase());
    return [folded.slice(first), folded.filter((_, at) => isSquare[at])];
  }
}

/**
 * Find out why a move over some squares is not legal.
 * @param {TracedGeneration} traced
 * @param {string[]} squares
 * @param {{names: string[], others: Set<string>}} known Board positions; types of pieces and players.
 * @returns {WhyNot}
 */
export function whyNot(traced, squares, { names, others }) {
  const wanted = new Wanted(squares, names, others);
  const isGenerated = (/** @type {string[]} */ moves) => moves.some((move) => wanted.similarity(move) >= SQUARES);
  const generation = traced.generate(false);
  if (isGenerated(generation.moves)) return { kind: "not-listed", answers: [] };
  const search = new RefusalSearch(traced, generation, wanted);
  if (traced.demandsType && isGenerated(traced.generate(true).moves)) return { kind: "type", answers: [] };
  search.run();
  const answers = search.solutions.map((solution) => answerOf(traced, solution, names));
  return { kind: answers.length ? "refused" : "unexplained", answers };
}

/** @param {TracedGeneration} traced @param {Solution} solution @param {string[]} names */
function answerOf(traced, { run, move, decisions }, names) {
  const { author } = traced;
  const refusals = decisions.map(({ record, isVerify }) => {
    const position = author.sourceOf(record.ip);
    return {
      kind: isVerify ? "verify" : author.tokenAt(position), condition: conditionAt(author, position), word: traced.wordOf(record.ip),
      here: names[record.position] ?? "", place: author.placeAt(position), step: record.step,
    };
  });
  return { word: run ? author.word(run.word) : "", move, refusals };
}

/** The source of the condition of a decision, without comments: the words after the last control word. @param {Author} author @param {number} position */
function conditionAt(author, position) {
  const found = author.textAt(position);
  if (!found) return "";
  const offset = position - found.at, before = found.file.text.slice(Math.max(offset - MAX_CONDITION, 0), offset).replace(COMMENTS, " ");
  const line = before.slice(before.lastIndexOf("\n") + 1), tokens = (line.trim() ? line : before).split(/\s+/).filter(Boolean);
  /** @type {string[]} */ const condition = [];
  while (tokens.length && condition.length <= MAX_TOKENS) {
    const token = tokens.pop() ?? "";
    if (CONTROL.includes(token) || tokens.at(-1) === ":") break;
    condition.unshift(token);
  }
  if (condition.length > MAX_TOKENS) condition[0] = "…";
  return condition.join(" ");
}
