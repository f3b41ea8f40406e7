/**
 * Which pieces have been captured: those of the start that are not on the board any more.  Pure functions.
 *
 * @import { Material, Piece } from "./types.js"
 */

/** @param {{count: number}[]} counted */
const total = (counted) => counted.reduce((sum, { count }) => sum + count, 0);

/**
 * The pieces that a player has lost, by type.  If some have become others, those are of the most frequent types.
 * @param {Material[]} material The pieces of the player at the start.
 * @param {Piece[]} pieces The pieces of the player now.
 * @returns {Material[] | null} null if there are more than at the start, so that pieces change sides.
 */
export function lost(material, pieces) {
  const changes = material.map((one) => ({ ...one, count: one.count - pieces.filter(({ type }) => type === one.type).length }));
  if (total(changes) < 0) return null;
  let became = -total(changes.filter(({ count }) => count < 0));
  const missing = changes.filter(({ count }) => count > 0);
  const atStart = (/** @type {Material} */ one) => material.find(({ type }) => type === one.type)?.count ?? 0;
  for (const one of [...missing].sort((a, b) => atStart(b) - atStart(a))) {
    const changed = Math.min(became, one.count);
    one.count -= changed;
    became -= changed;
  }
  return missing.filter(({ count }) => count > 0);
}

/**
 * The pieces that each player has captured, by the number of the player; empty where nothing can be said.
 * @param {Material[]} material The pieces of both players at the start.
 * @param {Piece[]} pieces The pieces on the board.
 * @returns {Map<number, Material[]>}
 */
export function captures(material, pieces) {
  const players = [...new Set(material.map(({ player }) => player))];
  const losses = players.map((loser) => lost(material.filter(({ player }) => player === loser), pieces.filter(({ player }) => player === loser)));
  return new Map(players.flatMap((player, at) => {
    const taken = losses[1 - at];
    return taken && losses[at] ? [[player, taken]] : [];
  }));
}
