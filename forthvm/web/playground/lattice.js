/**
 * The pattern that the places of a script's board form: squares, hexagons, or points on lines.
 *
 * It decides as forthvm/render/lattice.py does, whose comments give the reasons.  The places of a script are in rows.
 *
 * @typedef {[row: number, column: number]} Cell
 * @typedef {{x: number, y: number, size: number}} Place Its centre, and the side of the square around it.
 * @typedef {Map<number, Set<number>>} Links From the index of each position to those of others.
 */

const GAP = 1.25, OVERLAP = 0.85;
const MIN_HEXAGONS = 7, MIN_HEXAGON_ROWS = 3;
const INEXACT = 0.15;
const GO_SIDE = 9, INNER_SIDE = 13, FULL_SIDE = 17;
const FEW = 0.2, SOME = 0.75, MOST = 0.9;
const LONG_LINKS = 0.25;
const NEIGHBOUR = 1.5;
/** @type {Record<string, Cell>} */ const STEPS = { right: [0, 1], down: [1, 0], falling: [1, 1], rising: [1, -1] };

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other), half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** For each place the nearest other one; the place itself if there is no other. @param {Map<number, Place>} places @returns {Map<number, Place>} */
function nearest(places) {
  const ordered = [...places].sort(([, one], [, other]) => one.x - other.x);
  /** @type {Map<number, Place>} */ const found = new Map();
  ordered.forEach(([index, one], at) => {
    let best = one, least = Infinity;
    for (const step of [1, -1]) {
      for (let next = at + step; ordered[next]; next += step) {
        const other = ordered[next][1];
        if (Math.abs(other.x - one.x) >= least) break; // all others are further to this side
        const distance = Math.hypot(other.x - one.x, other.y - one.y);
        if (distance < least) [best, least] = [other, distance];
      }
    }
    found.set(index, best);
  });
  return found;
}

/** The distance from each place to the nearest other one. @param {Map<number, Place>} places */
export function nearestDistances(places) {
  const others = nearest(places);
  return new Map([...places].map(([index, { x, y }]) => {
    const other = /** @type {Place} */ (others.get(index));
    return [index, Math.hypot(x - other.x, y - other.y)];
  }));
}

/** @param {Links} links @param {number} one @param {number} other */
const areLinked = (links, one, other) => Boolean(links.get(one)?.has(other) || links.get(other)?.has(one));

/** Count the linked and all pairs of neighbours for each kind of step. @param {Map<number, Cell>} cells @param {Links} links */
function neighbours(cells, links) {
  const indices = new Map([...cells].map(([index, cell]) => [String(cell), index]));
  const linked = { right: 0, down: 0, falling: 0, rising: 0 }, possible = { ...linked };
  for (const [index, [row, column]] of cells) {
    for (const step of /** @type {(keyof typeof linked)[]} */ (Object.keys(linked))) {
      const other = indices.get(String([row + STEPS[step][0], column + STEPS[step][1]]));
      if (other === undefined) continue;
      possible[step]++;
      if (areLinked(links, index, other)) linked[step]++;
    }
  }
  return { linked, possible };
}

/** How far each row of hexagons is shifted right against the row above; 0: they are no hexagons. @param {Map<number, Cell>} cells @param {Links} links */
export function rowShift(cells, links) {
  const { linked, possible } = neighbours(cells, links);
  if (linked.right < MOST * possible.right || linked.down < MOST * possible.down) return 0;
  if (possible.rising && linked.rising >= MOST * possible.rising && !linked.falling) return 0.5;
  if (possible.falling && linked.falling >= MOST * possible.falling && !linked.rising) return -0.5;
  return 0;
}

/** Whether places in shifted rows are hexagons without gaps between the rows. @param {Map<number, Cell>} cells */
export function areHexagons(cells) {
  /** @type {Map<number, number[]>} */ const rows = new Map();
  for (const [row, column] of cells.values()) rows.set(row, [...rows.get(row) ?? [], column]);
  const steps = [...rows.values()].flatMap((columns) => {
    const sorted = columns.sort((one, other) => one - other);
    return sorted.slice(1).map((column, at) => column - sorted[at]);
  });
  const isWhole = rows.size === Math.max(...rows.keys()) + 1;
  return cells.size >= MIN_HEXAGONS && rows.size >= MIN_HEXAGON_ROWS && isWhole && steps.length > 0 && median(steps) === 1;
}

/**
 * Whether pieces stand on points, where lines meet.
 * @param {Map<number, Place>} places
 * @param {Map<number, Cell>} cells
 * @param {Links} links
 * @param {boolean} onlyDrops Whether pieces are put on the board and never moved.
 */
export const standOnPoints = (places, cells, links, onlyDrops) => (
  keepDistance(places, links) || hasSomeDiagonals(cells, links) || hasLongLinks(cells, links) || (onlyDrops && isOddSquare(cells))
);

/** @param {Map<number, Place>} places @param {Links} links */
function keepDistance(places, links) {
  const linked = new Set([...links].flatMap(([start, ends]) => (ends.size ? [start, ...ends] : [])));
  if (2 * [...places.keys()].filter((index) => linked.has(index)).length < places.size) return false;
  const others = nearest(places);
  const ratios = [...places].map(([index, { x, y, size }]) => {
    const other = /** @type {Place} */ (others.get(index));
    return Math.max(Math.abs(x - other.x), Math.abs(y - other.y)) / size;
  });
  return ratios.length > 1 && !(OVERLAP < median(ratios) && median(ratios) < GAP);
}

/** @param {Map<number, Cell>} cells @param {Links} links */
function hasSomeDiagonals(cells, links) {
  const { linked, possible } = neighbours(cells, links);
  const straight = possible.right + possible.down, diagonal = possible.rising + possible.falling, along = linked.rising + linked.falling;
  return straight > 0 && MOST * straight <= linked.right + linked.down && FEW * diagonal <= along && along <= SOME * diagonal &&
    Math.min(linked.rising, linked.falling) > 0;
}

/** @param {Map<number, Cell>} cells @param {Links} links */
function hasLongLinks(cells, links) {
  if (new Set([...cells.values()].map(([row, column]) => (row + column) % 2)).size === 1) return false; // one colour of a chequered board
  const used = new Set([...cells.values()].map(String));
  let count = 0, long = 0;
  for (const [start, ends] of links) {
    for (const end of ends) {
      const one = cells.get(start), other = cells.get(end), isSecond = end < start && links.get(end)?.has(start);
      if (start === end || !one || !other || isSecond) continue;
      count++;
      if (leadsOverEmptyCells(one, other, used)) long++;
    }
  }
  return long > LONG_LINKS * count;
}

/** @param {Cell} start @param {Cell} end @param {Set<string>} used */
function leadsOverEmptyCells(start, end, used) {
  const down = end[0] - start[0], right = end[1] - start[1], steps = Math.max(Math.abs(down), Math.abs(right));
  if (steps < 2 || (down && right && Math.abs(down) !== Math.abs(right))) return false;
  for (let at = 1; at < steps; at++) {
    if (used.has(String([start[0] + Math.floor((down * at) / steps), start[1] + Math.floor((right * at) / steps)]))) return false;
  }
  return true;
}

/** @param {Map<number, Cell>} cells */
function isOddSquare(cells) {
  const side = new Set([...cells.values()].map(([row]) => row)).size;
  return side >= GO_SIDE && side % 2 === 1 && cells.size === side * side;
}

/** Whether a dot marks a point. @param {Map<number, Cell>} cells @returns {(cell: Cell) => boolean} */
export function dotsOf(cells) {
  if (!isOddSquare(cells)) return () => true;
  const last = Math.max(...[...cells.values()].map(([row]) => row)), middle = last / 2;
  const edge = last + 1 >= INNER_SIDE ? 3 : 2, lines = [edge, last - edge, ...(last + 1 >= FULL_SIDE ? [middle] : [])];
  return (cell) => cell.every((at) => lines.includes(at)) || cell.every((at) => at === middle);
}

/**
 * The pairs of places between which a line is drawn.
 * @param {Map<number, Place>} places
 * @param {Map<number, Cell>} cells
 * @param {Links} links
 * @returns {[Place, Place][]}
 */
export function linesBetween(places, cells, links) {
  const distances = nearestDistances(places), inexact = INEXACT * median([...distances.values()]);
  const { linked, possible } = neighbours(cells, links);
  const isStraightOnly = linked.rising + linked.falling > SOME * (possible.rising + possible.falling);
  /** @type {[Place, Place][]} */ const lines = [];
  for (const [start, ends] of links) {
    for (const end of ends) {
      const one = places.get(start), other = places.get(end), isSecond = end < start && links.get(end)?.has(start);
      if (!one || !other || start === end || isSecond) continue;
      const right = Math.abs(other.x - one.x), down = Math.abs(other.y - one.y), isStraight = Math.min(right, down) < inexact;
      if (isStraightOnly && !isStraight) continue;
      const isNear = Math.hypot(right, down) <= NEIGHBOUR * Math.max(distances.get(start) ?? 0, distances.get(end) ?? 0);
      const isLine = isStraight || Math.abs(right - down) < inexact;
      if (isNear || (isLine && !hasBetween(one, other, places, inexact))) lines.push([one, other]);
    }
  }
  return lines;
}

/** Whether there is a place on the line between two places. @param {Place} one @param {Place} other @param {Map<number, Place>} places @param {number} near */
function hasBetween(one, other, places, near) {
  const right = other.x - one.x, down = other.y - one.y, length = Math.hypot(right, down);
  return length > 0 && [...places.values()].some(({ x, y }) => {
    const along = ((x - one.x) * right + (y - one.y) * down) / length;
    const across = Math.abs((x - one.x) * down - (y - one.y) * right) / length;
    return near < along && along < length - near && across < near;
  });
}
