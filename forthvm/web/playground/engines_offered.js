/**
 * The engines that a game offers.  The levels of an example count as long as the game has its board and its pieces.
 *
 * @import { Example } from "./drawing.js"
 * @import { Game } from "../offline/tables.js"
 * @typedef {{evaluating: string[], playing: string[], others: string[]}} Offered Levels of games with and without a word that
 *   evaluates, and further engines.
 */
import { agreement } from "./drawing.js";
import { hasOwnEngine } from "../offline/tables.js";

/**
 * The specification of each engine, and number and strength of each level.
 * @param {Game} game
 * @param {Example | null} example
 * @param {Offered} offered
 * @returns {{engines: Record<string, string>, levels: [number, number | null][]}}
 */
export function enginesOf(game, example, { evaluating, playing, others }) {
  const { isSameBoard, isSamePieces } = agreement(game, example);
  /** @type {Record<string, string>} */ const own = hasOwnEngine(game) ? { script: "script:time=2" } : {};
  if (example && isSameBoard && isSamePieces) return { engines: { ...example.engines, ...own }, levels: example.game.levels ?? [] };
  const specs = game.evaluates ? evaluating : playing;
  return {
    engines: Object.fromEntries([...specs.map((spec, at) => [`level:${at + 1}`, spec]), ...others.map((spec) => [spec, spec]), ...Object.entries(own)]),
    levels: specs.map((_, at) => [at + 1, null]),
  };
}
