/**
 * The drawings of pieces as elements.
 *
 * A drawing is an SVG fragment in a box of 100 by 100, or a PNG picture; the scene names it by a key.
 *
 * @import { Drawing, Drawings } from "./types.js"
 */
import { makeSvg } from "./dom.js";

/** @type {WeakMap<Drawing, SVGElement>} */ const parsed = new WeakMap();

/**
 * Make the element of a drawing, centred on (0, 0); a square is 1 wide.
 * @param {Drawings} drawings
 * @param {string | null} key
 * @returns {SVGElement | null} Null if there is no such drawing.
 */
export function symbolOf(drawings, key) {
  const drawing = key === null ? undefined : drawings[key];
  if (!drawing) return null;
  let element = parsed.get(drawing);
  if (!element) {
    element = drawing.png ? picture(drawing) : fragment(drawing.svg ?? "");
    parsed.set(drawing, element);
  }
  return /** @type {SVGElement} */ (element.cloneNode(true));
}

/** @param {Drawing} drawing */
function picture({ png, width, height }) {
  const href = `data:image/png;base64,${png}`;
  return makeSvg("image", { href, width, height, x: -width / 2, y: -height / 2 });
}

/** @param {string} svg */
function fragment(svg) {
  const group = makeSvg("g", { transform: "scale(.01) translate(-50 -50)" });
  const root = `<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>`;
  const read = new DOMParser().parseFromString(root, "image/svg+xml").documentElement;
  group.append(...read.childNodes);
  return group;
}

/**
 * Return drawings with the sizes of pictures in widths of a square instead of pixels.
 * @param {Drawings} drawings
 * @param {number} pixel The size of a pixel.
 * @returns {Drawings}
 */
export function inWidths(drawings, pixel) {
  const scaled = (/** @type {Drawing} */ one) => (one.png ? { ...one, width: one.width * pixel, height: one.height * pixel } : one);
  return Object.fromEntries(Object.entries(drawings).map(([key, one]) => [key, scaled(one)]));
}
