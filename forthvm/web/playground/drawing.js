/**
 * How a game that was loaded in the browser looks: the board, the colours of players, the symbols of pieces.
 *
 * An example comes with the drawing that forthvm/render made of it, which is used as long as the names in the text are
 * those of the example.  Other boards are drawn by board.js, and other pieces by their names.
 *
 * @import { Facts } from "../offline/position.js"
 * @import { Tables, Owner } from "../offline/describer.js"
 * @import { Drawings, Game as Message } from "../page/types.js"
 * @import { Game } from "../offline/tables.js"
 * @typedef {{game: Message, tables: Tables, engines: Record<string, string>}} Example
 * @typedef {{palette: Record<string, [string, string]>, names: Record<string, string>, outlines: string[],
 *   neutral: [string, string, string], unknown: Owner, symbols: Drawings, keys: Record<string, string>}} Looks Colours and
 *   outlines of players, and drawings by the names of types; see forthvm/web/playground/static_page.py.
 */
import { visible } from "../offline/notation.js";
import { boardOf } from "./board.js";

/**
 * The value of a name that a script chose: `constructor` is a name, too.
 * @template T
 * @param {Record<string, T> | undefined} values
 * @param {string} name
 */
const valueOf = (values, name) => (values && Object.hasOwn(values, name) ? values[name] : undefined);

/** @param {unknown} one @param {unknown} other */
const areEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Whether a game has the board and the pieces of an example.
 * @param {Pick<Game, "names" | "hidden" | "types" | "players">} facts
 * @param {Example | null} example
 */
export const agreement = (facts, example) => ({
  isSameBoard: areEqual(example?.tables.names, facts.names) && areEqual(example?.tables.hidden, facts.hidden),
  isSamePieces: areEqual(example?.tables.types, facts.types) && areEqual(example?.tables.players, facts.players),
});

/**
 * The message with which the page shows a game, and the tables of its positions.
 * @param {Game} game
 * @param {Example | null} example
 * @param {Looks} looks
 * @returns {{message: object, tables: Tables}}
 */
export function drawn({ grid, neutral, pattern, ...facts }, example, looks) {
  const { isSameBoard, isSamePieces } = agreement(facts, example);
  const tables = {
    ...facts,
    owners: ownersOf(facts.players, neutral, looks),
    unknown: looks.unknown,
    looks: looksOf(facts, example?.tables.looks ?? {}, looks.keys),
  };
  const message = {
    ...example?.game,
    is: "game",
    offline: true,
    board: (isSameBoard && example?.game.board) || boardOf({ ...facts, grid, pattern }),
    symbols: isSamePieces ? example?.game.symbols : { ...basedIf(facts.contestants.length > 2, looks.symbols), ...example?.game.symbols },
    material: isSameBoard && isSamePieces ? example?.game.material : [],
    alternating: alternatingOf(facts),
    has_secrets: Boolean(facts.private.length + facts.secret.length),
  };
  return { message, tables };
}

/** The two players whose turns alternate. @param {Facts} facts */
function alternatingOf({ players, contestants, turns, repeat }) {
  const movers = turns.map(({ player }) => players[player].name).filter((name) => contestants.includes(name));
  const again = turns.slice(repeat).map(({ player }) => players[player].name).find((name) => contestants.includes(name));
  const next = [...movers.slice(1), again];
  return contestants.length === 2 && movers.every((name, at) => name !== next[at]) ? contestants.map(visible) : [];
}

/** Label and symbol of each piece: those of the example, or by its name. @param {Pick<Tables, "players" | "types">} facts @param {Tables["looks"]} known @param {Record<string, string>} keys */
function looksOf({ players, types }, known, keys) {
  const names = Object.values(types), lower = names.map((name) => name.toLowerCase());
  const symbols = lower.map((name) => valueOf(keys, name) ?? null);
  const own = (/** @type {number} */ at) => (symbols.indexOf(symbols[at]) === at ? symbols[at] : null); // two types do not look the same
  return Object.fromEntries(players.map((player) => [player.name, Object.fromEntries(names.map((name, at) =>
    [name, valueOf(valueOf(known, player.name), name) ?? { label: visible(name), symbol: own(at) }]))]));
}

/** The pieces of more than two players stand on bases. @param {boolean} based @param {Drawings} symbols @returns {Drawings} */
const basedIf = (based, symbols) => Object.fromEntries(Object.entries(symbols).map(([key, symbol]) => [key, { ...symbol, based: symbol.based || based }]));

/** @param {Tables["players"]} players @param {string[]} neutral @param {Looks} looks @returns {Owner[]} */
function ownersOf(players, neutral, { palette, names, outlines, neutral: [fill, ink, outline] }) {
  const competing = players.filter(({ name, chance }) => !chance && !neutral.includes(name)).map(({ name }) => name);
  /** @type {Map<string, string>} */ const chosen = new Map();
  for (const name of competing) {
    const colour = valueOf(names, name.toLowerCase());
    if (colour && ![...chosen.values()].includes(colour)) chosen.set(name, colour);
  }
  const unused = Object.keys(palette).filter((colour) => ![...chosen.values()].includes(colour));
  const left = unused.length ? unused : Object.keys(palette);
  competing.filter((name) => !chosen.has(name)).forEach((name, at) => chosen.set(name, left[at % left.length]));
  return players.map(({ name, chance }) => {
    const at = competing.indexOf(name), [own, text] = palette[chosen.get(name) ?? ""] ?? [fill, ink];
    return {
      name: visible(name), fill: own, ink: text, outline: at < 0 ? outline : outlines[competing.length > 2 ? at % outlines.length : 0],
      neutral: neutral.includes(name), chance, eliminated: false, store: [],
    };
  });
}
