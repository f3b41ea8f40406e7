/**
 * The clicks that make each legal move, as forthvm/game/gestures.py defines them.
 *
 * @import { GestureNode } from "../page/types.js"
 * @import { Part } from "./notation.js"
 * @typedef {{kind: string, name: string, player: string | null}} Click
 * @typedef {{text: string, steps: Click[], needed: number}} Plan All steps that describe a move, and how
 *   many of them its gesture must have.
 */
import { visible } from "./notation.js";

const MOST_COMPARED = 32; // moves that share all clicks

/** @param {Click} click */
const keyOf = ({ kind, name, player }) => JSON.stringify([kind, name, player]);

/** @param {string} name @returns {Click} */
const choice = (name) => ({ kind: "choice", name, player: null });

/**
 * The tree of the gestures of all moves, in the form that the server sends.
 * @param {{text: string, parts: Part[]}[]} moves
 * @param {Set<string>} own The squares of the pieces of the player to move.
 * @param {Set<string>} hidden The squares that players do not see.
 * @param {(one: number, other: number) => boolean} equal Whether two moves lead to the same memory.
 * @returns {GestureNode}
 */
export function gestureTree(moves, own, hidden, equal) {
  const plans = moves.map(({ text, parts }) => planOf(text, parts, own, hidden));
  omitOnlyStore(plans);
  /** @type {Click[][]} */ const gestures = [];
  shorten(plans, [...plans.keys()], 0, gestures, equal);
  /** @type {GestureNode} */ const root = {};
  /** @type {Map<GestureNode, Map<string, GestureNode>>} */ const children = new Map();
  gestures.forEach((gesture, move) => {
    let node = root;
    for (const click of gesture) node = childOf(node, click, children);
    node.move ??= move; // the first of several moves with the same gesture
    node.text ??= visible(moves[move].text);
  });
  return root;
}

/**
 * @param {GestureNode} node
 * @param {Click} click
 * @param {Map<GestureNode, Map<string, GestureNode>>} children
 * @returns {GestureNode}
 */
function childOf(node, click, children) {
  const known = children.get(node) ?? new Map();
  children.set(node, known);
  const key = keyOf(click);
  if (!known.has(key)) {
    known.set(key, {});
    (node.clicks ??= []).push([click.kind, visible(click.name), click.player && visible(click.player), known.get(key)]);
  }
  return known.get(key);
}

/**
 * The steps of a move, those of its main part first.
 * @param {string} text
 * @param {Part[]} all
 * @param {Set<string>} own
 * @param {Set<string>} hidden
 * @returns {Plan}
 */
function planOf(text, all, own, hidden) {
  const parts = all.filter(({ kind }) => kind !== "partial" && kind !== "attribute");
  const movements = parts.filter(({ kind }) => kind === "move");
  const main = movements.find(({ squares }) => own.has(squares[0])) ?? movements[0] ?? parts[0];
  const steps = main ? stepsOf(main, hidden) : [];
  const needed = steps.length;
  for (const part of parts) if (part !== main) steps.push(...stepsOf(part, hidden));
  if (!steps.length) return { text, steps: [choice(text)], needed: 1 };
  return { text, steps, needed: Math.max(needed, 1) };
}

/**
 * The steps of a part; squares that players do not see are left out.
 * @param {Part} part
 * @param {Set<string>} hidden
 */
function stepsOf({ kind, name, player, squares, text }, hidden) {
  /** @type {Click[]} */ const steps = [];
  if (kind === "create" && name !== undefined) steps.push({ kind: "store", name, player: player ?? null });
  squares.forEach((square, at) => {
    if (!hidden.has(square) && square !== squares[at - 1]) steps.push({ kind: "square", name: square, player: null });
  });
  if (kind === "change" && name !== undefined) steps.push(choice(name));
  else if (kind === "pass" || kind === "text") steps.push(choice(text));
  return steps;
}

/** Leave out the first click on a store if it is the same in all moves that begin with one. @param {Plan[]} plans */
function omitOnlyStore(plans) {
  const drops = plans.filter(({ steps }) => steps[0].kind === "store" && steps.length > 1);
  if (new Set(drops.map(({ steps }) => keyOf(steps[0]))).size !== 1) return;
  for (const plan of drops) {
    plan.steps.shift();
    plan.needed = Math.max(plan.needed - 1, 1);
  }
}

/**
 * Find the gestures of the moves of a group, which share their first steps.
 * @param {Plan[]} plans
 * @param {number[]} group
 * @param {number} depth
 * @param {Click[][]} gestures The gestures found, by move.
 * @param {(one: number, other: number) => boolean} equal
 */
function shorten(plans, group, depth, gestures, equal) {
  if (group.length === 1) {
    const { steps, needed } = plans[group[0]];
    gestures[group[0]] = steps.slice(0, Math.max(depth, needed));
    return;
  }
  const complete = inGroups(group.filter((at) => plans[at].steps.length === depth), equal);
  const labels = numbered(complete.map(([at]) => plans[at].text));
  complete.forEach((moves, index) => {
    for (const at of moves) gestures[at] = complete.length > 1 ? [...plans[moves[0]].steps, choice(labels[index])] : plans[at].steps;
  });
  /** @type {Map<string, number[]>} */ const byStep = new Map();
  for (const at of group) {
    if (plans[at].steps.length <= depth) continue;
    const key = keyOf(plans[at].steps[depth]);
    byStep.set(key, [...(byStep.get(key) ?? []), at]);
  }
  for (const smaller of byStep.values()) shorten(plans, smaller, depth + 1, gestures, equal);
}

/** Moves in groups that lead to the same memory. @param {number[]} moves @param {(one: number, other: number) => boolean} equal */
function inGroups(moves, equal) {
  if (moves.length > MOST_COMPARED) return moves.map((at) => [at]);
  /** @type {number[][]} */ const groups = [];
  for (const at of moves) {
    const group = groups.find(([other]) => equal(other, at));
    if (group) group.push(at);
    else groups.push([at]);
  }
  return groups;
}

/** The texts; equal ones get a number. @param {string[]} texts */
function numbered(texts) {
  return texts.map((text, at) => {
    const earlier = texts.slice(0, at).filter((other) => other === text).length;
    return earlier ? `${text} (${earlier + 1})` : text;
  });
}
