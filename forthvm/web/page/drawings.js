/**
 * The shapes that are drawn over and under the pieces: squares, marks and arrows.
 *
 * @import { Layout } from "./geometry.js"
 * @import { Arrow, Point, Square } from "./types.js"
 */
import { makeSvg } from "./dom.js";

/** An area, such as that of a square. @param {{corners: Point[], beside: boolean}} area @param {Layout} layout */
export function areaShape({ corners, beside }, layout) {
  return makeSvg("polygon", { points: corners.map((corner) => layout.place(corner, beside).join()).join(" ") });
}

/** Kinds of marks that are signs over the square, as paths around (0, 0) of a square that is 1 wide. @type {Record<string, string>} */
const SIGNS = {
  target: "M-.14 0a.14.14 0 0 1 .28 0a.14.14 0 0 1-.28 0z",
  capture: "M-.48-.26V-.48H-.26M.26-.48H.48V-.26M.48.26V.48H.26M-.26.48H-.48V.26",
  clicked: "M-.46 0a.46.46 0 0 1 .92 0a.46.46 0 0 1-.92 0z",
  here: "M-.4-.4H.4V.4H-.4z",
  threat: "M.48-.48H.14L.48-.14zM.41-.43v.1",
  danger: "M-.48-.48H-.14L-.48-.14zM-.41-.43v.1",
};

const DISC = "M-.56 0a.56.56 0 0 1 1.12 0a.56.56 0 0 1-1.12 0z"; // larger than a piece

/** A mark on a square: a sign, or else its area in the colour of the kind. @param {Square} square @param {Layout} layout @param {string} kind */
export function markElement(square, layout, kind) {
  const sign = SIGNS[kind] ?? (square.round ? DISC : "");
  if (sign) {
    const [x, y] = layout.centre(square);
    return makeSvg("path", { class: `mark ${kind}`, d: sign, transform: `translate(${x} ${y}) scale(${square.size})` });
  }
  const shape = areaShape(square, layout);
  shape.setAttribute("class", `mark ${kind}`);
  return shape;
}

/** An arrow between two squares, or a circle around one. @param {Square} from @param {Square} to @param {Layout} layout @param {Arrow} arrow */
export function arrowElement(from, to, layout, { kind, label }) {
  const [[x, y], [tx, ty]] = [layout.centre(from), layout.centre(to)];
  const group = makeSvg("g", { class: `arrow ${kind}` });
  const length = Math.hypot(tx - x, ty - y);
  if (length === 0) {
    group.append(makeSvg("circle", { class: "shaft", cx: x, cy: y, r: 0.46 * from.size }));
    return group;
  }
  const [dx, dy] = [(tx - x) / length, (ty - y) / length];
  /** @param {number} along @param {number} aside */
  const at = (along, aside) => `${x + along * dx - aside * dy} ${y + along * dy + aside * dx}`;
  group.append(
    makeSvg("path", { class: "shaft", d: `M${at(0.2, 0)}L${at(length - 0.35, 0)}` }),
    makeSvg("path", { class: "head", d: `M${at(length - 0.05, 0)}L${at(length - 0.4, 0.2)}L${at(length - 0.4, -0.2)}z` }),
  );
  if (label) group.append(makeSvg("text", { x: x + (tx - x) / 2, y: y + (ty - y) / 2 }, label));
  return group;
}
