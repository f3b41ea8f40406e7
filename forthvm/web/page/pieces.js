/**
 * Pieces as elements, and which piece of the last position each piece of the next one is.
 *
 * @import { Drawings, Mark, Piece, Player } from "./types.js"
 */
import { makeSvg } from "./dom.js";
import { symbolOf } from "./symbols.js";

const FULL = 0.96; // the width of a drawing without a base, in widths of a square
const BASED = 0.64;

/**
 * Make the picture of a piece, centred on (0, 0); a square is 1 wide.
 * @param {{type: string, label: string, symbol: string | null}} piece
 * @param {Player} owner
 * @param {Drawings} drawings
 * @returns {SVGElement}
 */
export function pieceElement(piece, owner, drawings) {
  const colours = { fill: owner.fill, color: owner.ink };
  const symbol = symbolOf(drawings, piece.symbol);
  const based = !symbol || drawings[piece.symbol ?? ""].based;
  const group = makeSvg("g", { class: "piece" });
  if (based) group.append(makeSvg("g", colours, ...[symbolOf(drawings, `base/${owner.outline}`)].flatMap((base) => base ?? [])));
  if (symbol && based) {
    group.append(makeSvg("g", { fill: owner.ink, color: owner.fill, transform: `scale(${BASED})` }, symbol));
  } else if (symbol) {
    const size = drawings[piece.symbol ?? ""].png ? 1 : FULL; // pictures of a rule file have their own size
    group.append(makeSvg("g", { ...colours, transform: `scale(${size})` }, symbol));
  } else {
    const size = Math.min(0.36, 1.05 / piece.label.length);
    group.append(makeSvg("text", { fill: owner.ink, "font-size": `${size}px` }, piece.label));
  }
  return group;
}

/**
 * Make a picture of a piece that stands in the text.
 * @param {{type: string, label: string, symbol: string | null}} piece
 * @param {Player} owner
 * @param {Drawings} drawings
 */
export function pieceIcon(piece, owner, drawings) {
  const view = { class: "icon", viewBox: "-.5 -.5 1 1", "aria-hidden": "true" };
  return makeSvg("svg", view, pieceElement(piece, owner, drawings));
}

/** @param {Piece} one @param {Piece} other */
const same = (one, other) => one.type === other.type && one.player === other.player;

/**
 * Find the square from which each piece came.
 * @param {Piece[]} before
 * @param {Piece[]} after
 * @param {Mark[]} marks The marks of the last move say which of several equal pieces moved.
 * @returns {Map<string, string>} The square before, by the square after; pieces that are new are missing.
 */
export function cameFrom(before, after, marks) {
  const left = new Map(before.map((piece) => [piece.square, piece]));
  /** @type {Map<string, string>} */ const found = new Map();
  /** @param {Piece} piece @param {string} from */
  const take = (piece, from) => left.delete(from) && found.set(piece.square, from);
  for (const piece of after) {
    const old = left.get(piece.square);
    if (old && same(old, piece)) take(piece, piece.square);
  }
  const moved = new Set(marks.filter(({ kind }) => kind === "from" || kind === "to").map(({ square }) => square));
  const rest = after.filter((piece) => !found.has(piece.square));
  rest.sort((a, b) => Number(moved.has(b.square)) - Number(moved.has(a.square)));
  /** @param {(old: Piece, piece: Piece) => boolean} isOrigin */
  const match = (isOrigin) => {
    for (const piece of rest.filter(({ square }) => !found.has(square))) {
      const old = [...left.values()].find((one) => one.square !== piece.square && isOrigin(one, piece));
      if (old) take(piece, old.square);
    }
  };
  match((old, piece) => same(old, piece) && moved.has(old.square) && moved.has(piece.square));
  match(same);
  match((old, piece) => old.player === piece.player && moved.has(old.square) && moved.has(piece.square)); // promoted
  return found;
}
