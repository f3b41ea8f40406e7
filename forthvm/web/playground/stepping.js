/**
 * The debugger's panel: it steps through the words that generate the moves of the position on the board.
 *
 * debugger.js runs in a worker, which also finds out why moves are not legal.
 *
 * @import { Entry } from "../offline/line.js"
 * @import { Place } from "../offline/author.js"
 * @import { Beginning, FileLine, Unreachable, View } from "./debugger.js"
 * @import { WhyNot } from "./why_not.js"
 * @typedef {{seed: number | null, moves: Entry[]}} Position
 * @typedef {{program: object, tables: object | null}} Game
 * @typedef {{worker: string, wasm: WebAssembly.Module, onStop: (place: Place | null) => void,
 *   onScene: (scene: object | null) => void}} Options `onStop`, `onScene`: where the run has stopped, and what the board shows
 *   there; null at the end.
 */
import { Helper, scriptWorker } from "../offline/helper.js";
import { byId, make, options } from "../page/dom.js";
import { text } from "../page/texts.js";

const PATIENCE = 20_000; // milliseconds; the debugger ends most endless loops earlier

export class Stepping {
  /** @type {Helper | null} */ #helper = null;
  #open = 0; // requests without an answer
  /** @type {View | null} */ #view = null;
  /** The texts that the worker has loaded. @type {object | null} */ #program = null;

  /** @param {Options} options */
  constructor({ worker, wasm, onStop, onScene }) {
    this.start = scriptWorker(worker);
    this.wasm = wasm;
    this.onStop = onStop;
    this.onScene = onScene;
    this.panel = byId("stepping");
    this.runs = /** @type {HTMLSelectElement} */ (byId("runs"));
    this.byLine = /** @type {HTMLInputElement} */ (byId("by-line"));
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...this.panel.querySelectorAll("[data-how]")]);
    for (const button of this.buttons) {
      button.onclick = () => this.#continue(button.dataset.how ?? "");
      if (button.dataset.key) button.setAttribute("aria-keyshortcuts", button.dataset.key);
    }
    this.runs.onchange = () => this.#ask({ do: "enter", step: Number(this.runs.value) });
    byId("step-close").onclick = () => this.close();
    addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  get isOpen() {
    return !this.panel.hidden;
  }

  /**
   * Begin to step.
   * @param {Game} game
   * @param {Position} position
   * @param {{breakpoints: FileLine[], at?: number}} stops at: the step at which to stop, else the first one of the script.
   */
  async begin(game, position, stops) {
    this.#useGame(game);
    this.panel.hidden = false;
    this.runs.replaceChildren();
    const begun = /** @type {Beginning | null} */ (await this.#ask({ do: "begin", ...position, ...stops }));
    if (!begun) return;
    this.#showUnreachable(begun.unreachable);
    const names = begun.runs.map((run) => /** @type {[string, string]} */ ([String(run.step), text("stepping.word-of", { ...run }).trim()]));
    this.runs.replaceChildren(...options([["", "–"], ...names], ""));
    this.buttons.find(({ dataset }) => dataset.how === "step")?.focus();
  }

  /** Why a move over some squares is not legal. @param {Game} game @param {Position} position @param {string[]} squares @returns {Promise<WhyNot>} */
  whyNot(game, position, squares) {
    return this.#useGame(game).ask({ do: "why not", ...position, squares }, { patience: PATIENCE });
  }

  /** Use the worker of a game. @param {Game} game */
  #useGame({ program, tables }) {
    if (!this.#helper || program !== this.#program) {
      this.end();
      this.#program = program;
      this.#helper = new Helper(this.start, { do: "load", wasm: this.wasm, program, tables });
    }
    return this.#helper;
  }

  /** Hide the panel, and end the worker. */
  end() {
    this.close();
    this.#helper?.stop();
    this.#helper = null;
  }

  /** Hide the panel. */
  close() {
    if (!this.isOpen) return;
    const hadFocus = this.panel.contains(document.activeElement);
    if (this.#helper?.open.size) this.#helper.stop(); // what runs does not matter any more
    else this.#helper?.ask({ do: "end" }).catch(() => {});
    this.#view = null;
    this.panel.hidden = true;
    this.onStop(null);
    this.onScene(null);
    if (hadFocus) byId("debug").focus();
  }

  /** Stop at other lines. @param {FileLine[]} breakpoints */
  async setBreakpoints(breakpoints) {
    const answer = /** @type {{unreachable: Unreachable[]} | null} */ (await this.#ask({ do: "set breakpoints", breakpoints }));
    if (answer) this.#showUnreachable(answer.unreachable);
  }

  /** Name the breakpoints that cannot stop a run. @param {Unreachable[]} points */
  #showUnreachable(points) {
    byId("unreachable").replaceChildren(...points.map(({ file, line, problem }) => make("li", {}, text(`stepping.${problem}`, { file, line }))));
  }

  /** Show the state in another language. */
  translate() {
    if (this.#view) this.#show(this.#view);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
    const button = this.buttons.find(({ dataset }) => dataset.key === key);
    if (!this.isOpen || !button || altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat || !this.#open) this.#continue(button.dataset.how ?? "");
  }

  /** @param {string} how */
  #continue(how) {
    this.#ask({ do: "continue", how, byLine: this.byLine.checked });
  }

  /** Ask the worker, and show its answer. @param {object} request @returns {Promise<View | null>} */
  async #ask(request) {
    const helper = this.#helper;
    if (!helper || !this.isOpen) return null;
    this.#setOpen(this.#open + 1);
    try {
      const view = /** @type {View} */ (await helper.ask(request, { patience: PATIENCE }));
      const isWanted = helper === this.#helper && this.isOpen;
      if (isWanted) this.#show(view);
      return isWanted ? view : null;
    } catch (error) {
      if (helper === this.#helper && this.isOpen) this.#fail(/** @type {Error} */ (error).message);
      return null;
    } finally {
      this.#setOpen(this.#open - 1);
    }
  }

  /** @param {number} open */
  #setOpen(open) {
    this.#open = open;
    this.panel.ariaBusy = String(open > 0);
  }

  /** The worker has failed, or does not answer. @param {string} error */
  #fail(error) {
    byId("stop-place").replaceChildren(make("span", { className: "problem" }, text("stepping.failed", { error })));
    byId("stop-facts").replaceChildren();
    this.onStop(null);
  }

  /** @param {View} view */
  #show(view) {
    const { state, scene } = this.#view = view;
    const { place, token, word, reason, error, ended, count, step } = state;
    this.onScene(scene);
    const where = ended ? (error ? "" : text("stepping.ended", { count }))
      : !place ? text("stepping.no-source", { token })
      : text(word ? "stepping.at" : "stepping.at-host", { token, word, file: place.file, line: place.line });
    const notes = ["start", "limit", "breakpoint"].includes(reason) ? [text(`stepping.${reason}`)] : [];
    const problem = error ? [make("span", { className: "problem" }, text("stepping.failed", { error }))] : [];
    byId("stop-place").replaceChildren(...[where, ...notes, ...problem].flatMap((part) => (part ? [part, " "] : [])));
    byId("stop-facts").replaceChildren(...factsOf(state).flatMap(([key, value]) => (value ? [make("div", {}, make("dt", {}, text(key)), make("dd", {}, value))] : [])));
    const current = [...this.runs.options].filter(({ value }) => value && Number(value) <= step).at(-1);
    this.runs.value = ended ? "" : current?.value ?? "";
    this.onStop(place?.own ? place : null); // at last, since the panel may have become higher
  }
}

/** @param {import("./state.js").State} state @returns {[string, string][]} */
function factsOf({ stack, generation, move, callers, ended }) {
  const { depth, cells, names } = stack;
  const items = cells.map((cell, at) => (names[at] ? `${names[at]}=${cell}` : String(cell)));
  const piece = [generation.player, generation.piece].filter(Boolean).join(" ");
  return [
    ["stepping.stack", `${depth > cells.length ? "… " : ""}${items.join(" ")}` || "–"],
    ...(ended ? [] : /** @type {[string, string][]} */ ([
      ["stepping.piece", piece], ["stepping.from", generation.from], ["stepping.here", generation.here], ["code.so-far", move.code],
      ["stepping.calls", callers.slice(1).map(({ word, place }) => (place ? `${word} ${place.file}:${place.line}` : word)).join(" ← ")],
    ])),
  ];
}
