/**
 * A move that a person has planned while it is another's turn: the square of an own piece, and any other square.
 *
 * @import { Page } from "./app.js"
 */
import { contestants } from "./players.js";

export class Premove {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** At most two. @type {string[]} */ this.squares = [];
    /** The number of moves when it was planned. */ this.ply = 0;
  }

  /** Whether a move may be planned: another person or an engine is to move, in the position on the board. */
  get isPossible() {
    const { state, game, live } = this.page;
    if (!live || !state || !game || game.has_secrets || contestants(state.scene).length < 2 || state.gestures || state.result) return false;
    const { seats, scene } = state;
    const turn = scene.players.find(({ name }) => name === scene.turn);
    return Boolean(turn && !turn.chance && this.#mine.length && seats.some(({ player, mine }) => player === turn.name && !mine));
  }

  /** The players of this window who are in the game. */
  get #mine() {
    return (this.page.state?.seats ?? []).filter(({ mine, left }) => mine && !left).map(({ player }) => player);
  }

  /** Whether a piece of a player of this window stands on a square. @param {string} square */
  #isOwn(square) {
    const { scene } = this.page.state ?? {};
    const piece = scene?.pieces.find((one) => one.square === square);
    return Boolean(scene && piece && this.#mine.includes(scene.players[piece.player].name));
  }

  /** Begin a move if an own piece is on the square, unless the next click is its target. @param {string} square */
  begin(square) {
    if (this.squares.length === 1 || !this.isPossible || !this.#isOwn(square)) return false;
    this.#set([square]);
    return true;
  }

  /** Click a square. @param {string} square @returns {boolean} Whether the click was for a planned move. */
  click(square) {
    const [from, to] = this.squares;
    if (this.begin(square)) return true;
    if (!from) return false;
    this.#set(to || square === from ? [] : [from, square]);
    return true;
  }

  /** Forget the move. @returns {boolean} Whether there was one. */
  cancel() {
    const had = this.squares.length > 0;
    this.squares = [];
    return had;
  }

  /** Keep the move for the next turn, or return its squares if the turn has come; otherwise forget it. @returns {string[]} */
  next() {
    const { squares } = this;
    const ply = this.page.state?.ply ?? 0;
    if (!squares.length || (this.isPossible && ply >= this.ply && this.#isOwn(squares[0]))) return [];
    this.cancel();
    return this.page.live && ply > this.ply ? squares : [];
  }

  /** @param {string[]} squares */
  #set(squares) {
    [this.squares, this.ply] = [squares, this.page.state?.ply ?? 0];
  }
}
