/**
 * Setting up a position: pieces from palettes in the bars of the players, the turn, and what else belongs to a position.
 *
 * The position is shown like any other one, with node -1; the game and other windows are not disturbed.
 *
 * @import { Page, Shown } from "./app.js"
 * @import { Editable, Kind, Piece, Setup } from "./types.js"
 * @typedef {{player: number, type: string, attribute: number | null}} Placed The attribute of a new piece is null.
 */
import { byId, make, options } from "./dom.js";
import { pieceIcon } from "./pieces.js";
import { text } from "./texts.js";

/** @type {Kind} */ const ERASER = { player: -1, type: "", label: "", symbol: null };

export class EditorPart {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** What can be changed; null unless a position is set up. @type {Editable | null} */ this.offer = null;
    /** The position when the editor was opened. @type {Shown | null} */ this.opened = null;
    /** The pieces by square. @type {Map<string, Placed>} */ this.pieces = new Map();
    /** What a click puts on a square; null: clicks move pieces. @type {Kind | null} */ this.chosen = null;
    /** The square whose piece the next click moves. */ this.from = "";
    /** The square whose piece is dragged; "": that of the palette. */ this.dragged = "";
    /** The palettes by player; that of players without a bar is at the end. @type {Map<string, HTMLElement>} */ this.palettes = new Map();
    /** @type {Map<Kind, HTMLButtonElement>} */ this.buttons = new Map();
    /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ this.fields = [];
    this.turn = /** @type {HTMLSelectElement} */ (byId("setup-turn"));
    this.turn.onchange = () => this.#draw();
    byId("edit").onclick = () => page.send({ do: "edit", node: page.shown?.node });
    byId("setup-start").onclick = () => { if (this.offer) this.#use(this.offer.start); };
    byId("setup-clear").onclick = () => { if (this.offer) this.#use(cleared(this.offer)); };
    byId("setup-cancel").onclick = () => page.showLive();
    byId("setup").onsubmit = (event) => {
      event.preventDefault();
      this.#send(event.submitter === byId("setup-analyse"));
    };
    page.shortcuts.add("Delete", () => { if (byId("board").contains(document.activeElement)) this.erase(page.board.focused); });
    page.on("editable", (offer) => this.#begin(offer));
    page.on("set up", ({ note, analyse }) => {
      page.showLive();
      if (analyse) byId("tab-analysis").click();
      if (note) page.message(text(`setup.${note}`));
    });
    page.on("shown", (shown) => { if (!shown.edit) this.#end(); });
    page.on("flipped", () => this.#placePalettes());
  }

  // --- beginning and end ---------------------------------------------------------------------

  /** @param {Editable} offer */
  #begin(offer) {
    const { shown } = this.page;
    if (!shown || shown.edit) return;
    [this.offer, this.opened, this.chosen] = [offer, shown, null];
    this.page.set({ editing: true });
    this.#makePalettes(offer);
    const names = offer.turns.map((name, at) => {
      const player = this.opened?.scene.players.some((one) => one.name === name && one.chance) ? text("players.chance") : name;
      const count = offer.turns.filter((other) => other === name).length;
      const number = offer.turns.slice(0, at + 1).filter((other) => other === name).length;
      return /** @type {[string, string]} */ ([String(at), count > 1 ? text("setup.turn-of", { player, number, count }) : player]);
    });
    this.turn.replaceChildren(...options(names, ""));
    this.fields = offer.fields.map(({ kind }) => kind === "mark"
      ? make("select", {}, ...options([["0", "–"], ...offer.marks.map((mark, at) => /** @type {[string, string]} */ ([String(at + 1), mark]))], ""))
      : make("input", { type: "number", required: true, min: kind === "stored" ? "0" : String(-(2 ** 31)), max: String(2 ** 31 - 1), step: "1" }));
    byId("setup-fields").replaceChildren(...offer.fields.map(({ kind, name }, at) => make("label", { className: "row" },
      make("span", {}, kind === "stored" ? text("setup.stored", { piece: name }) : name), this.fields[at])));
    this.#use(offer.now);
    this.turn.focus({ preventScroll: true });
  }

  #end() {
    if (!this.offer) return;
    this.offer = null;
    const hadFocus = byId("setup").contains(document.activeElement);
    this.page.set({ editing: false });
    if (hadFocus) byId("edit").focus({ preventScroll: true });
    for (const palette of this.palettes.values()) palette.remove();
  }

  /** @param {Setup} setup */
  #use({ pieces, turn, values }) {
    this.pieces = new Map(pieces.map(([player, type, square, attribute]) => [square, { player, type, attribute }]));
    this.turn.value = String(turn);
    for (const [at, field] of this.fields.entries()) field.value = String(values[at]);
    this.from = "";
    this.#draw();
  }

  /** @param {boolean} analyse */
  #send(analyse) {
    const pieces = [...this.pieces].map(([square, { player, type, attribute }]) => [player, type, square, attribute]);
    const values = this.fields.map(({ value }) => Number(value));
    this.page.send({ do: "set up", pieces, turn: Number(this.turn.value), values, analyse });
  }

  // --- the board -----------------------------------------------------------------------------

  /** Show the position that is set up. */
  #draw() {
    const { offer, opened, page } = this;
    if (!offer || !opened) return;
    const { scene, board } = opened;
    const squares = new Set((board ?? page.game?.board)?.squares.map(({ name }) => name));
    const looks = new Map(offer.palette.map((kind) => [`${kind.player} ${kind.type}`, kind]));
    const pieces = [...this.pieces].flatMap(([square, { player, type }]) => {
      const kind = squares.has(square) && looks.get(`${player} ${type}`);
      return kind ? [/** @type {Piece} */ ({ ...kind, square })] : [];
    });
    const players = scene.players.map((player) => ({ ...player, eliminated: false, store: [] }));
    const turn = offer.turns[Number(this.turn.value)];
    page.show({
      scene: { ...scene, pieces, players, turn, turns: [], result: null, dice: [], marks: [], events: [], notes: [] },
      board, gestures: null, label: text("setup.editing"), play: () => false, node: -1, edit: this,
    });
    this.#placePalettes();
  }

  /** Put the chosen piece on a square; the same again removes it. Without one, move a piece. @param {string} square */
  click(square) {
    const { chosen, from } = this;
    const there = this.pieces.get(square);
    if (chosen && (chosen === ERASER || (there?.player === chosen.player && there.type === chosen.type))) this.pieces.delete(square);
    else if (chosen) this.#put(square, chosen);
    else if (from) this.#move(from, square);
    this.from = this.dragged = !chosen && !from && there ? square : ""; // a drag may follow
    this.#draw();
  }

  /** Begin to drag a piece. @param {string} square @returns {"again"} Without a drag, it is a click. */
  grab(square) {
    this.dragged = square;
    return "again";
  }

  /** Drop the dragged piece on a square; "": off the board. @param {string} square */
  drop(square) {
    if (this.dragged) this.#move(this.dragged, square);
    else if (square && this.chosen && this.chosen !== ERASER) this.#put(square, this.chosen);
    this.from = "";
    this.#draw();
  }

  /** Remove the piece on a square. @param {string} square */
  erase(square) {
    if (!this.offer) return;
    this.pieces.delete(square);
    this.#draw();
  }

  /** Choose no piece. */
  cancel() {
    this.from = "";
    this.#choose(null);
    this.#draw();
  }

  /** @param {string} square @param {Kind} kind */
  #put(square, { player, type }) {
    this.pieces.set(square, { player, type, attribute: null });
  }

  /** @param {string} from @param {string} to "": off the board. */
  #move(from, to) {
    const piece = this.pieces.get(from);
    this.pieces.delete(from);
    if (to && piece) this.pieces.set(to, piece);
  }

  // --- palettes ------------------------------------------------------------------------------

  /** @param {Editable} offer */
  #makePalettes({ palette }) {
    const players = this.opened?.scene.players ?? [];
    this.buttons.clear();
    this.palettes.clear();
    for (const [at, player] of players.entries()) {
      const kinds = palette.filter((kind) => kind.player === at && !player.chance && !player.neutral);
      if (kinds.length) this.palettes.set(player.name, this.#palette(text("setup.palette", { player: player.name }), kinds));
    }
    const others = palette.filter(({ player }) => players[player].neutral);
    this.palettes.set("", this.#palette(text("setup.others"), [ERASER, ...others]));
  }

  /** @param {string} label @param {Kind[]} kinds */
  #palette(label, kinds) {
    const made = make("div", { className: "palette", role: "toolbar", ariaLabel: label }, ...kinds.map((kind) => this.#button(kind)));
    made.onkeydown = (event) => {
      const buttons = [...made.querySelectorAll("button")];
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const next = step && buttons[buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + step];
      if (!next) return;
      for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
      next.focus();
      event.preventDefault();
      event.stopPropagation();
    };
    for (const button of [...made.querySelectorAll("button")].slice(1)) button.tabIndex = -1;
    return made;
  }

  /** @param {Kind} kind */
  #button(kind) {
    const { board } = this.page;
    const owner = this.opened?.scene.players[kind.player];
    const words = owner ? `${owner.name} ${kind.type}` : text("setup.eraser");
    const icon = owner ? pieceIcon(kind, owner, board.drawings) : "⌫";
    const button = make("button", { type: "button", title: words, ariaLabel: words, ariaPressed: "false", onclick: () => this.#choose(kind) }, icon);
    button.onpointerdown = (event) => {
      this.#choose(kind);
      this.dragged = "";
      if (owner) board.pointer.carry(event, /** @type {SVGElement} */ (button.querySelector(".piece")));
    };
    this.buttons.set(kind, button);
    return button;
  }

  /** @param {Kind | null} kind */
  #choose(kind) {
    [this.chosen, this.from] = [kind, ""];
    for (const [one, button] of this.buttons) button.ariaPressed = String(one === kind);
  }

  /** Put the palettes into the bars of their players, which may be other elements than before. */
  #placePalettes() {
    if (!this.offer) return;
    for (const [player, palette] of this.palettes) {
      const bars = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".bar")]);
      const place = bars.find(({ dataset }) => dataset.player === player) ?? byId("players-bottom");
      if (palette.parentElement !== place) place.append(palette);
    }
  }
}

/** A set-up without pieces. @param {Editable} offer @returns {Setup} */
function cleared({ start, fields }) {
  return { ...start, pieces: [], values: fields.map(({ kind }, at) => (kind === "number" ? start.values[at] : 0)) };
}
