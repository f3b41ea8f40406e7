/**
 * Parses move texts, as forthvm/game/notation.py does, and cleans texts of scripts.
 *
 * @typedef {{kind: string, text: string, name?: string, player?: string, squares: string[]}} Part
 * @typedef {{squares: Set<string>, pieces: Set<string>, players: Set<string>}} KnownNames
 */

const CONTROLS = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/** The words of a text. @param {string} text */
export function wordsOf(text) {
  return text.split(/\s+/).filter((word) => word);
}

/** The text with control characters as escapes, as forthvm/core/text/visible.py. @param {string} text */
export function visible(text) {
  return text.replace(CONTROLS, (found) => {
    const named = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[found];
    const code = found.charCodeAt(0);
    return named ?? (code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`);
  });
}

/**
 * @param {string} text
 * @param {KnownNames} names
 * @returns {Part[]}
 */
export function parseParts(text, names) {
  const words = wordsOf(text);
  /** @type {Part[]} */ const parts = [];
  /** @type {string[]} */ let unmatched = [];
  const endUnmatched = () => {
    if (unmatched.length) parts.push({ kind: "text", text: unmatched.join(" "), squares: [] });
    unmatched = [];
  };
  for (let start = 0; start < words.length; ) {
    const found = partAt(words, start, names);
    if (found) {
      endUnmatched();
      parts.push({ ...found, text: words.slice(start, start + found.length).join(" ") });
      start += found.length;
    } else {
      unmatched.push(words[start++]);
    }
  }
  endUnmatched();
  return parts;
}

/**
 * The part that begins at a word, and its number of words.
 * @param {string[]} words
 * @param {number} start
 * @param {KnownNames} names
 * @returns {{kind: string, length: number, name?: string, player?: string, squares: string[]} | undefined}
 */
function partAt(words, start, { squares, pieces, players }) {
  const [first, second = "", third = "", fourth = ""] = words.slice(start, start + 4);
  if (pieces.has(first) && squares.has(second) && (third === "-" || third === "x")) {
    if (!squares.has(fourth)) return undefined;
    return { kind: "move", length: 4, name: first, squares: [second, fourth] };
  }
  if (players.has(first) && pieces.has(second) && squares.has(third)) {
    return { kind: "create", length: 3, name: second, player: first, squares: [third] };
  }
  if (first === "x" && squares.has(second)) return { kind: "capture", length: 2, squares: [second] };
  if (first === "=" && second) return changeAt(words, start, squares);
  if (first === "@" && squares.has(second)) return { kind: "attribute", length: 4, squares: [second] };
  if (first === "partial" && /^\d+$/.test(second)) return { kind: "partial", length: 2, name: second, squares: [] };
  return first === "Pass" ? { kind: "pass", length: 1, squares: [] } : undefined;
}

/**
 * `= Name`, `= Name on a1`, or `= Name on a1 b2`, which changes several pieces.
 * @param {string[]} words
 * @param {number} start
 * @param {Set<string>} squares
 */
function changeAt(words, start, squares) {
  let end = start + 2;
  if (words[end] === "on" && squares.has(words[end + 1])) end++;
  const changed = [];
  while (squares.has(words[end])) changed.push(words[end++]);
  return { kind: "change", length: end - start, name: words[start + 1], squares: changed };
}
