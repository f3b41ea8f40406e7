/**
 * What a player sees of a position, as forthvm/game/commentary/visible_board.py defines it.
 *
 * @import { Piece } from "./position.js"
 * @import { Entry } from "./describer.js"
 */
import { parseParts } from "./notation.js";

const STORES = "stores";
const UNKNOWN_TYPE = "?";
const HIDDEN_MOVE = "…";

export class Sight {
  /**
   * @param {import("./position.js").Facts} tables
   * @param {import("./notation.js").KnownNames} known
   * @param {string | null} viewer The player who looks; null: what all players see.
   * @param {boolean} isOver Whether the game is over, so that all secrets are shown.
   */
  constructor(tables, known, viewer, isOver) {
    this.known = known;
    this.viewer = viewer;
    this.hidden = new Set(tables.hidden);
    this.hiddenTypes = new Set(tables.hiddenTypes);
    this.private = new Set(isOver ? [] : tables.private);
    this.secret = new Set(isOver ? [] : tables.secret);
  }

  /** The piece as the viewer sees it. @param {string} square @param {Piece} piece @returns {Piece | null} */
  piece(square, piece) {
    if (this.hidden.has(square) || this.hiddenTypes.has(piece.type)) return null;
    if (piece.owner === this.viewer) return piece;
    if (this.private.has(square) || this.private.has(piece.type)) return null;
    const isSecret = this.secret.has(square) || this.secret.has(piece.type);
    return isSecret ? { ...piece, type: UNKNOWN_TYPE, attribute: 0 } : piece;
  }

  /** Whether the viewer sees how many pieces of a type a player has in store. @param {string} player @param {string} type */
  seesStore(player, type) {
    const named = [STORES, type];
    if (named.some((name) => this.hiddenTypes.has(name))) return false;
    return player === this.viewer || !named.some((name) => this.private.has(name) || this.secret.has(name));
  }

  /** The text of a move as the viewer sees it. @param {Entry} entry */
  text({ player, text }) {
    if (player === this.viewer || !(this.private.size || this.secret.size)) return text;
    const texts = [];
    for (const part of parseParts(text, this.known)) {
      const named = [part.name ?? "", ...part.squares];
      if (part.kind === "text" || named.some((name) => this.private.has(name))) return HIDDEN_MOVE;
      const isSecret = part.name !== undefined && named.some((name) => this.secret.has(name));
      texts.push(isSecret ? part.text.split(" ").map((word) => (word === part.name ? UNKNOWN_TYPE : word)).join(" ") : part.text);
    }
    return texts.join(" ");
  }
}
