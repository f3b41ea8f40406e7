/**
 * The page of a table: connects the parts.  Each part shows a state and sends requests.
 *
 * @typedef {import("./board.js").Scene} Scene
 * @typedef {import("./board.js").Board} Board
 * @typedef {import("./gesture.js").GestureNode} GestureNode
 * @typedef {{is: "state", title: string, node: number, ply: number, board: Board | null, scene: Scene, gestures: GestureNode | null,
 *   history: {player: string, text: string}[], seats: import("./seats.js").Seat[], engines: string[],
 *   is_owner: boolean, watch_key: string | null, may_redo: boolean}} State
 * @typedef {State | {is: "game", board: Board} | {is: "error", code: string, values: Record<string, string>, text: string} | {is: "thinking", player: string, engine: string}
 *   | {is: "info", depth: number, score: number, pv: string[]}} Message
 */
import { BoardView } from "./board.js";
import { Connection } from "./connection.js";
import { byId, make } from "./dom.js";
import { Gesture } from "./gesture.js";
import { SeatsPanel } from "./seats.js";
import { loadTexts, text } from "./texts.js";

class Page {
  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {Board | null} */ this.usualBoard = null;
    /** @type {State | null} */ this.state = null;
    this.gesture = new Gesture(null);
    this.board = new BoardView(byId("board"), (square) => this.click("square", square, null));
    this.seats = new SeatsPanel(byId("seats"), (request) => connection.send(request));
    byId("undo").onclick = () => connection.send({ do: "undo" });
    byId("redo").onclick = () => connection.send({ do: "redo" });
    byId("new").onclick = () => connection.send({ do: "new" });
    byId("flip").onclick = () => this.board.flip();
    document.addEventListener("keydown", (event) => this.#key(event));
    connection.onMessage = (message) => this.receive(message);
    connection.onLost = () => { byId("status").textContent = text("lost"); };
  }

  /** @param {Message} message */
  receive(message) {
    if (message.is === "game") {
      this.usualBoard = message.board;
    } else if (message.is === "state") {
      const state = { ...this.state, ...message }; // a state contains only what has changed
      this.state = state;
      this.gesture = new Gesture(state.gestures);
      byId("engine").textContent = "";
      byId("message").textContent = "";
      this.seats.show(state);
      this.#showHistory(state);
      this.draw();
    } else if (message.is === "thinking") {
      byId("engine").textContent = text("thinking", message);
    } else if (message.is === "info") {
      const { depth, score, pv } = message;
      byId("engine").textContent = text("info", { depth: depth ?? "–", score: score ?? "–", moves: pv.join("; ") });
    } else {
      byId("message").textContent = text(`error.${message.code}`, message.values, message.text);
    }
  }

  /**
   * @param {string} kind
   * @param {string} name
   * @param {string | null} player
   */
  click(kind, name, player) {
    const move = this.gesture.click(kind, name, player);
    if (move !== undefined) this.play(move);
    this.draw();
  }

  /** @param {number} move */
  play(move) {
    this.connection.send({ do: "play", node: this.state?.node, move });
  }

  /** Draw the board with the move under construction. */
  draw() {
    const state = this.state;
    const board = state?.board ?? this.usualBoard;
    if (!state || !board) return;
    this.board.draw(board, state.scene, this.gesture.open, this.gesture.squares);
    byId("title").textContent = state.title;
    document.title = `${state.title} – forthvm`;
    byId("status").textContent = state.scene.result ?? text("to move", { player: state.scene.turn ?? "" });
    this.#showChoices();
    /** @type {HTMLButtonElement} */ (byId("undo")).disabled = !state.ply;
    /** @type {HTMLButtonElement} */ (byId("redo")).disabled = !state.may_redo;
  }

  /** Buttons for stores, passes and promotions, and to end a gesture. */
  #showChoices() {
    const { choices, move, node } = this.gesture;
    const buttons = choices.map(([kind, name, player]) =>
      make("button", { onclick: () => this.click(kind, name, player) }, player ? `${player} ${name}` : name),
    );
    if (move !== undefined && node?.clicks) {
      buttons.push(make("button", { onclick: () => this.play(move) }, text("done", { move: node.text ?? "" })));
    }
    byId("choices").replaceChildren(...buttons);
  }

  /** @param {State} state */
  #showHistory(state) {
    const list = byId("history");
    list.replaceChildren(...state.history.map((entry) => make("li", {}, `${entry.player}: ${entry.text}`)));
    list.scrollTop = list.scrollHeight;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      this.gesture.cancel();
      this.draw();
    }
    if (event.key === "f" || event.key === "F") this.board.flip();
  }
}

await loadTexts();
const connection = new Connection();
new Page(connection);
connection.open();
