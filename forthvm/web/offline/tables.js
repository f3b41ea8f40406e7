/**
 * The tables of a game that was loaded in the browser, in the form of position.js.
 *
 * It owns the layout of the library's tables, as forthvm/game/tables.py does for Python, and what players see, as
 * forthvm/game/shown.py.
 *
 * @import { Core } from "./core.js"
 * @import { Facts, Variable } from "./position.js"
 * @import { Author } from "./author.js"
 * @typedef {{rows: number, columns: number, flip: boolean}} Grid flip: whether row 1 is the top row.
 * @typedef {{directions: number[][], setup: string[], occupied: number[], points: boolean | null}} Pattern What decides how the
 *   board is drawn.  directions: for each direction, the index of the next position of each position.  setup: names of positions.
 *   points: whether the script says that pieces stand on points.
 * @typedef {Facts & {grid: Grid, neutral: string[], pattern: Pattern}} Game
 */

const CELL = 4, TURN = 12, PIECE_CELLS = 4, MAX_TEXT = 256;
const NEUTRAL = 0x400; // FVM_NEUTRAL
const MOST = 1 << 20;
const DIRECTION_BODY = 2 * CELL; // from its token, as for each word with DOES>
const POINTS = "points";
const STORES = "z-stores"; // of a compiled rule file
const DEFAULT_ENGINE = "$NegamaxMove";
const DIE = /^(?:d|die|dice|pips?|throw|roll|кость|кубик)?[-_ ]?(\d{1,3})$/iu;
const SIGNS = ["-", "~", "?"];

/** The tables are not those of a game. */
class NoGame extends Error {}

/**
 * Read the tables in the position at the start of a game.
 * @param {Core} core
 * @param {Author} author
 * @param {Variable[]} known Arrays of which the length is known.
 * @param {() => string} printed Returns what the script has printed since the last call.
 * @returns {Game}
 */
export function readTables(core, author, known, printed) {
  const cells = (/** @type {string} */ table, /** @type {number} */ count) => {
    if (count < 0 || count > MOST) throw new NoGame(`the table ${table} has ${count} entries`);
    return core.read(core.variable(table), count);
  };
  const playerCount = core.variable("$playerCount"), positionCount = core.variable("$positions");
  const engines = cells("$engines", playerCount);
  const players = cells("$players", playerCount).map((token, at) => {
    const name = author.word(token);
    return { name, cell: author.execute(token), chance: name.startsWith("?"), engine: engines[at] ? author.word(engines[at]) : "" };
  });
  const numberOf = (/** @type {number} */ token) => players.findIndex(({ name }) => name === author.word(token));
  const records = inParts(cells("$pieces", core.variable("$pieceCount") * PIECE_CELLS), PIECE_CELLS);
  const types = records.map(([token]) => ({ name: author.word(token), number: author.execute(token) }));
  const has = (/** @type {number} */ list) => list !== 0 && core.read(list + CELL, 1)[0] !== 0;
  const movable = records.flatMap(([, moves], at) => (has(moves) ? [types[at].name] : []));
  const turns = inParts(cells("$turnOrder", Math.floor(core.variable("$turnLimit") / TURN) * 3), 3)
    .map(([player, owner]) => ({ player: numberOf(player), for: numberOf(owner) }));
  if (turns.some((turn) => turn.player < 0 || turn.for < 0)) throw new NoGame("the turn order names a word that is no player");
  const names = cells("$posNames", positionCount).map((at) => (at ? zeroTerminated(core, at) : "??"));
  const rows = core.variable("$rows"), columns = core.variable("$columns");
  const grid = rows > 0 && columns > 0 && rows * columns <= names.length ? rows * columns : 0;
  const scanned = core.variable("$scanPositions");
  const unseen = scanned > 0 ? names.slice(Math.max(scanned, grid)) : [];
  const typeNames = types.map(({ name }) => name);
  const matching = (/** @type {string} */ name) => matchesOf(name, [...names, ...typeNames], unseen);
  const signs = signsOf(core, author, printed, matching);
  const namesWith = (/** @type {string} */ sign) => [...signs].filter(([, one]) => one === sign).map(([name]) => name);
  const [shown, hidden, owned, secret] = ["", ...SIGNS].map(namesWith);
  const seen = new Set([...shown, ...owned, ...secret]);
  const neutral = players.filter(({ cell }) => cell & NEUTRAL).map(({ name }) => name);
  const movers = new Set(turns.map((turn) => turn.player));
  const isCompetitor = (/** @type {number} */ at) => !players[at].chance && !neutral.includes(players[at].name);
  const contestants = players.filter((_, at) => movers.has(at) && isCompetitor(at)).map(({ name }) => name);
  const owners = new Set(turns.map((turn) => turn.for));
  const hasDrops = records.some(([, , drops]) => has(drops));
  return {
    names,
    grid: { rows: grid ? rows : 0, columns: grid ? columns : 0, flip: core.variable("$flipGrid") !== 0 },
    neutral,
    pattern: {
      ...patternOf(core, names.length),
      points: shown.includes(POINTS) ? true : hidden.includes(POINTS) ? false : null,
    },
    hidden: [...new Set([...unseen, ...hidden])].filter((name) => !seen.has(name)).sort(),
    hiddenTypes: hidden.sort(),
    private: owned.sort(),
    secret: secret.sort(),
    attributes: shown.includes("attributes"),
    variables: variablesOf(core, author, new Set(shown), known),
    stores: author.defines(STORES) ? author.address(STORES) : null,
    types: Object.fromEntries(types.map(({ name, number }) => [number, name])),
    dice: Object.fromEntries(types.flatMap(({ name }) => { const die = DIE.exec(name); return die ? [[name, Number(die[1])]] : []; })),
    players,
    turns,
    repeat: Math.floor(core.variable("$repeatOffset") / TURN),
    movable: movable.sort(),
    starters: contestants.length > 2 && !hasDrops ? startersOf(core, { names, players, types, turns, movable, contestants }) : [],
    contestants,
    movers: players.filter(({ chance }, at) => owners.has(at) && !chance).map(({ name }) => name),
    hasTeams: author.defines("OnFriends?"),
    chance: players.reduce((bits, { chance }, at) => (chance ? bits | (2 << at) : bits), 0),
    countsTurns: true, // Python finds out whether the script uses the number of the turn; to say so is always right
    evaluates: author.defines("OnEvaluate"),
  };
}

/** @param {number[]} cells @param {number} size */
function inParts(cells, size) {
  return Array.from({ length: Math.floor(cells.length / size) }, (_, at) => cells.slice(at * size, (at + 1) * size));
}

/** A zero-terminated text of the script. @param {Core} core @param {number} at */
function zeroTerminated(core, at) {
  const bytes = core.read(at, MAX_TEXT, true);
  const end = bytes.indexOf(0);
  return core.decode(Uint8Array.from(end < 0 ? bytes : bytes.slice(0, end)));
}

/** The name, or for one with `*`, which stands for any characters, those that match and are seen. @param {string} name @param {string[]} names @param {string[]} unseen */
function matchesOf(name, names, unseen) {
  if (!name.includes("*") || names.includes(name)) return [name];
  const [first, ...parts] = name.split("*"), last = parts.pop() ?? "";
  return names.filter((one) => {
    if (unseen.includes(one) || !one.startsWith(first)) return false;
    let at = first.length; // the end of what matches so far
    for (const part of parts) {
      const found = one.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return one.length - last.length >= at && one.endsWith(last);
  });
}

/** The sign before each name that OnShow prints. @param {Core} core @param {Author} author @param {() => string} printed @param {(name: string) => string[]} matching */
function signsOf(core, author, printed, matching) {
  /** @type {Map<string, string>} */ const signs = new Map();
  if (!author.defines("OnShow")) return signs;
  printed();
  core.call("OnShow");
  for (const text of printed().split(/\s+/).filter(Boolean)) {
    const isSigned = SIGNS.includes(text[0]);
    for (const name of matching(isSigned ? text.slice(1) : text)) signs.set(name, isSigned ? text[0] : "");
  }
  return signs;
}

/** @param {Core} core @param {number} positionCount */
function patternOf(core, positionCount) {
  const directions = core.read(core.variable("$directions"), core.variable("$directionCount"));
  const setup = core.variable("$boardSetup"), count = setup ? Math.max(core.read(setup, 1)[0], 0) : 0;
  return {
    directions: directions.map((token) => core.read(token + DIRECTION_BODY, positionCount)),
    setup: inParts(core.read(setup + CELL, 3 * Math.min(count, MOST)), 3).map(([, , name]) => zeroTerminated(core, name)),
    occupied: core.read(core.variable("$board"), positionCount).flatMap((cell, at) => (cell ? [at] : [])),
  };
}

/** The board variables that players see. @param {Core} core @param {Author} author @param {Set<string>} shown @param {Variable[]} known @returns {Variable[]} */
function variablesOf(core, author, shown, known) {
  const board = core.variable("$board"), size = core.variable("$boardSize");
  return [...shown]
    .map((name) => ({ name, offset: author.address(name) - board }))
    .filter(({ offset }) => offset >= 0 && offset < size)
    .map(({ name, offset }) => known.find((one) => one.name === name && one.offset === offset) ?? { name, offset, length: 1, bytes: false })
    .sort((one, other) => one.offset - other.offset);
}

/** The contestants who begin with pieces that can move. @param {Core} core @param {any} facts @returns {string[]} */
function startersOf(core, { names, players, types, turns, movable, contestants }) {
  const cells = core.read(core.variable("$board"), names.length);
  /** @type {Set<number>} */ const owners = new Set();
  for (const cell of cells) {
    const type = types.find((/** @type {{number: number}} */ { number }) => number === (cell & 0x3ff));
    if (cell && movable.includes(type?.name)) owners.add(cell & 0xfc00);
  }
  const able = new Set(turns.filter((/** @type {any} */ turn) => owners.has(players[turn.for].cell)).map((/** @type {any} */ turn) => players[turn.player].name));
  return contestants.filter((/** @type {string} */ name) => able.has(name)).sort();
}

/** The engines that the players have of their own. @param {Game} game */
export const hasOwnEngine = (game) => game.players.some(({ chance, engine }) => !chance && !["", DEFAULT_ENGINE].includes(engine));
