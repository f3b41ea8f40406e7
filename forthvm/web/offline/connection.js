/**
 * The connection of an exported page: the table is in the file itself, and two workers run the game.
 *
 * It has the methods of forthvm/web/page/connection.js, in whose place it is.
 */
import { Helper, scriptWorker } from "./helper.js";
import { Table } from "./table.js";

/** A value that the file contains. @param {string} key @returns {any} */
const embedded = (key) => JSON.parse(document.getElementById(key)?.textContent ?? "null");

export class Connection {
  constructor() {
    /** Called with each message. @type {(message: any) => void} */
    this.onMessage = () => {};
    /** Called when the game is ready. @type {(connected: boolean) => void} */
    this.onStatus = () => {};
  }

  open() {
    const { program, tables, game, ...setup } = embedded("offline-game");
    const wasm = Uint8Array.from(atob(embedded("offline-core")), (character) => character.charCodeAt(0));
    const load = { do: "load", wasm, program, tables };
    const start = scriptWorker(embedded("offline-worker"));
    const [positions, thinker] = [0, 1].map(() => new Helper(start, load));
    this.table = new Table(positions, thinker, setup, (message) => this.onMessage(message));
    this.onStatus(true);
    this.onMessage(game);
    this.table.begin();
  }

  /** @param {object} request @returns {boolean} Whether the request was sent. */
  send(request) {
    this.table?.request(/** @type {any} */ (request));
    return true;
  }

  /** The catalogue of texts of a language. @param {string} language @returns {Promise<object>} */
  async texts(language) {
    return embedded("offline-texts")[language];
  }
}
