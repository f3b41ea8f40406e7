/**
 * Where squares are on the drawn board, and which square is next to another.  Pure functions.
 *
 * @import { Board, Point, Square } from "./types.js"
 */

/** The radius of the mark of a point, in sizes of the largest piece on it. */
export const RADIUS = 0.56;
const LABEL = 0.24; // half the height of a label
const HEADING = 0.6; // height of a heading, and the distance between groups
const WIDER = 1.2; // groups in a line, than the board
const FAR = 0.75; // from the board: the labels of its rows and columns are nearer

/** The smallest and the largest of some numbers. @param {number[]} numbers @returns {[number, number]} */
const range = (numbers) => [Math.min(...numbers), Math.max(...numbers)];

export class Layout {
  /** @param {Board} board @param {boolean} flipped Whether the board is turned by 180 degrees. */
  constructor(board, flipped) {
    const corners = board.squares.filter(({ beside }) => !beside).flatMap((square) => square.corners);
    this.x = range(corners.map(([x]) => x));
    this.y = range(corners.map(([, y]) => y));
    this.flipped = flipped && corners.length > 0;
  }

  /** The place of a point of the board; places beside the board stay. @param {Point} point @param {boolean} beside @returns {Point} */
  place([x, y], beside) {
    return this.flipped && !beside ? [this.x[0] + this.x[1] - x, this.y[0] + this.y[1] - y] : [x, y];
  }

  /** The place of a label, which stays on its side of the board; labels of places beside the board stay. @param {Point} point @returns {Point} */
  labelPlace([x, y]) {
    if (Math.max(this.x[0] - x, x - this.x[1], this.y[0] - y, y - this.y[1]) > FAR) return [x, y];
    const [turnedX, turnedY] = this.place([x, y], false);
    const inX = x > this.x[0] && x < this.x[1];
    const inY = y > this.y[0] && y < this.y[1];
    return [inX || inX === inY ? turnedX : x, inY || inX === inY ? turnedY : y];
  }

  /** The part of the plane that has something to see. @param {Board} board */
  bounds(board) {
    const corners = board.squares.flatMap((square) => square.corners.map((corner) => this.place(corner, square.beside)));
    const labels = board.labels.map(({ at }) => this.labelPlace(at)).flatMap(([x, y]) => [[x - LABEL, y - LABEL], [x + LABEL, y + LABEL]]);
    const marks = board.squares.filter(({ round }) => round).flatMap((square) => {
      const [[x, y], radius] = [this.centre(square), RADIUS * square.size];
      return [[x - radius, y - radius], [x + radius, y + radius]];
    });
    const points = [...corners, ...marks, ...labels, ...(board.picture === null ? [] : [[0, 0], [board.width, board.height]])];
    const [left, right] = range(points.map(([x]) => x));
    const [top, bottom] = range(points.map(([, y]) => y));
    return { left, top, width: right - left, height: bottom - top };
  }

  /** @param {Square} square @returns {Point} */
  centre(square) {
    return this.place(square.centre, square.beside);
  }
}

/** The extent of squares from left to right, and from top to bottom. @param {Square[]} squares */
function extent(squares) {
  const corners = squares.flatMap((square) => square.corners);
  return [range(corners.map(([x]) => x)), range(corners.map(([, y]) => y))];
}

/** The board for a narrow window: places beside it are below it, several groups in a line if they fit. @param {Board} board @returns {Board} */
export function withPlacesBelow(board) {
  const beside = board.squares.filter((square) => square.beside);
  if (!beside.length || beside.length === board.squares.length || board.picture !== null) return board;
  const [[left, right], [, bottom]] = extent(board.squares.filter((square) => !square.beside));
  /** @type {Map<string, (point: Point) => Point>} */ const moves = new Map();
  let [x, y, end] = [left, bottom + HEADING, 0];
  for (const group of new Set(beside.map((square) => square.group))) {
    const [[x0, x1], [y0, y1]] = extent(beside.filter((square) => square.group === group));
    if (x > left && x + x1 - x0 > left + WIDER * (right - left)) [x, y] = [left, end];
    const [dx, dy] = [x - x0, y + HEADING - y0];
    moves.set(group, ([px, py]) => [px + dx, py + dy]);
    [x, end] = [x + x1 - x0 + HEADING, Math.max(end, y + HEADING + y1 - y0)];
  }
  const squares = board.squares.map((square) => {
    const move = square.beside && moves.get(square.group);
    return move ? { ...square, centre: move(square.centre), corners: square.corners.map(move) } : square;
  });
  const labels = board.labels.map((label) => {
    const move = label.at[0] > right + FAR && moves.get(label.text);
    return move ? { ...label, at: move(label.at) } : label;
  });
  return { ...board, squares, labels };
}

/**
 * The rows of squares from the top, each from the left, as a screen reader goes through them.
 * @param {Square[]} squares
 * @param {Layout} layout
 * @returns {Square[][]}
 */
export function rowsOf(squares, layout) {
  const places = new Map(squares.map((square) => [square, layout.centre(square)]));
  /** @param {Square} square @returns {Point} */
  const at = (square) => /** @type {Point} */ (places.get(square));
  const sorted = [...squares].sort((a, b) => at(a)[1] - at(b)[1]);
  /** @type {Square[][]} */ const rows = [];
  let bottom = -Infinity;
  for (const square of sorted) {
    if (at(square)[1] > bottom) {
      rows.push([]);
      bottom = at(square)[1] + square.size / 4;
    }
    rows[rows.length - 1].push(square);
  }
  return rows.map((row) => row.sort((a, b) => at(a)[0] - at(b)[0]));
}

/**
 * The square that an arrow key reaches: near in its direction, and little aside.
 * @param {Square[]} squares
 * @param {Layout} layout
 * @param {string} name
 * @param {Point} direction
 * @returns {string} The same square, if there is none.
 */
export function neighbour(squares, layout, name, [dx, dy]) {
  const here = squares.find((square) => square.name === name);
  if (!here) return name;
  const [x, y] = layout.centre(here);
  let best = name;
  let least = Infinity;
  for (const square of squares) {
    const [cx, cy] = layout.centre(square);
    const along = (cx - x) * dx + (cy - y) * dy;
    const across = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    if (along > 0.1 && across < along + 0.1 && along + 3 * across < least) {
      least = along + 3 * across;
      best = square.name;
    }
  }
  return best;
}
