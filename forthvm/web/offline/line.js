/**
 * The line of moves that the core has reached: it goes to any position of the game.
 *
 * @import { Core } from "./core.js"
 * @import { Player } from "./position.js"
 * @typedef {{player: string, text: string, index: number, drawn: boolean}} Entry A move that was made.  index: in
 *   the list of legal moves, -1 for the pass of a player without moves.  drawn: by the game's random numbers.
 */

export class Line {
  /** The seed of the game. @type {number | null} */ #seed = null;
  /** Whether the core is in the position: a script that fails in a change leaves it elsewhere. */ #isThere = false;
  /** @type {Entry[]} */ entries = [];

  /** @param {Core} core @param {() => Player} player Returns the player to move. */
  constructor(core, player) {
    this.core = core;
    this.player = player;
  }

  /** Make a move, the pass of a player without moves (-1), or a move that is drawn (null). @param {number | null} chosen */
  make(chosen) {
    const { name } = this.player();
    const texts = this.core.moveTexts;
    this.#isThere = false;
    const index = chosen ?? this.#drawnIndex();
    if (index < 0) this.core.pass();
    else this.core.make(index);
    this.#isThere = true;
    const entry = { player: name, text: texts[index] ?? "Pass", index, drawn: chosen === null };
    this.entries.push(entry);
    return entry;
  }

  /** Draw a move as the engine `chance` does: by the player's own engine, or by the game's random numbers. */
  #drawnIndex() {
    if (["", "$NegamaxMove"].includes(this.player().engine)) return this.core.draw();
    return Math.max(this.core.runScriptEngine({ depth: 3, variety: 0, seconds: 0 }), 0);
  }

  /** Go to the position after some moves; moves that both lines share stay. @param {number | null} seed @param {Entry[]} moves */
  goTo(seed, moves) {
    if (seed !== this.#seed || !this.#isThere) {
      [this.#seed, this.entries, this.#isThere] = [seed, [], false];
      this.core.start(seed);
      this.#isThere = true;
    }
    let same = 0;
    while (same < this.entries.length && same < moves.length && this.entries[same].index === moves[same].index) same++;
    while (this.entries.length > same) {
      this.entries.pop();
      this.#isThere = false;
      this.core.takeBack();
      this.#isThere = true;
    }
    for (const { index, drawn } of moves.slice(same)) this.make(drawn ? null : index);
  }
}
