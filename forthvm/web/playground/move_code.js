/**
 * The code of a move under construction, as readable Forth, and the squares that it changes, as
 * forthvm/debug/generation/move_code.py.
 *
 * @import { Inspector } from "./state.js"
 * @typedef {{code: string, changed: string[]}} MoveCode
 */
import { instructionAt } from "./code_lines.js";

const LIT = 73, ENDS = [71, 72]; // opcodes, see native/generated/ops.h
/** The parameters of the words in a move. @type {Record<string, string[]>} */
const PARAMETERS = {
  "(remove-piece)": ["pos"], "(add-piece)": ["piece", "pos"], "(create)": ["piece", "pos"], "(capture-at)": ["pos"],
  "(change-type-at)": ["type", "pos"], "(change-owner-at)": ["player", "pos"], "(partial-move-type)": ["mtype"],
};

/** @param {Inspector} inspector @returns {MoveCode} */
export function unfinishedMove(inspector) {
  const { author, trace } = inspector, { exports } = author.core;
  /** @type {string[]} */ const words = [];
  /** @type {Set<string>} */ const changed = new Set();
  /** @type {number[]} */ let literals = [];
  const start = exports.trace_move(), end = exports.author_here();
  for (let address = start; start && address < end;) {
    const { op, operand, name: word, next } = instructionAt(author, trace, address);
    if (op === LIT) literals.push(operand);
    else if (!ENDS.includes(op)) {
      const name = op < 0 ? `${trace.read(address, 1)[0]} (not a word)` : word, kinds = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : [];
      const position = literals.at(-1);
      if (kinds.at(-1) === "pos" && position !== undefined) changed.add(inspector.positionName(position));
      words.push(...literals.map((cell, at) => literalOf(inspector, cell, kinds[at - literals.length + kinds.length] ?? "")), name);
      literals = [];
    }
    address = next;
  }
  return { code: [...words, ...literals].join(" "), changed: [...changed].filter(Boolean) };
}

/** A literal as the name of what it stands for. @param {Inspector} inspector @param {number} cell @param {string} kind */
function literalOf(inspector, cell, kind) {
  if (kind === "pos") return inspector.positionName(cell) || String(cell);
  const owner = inspector.playerName(cell), type = inspector.pieceName(cell);
  const names = { player: [owner], type: [type], piece: [owner, type, "OR"] }[kind] ?? [""];
  return cell > 0 && cell < 1 << 16 && names.every(Boolean) ? names.join(" ") : String(cell);
}
