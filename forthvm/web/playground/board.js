/**
 * The board of a script, as forthvm/render draws it: where its places are (places.py, layout.py), what is beside them
 * (beside.py), and labels (board.py).
 *
 * The page draws one board for all positions of a game, so places beside a grid are there even while they are empty.
 *
 * @import { Game } from "../offline/tables.js"
 * @import { Board, Label, Point, Square } from "../page/types.js"
 * @import { Cell, Links, Place } from "./lattice.js"
 * @typedef {{cells: (Cell | null)[], rows: string[], columns: string[]}} Layout The cell of each position, and labels.
 * @typedef {Square & {cell: Cell | null}} Placed
 */
import { visible } from "../offline/notation.js";
import { areHexagons, dotsOf, linesBetween, median, nearestDistances, rowShift, standOnPoints } from "./lattice.js";

const ROW_OF_HEXAGONS = 0.866;
const MARGIN = 0.5, LABEL = 0.25, BEYOND = 0.8, GAP = 1;
const ON_POINT = 0.9;
const MOST = 2 / 3;
const MIN_CHEQUERED = 8;
const HEADING = 0.6, BESIDE = 0.72, LEAST_HEIGHT = 8;
const UNNAMED = "??";
const SQUARE = /^([A-Za-z])(\d{1,2})$/, NAME = /^([A-Za-z]+)(\d+)$/;
const BETWEEN_WORDS = /[-_.:/ ]+|(?<=[a-z])(?=[A-Z0-9])/;

/** @param {Pick<Game, "names" | "hidden" | "players" | "grid" | "pattern" | "movable">} game @returns {Board} */
export function boardOf({ names, hidden, players, grid, pattern, movable }) {
  const { cells: allCells, rows, columns } = layoutOf(names, grid), first = new Map(names.map((name, at) => /** @type {[string, number]} */ ([name, at])).reverse());
  const reachable = reachableOf(names, pattern), needed = new Set(pattern.occupied);
  const shown = [...first.values()].sort((one, other) => one - other).filter((at) => (
    !hidden.includes(names[at]) && (needed.has(at) || (names[at] !== UNNAMED && (!allCells[at] || !reachable.size || reachable.has(at))))
  ));
  const found = shown.flatMap((at) => (allCells[at] ? [/** @type {[number, Cell]} */ ([at, allCells[at]])] : []));
  const top = Math.min(...found.map(([, [row]]) => row)), left = Math.min(...found.map(([, [, column]]) => column));
  const cells = new Map(found.map(([at, [row, column]]) => [at, /** @type {Cell} */ ([row - top, column - left])]));
  const links = linksOf(names, first, pattern.directions), shift = rowShift(cells, links);
  const isHexagonal = pattern.points !== true && shift !== 0 && areHexagons(cells);
  let places = inRows(cells, shift, 1);
  const isOfPoints = pattern.points ?? (!isHexagonal && standOnPoints(places, cells, links, !movable.length));
  if (isOfPoints || isHexagonal) places = inRows(cells, shift, median([...nearestDistances(places).values(), ...(cells.size ? [] : [1])]) || 1);
  const squares = squaresOf(names, places, cells, { shift: isHexagonal ? shift : 0, isOfPoints });
  const blanks = isOfPoints || isHexagonal ? [] : blanksOf(cells, places);
  if (blanks.length) for (const square of squares) square.shade = 1;
  const corners = [...squares.flatMap((square) => square.corners), ...blanks.flat()];
  const [, upper, right, lower] = edges(corners);
  const groups = groupsOf(shown.filter((at) => !places.has(at)).map((at) => visible(names[at])), players.map(({ name }) => visible(name)));
  const beside = besideOf(groups, [squares.length ? right + GAP : 0, upper], lower - upper);
  const order = new Map(shown.map((at, number) => [visible(names[at]), number]));
  const number = (/** @type {Square} */ { name }) => order.get(name) ?? 0;
  const texts = { rows: rows.slice(top).map(visible), columns: columns.slice(left).map(visible) };
  return withMargin({
    squares: [...squares, ...beside.squares].sort((one, other) => number(one) - number(other)),
    blanks,
    lines: isOfPoints ? linesBetween(places, cells, links).map(([one, other]) => [[one.x, one.y], [other.x, other.y]]) : [],
    labels: [...(isHexagonal ? labelsOfHexagons(squares) : labelsOf(squares, texts)), ...beside.labels],
  });
}

// --- places ------------------------------------------------------------------------------------

/** The letter of a column; of two rows whose letters differ, both, as `a/f`. @param {string[]} names From the top. */
function columnLabel(names) {
  const letters = names.map((name) => [...name][0] ?? "").reverse();
  return [...new Set(letters.length === 2 ? letters : letters.slice(0, 1))].join("/");
}

/** @param {string[]} names @param {Game["grid"]} grid @returns {Layout} */
function layoutOf(names, { rows, columns, flip }) {
  if (!rows) return inferredLayout(names, flip);
  return {
    cells: names.map((_, at) => (at < rows * columns ? [Math.floor(at / columns), at % columns] : null)),
    rows: range(rows).map((row) => [...names[row * columns]].slice(1).join("")),
    columns: range(columns).map((column) => columnLabel(range(rows).map((row) => names[row * columns + column]))),
  };
}

/** The layout of names such as a1 … i9. @param {string[]} names @param {boolean} flip @returns {Layout} */
function inferredLayout(names, flip) {
  const matches = names.map((name) => SQUARE.exec(name)), named = matches.filter((match) => match !== null);
  const letterOf = (/** @type {RegExpExecArray} */ match) => match[1].toLowerCase().charCodeAt(0);
  const [letters, numbers] = [named.map(letterOf), named.map((match) => Number(match[2]))];
  const [left, low] = [Math.min(...letters), Math.min(...numbers)];
  const width = Math.max(...letters) - left + 1, height = Math.max(...numbers) - low + 1;
  const different = new Set(named.map((match) => `${letterOf(match)} ${Number(match[2])}`)).size;
  if (different < named.length || 2 * named.length < names.length || 4 * named.length < width * height || !named.length) {
    return { cells: names.map(() => null), rows: [], columns: [] };
  }
  const isUpper = named.every(([, letter]) => letter === letter.toUpperCase());
  const rows = flip ? range(height).map((row) => low + row) : range(height).map((row) => low + height - 1 - row);
  return {
    cells: matches.map((match) => match && [rows.indexOf(Number(match[2])), letterOf(match) - left]),
    rows: rows.map(String),
    columns: range(width).map((column) => String.fromCharCode(left + column)).map((letter) => (isUpper ? letter.toUpperCase() : letter)),
  };
}

/** The positions that pieces can reach, as forthvm/render/reachable.py finds them. @param {string[]} names @param {Game["pattern"]} pattern @returns {Set<number>} */
function reachableOf(names, { setup, directions }) {
  const isPosition = (/** @type {number} */ at) => at >= 0 && at < names.length;
  const reached = new Set(names.flatMap((name, at) => (setup.includes(name) && names.indexOf(name) === at ? [at] : [])));
  for (const at of reached) for (const targets of directions) if (isPosition(targets[at])) reached.add(targets[at]);
  const linked = new Set(directions.flatMap((targets) => targets.flatMap((target, at) => (target >= 0 ? [at, target] : []))));
  return [reached, linked].find(({ size }) => size > Math.floor(names.length / 3)) ?? new Set();
}

/** @param {string[]} names @param {Map<string, number>} first @param {number[][]} directions @returns {Links} */
function linksOf(names, first, directions) {
  const firstOf = (/** @type {number} */ at) => /** @type {number} */ (first.get(names[at]));
  return new Map([...first.values()].map((start) => [start, new Set(directions.flatMap((targets) => (
    names[targets[start]] === undefined ? [] : [firstOf(targets[start])]
  )))]));
}

/** @param {Map<number, Cell>} cells @param {number} shift @param {number} unit @returns {Map<number, Place>} */
function inRows(cells, shift, unit) {
  const down = shift ? ROW_OF_HEXAGONS : 1;
  return new Map([...cells].map(([at, [row, column]]) => [at, { x: (column + row * shift) / unit, y: (row * down) / unit, size: 1 / unit }]));
}

// --- squares -----------------------------------------------------------------------------------

/** @param {string[]} names @param {Map<number, Place>} places @param {Map<number, Cell>} cells @param {{shift: number, isOfPoints: boolean}} pattern @returns {Placed[]} */
function squaresOf(names, places, cells, { shift, isOfPoints }) {
  const distances = nearestDistances(places);
  const leftmost = Math.min(...[...cells.values()].filter(([row]) => !row).map(([, column]) => column));
  const hasDot = dotsOf(cells);
  return [...places].map(([at, { x, y, size: side }]) => {
    const cell = /** @type {Cell} */ (cells.get(at)), distance = distances.get(at) ?? 0;
    const size = shift ? distance : isOfPoints ? ON_POINT * Math.min(1, distance || 1) : side;
    const [row, column] = [cell[0], cell[1] - leftmost];
    return {
      ...EMPTY, name: visible(names[at]), cell, centre: [x, y], size, round: isOfPoints, dot: isOfPoints && hasDot(cell),
      corners: shift ? hexagon(x, y, side) : around(x, y, size),
      shade: isOfPoints ? 0 : shift ? modulo(shift > 0 ? column - row : column - 2 * row, 3) : (cell[0] + cell[1]) % 2,
    };
  });
}

/** @type {Omit<Placed, "name" | "corners" | "centre" | "size">} */
const EMPTY = { cell: null, shade: 0, round: false, dot: false, beside: false, group: "", decoration: null, label: "" };

/** @param {number} number @param {number} by */
const modulo = (number, by) => ((number % by) + by) % by;

/** @param {number} count */
const range = (count) => Array.from({ length: count }, (_, at) => at);

/** @param {number} x @param {number} y @param {number} size @returns {Point[]} */
function around(x, y, size) {
  const [left, top, right, bottom] = [x - size / 2, y - size / 2, x + size / 2, y + size / 2];
  return [[left, top], [right, top], [right, bottom], [left, bottom]];
}

/** @param {number} x @param {number} y @param {number} across @returns {Point[]} */
function hexagon(x, y, across) {
  const side = across / 2, down = across * ROW_OF_HEXAGONS, tip = (down * 2) / 3, shoulder = down / 3;
  return [[x, y - tip], [x + side, y - shoulder], [x + side, y + shoulder], [x, y + tip], [x - side, y + shoulder], [x - side, y - shoulder]];
}

/** The squares of the other colour if all places have one colour of a chequered board. @param {Map<number, Cell>} cells @param {Map<number, Place>} places */
function blanksOf(cells, places) {
  const colours = new Set([...cells.values()].map(([row, column]) => (row + column) % 2));
  if (colours.size !== 1 || cells.size < MIN_CHEQUERED) return [];
  /** @type {Map<number, number>} */ const xs = new Map();
  /** @type {Map<number, number>} */ const ys = new Map();
  for (const [at, [row, column]] of cells) {
    const { x, y } = /** @type {Place} */ (places.get(at));
    xs.set(column, x);
    ys.set(row, y);
  }
  const inOrder = (/** @type {Map<number, number>} */ lines) => [...lines].sort(([one], [other]) => one - other);
  return inOrder(ys).flatMap(([row, y]) => inOrder(xs).filter(([column]) => !colours.has((row + column) % 2)).map(([, x]) => around(x, y, 1)));
}

// --- beside the board --------------------------------------------------------------------------

/** The places beside the board by their headings: names of players, or first words. @param {string[]} names @param {string[]} players @returns {Map<string, {name: string, label: string}[]>} */
function groupsOf(names, players) {
  const words = names.map((name) => { const found = name.split(BETWEEN_WORDS).filter(Boolean); return found.length ? found : [name]; });
  const headings = new Map(players.map((player) => [player.toLowerCase(), player]));
  /** @type {Map<string, {name: string, label: string}[]>} */ const groups = new Map();
  names.forEach((name, at) => {
    const split = words[at], isShared = split.length > 1 && words.filter(([word]) => word === split[0]).length > 1;
    const owner = split.find((word) => headings.has(word.toLowerCase())) ?? (isShared ? split[0] : null);
    const heading = owner === null ? "" : headings.get(owner.toLowerCase()) ?? owner;
    const label = split.filter((word) => word !== owner).join(" ") || name;
    groups.set(heading, [...groups.get(heading) ?? [], { name, label }]);
  });
  return groups;
}

/** @param {ReturnType<typeof groupsOf>} groups @param {Point} corner The upper left corner of the first group. @param {number} height That should not be exceeded. */
function besideOf(groups, [left, upper], height) {
  const most = Math.max(0, ...[...groups.values()].map(({ length }) => length));
  const heightOf = (/** @type {number} */ perLine) => [...groups].reduce((sum, [heading, { length }]) => sum + Math.ceil(length / perLine) + (heading ? HEADING : 0), 0);
  const perLine = range(most).slice(1).find((width) => heightOf(width) <= Math.max(height, LEAST_HEIGHT)) ?? Math.max(most, 1);
  /** @type {Placed[]} */ const squares = [];
  /** @type {Label[]} */ const labels = [];
  let top = upper;
  for (const [heading, places] of groups) {
    if (heading) {
      labels.push({ text: heading, at: [left + Math.min(perLine, places.length) / 2, top + HEADING / 2] });
      top += HEADING;
    }
    places.forEach(({ name, label }, at) => {
      const x = left + (at % perLine), y = top + Math.floor(at / perLine);
      squares.push({ ...EMPTY, name, label, group: heading, beside: true, corners: around(x + 0.5, y + 0.5, 1), centre: [x + 0.5, y + BESIDE / 2], size: BESIDE });
    });
    top += Math.ceil(places.length / perLine);
  }
  return { squares, labels };
}

// --- labels ------------------------------------------------------------------------------------

/** Labels of rows and columns, on the first side where they cover no square. @param {Placed[]} squares @param {{rows: string[], columns: string[]}} texts @returns {Label[]} */
function labelsOf(squares, texts) {
  const [left, top, right, bottom] = edges(squares.flatMap((square) => square.corners));
  return [
    ...labelsAlong(squares, 0, texts.rows, [left - LABEL, right + LABEL]),
    ...labelsAlong(squares, 1, texts.columns, [bottom + LABEL, top - LABEL]),
  ];
}

/** @param {Placed[]} squares @param {0 | 1} axis Of cells: 0 for rows. @param {string[]} texts @param {number[]} sides @returns {Label[]} */
function labelsAlong(squares, axis, texts, sides) {
  /** @type {Map<number, number[]>} */ const lines = new Map();
  for (const { cell, centre } of squares) if (cell) lines.set(cell[axis], [...lines.get(cell[axis]) ?? [], centre[1 - axis]]);
  const labelled = [...lines].filter(([line]) => texts[line]).map(([line, middles]) => ({ text: texts[line], middle: median(middles) }))
    .sort((one, other) => one.middle - other.middle);
  const areApart = labelled.slice(1).every(({ middle }, at) => middle - labelled[at].middle > 2 * LABEL);
  if (labelled.length < MOST * lines.size || !areApart) return [];
  const onSides = sides.map((side) => labelled.map(({ text, middle }) => ({ text, at: /** @type {Point} */ (axis ? [middle, side] : [side, middle]) })));
  return onSides.find((labels) => !labels.some(({ at }) => squares.some((square) => covers(square, at)))) ?? [];
}

/** A label for each number, left of its hexagons, and for each letter, below them. @param {Placed[]} squares @returns {Label[]} */
function labelsOfHexagons(squares) {
  const parts = squares.map(({ name }) => NAME.exec(name));
  if (parts.includes(null)) return [];
  const labels = [0, 1].flatMap((axis) => {
    /** @type {Map<string, Point[]>} */ const lines = new Map();
    squares.forEach(({ centre }, at) => {
      const text = parts[at]?.[2 - axis] ?? "";
      lines.set(text, [...lines.get(text) ?? [], centre]);
    });
    return [...lines].filter(([, centres]) => centres.length > 1).map(([text, centres]) => {
      const [[x, y], [nextX, nextY]] = centres.sort((one, other) => (axis ? other[1] - one[1] : one[0] - other[0]));
      return { text, at: /** @type {Point} */ ([x + BEYOND * (x - nextX), y + BEYOND * (y - nextY)]) };
    });
  });
  return labels.filter(({ at }) => !squares.some((square) => covers(square, at)));
}

/** @param {Square} square @param {Point} point */
function covers({ corners }, [x, y]) {
  const [left, top, right, bottom] = edges(corners);
  return left < x && x < right && top < y && y < bottom;
}

// --- the plane ---------------------------------------------------------------------------------

/** The left, top, right and bottom edge. @param {Point[]} points */
function edges(points) {
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  return points.length ? [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] : [0, 0, 0, 0];
}

/** A board with a margin on all sides, and its size. @param {Pick<Board, "squares" | "blanks" | "lines" | "labels">} parts @returns {Board} */
function withMargin({ squares, blanks, lines, labels }) {
  const [left, top, right, bottom] = edges([...squares.flatMap((square) => square.corners), ...blanks.flat()]);
  const rounded = (/** @type {number} */ number) => Math.round(number * 1000) / 1000;
  const moved = (/** @type {Point} */ [x, y]) => /** @type {Point} */ ([rounded(x - left + MARGIN), rounded(y - top + MARGIN)]);
  return {
    width: rounded(right - left + 2 * MARGIN),
    height: rounded(bottom - top + 2 * MARGIN),
    squares: squares.map((square) => ({ ...square, corners: square.corners.map(moved), centre: moved(square.centre), size: rounded(square.size) })),
    blanks: blanks.map((corners) => corners.map(moved)),
    lines: lines.map(([start, end]) => [moved(start), moved(end)]),
    labels: labels.map((label) => ({ ...label, at: moved(label.at) })),
    picture: null,
    pixel: 0,
  };
}
