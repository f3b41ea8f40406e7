/**
 * The shell of the page: passes the messages of the server to the parts of the page, and owns what is shown.
 *
 * A part is a class that is made with the page and listens to messages.  Parts do not know each other.
 *
 * @import { Board, Coded, Drawings, Game, GestureNode, Scene, State } from "./types.js"
 * @typedef {{click: (square: string) => void, grab: (square: string) => "again", drop: (square: string) => void,
 *   erase: (square: string) => void, cancel: () => void, from: string}} Edit What clicks and drags do instead of moves.
 * @typedef {{node: number, scene: Scene, board: Board | null, gestures: GestureNode | null, label: string,
 *   play: (move: number) => boolean, edit?: Edit}} Shown The position of a node of the tree of moves, and a function that
 *   makes one of its moves.  `board` replaces the board of the game.  `label` names the position; that of the current
 *   one is "".  A position that is set up has `edit`, and the node -1.
 */
import { BoardView } from "./board.js";
import { ClocksPart } from "./clocks.js";
import { Connection } from "./connection.js";
import { CodePart } from "./code.js";
import { byId } from "./dom.js";
import { EditorPart } from "./editor.js";
import { EndingPart } from "./ending.js";
import { EnginePart } from "./engine.js";
import { MatchPart } from "./match.js";
import { NewGamePart } from "./newgame.js";
import { startTabs } from "./panels.js";
import { PieceSetPart } from "./pieceset.js";
import { PlayPart } from "./play.js";
import { PlayersPart } from "./players.js";
import { Preferences } from "./preferences.js";
import { RulesPart } from "./rules.js";
import { SeatsPart } from "./seats.js";
import { SharePart } from "./share.js";
import { Shortcuts } from "./shortcuts.js";
import { StatusPart } from "./status.js";
import { browserLanguage, loadTexts, text } from "./texts.js";
import { ThreatsPart } from "./threats.js";
import { TreePart } from "./tree.js";

const PARTS = [
  PlayPart, PlayersPart, StatusPart, ClocksPart, MatchPart, SeatsPart, NewGamePart, SharePart, RulesPart,
  TreePart, EnginePart, EndingPart, ThreatsPart, CodePart, PieceSetPart, EditorPart,
];
const MESSAGE_TIME = 6000; // milliseconds

export class Page {
  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {Map<string, ((message: any) => void)[]>} */ this.handlers = new Map();
    /** @type {Game | null} */ this.game = null;
    /** A game whose first state has not come: until then its board would be empty. @type {Game | null} */ this.nextGame = null;
    /** The newest state of the table. @type {State | null} */ this.state = null;
    /** @type {Shown | null} */ this.shown = null;
    this.live = true;
    this.preferences = new Preferences();
    this.shortcuts = new Shortcuts(this.preferences);
    this.board = new BoardView(byId("board"), (square) => this.describe(square));
    this.board.svg.setAttribute("data-label", "board.board");
    this.board.isAnimated = () => this.preferences.is("motion");
    startTabs();
    /** Returns the name of a square for people who do not see it. @type {(square: string) => string} */
    this.describe = (square) => square;
    /** @type {Record<string, unknown>} */ this.conditions = {};
    byId("live").onclick = () => this.showLive();
    document.addEventListener("click", ({ target }) => this.#sendOf(/** @type {Element} */ (target)));
    this.parts = PARTS.map((Part) => new Part(this));
    connection.onStatus = (connected) => { byId("offline").hidden = connected; };
  }

  /** Load the texts, and meanwhile connect. */
  start() {
    const loaded = this.#loadTexts();
    this.connection.onMessage = async (message) => { await loaded; this.receive(message); };
    this.preferences.onChange("language", async () => {
      await this.#loadTexts();
      if (this.state) this.receive(this.state);
    });
    this.connection.open();
  }

  #loadTexts() {
    const language = this.preferences.get("language") || browserLanguage();
    return loadTexts(language, (name) => this.connection.texts(name));
  }

  // --- messages ------------------------------------------------------------------------------

  /**
   * Call a function with each message of a kind; `shown` is sent by the page itself when the board shows something else.
   * @param {string} kind
   * @param {(message: any) => void} handler
   */
  on(kind, handler) {
    this.handlers.set(kind, [...(this.handlers.get(kind) ?? []), handler]);
  }

  /** @param {{is: string}} message */
  receive(message) {
    if (message.is === "game") {
      this.nextGame = /** @type {Game} */ (message);
      return;
    }
    if (message.is === "thinking") this.set({ thinking: true });
    if (message.is === "state") this.#setState(/** @type {State} */ (message));
    if (message.is === "error") this.#showError(/** @type {any} */ (message));
    this.emit(message.is, message);
    if (message.is === "state" && this.live) this.showLive();
  }

  /** @param {string} kind @param {unknown} [message] */
  emit(kind, message) {
    for (const handler of this.handlers.get(kind) ?? []) handler(message);
  }

  /** Send a request; without a connection it is refused. @param {object} request @returns {boolean} */
  send(request) {
    const sent = this.connection.send(request);
    if (!sent) this.message(text("error.offline"));
    return sent;
  }

  /** Send the request that a button contains, about the position on the board. @param {Element} clicked */
  #sendOf(clicked) {
    const request = clicked.closest("[data-send]")?.getAttribute("data-send");
    if (request) this.send({ ...JSON.parse(request), node: this.shown?.node });
  }

  /** Draw the pieces with other symbols. @param {Drawings} symbols */
  setSymbols(symbols) {
    if (this.game) this.game.symbols = symbols;
    if (this.shown) this.#show(this.shown);
  }

  /** @param {State} state */
  #setState(state) {
    this.state = state;
    if (this.nextGame) {
      const edits = this.shown?.edit && this.nextGame.name === this.game?.name; // the connection had been lost
      [this.game, this.nextGame, this.live] = [this.nextGame, null, !edits];
      this.emit("game", this.game);
    }
    const plays = state.is_owner || state.seats.some(({ mine }) => mine);
    const server = !this.game?.offline;
    this.set({ ...state, plays, server, explains: server || this.game?.explains, thinking: false });
    byId("title").textContent = state.title;
    document.title = state.title;
  }

  // --- what is shown -------------------------------------------------------------------------

  /** Show another position than the current one. @param {Shown} shown */
  show(shown) {
    this.live = false;
    this.#show(shown);
  }

  /** Show the current position of the table. */
  showLive() {
    const { state } = this;
    if (!state) return;
    this.live = true;
    const play = (/** @type {number} */ move) => this.send({ do: "play", node: state.node, move });
    this.#show({ scene: state.scene, board: state.board, gestures: state.gestures, label: "", play, node: state.node });
  }

  /** @param {Shown} shown */
  #show(shown) {
    this.shown = shown;
    byId("board").dataset.node = String(shown.node);
    if (this.game) this.board.setBoard(shown.board ?? this.game.board, this.game.symbols);
    byId("elsewhere").hidden = this.live;
    byId("elsewhere-label").textContent = shown.label;
    this.emit("shown", shown);
  }

  /**
   * Set conditions.  An element is there while all conditions that its attribute `data-if` names are true.
   * All fields of the newest state are conditions, for instance `is_owner`; parts add others.
   * @param {Record<string, unknown>} conditions
   */
  set(conditions) {
    Object.assign(this.conditions, conditions);
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-if]"))) {
      element.hidden = !element.dataset.if?.split(" ").every((name) => this.conditions[name]);
    }
  }

  // --- words for people ----------------------------------------------------------------------

  /** Let screen readers say something. @param {string} words */
  say(words) {
    byId("say").textContent = words;
  }

  /** Show a message for a while. @param {string} words */
  message(words) {
    byId("message").textContent = words;
    clearTimeout(this.hiding);
    this.hiding = setTimeout(() => { byId("message").textContent = ""; }, MESSAGE_TIME);
  }

  /** Show an error of the server. @param {Coded} error */
  #showError({ code, values, text: english }) {
    this.message(text(`error.${code}`, values, english));
  }
}

new Page(new Connection()).start();
