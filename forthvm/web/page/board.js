/**
 * Draws scenes as SVG: the board once, and then only what has changed.
 *
 * The function `describe` returns what a square is called.
 *
 * @import { Arrow, Board, Drawings, Mark, Piece, Scene, Square } from "./types.js"
 * @typedef {{open: Set<string>, clicked: string[], moved: [string, string] | null,
 *   planned: string[], free: boolean}} Construction The squares that may be clicked next and those that were clicked;
 *   `moved`: from and to of a piece that is shown as moved already; `planned`: the squares of a move for the next turn;
 *   `free`: pieces may be dropped on all squares.
 * @typedef {{square: Square, cell: SVGElement, shape: SVGElement, title: SVGElement, shown: string}} Cell
 */
import { makeSvg } from "./dom.js";
import { areaShape, arrowElement, backgroundElements, layer, markElement, surfaceElement } from "./drawings.js";
import { Layout, neighbour, rowsOf, withPlacesBelow } from "./geometry.js";
import { cameFrom, pieceElement } from "./pieces.js";
import { inWidths } from "./symbols.js";
import { PointerInput } from "./pointer.js";

const ANIMATION = { duration: 180, easing: "ease-out" }; // milliseconds
/** @type {Construction} */ const NOTHING = { open: new Set(), clicked: [], moved: null, planned: [], free: false };
/** @type {Record<string, [number, number]>} */
const ARROW_KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** @type {Board} Before there is a game. */
const EMPTY = { width: 0, height: 0, squares: [], blanks: [], lines: [], labels: [], picture: null, pixel: 1 };
const NARROW = matchMedia("(max-width: 760px) and (min-height: 501px), (max-aspect-ratio: 9/10)"); // as in board.css
const SHADES = ["light", "dark", "middle"];
const OWN = "own"; // the group of the arrows and circles that the player draws

export class BoardView {
  /**
   * @param {HTMLElement} parent
   * @param {(square: string) => string} describe Returns the name of a square for people who do not see it.
   */
  constructor(parent, describe) {
    this.describe = describe;
    /** A square was clicked. @type {(square: string) => void} */ this.onClick = () => {};
    /** Pick up a piece to drag it, if a move begins there. @type {(square: string) => "again" | "grabbed" | ""} */
    this.onGrab = () => "";
    /** A dragged piece was dropped on a square; "": off the board. @type {(square: string) => void} */
    this.onDrop = () => {};
    /** A square was clicked with the right button; returns whether it need not be circled. @type {(square: string) => boolean} */
    this.onRightClick = () => false;
    this.flipped = false;
    /** Whether pieces move visibly. @type {() => boolean} */ this.isAnimated = () => true;
    this.focused = "";
    this.svg = makeSvg("svg", { role: "grid" });
    parent.append(this.svg);
    this.pointer = new PointerInput(this.svg, this);
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    this.svg.addEventListener("focusin", (event) => this.#focusChanged(event));
    this.svg.addEventListener("focusout", () => this.layers.focus.replaceChildren());
    NARROW.addEventListener("change", () => this.#layOut());
    /** @type {Board} */ this.board = EMPTY;
    this.layout = new Layout(EMPTY, false);
    this.layers = { marks: layer(), drop: layer(), pieces: layer(), arrows: layer(), focus: layer() };
    /** @type {Scene | null} */ this.scene = null;
    /** @type {Drawings} */ this.symbols = {};
    /** The symbols, with their sizes in widths of a square. @type {Drawings} */ this.drawings = {};
    this.construction = NOTHING;
    /** @type {Map<string, Cell>} */ this.cells = new Map();
    /** @type {Map<string, {piece: Piece, element: SVGElement}>} */ this.pieces = new Map();
    /** @type {Map<string, Arrow[]>} */ this.arrowGroups = new Map();
    /** @type {Map<string, Mark[]>} */ this.markGroups = new Map();
  }

  /** Show another board, without pieces. @param {Board} board @param {Drawings} symbols The drawings of the pieces. */
  setBoard(board, symbols) {
    if (board === this.board && symbols === this.symbols) return;
    [this.board, this.symbols] = [board, symbols];
    this.drawings = inWidths(symbols, board.pixel);
    this.#build();
  }

  /** Draw the squares again. */
  #build() {
    const board = NARROW.matches ? withPlacesBelow(this.board) : this.board;
    const hadFocus = this.svg.contains(document.activeElement);
    this.layout = new Layout(board, this.flipped);
    for (const layer of Object.values(this.layers)) layer.replaceChildren();
    this.cells.clear();
    this.pieces.clear();
    const { left, top, width, height } = this.layout.bounds(board);
    this.svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    document.documentElement.style.setProperty("--ratio", String(width / height)); // for the layout of the page
    this.svg.style.setProperty("--extent", String(Math.max(width, height))); // for the size of labels
    const background = backgroundElements(board, this.drawings, this.layout);
    this.svg.classList.toggle("pictured", background[0]?.tagName === "image");
    const rows = rowsOf(board.squares, this.layout).map((row) =>
      makeSvg("g", { role: "row" }, ...row.map((square) => this.#cell(square))),
    );
    this.svg.replaceChildren(...background, ...rows, surfaceElement(board, this.drawings, this.layout), ...Object.values(this.layers));
    if (!this.cells.has(this.focused)) this.focused = board.squares[0]?.name ?? "";
    this.cells.get(this.focused)?.cell.setAttribute("tabindex", "0");
    if (hadFocus) this.focus(this.focused);
  }

  /** Show a position. @param {Scene} scene @param {Construction} [construction] The move under construction. */
  draw(scene, construction = NOTHING) {
    const marks = scene.marks.concat(construction.moved?.map((square, at) => ({ square, kind: at ? "to" : "from" })) ?? []);
    [this.scene, this.construction] = [scene, construction];
    this.#drawPieces(scene, withMove(scene.pieces, construction.moved), marks);
    this.redraw();
  }

  /** Show squares, marks and arrows again, because what they show has changed. */
  redraw() {
    for (const cell of this.cells.values()) this.#update(cell);
    this.layers.marks.replaceChildren(...this.#marks());
    this.layers.arrows.replaceChildren(...this.#arrows());
  }

  /** Show arrows instead of those of the same group. @param {string} group @param {Arrow[]} arrows */
  arrows(group, arrows) {
    this.arrowGroups.set(group, arrows);
    this.layers.arrows.replaceChildren(...this.#arrows());
  }

  /** Mark squares instead of those of the same group. @param {string} group @param {Mark[]} marks */
  marks(group, marks) {
    this.markGroups.set(group, marks);
    this.redraw();
  }

  /** All marks of a square. @param {string} square @returns {Mark[]} */
  marksOf(square) {
    return this.#allMarks.filter((mark) => mark.square === square);
  }

  get #allMarks() {
    return [...(this.scene?.marks ?? []), ...this.markGroups.values()].flat();
  }

  /** Draw the same position again, because the layout has changed. */
  #layOut() {
    if (!this.scene) return;
    this.#build();
    this.draw(this.scene, this.construction);
  }

  /** Turn the board. */
  flip() {
    this.flipped = !this.flipped;
    this.#layOut();
  }

  /** Move the keyboard to a square. @param {string} name */
  focus(name) {
    this.#setTabStop(name);
    this.cells.get(name)?.cell.focus();
  }

  // --- the board itself ----------------------------------------------------------------------

  /** @param {Square} square */
  #cell(square) {
    const title = makeSvg("title");
    const shape = areaShape(square, this.layout);
    shape.classList.add("square", SHADES[square.shade]);
    shape.classList.toggle("beside", square.beside);
    shape.classList.toggle("round", square.round);
    const cell = makeSvg("g", { role: "gridcell", "data-square": square.name, tabindex: -1 }, title, shape);
    this.cells.set(square.name, { square, cell, shape, title, shown: "" });
    return cell;
  }

  // --- what changes --------------------------------------------------------------------------

  /** @param {Scene} scene @param {Piece[]} shown @param {Mark[]} marks */
  #drawPieces(scene, shown, marks) {
    const old = this.pieces;
    const origins = cameFrom([...old.values()].map(({ piece }) => piece), shown, marks);
    this.pieces = new Map();
    for (const piece of shown) {
      const origin = origins.get(piece.square);
      const before = origin === undefined ? undefined : old.get(origin);
      if (origin !== undefined) old.delete(origin);
      const element = before?.element ?? makeSvg("g");
      if (!before || !looksLike(before.piece, piece)) {
        element.replaceChildren(pieceElement(piece, scene.players[piece.player], this.drawings));
      }
      if (before?.piece.square !== piece.square) this.#move(element, piece, before?.piece.square);
      this.pieces.set(piece.square, { piece, element });
    }
    for (const { element } of old.values()) element.remove();
  }

  /** @param {SVGElement} element @param {Piece} piece @param {string | undefined} from */
  #move(element, piece, from) {
    this.layers.pieces.append(element); // above the others
    const end = this.#transform(piece, piece.square);
    element.style.transform = end;
    const still = !this.isAnimated() || this.pointer.dropping || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (from !== undefined && !still) element.animate([{ transform: this.#transform(piece, from) }, { transform: end }], ANIMATION);
  }

  /** Where a piece stands on a square; pictures of a rule file have their own size. @param {Piece} piece @param {string} name */
  #transform(piece, name) {
    const square = this.cells.get(name)?.square;
    if (!square) return "";
    const [x, y] = this.layout.centre(square);
    const size = this.drawings[piece.symbol ?? ""]?.png ? 1 : square.size;
    return `translate(${x}px, ${y}px) scale(${size})`;
  }

  /** @param {Cell} cell */
  #update(cell) {
    const { square, shape, title } = cell;
    const { open, clicked } = this.construction;
    const words = this.describe(square.name);
    const [isOpen, isClicked] = [open.has(square.name), clicked.includes(square.name)];
    const shown = [words, isOpen, isClicked].join("\n");
    if (cell.shown === shown) return;
    cell.shown = shown;
    shape.classList.toggle("open", isOpen);
    title.textContent = words;
    cell.cell.setAttribute("aria-label", words);
    cell.cell.setAttribute("aria-selected", String(isClicked));
  }

  #marks() {
    const { open, clicked, planned } = this.construction;
    const marks = this.#allMarks;
    marks.push(...planned.map((square) => ({ square, kind: "planned" })));
    marks.push(...clicked.map((square) => ({ square, kind: "clicked" })));
    if (clicked.length) {
      marks.push(...[...open].map((square) => ({ square, kind: this.pieces.has(square) ? "capture" : "target" })));
    }
    return marks.flatMap(({ square, kind }) => {
      const cell = this.cells.get(square);
      return cell ? [markElement(cell.square, this.layout, kind)] : [];
    });
  }

  #arrows() {
    return [...this.arrowGroups.values()].flat().flatMap((arrow) => {
      const [from, to] = [this.cells.get(arrow.from)?.square, this.cells.get(arrow.to)?.square];
      return from && to ? [arrowElement(from, to, this.layout, arrow)] : [];
    });
  }

  // --- pointer -------------------------------------------------------------------------------

  /** A square is pressed. @param {string} name @returns {"again" | "grabbed" | ""} */
  press(name) {
    if (this.arrowGroups.get(OWN)?.length) this.arrows(OWN, []);
    this.#setTabStop(name);
    const { clicked, planned } = this.construction;
    if (clicked.at(-1) === name || (planned.length === 1 && planned[0] === name)) return "again";
    return this.pieces.has(name) ? this.onGrab(name) : "";
  }

  /** A dragged piece is over a square; "" if over none. @param {string} name */
  hover(name) {
    const { open, planned, free } = this.construction;
    const mayDrop = free || open.has(name) || (planned.length === 1 && planned[0] !== name);
    const cell = mayDrop ? this.cells.get(name) : undefined;
    this.layers.drop.replaceChildren(...(cell ? [markElement(cell.square, this.layout, "drop")] : []));
  }

  /** Draw an arrow, or a circle if both ends are equal; the same again removes it. @param {string} from @param {string} to */
  sketch(from, to) {
    if (from === to && this.onRightClick(from)) return;
    const own = this.arrowGroups.get(OWN) ?? [];
    const others = own.filter((arrow) => arrow.from !== from || arrow.to !== to);
    this.arrows(OWN, others.length < own.length ? others : [...own, { from, to, kind: OWN }]);
  }

  // --- keyboard ------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #key(event) {
    const direction = ARROW_KEYS[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") this.onClick(this.focused);
    else if (direction) {
      const squares = [...this.cells.values()].map(({ square }) => square);
      this.focus(neighbour(squares, this.layout, this.focused, direction));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} name */
  #setTabStop(name) {
    this.cells.get(this.focused)?.cell.setAttribute("tabindex", "-1");
    this.cells.get(name)?.cell.setAttribute("tabindex", "0");
    this.focused = name;
  }

  /** @param {FocusEvent} event */
  #focusChanged(event) {
    const cell = /** @type {Element} */ (event.target);
    const square = this.cells.get(cell.getAttribute("data-square") ?? "")?.square;
    if (!square || !cell.matches(":focus-visible")) return;
    this.layers.focus.replaceChildren(markElement(square, this.layout, "focus"));
  }
}

/** The pieces after a move from one square to another. @param {Piece[]} pieces @param {[string, string] | null} moved */
function withMove(pieces, moved) {
  if (!moved || !pieces.some(({ square }) => square === moved[0])) return pieces;
  return pieces.filter(({ square }) => square !== moved[1]).map((piece) => piece.square === moved[0] ? { ...piece, square: moved[1] } : piece);
}

/** @param {Piece} one @param {Piece} other */
const looksLike = (one, other) => one.player === other.player && one.symbol === other.symbol && one.label === other.label;
