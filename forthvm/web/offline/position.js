/**
 * A position: the pieces on the board, whose turn it is, and the result.
 *
 * It owns the meaning of the core's cells.  forthvm/game/ending.py does the same for Python.
 *
 * @import { Core } from "./core.js"
 * @typedef {{name: string, cell: number, chance: boolean, engine: string}} Player
 * @typedef {{name: string, offset: number, length: number, bytes: boolean}} Variable
 * @typedef {{names: string[], hidden: string[], hiddenTypes: string[], attributes: boolean,
 *   private: string[], secret: string[], dice: Record<string, number>,
 *   variables: Variable[], stores: number | null, types: Record<number, string>, players: Player[],
 *   turns: {player: number, for: number}[], repeat: number, movable: string[], starters: string[],
 *   contestants: string[], movers: string[],
 *   hasTeams: boolean, chance: number, countsTurns: boolean, evaluates: boolean}} Facts What never changes in a game.
 * @typedef {{type: string, owner: string, attribute: number}} Piece owner: empty if it has none.
 */

const CELL = 4;
const TURN = 12; // bytes of a record of the turn order
const CODES = { win: 2130000000, draw: 0, loss: -2130000000 };

export class Position {
  /**
   * @param {Core} core
   * @param {Facts} tables
   */
  constructor(core, tables) {
    this.core = core;
    this.tables = tables;
  }

  /** Index of the player to move. */
  get playerIndex() {
    return this.core.variable("$playerOffset") / CELL;
  }

  get player() {
    return this.tables.players[this.playerIndex];
  }

  get turnIndex() {
    return Math.floor(this.core.variable("$turnOffset") / TURN);
  }

  /** The pieces that a board has, by square. @returns {Map<string, Piece>} */
  get board() {
    return this.boardOf(this.core.read(this.core.variable("$board"), this.tables.names.length));
  }

  /** @param {number[]} cells @returns {Map<string, Piece>} */
  boardOf(cells) {
    const { names } = this.tables;
    /** @type {Map<string, Piece>} */ const board = new Map();
    names.forEach((name, at) => {
      if (cells[at] && names.indexOf(name) === at) board.set(name, this.#piece(cells[at]));
    });
    return board;
  }

  /** @param {number} cell @returns {Piece} */
  #piece(cell) {
    const owner = cell & 0xfc00;
    const player = this.tables.players.find((one) => one.cell === owner);
    return {
      type: this.tables.types[cell & 0x3ff] ?? `#${cell & 0x3ff}`,
      owner: player?.name ?? (owner ? `#${owner >> 11}` : ""),
      attribute: (cell >>> 16) & 0xffff,
    };
  }

  // --- the end of the game --------------------------------------------------------------

  /** @returns {{code: string, winners: string[], text: string} | null} */
  get result() {
    const { turns, contestants } = this.tables;
    const { code } = this.core;
    const players = contestants.length ? contestants : this.tables.movers;
    const isDecided = code === CODES.draw || code === CODES.win || code === CODES.loss;
    if (!isDecided && this.core.skipped < turns.length) return null;
    const cause = isDecided ? this.#cause : "no player has a move";
    if (code !== CODES.win && code !== CODES.loss) return { code: "draw", winners: [], text: `draw: ${cause}` };
    const viewer = this.#viewer;
    const friends = this.#friendsOf(viewer);
    let team = players.filter((name) => name === viewer || friends.includes(name));
    if (!team.length) team = [viewer];
    const others = players.filter((name) => !team.includes(name));
    const has = team.length === 1 && viewer !== "You" ? "has" : "have";
    if (code === CODES.win) return { code: "win", winners: team, text: `${joined(team)} ${has} won: ${cause}` };
    const won = others.length ? `, ${joined(others)} won` : "";
    return { code: others.length ? "win" : "over", winners: others, text: `${joined(team)} ${has} lost${won}: ${cause}` };
  }

  /** Why OnIsGameOver has ended the game: the result comment, or what can be observed. */
  get #cause() {
    const comment = this.core.comment.split(/\s+/).filter(Boolean).join(" ");
    if (comment) return comment;
    const name = this.player.name.replace(/^\?/, ""); // without the sign of a chance player
    return this.core.moveCount ? "by the rules of the script" : `${name} ${name === "You" ? "have" : "has"} no legal move`;
  }

  /** The player from whose view OnIsGameOver returns its result. */
  get #viewer() {
    const { turns, repeat, players, contestants } = this.tables;
    if (!this.player.chance) return this.player.name;
    let at = this.turnIndex;
    for (let step = 0; step < turns.length; step++) {
      at = at + 1 < turns.length ? at + 1 : repeat;
      const { name } = players[turns[at].player];
      if (contestants.includes(name)) return name;
    }
    return players[turns[this.turnIndex].for].name;
  }

  /** @param {string} viewer */
  #friendsOf(viewer) {
    const { players, contestants, hasTeams } = this.tables;
    if (!hasTeams) return [];
    const cellOf = (/** @type {string} */ name) => players.find((one) => one.name === name)?.cell ?? 0;
    const isFriend = (/** @type {string} */ one, /** @type {string} */ other) =>
      this.core.call("OnFriends?", [cellOf(one), cellOf(other)]) !== 0;
    return contestants.filter((name) => name !== viewer && isFriend(viewer, name) && isFriend(name, viewer));
  }
}

/** @param {string[]} names */
function joined(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names.join();
}
