/**
 * The console: lines for the outer interpreter and commands, what they print, and the stack.
 */
import { byId, make } from "../page/dom.js";
import { text } from "../page/texts.js";

const MAX_PARTS = 400; // of the output
const MAX_LISTED = 40; // names

/** The definitions and sections that a text leaves open. @param {string} words */
function openedBy(words) {
  const code = words.replace(/(?<!\S)\\(?=\s|$).*|(?<!\S)\((?=\s)[^)]*\)?/g, "");
  /** @type {string[]} */ const open = [];
  for (const word of code.split(/\s+/)) {
    if (word === ":" || /^\{[a-z][\w-]*$/.test(word)) open.push(word);
    else if (word === ";" || /^[a-z][\w-]*\}$/.test(word)) open.pop();
  }
  return open;
}

export class Console {
  #lines = /** @type {string[]} */ ([]);
  #isWaiting = false; // for the end of a line
  #at = 0; // index of the earlier line that the field shows

  /**
   * @param {{onLine: (line: string) => Promise<void>, onStop: () => void, onUndo: () => void, names: () => string[]}} options
   *   names: what Tab completes.
   */
  constructor({ onLine, onStop, onUndo, names }) {
    this.output = byId("output");
    this.field = /** @type {HTMLTextAreaElement} */ (byId("line"));
    this.form = /** @type {HTMLFormElement} */ (byId("line-form"));
    this.stop = /** @type {HTMLButtonElement} */ (byId("stop"));
    this.undo = /** @type {HTMLButtonElement} */ (byId("undo-line"));
    this.names = names;
    this.stop.onclick = onStop;
    this.undo.onclick = onUndo;
    this.field.onkeydown = (event) => this.#key(event);
    this.form.onsubmit = (event) => {
      event.preventDefault();
      const line = this.field.value;
      if (!line.trim() || this.#isWaiting) return;
      this.#lines.push(line);
      this.#at = this.#lines.length;
      this.field.value = "";
      this.#fit();
      this.print("line", `> ${line}`);
      this.#isWaiting = true;
      onLine(line).finally(() => { this.#isWaiting = false; });
    };
    this.field.oninput = () => this.#fit();
    byId("console").addEventListener("keydown", (event) => { // as in terminals
      if (event.ctrlKey && event.key === "c" && this.isBusy) onStop();
      if ((event.ctrlKey || event.metaKey) && event.key === "z" && !this.field.value && !this.undo.disabled) onUndo();
    });
  }

  /** Let the field be as high as its text. */
  #fit() {
    this.field.rows = Math.min(this.field.value.split("\n").length, 8);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { field } = this, [before, after] = [field.value.slice(0, field.selectionStart), field.value.slice(field.selectionEnd)];
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step && !(step < 0 ? before : after).includes("\n")) {
      event.preventDefault();
      this.#at = Math.min(Math.max(this.#at + step, 0), this.#lines.length);
      field.value = this.#lines[this.#at] ?? "";
      this.#fit();
    }
    if (event.key === "Tab" && !event.shiftKey && this.#complete(before, after)) event.preventDefault();
    if (event.key !== "Enter" || event.isComposing) return;
    const open = openedBy(before);
    if (event.shiftKey || (open.length && !event.ctrlKey)) {
      event.preventDefault();
      this.#insert(`\n${"  ".repeat(open.length)}`);
    } else {
      event.preventDefault();
      this.form.requestSubmit();
    }
  }

  /** @param {string} words */
  #insert(words) {
    const { field } = this;
    field.setRangeText(words, field.selectionStart, field.selectionEnd, "end");
    this.#fit();
  }

  /** Complete the word before the cursor, or list its completions; whether there was anything to do. @param {string} before @param {string} after */
  #complete(before, after) {
    const word = /\S*$/.exec(before)?.[0] ?? "";
    if (!word || /^\S/.test(after)) return false;
    const found = this.names().filter((name) => name.startsWith(word));
    const others = found.filter((name) => name !== word);
    if (!others.length) return false;
    let shared = found[0];
    while (!found.every((name) => name.startsWith(shared))) shared = shared.slice(0, -1);
    if (shared.length > word.length) this.#insert(shared.slice(word.length));
    else if (this.output.lastElementChild?.textContent === listed(found)) return false; // a second Tab leaves the field
    if (found.length > 1) this.print("note", listed(found));
    return true;
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

  /** Show the stack, and in which position lines run. @param {{stack: {depth: number, cells: number[]}, ply: number, undoable: number}} state */
  showState({ stack: { depth, cells }, ply, undoable }) {
    this.showPlace(ply);
    this.undo.disabled = !undoable;
    const shown = `${depth > cells.length ? "… " : ""}${cells.join(" ")}`;
    byId("stack").textContent = depth > 0 ? text("playground.stack", { depth, cells: shown }) : text("playground.stack-empty");
  }

  /** Show after how many moves of the game lines run. @param {number} ply */
  showPlace(ply) {
    byId("place").textContent = ply ? text("playground.after-moves", { count: ply }) : text("playground.at-start");
  }

  get isBusy() {
    return !this.stop.disabled;
  }

  /** Whether the interpreter is running. @param {boolean} busy */
  setBusy(busy) {
    this.stop.disabled = !busy;
  }
}

/** A list of names. @param {string[]} names */
const listed = (names) => [...names.slice(0, MAX_LISTED), ...(names.length > MAX_LISTED ? ["…"] : [])].join("  ");
