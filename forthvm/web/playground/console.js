/**
 * The console: lines for the outer interpreter, what it prints, and the stack.
 */
import { byId, make } from "../page/dom.js";
import { text } from "../page/texts.js";

const MAX_PARTS = 400; // of the output

export class Console {
  #lines = /** @type {string[]} */ ([]);
  #at = 0; // index of the earlier line that the field shows

  /** @param {(line: string) => void} onLine @param {() => void} onStop */
  constructor(onLine, onStop) {
    this.output = byId("output");
    this.field = /** @type {HTMLInputElement} */ (byId("line"));
    this.stop = /** @type {HTMLButtonElement} */ (byId("stop"));
    this.stop.onclick = onStop;
    this.field.onkeydown = (event) => this.#key(event);
    byId("line-form").onsubmit = (event) => {
      event.preventDefault();
      const line = this.field.value;
      if (!line.trim() || !this.stop.disabled) return;
      this.#lines.push(line);
      this.#at = this.#lines.length;
      this.field.value = "";
      this.print("line", `> ${line}`);
      onLine(line);
    };
    byId("console").addEventListener("keydown", (event) => { // as in terminals
      if (event.ctrlKey && event.key === "c" && !this.stop.disabled) onStop();
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#at = Math.min(Math.max(this.#at + step, 0), this.#lines.length);
    this.field.value = this.#lines[this.#at] ?? "";
  }

  /** @param {"line" | "printed" | "problem" | "note"} kind @param {string} words */
  print(kind, words) {
    if (!words) return;
    this.output.append(make("p", { className: kind }, words));
    while (this.output.childElementCount > MAX_PARTS) this.output.firstElementChild?.remove();
    this.output.scrollTop = this.output.scrollHeight;
  }

  clear() {
    this.output.replaceChildren();
  }

  /** @param {{depth: number, cells: number[]}} stack */
  showStack({ depth, cells }) {
    const shown = `${depth > cells.length ? "… " : ""}${cells.join(" ")}`;
    byId("stack").textContent = depth > 0 ? text("playground.stack", { depth, cells: shown }) : text("playground.stack-empty");
  }

  /** Whether the interpreter is running. @param {boolean} busy */
  setBusy(busy) {
    this.stop.disabled = !busy;
  }
}
