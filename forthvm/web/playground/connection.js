/**
 * The connection of the board in the playground: the page around it sends games, and two workers run them.
 *
 * It tells the page around it which position it shows.
 *
 * It has the methods of forthvm/web/page/connection.js, in whose place it is.
 */
import { Helper, scriptWorker } from "../offline/helper.js";
import { Table } from "../offline/table.js";
import { byId } from "../page/dom.js";
import { onDrop } from "../page/dropping.js";
import { Copying } from "./copying.js";

const PERSON = "person";
const MAX_SOURCES = 5;

export class Connection {
  constructor() {
    /** Called with each message. @type {(message: any) => void} */
    this.onMessage = () => {};
    /** Called when the game is ready. @type {(connected: boolean) => void} */
    this.onStatus = () => {};
    /** @type {Table | null} */ this.table = null;
    /** The number of the game in the page around. */ this.number = 0;
    /** Counts games: one that takes long to load must not replace a newer one. */ this.newest = 0;
    /** The earlier games of which not all variations are in the tree. @type {Table[]} */ this.sources = [];
    /** Starts a worker. @type {(() => Worker) | null} */ this.start = null;
    /** Whether the next game is another one than that on the board. */ this.isOther = true;
    /** The message about the position on the board, and about that of the game. @type {any} */ this.shown = this.state = null;
  }

  open() {
    this.onStatus(true);
    addEventListener("message", ({ source, data }) => {
      if (source !== parent) return;
      if (data?.is === "game") this.#show(data);
      if (data?.is === "request") this.send({ node: this.table?.moves.played.number, ...data.request });
      if (data?.is === "why not") this.onMessage(data);
      if (data?.is === "scene" && this.shown) this.onMessage({ ...this.shown, ...(data.scene ? { scene: data.scene } : {}) });
    });
    byId("live").addEventListener("click", () => this.state && this.#tellShown(this.state));
    addEventListener("pointerdown", () => focus()); // the board prevents it, which would leave keys to the page around it
    onDrop((opened) => parent.postMessage({ is: "opened", opened }, location.origin));
    parent.postMessage("ready", location.origin);
  }

  /** @param {object} request @returns {boolean} Whether the request was sent. */
  send(request) {
    const { do: what, node, squares } = /** @type {any} */ (request);
    if (what === "why not" && this.table) {
      parent.postMessage({ is: "why not", game: this.number, ...this.#positionAt(node), node, squares }, location.origin);
      return true;
    }
    this.table?.request(/** @type {any} */ (request));
    return true;
  }

  /** The catalogue of texts of a language. @param {string} language @returns {Promise<object>} */
  async texts(language) {
    return (await fetch(`page/${language}.json`)).json();
  }

  /**
   * Show a game at the position that the moves of the game before it reach, as far as they are legal.
   * @param {{is: "game", number: number, wasm: WebAssembly.Module, worker: string, title: string, keepsMoves: boolean,
   *   game: {program: object, tables: import("../offline/describer.js").Tables, message: object, engines: Record<string, string>}}} request
   */
  async #show({ number: game, wasm, worker, title, keepsMoves, game: { program, tables, message, engines } }) {
    const number = ++this.newest;
    this.isOther ||= !keepsMoves;
    const load = { do: "load", wasm, program, tables }, start = (this.start ??= ahead(scriptWorker(worker)));
    const [positions, thinker] = [0, 1].map(() => new Helper(start, load));
    const before = this.table, follows = before && !this.isOther;
    const players = tables.contestants.length ? tables.contestants : tables.movers;
    const seats = Object.fromEntries(players.map((name) => [name, PERSON]));
    for (const player of Object.keys(seats)) {
      const by = follows ? before.seats[player] : undefined;
      if (by && (by === PERSON || Object.hasOwn(engines, by))) seats[player] = by;
    }
    const table = new Table(positions, thinker, { title, seats, engines, seed: null }, (/** @type {any} */ told) => {
      if (this.table !== table) return;
      this.onMessage(told);
      const { seed, moves, position } = table;
      if (told.is === "state") {
        this.state = told;
        parent.postMessage({ is: "moved", game, seed, moves: moves.line, legal: position.result ? [] : position.moves }, location.origin);
      }
      if (told.is === "state" || told.is === "view") this.#tellShown(told);
    });
    const sources = follows ? [before, ...this.sources].slice(0, MAX_SOURCES) : [];
    const copying = follows ? new Copying(sources, table) : null;
    await copying?.game().catch(() => {}); // the script fails in this position: the table says so when it shows it
    if (number === this.newest) {
      this.table = table;
      this.number = game;
      this.isOther = false;
      this.onMessage({ ...message, explains: true });
      table.begin();
      this.sources = sources;
      const isWanted = () => this.table === table;
      copying?.variations(isWanted).then((isDone) => { if (isDone && isWanted()) this.sources = []; }, () => {});
    } else stop(table);
    if (before && before !== this.table) stop(before);
  }

  /** Tell the page around which position is shown. @param {any} told The message about it. */
  #tellShown(told) {
    this.shown = told;
    parent.postMessage({ is: "shown", game: this.number, ...this.#positionAt(told.node) }, location.origin);
  }

  /** @param {number} node */
  #positionAt(node) {
    const { seed, moves } = /** @type {Table} */ (this.table);
    return { seed, moves: moves.lineTo(moves.node(node)) };
  }
}

/** A function that starts workers, one ahead, so that it has read its script when it is used. @param {() => Worker} start */
function ahead(start) {
  let next = start();
  return () => {
    const worker = next;
    next = start();
    return worker;
  };
}

/** End the workers of a table. @param {Table} table */
function stop(table) {
  table.turn++; // an answer that comes late is not shown
  for (const helper of [table.positions, table.thinker]) helper.stop();
}
