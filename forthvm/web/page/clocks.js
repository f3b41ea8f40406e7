/**
 * The clocks in the bars of the players.  The server keeps the time; between its messages the page counts down.
 *
 * @import { Page } from "./app.js"
 * @import { Clocks } from "./types.js"
 */
import { make } from "./dom.js";

const INTERVAL = 100; // milliseconds
const LOW = 20; // seconds from which on tenths are shown
const MINUTE = 60;
const HOUR = 3600;

export class ClocksPart {
  /** @param {Page} page */
  constructor(page) {
    /** @type {Clocks | null} */ this.clocks = null;
    this.received = 0;
    /** @type {Map<string, HTMLElement>} */ this.bars = new Map();
    /** @type {Map<string, HTMLElement>} */ this.faces = new Map();
    page.on("bars", (bars) => { this.bars = bars; this.#place(); });
    page.on("state", ({ clocks }) => { this.#set(clocks); });
    setInterval(() => this.#tick(), INTERVAL);
  }

  /** @param {Clocks | null | undefined} clocks */
  #set(clocks) {
    this.clocks = clocks ?? null;
    this.received = performance.now();
    this.#place();
  }

  /** Put a face into the bar of each player that has a clock. */
  #place() {
    for (const face of this.faces.values()) face.remove();
    this.faces = new Map(Object.keys(this.clocks?.left ?? {}).map((player) => [player, make("span", { className: "clock", role: "timer" })]));
    for (const [player, face] of this.faces) this.bars.get(player)?.querySelector(".slot")?.append(face);
    this.#tick();
  }

  #tick() {
    const { clocks } = this;
    if (!clocks) return;
    const passed = (performance.now() - this.received) / 1000;
    for (const [player, face] of this.faces) {
      const runs = player === clocks.running;
      const left = Math.max(0, clocks.left[player] - (runs ? passed : 0));
      const words = faceOf(left);
      if (face.textContent !== words) face.textContent = words;
      face.classList.toggle("running", runs);
      face.classList.toggle("low", left < LOW);
    }
  }
}

/** A time as people read it on a clock. @param {number} seconds */
export function faceOf(seconds) {
  const whole = Math.ceil(seconds);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  if (seconds < LOW) return `0:${(Math.ceil(seconds * 10) / 10).toFixed(1).padStart(4, "0")}`;
  const minutes = Math.floor((whole % HOUR) / MINUTE);
  return whole < HOUR ? `${minutes}:${two(whole % MINUTE)}` : `${Math.floor(whole / HOUR)}:${two(minutes)}:${two(whole % MINUTE)}`;
}
