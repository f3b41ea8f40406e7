/**
 * The engines of an exported game, by the specifications of forthvm: `negamax:depth=2`, `mixed:nodes=200`.
 *
 * @import { Core } from "./core.js"
 * @import { Position } from "./position.js"
 */

const ALPHA_BETA = 0, MAXN = 1, BEST_REPLY = 2;
const METHODS = { negamax: ALPHA_BETA, paranoid: ALPHA_BETA, maxn: MAXN, brs: BEST_REPLY };
const ALL_FEATURES = 255;
const MAX_DEPTH = 100, DEFAULT_DEPTH = 4, DEFAULT_SAMPLES = 4;
const DEFAULT_PLAYOUTS = 2000, DEFAULT_STEPS = 20_000_000, MIN_PLAYOUTS = 200;
const MAX_SEED = 0x7fffffff;

/** The specification of the engine that gives hints. */
export const HINT = "hint";

/** The names of the engines that an exported file can run. */
export const ENGINES = ["random", "script", "mcts", "mixed", ...Object.keys(METHODS)];

/**
 * Choose a move.
 * @param {string} specification
 * @param {Core} core
 * @param {Position} position
 * @returns {number} The index of the move.
 */
export function chooseMove(specification, core, position) {
  const [name, rest = ""] = specification.split(/:(.*)/s);
  const options = Object.fromEntries(rest.split(",").filter(Boolean).map((option) => option.split("=")));
  const count = core.moveCount;
  if (name === "random") return randomBelow(count);
  if (name === HINT) return run(position.tables.evaluates ? "negamax" : "mcts", { time: "1" }, core, position, false);
  if (name === "mixed") {
    const { engine = "negamax", random = "0", ...others } = options;
    return Math.random() < Number(random) ? randomBelow(count) : run(engine, others, core, position, true);
  }
  return run(name, options, core, position, false);
}

/**
 * @param {string} name
 * @param {Record<string, string>} options
 * @param {Core} core
 * @param {Position} position
 * @param {boolean} varied Whether equal moves are chosen at random.
 */
function run(name, options, core, position, varied) {
  const { tables, playerIndex } = position;
  const seconds = Number(options.time ?? 0), seed = Number(options.seed ?? (varied ? 1 + randomBelow(MAX_SEED) : 0));
  if (name === "script") {
    const chosen = core.runScriptEngine({ depth: Number(options.depth ?? (seconds ? 60 : 3)), variety: 0, seconds });
    return Math.max(chosen, 0);
  }
  core.useNetwork(options.net !== "none");
  if (name === "mcts") {
    const playouts = Number(options.playouts ?? 0), unlimited = !seconds && !playouts;
    return core.searchTree({
      playouts: unlimited ? DEFAULT_PLAYOUTS : playouts,
      seconds,
      chance: tables.chance,
      seed,
      steps: unlimited ? DEFAULT_STEPS : 0,
      playoutSteps: unlimited && tables.evaluates ? DEFAULT_STEPS / MIN_PLAYOUTS : 0,
      mover: playerIndex + 1,
    });
  }
  const nodes = Number(options.nodes ?? 0), limited = Boolean(seconds || nodes);
  return core.search({
    method: METHODS[/** @type {keyof typeof METHODS} */ (name)],
    features: ALL_FEATURES,
    depth: Number(options.depth ?? (limited ? MAX_DEPTH : DEFAULT_DEPTH)),
    nodes,
    seconds,
    chance: tables.chance,
    countTurns: tables.countsTurns,
    seed,
    samples: Number(options.samples ?? (tables.chance && limited ? DEFAULT_SAMPLES : 0)),
  });
}

/** @param {number} count */
function randomBelow(count) {
  return Math.floor(Math.random() * count);
}
