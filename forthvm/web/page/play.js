/**
 * Making moves: clicks, drags, typed texts and the choice between moves that share all clicks.
 *
 * @import { Page, Shown } from "./app.js"
 * @import { Follow, Piece } from "./types.js"
 */
import { byId, make } from "./dom.js";
import { Gesture, movesNamed } from "./gesture.js";
import { pieceIcon } from "./pieces.js";
import { Premove } from "./premove.js";
import { text } from "./texts.js";

const MANY = 5; // moves named in a message

export class PlayPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.gesture = new Gesture(null);
    this.premove = new Premove(page);
    /** Whether a move was sent whose state has not come. */ this.sent = false;
    const { board } = page;
    page.describe = (square) => this.#describe(square);
    board.onClick = (square) => this.click("square", square, null);
    board.onGrab = (square) => this.#grab(square);
    board.onDrop = (square) => this.#drop(square);
    board.onRightClick = (square) => this.#rightClick(square);
    /** A piece of each player and type, as far as one was on the board. @type {Map<string, Piece>} */ this.looks = new Map();
    page.on("game", () => { this.looks.clear(); this.premove.cancel(); });
    page.on("shown", (shown) => this.#begin(shown));
    page.on("error", () => this.sent && this.cancel());
    page.on("click", ([kind, name, player]) => this.click(kind, name, player));
    page.shortcuts.add("Escape", () => this.cancel());
    page.shortcuts.add("Backspace", () => this.back());
    page.shortcuts.add("f", () => this.#flip());
    byId("flip").onclick = () => this.#flip();
    this.chooser = /** @type {HTMLDialogElement} */ (byId("chooser"));
    this.chooser.oncancel = () => this.cancel();
    this.chooser.onclick = (event) => { if (event.target === this.chooser) this.cancel(); };
    const form = /** @type {HTMLFormElement} */ (byId("typed-form"));
    form.onsubmit = (event) => this.#typed(event);
    byId("typed").onkeydown = (event) => { if (event.key === "Escape") this.#leaveTyped(); };
  }

  /** @param {Shown} shown */
  #begin(shown) {
    for (const piece of shown.scene.pieces) this.looks.set(`${shown.scene.players[piece.player].name} ${piece.type}`, piece);
    this.gesture = new Gesture(shown.gestures);
    this.sent = false;
    this.#follow(this.premove.next());
    this.draw();
  }

  /** Click the squares of a planned move; forget it if it is not legal. @param {string[]} squares */
  #follow(squares) {
    for (const square of squares) {
      if (!this.gesture.open.has(square)) {
        this.gesture.cancel();
        return;
      }
      const { move } = this.gesture.click("square", square, null);
      if (move !== undefined) this.#play(move);
    }
  }

  /** @param {string} square */
  #rightClick(square) {
    const { edit } = this.page.shown ?? {};
    if (edit) {
      edit.erase(square);
      return true;
    }
    const had = this.premove.cancel();
    if (had) this.draw();
    return had;
  }

  /** @param {string} kind @param {string} name @param {string | null} player */
  click(kind, name, player) {
    const { edit } = this.page.shown ?? {};
    if (edit) edit.click(name);
    if (edit || this.sent) return;
    if (kind === "square" && this.premove.click(name)) {
      this.draw();
      return;
    }
    const before = this.gesture.squares;
    const { followed, move } = this.gesture.click(kind, name, player);
    if (!followed) this.page.emit("refused", [...before, name]);
    if (move !== undefined) this.#play(move);
    this.draw();
  }

  cancel() {
    this.page.board.pointer.cancel();
    this.premove.cancel();
    this.gesture.cancel();
    this.sent = false;
    this.page.shown?.edit?.cancel();
    this.draw();
  }

  back() {
    this.gesture.back();
    this.premove.squares.pop();
    this.draw();
  }

  /** @param {number} move */
  #play(move) {
    this.sent = this.page.shown?.play(move) ?? false;
    if (!this.sent) this.gesture.cancel();
  }

  /** @param {string} square */
  #grab(square) {
    const { edit } = this.page.shown ?? {};
    if (edit) return edit.grab(square);
    if (this.sent) return "";
    if (this.premove.begin(square)) {
      this.draw();
      return "grabbed";
    }
    if (!this.gesture.continues(square)) return "";
    this.click("square", square, null);
    return "grabbed";
  }

  /** @param {string} square */
  #drop(square) {
    const { edit } = this.page.shown ?? {};
    if (edit) edit.drop(square);
    else if (square) this.click("square", square, null);
  }

  #flip() {
    this.page.board.flip();
    this.page.emit("flipped");
  }

  draw() {
    const { page } = this;
    if (!page.shown) return;
    const gesture = this.#openGesture;
    const { scene, edit } = page.shown;
    const clicked = edit?.from ? [edit.from] : gesture.squares;
    page.board.draw(scene, { open: gesture.open, clicked, moved: this.#moved(page.shown), planned: this.premove.squares, free: Boolean(edit) });
    this.#showChoices(gesture);
    page.emit("stores", gesture.follows("store"));
  }

  /** The clicks so far, and which may follow: none while a move is on its way. */
  get #openGesture() {
    return this.sent ? new Gesture(null) : this.gesture;
  }

  /** The piece that the move under construction moves first, and where. @param {Shown} shown @returns {[string, string] | null} */
  #moved({ scene }) {
    const [from, to] = this.gesture.squares;
    const piece = scene.pieces.find(({ square }) => square === from);
    return to && piece && scene.players[piece.player].name === scene.turn ? [from, to] : null;
  }

  /** Buttons for passes and choices; the choice between moves that share all clicks is a dialog. @param {Gesture} gesture */
  #showChoices(gesture) {
    const choices = [...gesture.follows("store").filter((follow) => !this.#isInStore(follow)), ...gesture.follows("choice")];
    const buttons = choices.map((follow) => this.#button(follow));
    const asks = buttons.length > 0 && gesture.path.length > 0 && !gesture.open.size && choices.length === gesture.node.clicks?.length;
    const { move, clicks, text: words } = gesture.node;
    if (move !== undefined && clicks) { // the move is complete, but may go on
      const title = text("play.done", { move: words }); // the button is cut off if there is no room in its row
      buttons.push(make("button", { className: "primary", title, onclick: () => { this.#play(move); this.draw(); } }, title));
    }
    const below = byId("below"); // its height stays during a move, so that the board does not move under the mouse
    below.style.minHeight = this.sent || gesture.path.length ? `${below.getBoundingClientRect().height}px` : "";
    below.classList.toggle("moving", gesture.path.length > 0);
    byId("chooser-choices").replaceChildren(...(asks ? buttons : []));
    if (asks && !this.chooser.open) this.chooser.showModal();
    if (!asks && this.chooser.open) this.chooser.close();
    /** @type {HTMLElement[]} */ const others = asks ? [] : buttons;
    if (gesture.path.length > 1) others.push(make("button", { onclick: () => this.back() }, text("play.back")));
    byId("choices").replaceChildren(...others);
  }

  /** Whether a piece can be clicked in the store of its player. @param {Follow} follow */
  #isInStore([, name, owner]) {
    return this.page.shown?.scene.players.some((player) => player.name === owner && player.store.some(({ type }) => type === name));
  }

  /** @param {Follow} follow */
  #button([kind, name, player]) {
    const scene = this.page.shown?.scene;
    const owner = scene?.players.find((one) => one.name === (player ?? scene.turn));
    const like = this.looks.get(`${owner?.name} ${name}`);
    const icon = like && owner ? [pieceIcon(like, owner, this.page.board.drawings)] : [];
    return make("button", { onclick: () => this.click(kind, name, player) }, ...icon, player ? `${player} ${name}` : name);
  }

  /** What a square is called for people who do not see it. @param {string} square */
  #describe(square) {
    const { board, shown } = this.page;
    const gesture = this.#openGesture;
    const piece = board.pieces.get(square)?.piece;
    const owner = piece && shown?.scene.players[piece.player];
    const words = [piece && owner ? text("square.piece", { square, player: owner.name, type: piece.type }) : text("square.empty", { square })];
    if (gesture.squares.includes(square)) words.push(text("square.clicked"));
    else if (gesture.open.has(square)) words.push(text(gesture.path.length ? "square.target" : piece ? "square.movable" : "square.open"));
    if (this.premove.squares.includes(square)) words.push(text("square.planned"));
    for (const { kind, reason } of board.marksOf(square)) words.push(reason || text(`mark.${kind}`, {}, kind));
    return words.join(", ");
  }

  /** @param {Event} event */
  #typed(event) {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (byId("typed"));
    const typed = input.value.trim();
    const square = [...this.page.board.cells.keys()].find((name) => name.toLowerCase() === typed.toLowerCase());
    const moves = movesNamed(this.gesture, typed);
    const isMove = !this.gesture.path.length && moves.some(({ text: full, short }) => this.page.preferences.words(full, short) === typed);
    if (square && !isMove) this.page.board.focus(square);
    else if (moves.length === 1) {
      this.#play(moves[0].move);
      this.draw();
      this.#leaveTyped();
    } else if (!moves.length && this.page.live && this.page.conditions.server) { // chains and misspellings
      this.page.send({ do: "type", node: this.page.state?.node, text: typed });
      return;
    } else {
      const some = moves.slice(0, MANY).map(({ text: full, short }) => this.page.preferences.words(full, short));
      this.page.message(text(moves.length ? "play.several" : "play.unknown", { typed, moves: some.join("; ") }));
      return;
    }
    input.value = "";
  }

  #leaveTyped() {
    /** @type {HTMLInputElement} */ (byId("typed")).value = "";
    this.page.board.focus(this.page.board.focused);
  }
}
