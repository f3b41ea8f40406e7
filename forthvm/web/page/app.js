/**
 * The page of a table: connects to the server, walks the gestures, and shows the panels.
 *
 * @typedef {import("./board.js").Scene} Scene
 * @typedef {{move?: number, text?: string, clicks?: [string, string, string | null, Node_][]}} Node_
 * @typedef {{is: "state", title: string, ply: number, scene: Scene, gestures: Node_ | null,
 *   history: {player: string, text: string}[], seats: Record<string, string>, engines: string[],
 *   may_redo: boolean}} State
 */
import { BoardView } from "./board.js";

const RECONNECT = 1000; // milliseconds

/** @param {string} id @returns {HTMLElement} */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @param {string} tag
 * @param {Partial<HTMLElement> & Record<string, unknown>} properties
 * @param {(Node | string)[]} children
 */
function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

class Page {
  constructor() {
    /** @type {State | null} */ this.state = null;
    /** @type {Node_ | null} */ this.node = null;
    /** @type {string[]} */ this.clicked = [];
    this.board = new BoardView(byId("board"), (square) => this.click("square", square, null));
    byId("undo").onclick = () => this.send({ do: "undo" });
    byId("redo").onclick = () => this.send({ do: "redo" });
    byId("new").onclick = () => this.send({ do: "new" });
    byId("flip").onclick = () => this.board.flip();
    document.addEventListener("keydown", (event) => this.#key(event));
    this.connect();
  }

  connect() {
    const key = new URLSearchParams(location.search).get("key") ?? "";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws?key=${encodeURIComponent(key)}`);
    this.socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    this.socket.onclose = () => {
      byId("status").textContent = "No connection; trying again …";
      setTimeout(() => this.connect(), RECONNECT);
    };
  }

  /** @param {object} request */
  send(request) {
    this.socket?.send(JSON.stringify(request));
  }

  /** @param {State | {is: "error", text: string} | {is: "thinking", player: string, engine: string} | {is: "info", depth: number, score: number, pv: string[]}} message */
  receive(message) {
    if (message.is === "state") {
      this.state = message;
      byId("engine").textContent = "";
      byId("message").textContent = "";
      this.cancel();
    } else if (message.is === "thinking") {
      byId("engine").textContent = `${message.player} (${message.engine}) is thinking …`;
    } else if (message.is === "info") {
      byId("engine").textContent = `depth ${message.depth ?? "–"}, score ${message.score ?? "–"}: ${message.pv.join("; ")}`;
    } else {
      byId("message").textContent = message.text;
    }
  }

  /** Forget the clicks of the move under construction. */
  cancel() {
    this.node = this.state?.gestures ?? null;
    this.clicked = [];
    this.draw();
  }

  /**
   * Follow a click in the tree of gestures.
   * @param {string} kind
   * @param {string} name
   * @param {string | null} player
   */
  click(kind, name, player) {
    const next = this.#child(this.node, kind, name, player);
    if (next) {
      if (kind === "square") this.clicked.push(name);
      this.node = next;
    } else {
      this.node = this.state?.gestures ?? null;
      this.clicked = [];
      const first = this.#child(this.node, kind, name, player);
      if (first) {
        this.node = first;
        if (kind === "square") this.clicked.push(name);
      }
    }
    if (this.node?.move !== undefined && !this.node.clicks) this.play(this.node.move);
    this.draw();
  }

  /** @param {Node_ | null} node @param {string} kind @param {string} name @param {string | null} player */
  #child(node, kind, name, player) {
    return node?.clicks?.find((one) => one[0] === kind && one[1] === name && one[2] === player)?.[3];
  }

  /** @param {number} move */
  play(move) {
    this.send({ do: "play", ply: this.state?.ply, move });
  }

  draw() {
    const state = this.state;
    if (!state) return;
    const open = new Set((this.node?.clicks ?? []).filter(([kind]) => kind === "square").map(([, name]) => name));
    this.board.draw(state.scene, open, this.clicked);
    byId("title").textContent = state.title;
    document.title = `${state.title} – forthvm`;
    byId("status").textContent = state.scene.result ?? `${state.scene.turn} to move`;
    this.#choices();
    this.#seats(state);
    byId("history").replaceChildren(...state.history.map(({ player, text }) => make("li", {}, `${player}: ${text}`)));
    byId("history").scrollTop = byId("history").scrollHeight;
    /** @type {HTMLButtonElement} */ (byId("undo")).disabled = !state.ply;
    /** @type {HTMLButtonElement} */ (byId("redo")).disabled = !state.may_redo;
  }

  /** Buttons for stores, passes and promotions, and to end a gesture. */
  #choices() {
    const buttons = (this.node?.clicks ?? [])
      .filter(([kind]) => kind !== "square")
      .map(([kind, name, player]) => make("button", { onclick: () => this.click(kind, name, player) }, player ? `${player} ${name}` : name));
    const move = this.node?.move;
    if (move !== undefined && this.node?.clicks) {
      buttons.push(make("button", { onclick: () => this.play(move) }, `Done: ${this.node.text}`));
    }
    byId("choices").replaceChildren(...buttons);
  }

  /** @param {State} state */
  #seats(state) {
    const rows = Object.entries(state.seats).map(([player, spec]) => {
      const choices = ["person", ...state.engines].map((value) => make("option", { value, selected: value === spec }, value));
      const select = make("select", {
        ariaLabel: `Seat of ${player}`,
        /** @param {Event} event */
        onchange: (event) => this.send({ do: "seat", player, by: /** @type {HTMLSelectElement} */ (event.target).value }),
      }, ...choices);
      const swatch = make("span", { className: "swatch" });
      const colours = state.scene.players.find(({ name }) => name === player);
      if (colours) swatch.style.backgroundColor = colours.fill;
      return make("label", {}, swatch, player, select);
    });
    const stores = state.scene.players.filter(({ store }) => store.length);
    const texts = stores.map(({ name, store }) => {
      const pieces = store.map(([type, count]) => (count === 1 ? type : `${count} ${type}`));
      return make("p", { className: "store" }, `Store of ${name}: ${pieces.join(", ")}`);
    });
    byId("seats").replaceChildren(...rows, ...texts);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") this.cancel();
    if (event.key === "f" || event.key === "F") this.board.flip();
  }
}

new Page();
