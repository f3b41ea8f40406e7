/**
 * Draws a scene as SVG and turns clicks, drags and keys on it into clicks of gestures.
 *
 * It knows squares and pieces; it must not know the server or whose turn it is.
 */

/**
 * @typedef {{name: string, corners: [number, number][], shade: number, beside: boolean}} Square
 * @typedef {{square: string, type: string, player: number, label: string}} Piece
 * @typedef {{name: string, fill: string, ink: string, neutral: boolean, chance: boolean, store: [string, number][]}} Player
 * @typedef {{width: number, height: number, squares: Square[], pieces: Piece[], players: Player[],
 *   labels: {text: string, at: [number, number]}[], turn: string | null, result: string | null,
 *   last_move: string[], notes: string[]}} Scene
 */

import { makeSvg } from "./dom.js";

const DRAG_DISTANCE = 6; // pixels before a press becomes a drag

/** @param {Square} square @returns {[number, number]} */
function centre(square) {
  const n = square.corners.length;
  const sum = square.corners.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [sum[0] / n, sum[1] / n];
}

export class BoardView {
  /**
   * @param {HTMLElement} parent
   * @param {(square: string) => void} onClick Called with the square that was clicked.
   */
  constructor(parent, onClick) {
    this.parent = parent;
    this.onClick = onClick;
    this.flipped = false;
    /** @type {Scene | null} */ this.scene = null;
    /** @type {Set<string>} */ this.open = new Set();
    /** @type {string[]} */ this.clicked = [];
    this.focused = "";
    /** @type {Map<string, SVGElement>} */ this.cells = new Map();
  }

  /**
   * @param {Scene} scene
   * @param {Set<string>} open Squares that may be clicked next.
   * @param {string[]} clicked Squares that were clicked.
   */
  draw(scene, open, clicked) {
    this.scene = scene;
    this.open = open;
    this.clicked = clicked;
    const hadFocus = this.parent.contains(document.activeElement);
    const svg = makeSvg("svg", {
      viewBox: `0 0 ${scene.width} ${scene.height}`, role: "group", "aria-label": "Board",
    });
    this.cells.clear();
    for (const square of scene.squares) svg.append(this.#cell(square));
    for (const label of scene.labels) {
      const [x, y] = this.#place(label.at);
      svg.append(makeSvg("text", { class: "label", x, y, "aria-hidden": "true" }, label.text));
    }
    this.parent.replaceChildren(svg);
    if (hadFocus) this.#focus(this.focused);
  }

  flip() {
    this.flipped = !this.flipped;
    if (this.scene) this.draw(this.scene, this.open, this.clicked);
  }

  /** @param {[number, number]} at @returns {[number, number]} */
  #place([x, y]) {
    if (!this.flipped || !this.scene) return [x, y];
    return [this.scene.width - x, this.scene.height - y];
  }

  /** @param {Square} square */
  #cell(square) {
    const scene = /** @type {Scene} */ (this.scene);
    const piece = scene.pieces.find((one) => one.square === square.name);
    const names = ["square"];
    if (square.shade) names.push("dark");
    if (square.beside) names.push("beside");
    if (scene.last_move.includes(square.name)) names.push("last");
    if (this.open.has(square.name)) names.push("open");
    const owner = piece && scene.players[piece.player];
    const name = `${square.name}${piece ? ` ${owner?.name} ${piece.type}` : ""}`;
    const cell = makeSvg("g", {
      class: "cell", role: "button", "data-square": square.name,
      tabindex: square.name === (this.focused || scene.squares[0].name) ? 0 : -1,
      "aria-label": name,
    });
    cell.append(makeSvg("title", {}, name));
    const points = square.corners.map((corner) => this.#place(corner).join(",")).join(" ");
    cell.append(makeSvg("polygon", { class: names.join(" "), points }));
    const [x, y] = this.#place(centre(square));
    if (piece && owner) cell.append(this.#piece(piece, owner, x, y));
    if (this.clicked.includes(square.name)) {
      cell.append(makeSvg("circle", { class: "clicked", cx: x, cy: y, r: 0.46 }));
    } else if (this.open.has(square.name) && this.clicked.length) {
      cell.append(makeSvg("circle", { class: "dot", cx: x, cy: y, r: piece ? 0.12 : 0.15 }));
    }
    this.#listen(cell, square.name);
    this.cells.set(square.name, cell);
    return cell;
  }

  /** @param {Piece} piece @param {Player} owner @param {number} x @param {number} y */
  #piece(piece, owner, x, y) {
    const group = makeSvg("g", { class: "piece" });
    const size = Math.min(0.36, 1.05 / piece.label.length);
    group.append(
      makeSvg("circle", { cx: x, cy: y, r: 0.42, fill: owner.fill }),
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
    const squares = this.scene?.squares ?? [];
    const here = squares.find((square) => square.name === name);
    if (!here) return name;
    const [x, y] = this.#place(centre(here));
    let best = name;
    let least = Infinity;
    for (const square of squares) {
      const [cx, cy] = this.#place(centre(square));
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
