/**
 * A position as the server describes it: the scene, the gestures, whose turn it is, and the result.
 *
 * forthvm/render/scene.py does the same for the server; forthvm/web/offline/offline_game.py makes the tables.
 *
 * @import { Facts, Piece, Position } from "./position.js"
 * @typedef {{name: string, fill: string, ink: string, outline: string, neutral: boolean,
 *   chance: boolean, eliminated: boolean, store: object[]}} Owner
 * @typedef {Facts & {owners: Owner[], unknown: Owner,
 *   looks: Record<string, Record<string, {label: string, symbol: string | null}>>}} Tables
 * @typedef {{player: string, text: string}} Entry
 */
import { gestureTree } from "./gestures.js";
import { parseParts, visible, wordsOf } from "./notation.js";
import { Sight } from "./sight.js";

const CELL = 4;
const MAX_EVENTS = 24;
const COMPLETE = 16; // length of an array of which all values are shown

export class Describer {
  /**
   * @param {Position} position
   * @param {Tables} tables
   */
  constructor(position, tables) {
    this.position = position;
    this.core = position.core;
    this.tables = tables;
    this.hidden = new Set(tables.hidden);
    this.known = {
      squares: new Set(tables.names),
      pieces: new Set(Object.values(tables.types)),
      players: new Set(tables.players.map(({ name }) => name)),
    };
  }

  /**
   * Everything about the position that the page needs.
   * @param {Entry[]} history The moves that were made.
   * @param {string | null} viewer The player who looks; null: what all players see.
   */
  describe(history, viewer) {
    const texts = this.core.moveTexts;
    const board = this.position.board;
    const result = this.position.result;
    const { player } = this.position;
    return {
      ply: this.core.ply,
      player: player.name,
      isChance: player.chance,
      engine: player.engine,
      isStuck: !texts.length && !result,
      result,
      moves: texts,
      gestures: this.#gestures(texts, board),
      scene: this.#scene(board, history, result, viewer),
    };
  }

  /** @param {string[]} texts @param {Map<string, Piece>} board */
  #gestures(texts, board) {
    const { turns, players } = this.tables;
    const turn = turns[this.position.turnIndex];
    const movers = new Set([players[turn.player].name, players[turn.for].name]);
    const own = new Set([...board].filter(([, { owner }]) => movers.has(owner)).map(([name]) => name));
    const moves = texts.map((text) => ({ text, parts: parseParts(text, this.known) }));
    return gestureTree(moves, own, this.hidden, (one, other) => this.core.areEqual(one, other));
  }

  /**
   * @param {Map<string, Piece>} board
   * @param {Entry[]} history
   * @param {{text: string} | null} result
   * @param {string | null} viewer
   */
  #scene(board, history, result, viewer) {
    const sight = new Sight(this.tables, this.known, viewer, result !== null);
    const shown = [...board].flatMap(([square, piece]) => {
      const seen = sight.piece(square, piece);
      return seen ? [{ square, ...seen, owner: seen.owner || this.tables.unknown.name }] : [];
    });
    const players = this.#players(shown.map(({ owner }) => owner), this.#eliminated(board), sight);
    const { attributes, dice } = this.tables;
    return {
      pieces: shown.map(({ square, type, owner, attribute }) => ({
        square: visible(square),
        type: visible(type),
        player: players.findIndex(({ name }) => name === visible(owner)),
        ...this.#look(owner, type),
        attribute: attributes ? attribute : 0,
      })),
      players,
      turn: result ? null : visible(this.position.player.name),
      turns: result ? [] : this.#turns(),
      result: result && visible(result.text),
      dice: shown.filter(({ owner, type }) => this.#isChance(owner) && type in dice).map(({ type }) => dice[type]),
      marks: this.#marks(history, sight),
      events: this.#events(history, sight),
      notes: this.#notes(),
    };
  }

  /**
   * A scene with the pieces of other cells and other marks, as `with_cells` in forthvm/render/scene.py.
   * @param {ReturnType<Describer["describe"]>["scene"]} base
   * @param {number[]} cells
   * @param {{square: string, kind: string}[]} marks
   */
  withCells(base, cells, marks) {
    const board = [...this.position.boardOf(cells)].filter(([name]) => !this.hidden.has(name));
    const players = this.#withUnknown(base.players.slice(0, this.tables.owners.length), board.map(([, { owner }]) => owner));
    const pieces = board.map(([square, { type, owner, attribute }]) => ({
      square: visible(square),
      type: visible(type),
      player: players.findIndex(({ name }) => name === visible(owner)),
      ...this.#look(owner, type),
      attribute,
    }));
    return { ...base, pieces, players, marks: marks.map((mark) => ({ ...mark, square: visible(mark.square), reason: "" })), events: [] };
  }

  /** The moves since the last turn of the player to move, without those of chance. @param {Entry[]} history @param {Sight} sight */
  #events(history, sight) {
    let count = 0, began = false;
    for (const { player } of history.slice(-MAX_EVENTS).reverse()) {
      began ||= player === this.position.player.name;
      if (began && player !== this.position.player.name) break;
      count++;
    }
    return history.slice(history.length - count).filter(({ player }) => !this.#isChance(player)).map((entry) => (
      { player: this.#indexOf(entry.player), move: visible(sight.text(entry)), effects: [] }
    ));
  }

  /** @param {string} name */
  #indexOf(name) {
    return this.tables.players.findIndex((player) => player.name === name);
  }

  /** @param {string} name */
  #isChance(name) {
    return this.tables.players[this.#indexOf(name)]?.chance ?? false;
  }

  /** The players who are out: they began with pieces that can move. @param {Map<string, Piece>} board */
  #eliminated(board) {
    const { movable, starters, turns, players } = this.tables;
    const owners = new Set([...board.values()].filter(({ type }) => movable.includes(type)).map(({ owner }) => owner));
    const able = new Set(turns.filter((turn) => owners.has(players[turn.for].name)).map(({ player }) => players[player].name));
    return new Set(starters.filter((name) => !able.has(name)));
  }

  /**
   * All players, and others that own pieces because the script is wrong.
   * @param {string[]} owners
   * @param {Set<string>} out The players who are out.
   * @param {Sight} sight
   */
  #players(owners, out, sight) {
    const { players } = this.tables;
    return this.#withUnknown(this.tables.owners.map((owner, index) => ({
      ...owner, eliminated: out.has(players[index].name), store: this.#store(index, sight),
    })), owners);
  }

  /** @param {Owner[]} known @param {string[]} owners */
  #withUnknown(known, owners) {
    const unknown = [...new Set(owners)].filter((name) => this.#indexOf(name) < 0).sort();
    return [...known, ...unknown.map((name) => ({ ...this.tables.unknown, name: visible(name) }))];
  }

  /** Label and symbol of a piece. @param {string} owner @param {string} type */
  #look(owner, type) {
    return this.tables.looks[owner]?.[type] ?? { label: visible(type), symbol: null };
  }

  /** The pieces of a player of a rule file beside the board. @param {number} index @param {Sight} sight */
  #store(index, sight) {
    const { stores, types, players, owners } = this.tables;
    if (stores === null || owners[index].neutral || owners[index].chance) return [];
    const { name } = players[index];
    const names = Object.values(types); // by number
    const counts = this.core.read(stores + CELL * index * names.length, names.length);
    return names
      .map((type, at) => ({ type, count: counts[at] }))
      .filter(({ type, count }) => count > 0 && sight.seesStore(name, type))
      .map(({ type, count }) => ({ type: visible(type), count, ...this.#look(name, type) }));
  }

  /** The turns of one round from now. */
  #turns() {
    const { turns, repeat } = this.tables;
    let at = this.position.turnIndex;
    const round = [{ player: this.position.playerIndex, moves: 1 }];
    for (let step = turns.length - repeat - 1; step > 0; step--) {
      at = at + 1 < turns.length ? at + 1 : repeat;
      const last = round[round.length - 1];
      if (last.player === turns[at].player) last.moves++;
      else round.push({ player: turns[at].player, moves: 1 });
    }
    if (round.length > 1 && round[0].player === round.at(-1)?.player) round.pop();
    return round;
  }

  /** The squares that the text of the last move names, and of moves of chance after it. @param {Entry[]} history @param {Sight} sight */
  #marks(history, sight) {
    /** @type {Map<string, string>} */ const kinds = new Map();
    for (const entry of history.slice(-MAX_EVENTS)) {
      if (!this.#isChance(entry.player)) kinds.clear();
      const text = sight.text(entry);
      for (const word of wordsOf(text)) if (this.known.squares.has(word)) kinds.set(word, "last");
      for (const { kind, squares } of parseParts(text, this.known)) {
        if (kind === "move") kinds.set(squares[0], "from").set(squares[1], "to");
      }
    }
    const seen = [...kinds].filter(([name]) => !this.hidden.has(name));
    return seen.map(([name, kind]) => ({ square: visible(name), kind, reason: "" }));
  }

  /** The values of the variables that the script shows. */
  #notes() {
    const start = this.core.variable("$board");
    const notes = [];
    for (const { name, offset, length, bytes } of this.tables.variables) {
      const values = this.core.read(start + offset, length, bytes);
      if (!values.some(Boolean)) continue;
      const { contestants } = this.tables;
      const isForEach = contestants.length > 1 && length === contestants.length;
      const listed = isForEach ? contestants.map((player, at) => `${player} ${values[at]}`) : values.map((value, at) => `[${at}] ${value}`);
      const isWhole = length <= COMPLETE && !isForEach;
      const shown = isWhole ? values.join(" ") : listed.filter((_, at) => isForEach || values[at]).join(", ");
      notes.push(visible(`${name.replace(/[-_]/g, " ")}: ${shown}`));
    }
    return notes;
  }
}
