/**
 * Mouse, pen and fingers on the board: clicks, drags, and arrows with the right button.
 *
 * A dragged piece is a copy above the page, of which only the transform changes, so that the board is not drawn again.
 *
 * @typedef {{pieces: Map<string, {element: SVGElement}>, press: (square: string) => "again" | "grabbed" | "",
 *   hover: (square: string) => void, onClick: (square: string) => void, onDrop: (square: string) => void,
 *   sketch: (from: string, to: string) => void}} Target
 * @typedef {{id: number, square: string, x: number, y: number, as: "again" | "grabbed" | "" | "sketch", piece?: SVGElement}} Press
 */
import { makeSvg } from "./dom.js";

const DRAG_DISTANCE = 6; // pixels before a press becomes a drag
const RIGHT = 2;

export class PointerInput {
  /** @param {SVGElement} svg @param {Target} target */
  constructor(svg, target) {
    this.svg = svg;
    this.target = target;
    /** Whether a dragged piece is being dropped: it needs no animation. */ this.dropping = false;
    /** @type {Press | null} */ this.pressed = null;
    /** @type {SVGElement | null} */ this.ghost = null;
    svg.addEventListener("pointerdown", (event) => this.#press(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#release(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Put a dragged piece back. */
  cancel() {
    this.#dropGhost();
    this.pressed = null;
  }

  /** Begin to drag a copy of a piece that is not on the board. @param {PointerEvent} event @param {SVGElement} piece */
  carry(event, piece) {
    if (!event.isPrimary || event.button !== 0) return;
    this.svg.setPointerCapture(event.pointerId);
    this.pressed = { id: event.pointerId, square: "", x: event.clientX, y: event.clientY, as: "grabbed", piece };
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const square = squareOf(event.target);
    if (!square || !event.isPrimary || (event.button !== 0 && event.button !== RIGHT)) return;
    event.preventDefault();
    if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement) document.activeElement.blur();
    this.svg.setPointerCapture(event.pointerId);
    const as = event.button === RIGHT ? "sketch" : this.target.press(square);
    this.pressed = { id: event.pointerId, square, x: event.clientX, y: event.clientY, as };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const { pressed } = this;
    if (pressed?.id !== event.pointerId || (pressed.as !== "again" && pressed.as !== "grabbed")) return;
    const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAG_DISTANCE;
    if (!this.ghost && far) this.ghost = this.#lift(pressed);
    if (!this.ghost) return;
    this.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
    this.target.hover(squareAt(event));
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const { pressed, ghost } = this;
    if (pressed?.id !== event.pointerId) return;
    this.cancel();
    const over = squareAt(event);
    if (pressed.as === "sketch") {
      if (over) this.target.sketch(pressed.square, over);
    } else if (ghost && over !== pressed.square) {
      this.dropping = true;
      this.target.onDrop(over);
      this.dropping = false;
    } else if (!ghost && pressed.as !== "grabbed" && over === pressed.square) {
      this.target.onClick(over);
    }
  }

  /** @param {Press} pressed */
  #lift({ square, piece = this.target.pieces.get(square)?.element }) {
    const sized = /** @type {SVGGraphicsElement | undefined} */ (square ? piece : this.svg);
    const size = sized?.getScreenCTM()?.a;
    if (!piece || !size) return null;
    const ghost = makeSvg("svg", { class: "ghost", viewBox: "-.5 -.5 1 1", width: size, height: size, "aria-hidden": "true" });
    ghost.append(...[...piece.childNodes].map((node) => node.cloneNode(true)));
    document.body.append(ghost);
    piece.classList.add("lifted");
    return ghost;
  }

  #dropGhost() {
    this.ghost?.remove();
    this.ghost = null;
    this.target.hover("");
    for (const piece of this.svg.querySelectorAll(".lifted")) piece.classList.remove("lifted");
  }
}

/** @param {EventTarget | null} target */
function squareOf(target) {
  return (target instanceof Element && target.closest("[data-square]")?.getAttribute("data-square")) || "";
}

/** @param {PointerEvent} event */
const squareAt = ({ clientX, clientY }) => squareOf(document.elementFromPoint(clientX, clientY));
