/**
 * The clocks in the bars of the players.  The server keeps the time; between its messages the page counts down.
 *
 * @import { Page } from "./app.js"
 * @import { Clocks } from "./types.js"
 */

const INTERVAL = 100; // milliseconds
const LOW = 20; // seconds from which on tenths are shown
const MINUTE = 60;
const HOUR = 3600;

export class ClocksPart {
  /** @param {Page} page */
  constructor(page) {
    /** @type {Clocks | null} */ this.clocks = null;
    this.received = 0;
    page.on("state", ({ clocks }) => {
      this.clocks = clocks ?? null;
      this.received = performance.now();
    });
    page.on("shown", () => this.#tick());
    setInterval(() => this.#tick(), INTERVAL);
  }

  #tick() {
    const passed = (performance.now() - this.received) / 1000;
    for (const face of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".clock"))) {
      const player = face.parentElement?.dataset.player ?? "";
      const seconds = this.clocks?.left[player];
      face.hidden = seconds === undefined;
      if (seconds === undefined) continue;
      const runs = player === this.clocks?.running;
      const left = Math.max(0, seconds - (runs ? passed : 0));
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
