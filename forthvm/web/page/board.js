/**
 * Draws a scene as SVG and turns clicks, drags and keys on it into clicks of gestures.
 *
 * It knows squares and pieces; it must not know the server or whose turn it is.
 */

/**
 * The shapes below are those of `forthvm/game/scene.py`, which describes each field.
 *
 * @typedef {[number, number]} Point
 * @typedef {{name: string, corners: Point[], centre: Point, size: number, cell: [number, number] | null,
 *   shade: number, round: boolean, beside: boolean, group: string}} Square
 * @typedef {{width: number, height: number, squares: Square[], lines: [Point, Point][],
 *   labels: {text: string, at: Point}[], rows: string[], columns: string[], types: string[],
 *   picture: string | null}} Board
 * @typedef {{square: string, type: string, player: number, label: string, symbol: string | null,
 *   attribute: number}} Piece
 * @typedef {{type: string, count: number, label: string, symbol: string | null}} Stored
 * @typedef {{name: string, index: number, fill: string, ink: string, outline: string, neutral: boolean,
 *   chance: boolean, eliminated: boolean, store: Stored[]}} Player
 * @typedef {{square: string, kind: string, reason: string}} Mark
 * @typedef {{pieces: Piece[], players: Player[], turn: string | null,
 *   turns: {player: number, moves: number}[], result: string | null, dice: number[], marks: Mark[],
 *   events: {player: number, move: string, effects: string[]}[], notes: string[]}} Scene
 */

import { makeSvg } from "./dom.js";

const DRAG_DISTANCE = 6; // pixels before a press becomes a drag

export class BoardView {
  /**
   * @param {HTMLElement} parent
   * @param {(square: string) => void} onClick Called with the square that was clicked.
   */
  constructor(parent, onClick) {
    this.parent = parent;
    this.onClick = onClick;
    this.flipped = false;
    /** @type {Board | null} */ this.board = null;
    /** @type {Scene | null} */ this.scene = null;
    /** @type {Set<string>} */ this.open = new Set();
    /** @type {string[]} */ this.clicked = [];
    this.focused = "";
    /** @type {Map<string, SVGElement>} */ this.cells = new Map();
  }

  /**
   * @param {Board} board
   * @param {Scene} scene
   * @param {Set<string>} open Squares that may be clicked next.
   * @param {string[]} clicked Squares that were clicked.
   */
  draw(board, scene, open, clicked) {
    this.board = board;
    this.scene = scene;
    this.open = open;
    this.clicked = clicked;
    const hadFocus = this.parent.contains(document.activeElement);
    const svg = makeSvg("svg", {
      viewBox: `0 0 ${board.width} ${board.height}`, role: "group", "aria-label": "Board",
    });
    this.cells.clear();
    for (const square of board.squares) svg.append(this.#cell(square));
    for (const label of board.labels) {
      const [x, y] = this.#place(label.at);
      svg.append(makeSvg("text", { class: "label", x, y, "aria-hidden": "true" }, label.text));
    }
    this.parent.replaceChildren(svg);
    if (hadFocus) this.#focus(this.focused);
  }

  flip() {
    this.flipped = !this.flipped;
    if (this.board && this.scene) this.draw(this.board, this.scene, this.open, this.clicked);
  }

  /** @param {[number, number]} at @returns {[number, number]} */
  #place([x, y]) {
    if (!this.flipped || !this.board) return [x, y];
    return [this.board.width - x, this.board.height - y];
  }

  /** @param {Square} square */
  #cell(square) {
    const [board, scene] = [/** @type {Board} */ (this.board), /** @type {Scene} */ (this.scene)];
    const piece = scene.pieces.find((one) => one.square === square.name);
    const names = ["square"];
    if (square.shade) names.push("dark");
    if (square.beside) names.push("beside");
    if (scene.marks.some((mark) => mark.square === square.name)) names.push("last");
    if (this.open.has(square.name)) names.push("open");
    const owner = piece && scene.players[piece.player];
    const name = `${square.name}${piece ? ` ${owner?.name} ${piece.type}` : ""}`;
    const cell = makeSvg("g", {
      class: "cell", role: "button", "data-square": square.name,
      tabindex: square.name === (this.focused || board.squares[0].name) ? 0 : -1,
      "aria-label": name,
    });
    cell.append(makeSvg("title", {}, name));
    const points = square.corners.map((corner) => this.#place(corner).join(",")).join(" ");
    cell.append(makeSvg("polygon", { class: names.join(" "), points }));
    const [x, y] = this.#place(square.centre);
    if (piece && owner) cell.append(this.#piece(piece, owner, x, y, square.size));
    if (this.clicked.includes(square.name)) {
      cell.append(makeSvg("circle", { class: "clicked", cx: x, cy: y, r: 0.46 }));
    } else if (this.open.has(square.name) && this.clicked.length) {
      cell.append(makeSvg("circle", { class: "dot", cx: x, cy: y, r: piece ? 0.12 : 0.15 }));
    }
    this.#listen(cell, square.name);
    this.cells.set(square.name, cell);
    return cell;
  }

  /** @param {Piece} piece @param {Player} owner @param {number} x @param {number} y @param {number} width */
  #piece(piece, owner, x, y, width) {
    const group = makeSvg("g", { class: "piece" });
    const size = width * Math.min(0.36, 1.05 / piece.label.length);
    group.append(
      makeSvg("circle", { cx: x, cy: y, r: 0.42 * width, fill: owner.fill }),
      makeSvg("text", { x, y, fill: owner.ink, "font-size": `${size}px` }, piece.label),
    );
    return group;
  }

  /** @param {SVGElement} cell @param {string} name */
  #listen(cell, name) {
    cell.addEventListener("pointerdown", (event) => this.#press(event, name));
    cell.addEventListener("keydown", (event) => this.#key(event, name));
  }

  /**
   * A press is a click; a press that moves to another square is two clicks.
   * @param {PointerEvent} event
   * @param {string} name
   */
  #press(event, name) {
    if (event.button !== 0) return;
    event.preventDefault();
    this.focused = name;
    const [x, y] = [event.clientX, event.clientY];
    const ghost = this.#ghost(name);
    /** @param {PointerEvent} moved */
    const move = (moved) => ghost?.(moved.clientX - x, moved.clientY - y);
    /** @param {PointerEvent} released */
    const release = (released) => {
      window.removeEventListener("pointermove", move);
      const far = Math.hypot(released.clientX - x, released.clientY - y) > DRAG_DISTANCE;
      const under = document.elementFromPoint(released.clientX, released.clientY);
      const target = under?.closest("[data-square]")?.getAttribute("data-square");
      ghost?.(0, 0);
      if (far && target === name) return;
      if (!this.clicked.includes(name) || !far) this.onClick(name);
      if (far && target) this.onClick(target);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", release, { once: true });
  }

  /** @param {string} name @returns {((dx: number, dy: number) => void) | undefined} */
  #ghost(name) {
    const svg = this.parent.querySelector("svg");
    const piece = /** @type {SVGElement | null | undefined} */ (this.cells.get(name)?.querySelector(".piece"));
    const scale = svg?.getScreenCTM()?.a;
    if (!piece || !scale || !this.open.has(name)) return undefined;
    return (dx, dy) => piece.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
  }

  /** @param {KeyboardEvent} event @param {string} name */
  #key(event, name) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.focused = name;
      this.onClick(name);
      return;
    }
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const direction = directions[/** @type {keyof typeof directions} */ (event.key)];
    if (!direction || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#focus(this.#neighbour(name, direction[0], direction[1]));
  }

  /**
   * The nearest square in a direction.
   * @param {string} name
   * @param {number} dx
   * @param {number} dy
   */
  #neighbour(name, dx, dy) {
    const squares = this.board?.squares ?? [];
    const here = squares.find((square) => square.name === name);
    if (!here) return name;
    const [x, y] = this.#place(here.centre);
    let best = name;
    let least = Infinity;
    for (const square of squares) {
      const [cx, cy] = this.#place(square.centre);
      const along = (cx - x) * dx + (cy - y) * dy;
      const across = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
      if (along > 0.1 && along + 3 * across < least && across < along + 0.1) {
        least = along + 3 * across;
        best = square.name;
      }
    }
    return best;
  }

  /** @param {string} name */
  #focus(name) {
    this.cells.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = name;
    const cell = this.cells.get(name);
    cell?.setAttribute("tabindex", "0");
    cell?.focus();
  }
}
