/**
 * The table of an exported game: seats, turns and taking back, as forthvm/web/table/table.py on the server.
 *
 * @import { Helper } from "./helper.js"
 * @typedef {{node: number, move: number, player: string, by: string, text: string, glyph: string,
 *   kind: string}} Fields
 * @typedef {{title: string, seats: Record<string, string>, engines: Record<string, string>, seed: number | null}} Setup
 *   seats: who plays for each player; engines: the specification that is run for each engine's name.
 */
import { Moves } from "./moves.js";
import { visible } from "./notation.js";
import { Refusal } from "./refusal.js";

const PERSON = "person";
const PAUSE = 400; // milliseconds before the move of an engine that answers at once, so that it can be seen

/** A random seed; null: the game's own. @param {number | null} fixed */
const newSeed = (fixed) => fixed ?? crypto.getRandomValues(new Int32Array(1))[0];

export class Table {
  /**
   * @param {Helper} positions Describes positions and makes moves.
   * @param {Helper} thinker Runs engines.
   * @param {Setup} setup
   * @param {(message: object) => void} tell Receives the messages for the page.
   */
  constructor(positions, thinker, setup, tell) {
    this.positions = positions;
    this.thinker = thinker;
    this.setup = setup;
    this.tell = tell;
    this.seats = { ...setup.seats };
    this.seed = newSeed(setup.seed);
    this.moves = new Moves();
    this.turn = 0; // counts requests: the move of an engine that began before the last one is dropped
    /** The description of the current position. @type {any} */ this.position = null;
    /** The end of the game by resignation. @type {object | null} */ this.ending = null;
    /** Makes the engine's best move so far; null while no engine searches. @type {(() => void) | null} */ this.hurry = null;
  }

  /** Show the start of the game. */
  async begin() {
    await this.#granted(async () => this.#show());
  }

  /**
   * Grant a request of the page.
   * @param {{do: string} & Partial<Fields>} request
   */
  async request(request) {
    const fields = /** @type {Fields} */ (/** @type {unknown} */ (request));
    if (request.do in this.#grants) await this.#granted(() => this.#grants[request.do](fields));
    else if (request.do in this.#aside) await this.#refusable(() => this.#aside[request.do](fields));
    else this.tell({ is: "error", code: "unknown-request", values: {}, text: "Unknown request." });
  }

  /** The requests that change the game. */
  /** @type {Record<string, (fields: Fields) => Promise<void>>} */
  #grants = {
    play: async ({ node, move }) => {
      if (node !== this.moves.played.number) throw new Refusal("position-changed", "The position has changed.");
      if (this.#isOver || !this.#isPerson) throw new Refusal("not-your-turn", "It is not your turn.");
      if (!(move in this.position.moves)) throw new Refusal("not-legal", "This is not a legal move.");
      await this.#make(move);
    },
    undo: async () => {
      if (!this.moves.played.parent) throw new Refusal("nothing-to-undo", "There is no move to take back.");
      this.ending = null;
      do {
        this.moves.back();
        await this.#describe();
      } while (this.moves.played.parent && !this.#isPerson);
      this.#show();
    },
    "step back": async () => {
      if (!this.#mayStepBack) throw new Refusal("nothing-to-undo", "There is no move to take back.");
      this.moves.back();
      await this.#describe();
      this.#show();
    },
    redo: async () => {
      if (!this.moves.mayGoForward) throw new Refusal("no-move-forward", "There is no move to make again.");
      do {
        this.moves.forward();
        await this.#describe();
      } while (this.moves.mayGoForward && !this.#isPerson);
      this.#show();
    },
    new: () => this.#restart(),
    offer: async ({ kind }) => {
      if (kind !== "rematch" || !this.#isOver) throw new Refusal("not-over", "The game is not over.");
      const players = Object.keys(this.seats), seats = Object.values(this.seats);
      seats.unshift(...seats.splice(-1)); // each participant plays for the next player
      this.seats = Object.fromEntries(players.map((player, at) => [player, seats[at]]));
      await this.#restart();
    },
    resign: async ({ player: loser }) => {
      if (this.#isOver || this.seats[loser] !== PERSON) throw new Refusal("not-your-turn", "It is not your turn.");
      const [winner, ...others] = Object.keys(this.seats).filter((player) => player !== loser);
      if (others.length) this.seats[loser] = Object.keys(this.setup.engines)[0]; // the others continue
      else this.ending = { code: "resigned", values: { player: loser, winner }, text: `${loser} has resigned, ${winner} has won` };
      this.#show();
    },
    "play from": async ({ node }) => {
      this.moves.goTo(this.moves.node(node));
      await this.#describe();
      this.#show();
    },
    seat: async ({ player, by }) => {
      if (!(player in this.seats)) throw new Refusal("no-seat", `There is no seat of ${player}.`);
      if (by !== PERSON && !(by in this.setup.engines)) throw new Refusal("no-engine", "There is no such engine.");
      this.seats[player] = by;
      await this.#describe();
      this.#show();
    },
  };

  /** The requests that do not disturb the game: looking at positions, and variations. */
  /** @type {Record<string, (fields: Fields) => Promise<void> | void>} */
  #aside = {
    look: ({ node }) => this.#look(node),
    analyse: ({ node }) => this.#hint(node),
    "stop analysis": () => {}, // a hint ends by itself
    vary: async ({ node, move }) => {
      const moves = this.moves.lineTo(this.moves.node(node));
      const { entry } = await this.#ask({ do: "make", moves, index: move });
      const added = this.moves.add(this.moves.node(node), entry);
      this.tell(this.moves.message);
      await this.#look(added.number);
    },
    delete: ({ node }) => this.#changeTree(node, (found) => this.moves.delete(found)),
    promote: ({ node }) => this.#changeTree(node, (found) => this.moves.promote(found)),
    comment: ({ node, text }) => this.#changeTree(node, (found) => { found.comment = text.trim(); }),
    "move now": () => {
      if (!this.hurry) throw new Refusal("no-engine-moves", "No engine is searching.");
      this.hurry();
    },
    judge: ({ node, glyph }) => this.#changeTree(node, (found) => { found.glyph = glyph; }),
  };

  /** @param {number} number @param {(node: import("./moves.js").MoveNode) => void} change */
  #changeTree(number, change) {
    change(this.moves.node(number));
    this.tell(this.moves.message);
  }

  /** Describe the position of a node of the tree. @param {number} node */
  async #look(node) {
    const moves = this.moves.lineTo(this.moves.node(node));
    const { ply, scene, gestures, result, isStuck } = await this.#ask({ do: "show", moves });
    const pass = { clicks: [["choice", "Pass", null, { move: -1, text: "Pass" }]] };
    this.tell({ is: "view", node, ply, board: null, scene, gestures: result ? null : isStuck ? pass : gestures });
  }

  /** Search a position for the best move. @param {number} node */
  async #hint(node) {
    const { text, squares } = await this.thinker.ask({ do: "hint", seed: this.seed, moves: this.moves.lineTo(this.moves.node(node)) });
    this.tell({ is: "lines", node, running: false, error: null, lines: [{ moves: [text], squares, scores: [] }] });
  }

  /** Begin a new game with the same seats. */
  async #restart() {
    this.moves = new Moves(this.moves.next);
    this.seed = newSeed(this.setup.seed);
    this.ending = null;
    await this.#describe();
    this.#show();
  }

  get #isOver() {
    return Boolean(this.ending || this.position.result);
  }

  get #isPerson() {
    return this.seats[this.position.player] === PERSON;
  }

  /** Whether the last move belongs to the unfinished turn of a person. */
  get #mayStepBack() {
    const last = this.moves.played.entry;
    return !this.#isOver && this.#isPerson && last?.player === this.position.player;
  }

  /** Run a request, after the end of the engine's search, and go on with the game. @param {() => Promise<void>} grant */
  async #granted(grant) {
    const turn = ++this.turn;
    this.thinker.stopIfBusy();
    await this.#refusable(async () => {
      if (!this.position) await this.#describe();
      await grant();
    });
    await this.#refusable(async () => {
      while (turn === this.turn && (await this.#advance(turn)));
    }, turn);
  }

  /**
   * Run a function; tell the page of its error.
   * @param {() => Promise<void> | void} run
   * @param {number} [turn] If given, an error is not told after a newer request.
   */
  async #refusable(run, turn = this.turn) {
    try {
      await run();
    } catch (error) {
      if (turn !== this.turn) return;
      const { code = "script-error", message: text } = /** @type {Refusal} */ (error);
      this.tell({ is: "error", code, values: { text }, text });
    }
  }

  /** Make a move that no person chooses. @param {number} turn @returns {Promise<boolean>} Whether one was made. */
  async #advance(turn) {
    const { position } = this;
    if (this.#isOver) return false;
    if (position.isStuck) return this.#make(-1);
    if (position.isChance) return this.#make(null);
    const engine = this.seats[position.player];
    if (engine === PERSON) return false;
    this.tell({ is: "thinking", player: position.player, engine });
    const index = await this.#think(turn, this.setup.engines[engine]);
    return turn === this.turn && this.#make(index);
  }

  /** Let an engine choose a move. @param {number} turn @param {string} engine @returns {Promise<number>} */
  async #think(turn, engine) {
    let best = 0;
    const searched = this.thinker.ask({ do: "think", seed: this.seed, moves: this.moves.line, engine }, {
      patience: 0,
      onInfo: (info) => {
        best = Math.max(this.position.moves.indexOf(info.pv[0]), 0);
        if (turn === this.turn) this.tell({ is: "info", ...info });
      },
    });
    const hurried = new Promise((resolve) => { this.hurry = () => resolve(best); });
    const pause = new Promise((resolve) => setTimeout(resolve, PAUSE));
    try {
      const [index] = await Promise.all([Promise.race([searched, hurried]), pause]);
      return index;
    } finally {
      this.hurry = null;
      searched.catch(() => {}); // a search that nothing waits for is ended below
      this.thinker.stopIfBusy();
    }
  }

  /** Make a move: an index, -1 to pass without moves, null for a move of chance. @param {number | null} index */
  async #make(index) {
    const { moves } = this;
    this.position = await this.#ask({ do: "make", moves: moves.line, index });
    moves.play(this.position.entry);
    this.#show();
    return true;
  }

  async #describe() {
    this.position = await this.#ask({ do: "show", moves: this.moves.line });
  }

  /** Ask about a position of the game, as the only person sees it, or else as all players do. @param {object} request */
  #ask(request) {
    const people = Object.keys(this.seats).filter((player) => this.seats[player] === PERSON);
    return this.positions.ask({ ...request, seed: this.seed, viewer: people.length === 1 ? people[0] : null });
  }

  /** Tell the page the state of the table. */
  #show() {
    const { position, moves } = this;
    const { result } = position;
    this.tell(moves.message);
    this.tell({
      is: "state",
      title: this.setup.title,
      node: moves.played.number,
      ply: position.ply,
      board: null,
      scene: position.scene,
      gestures: !this.#isOver && this.#isPerson ? position.gestures : null,
      result: this.ending ?? (result && { code: result.code, values: { winners: result.winners.join(", ") }, text: result.text }),
      seats: Object.entries(this.seats).map(([player, by]) => ({ player: visible(player), by, mine: by === PERSON, left: null, key: null })),
      watch_key: null,
      is_owner: true,
      engines: Object.keys(this.setup.engines),
      clocks: null,
      offer: null,
      may_redo: moves.mayGoForward,
      may_step_back: this.#mayStepBack,
      may_draw: false,
      allows_analysis: true,
    });
  }
}
