/**
 * The shapes that are drawn under and over the pieces: the board itself, marks and arrows.
 *
 * @import { Layout } from "./geometry.js"
 * @import { Arrow, Board, Drawings, Point, Square } from "./types.js"
 */
import { makeSvg } from "./dom.js";
import { RADIUS } from "./geometry.js";
import { symbolOf } from "./symbols.js";

/** An area, such as that of a square. @param {{corners: Point[], beside: boolean}} area @param {Layout} layout */
export function areaShape({ corners, beside }, layout) {
  return makeSvg("polygon", { points: corners.map((corner) => layout.place(corner, beside).join()).join(" ") });
}

/** A group of elements that people do not click or hear. */
export const layer = () => makeSvg("g", { "aria-hidden": "true", class: "layer" });

/** The picture of a board, or else squares without names. @param {Board} board @param {Drawings} drawings @param {Layout} layout */
export function backgroundElements({ picture, blanks, width, height }, drawings, layout) {
  const drawing = picture === null ? undefined : drawings[picture];
  if (!drawing) {
    const shapes = blanks.map((corners) => areaShape({ corners, beside: false }, layout));
    for (const shape of shapes) shape.setAttribute("class", "square light");
    return shapes;
  }
  return [makeSvg("image", {
    href: `data:image/png;base64,${drawing.png}`, width: drawing.width, height: drawing.height,
    transform: layout.flipped ? `rotate(180 ${width / 2} ${height / 2})` : "", "aria-hidden": "true",
  })];
}

const PLACE_LABEL = 0.15; // above the lower edge of a place beside the board

/** Lines, points and labels. @param {Board} board @param {Drawings} drawings @param {Layout} layout */
export function surfaceElement(board, drawings, layout) {
  const surface = layer();
  const lines = board.lines.map((line) => `M${line.map((end) => layout.place(end, false)).join("L")}`).join("");
  if (lines) surface.append(makeSvg("path", { class: "line", d: lines }));
  for (const square of board.squares) {
    const [x, y] = layout.centre(square);
    const drawing = symbolOf(drawings, square.decoration);
    const transform = `translate(${x} ${y}) scale(${0.8 * square.size})`;
    if (drawing) surface.append(makeSvg("g", { class: "decoration", transform }, drawing));
    if (square.dot) surface.append(makeSvg("circle", { class: "point", cx: x, cy: y, r: 0.1 * square.size }));
    const bottom = Math.max(...square.corners.map(([, edge]) => edge));
    if (square.label) surface.append(makeSvg("text", { class: "label place", x, y: bottom - PLACE_LABEL }, square.label));
  }
  for (const { text, at } of board.labels) {
    const [x, y] = layout.labelPlace(at);
    surface.append(makeSvg("text", { class: "label", x, y }, text));
  }
  return surface;
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

const DISC = `M-${RADIUS} 0a${RADIUS} ${RADIUS} 0 0 1 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 0 1-${2 * RADIUS} 0z`;

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
