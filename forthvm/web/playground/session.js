/**
 * The session of the console: lines that run in a position of the game and can be undone, as forthvm/repl/session.py.
 *
 * @import { Author } from "../offline/author.js"
 * @typedef {{text: string, defines: boolean, before: number}} Entered before: the saved memory; 0: the line cannot be undone.
 */

const MAX_LINES = 200;
const MAX_BYTES = 256 << 20; // of saved memory, if no two lines share a page

export class Session {
  /** @type {Entered[]} */ #lines = [];

  /** @param {Author} author @param {string[]} lines Earlier lines, which are interpreted without output. */
  constructor(author, lines) {
    this.author = author;
    for (const line of lines) this.#again(line);
  }

  /** The lines that have changed the dictionary. */
  get definitions() {
    return this.#lines.filter(({ defines }) => defines).map(({ text }) => text);
  }

  /** The number of lines that can be undone. */
  get undoable() {
    return this.#lines.filter(({ before }) => before).length;
  }

  /** @param {string} text */
  interpret(text) {
    const { author } = this, before = this.#save(), { here } = author;
    let defines = /(?:^|\s)(?:IS|\{\S+)(?=\s)/.test(text);
    try {
      author.interpret(text, before);
    } finally {
      defines ||= author.here !== here;
      this.#lines.push({ text, defines, before });
    }
  }

  /** Undo the last line, and return it. */
  undo() {
    const { text = "", before = 0 } = this.#lines.at(-1) ?? {};
    if (!before) return "";
    this.#lines.pop();
    this.author.restore(before);
    this.author.forget(before);
    return text;
  }

  /** Continue in another memory, with the same definitions. @param {() => void} change Changes the memory. */
  moveTo(change) {
    const { definitions } = this;
    for (const { before } of this.#lines.splice(0)) this.author.forget(before);
    try {
      change();
    } finally {
      for (const text of definitions) this.#again(text);
    }
  }

  /** @param {string} text */
  #again(text) {
    try {
      this.interpret(text);
    } catch {
      // It failed when it was entered, too, or in this position.
    }
  }

  /** Save the memory; earlier lines cannot be undone any more if this needs too much memory. */
  #save() {
    const most = Math.max(1, Math.min(MAX_LINES, Math.floor(MAX_BYTES / this.author.size)));
    while (this.undoable >= most) this.#forgetFirst();
    let saved = this.author.save();
    while (!saved && this.#forgetFirst()) saved = this.author.save();
    if (!saved) throw new Error("there is no memory left");
    return saved;
  }

  /** Whether there was a line that could be undone. */
  #forgetFirst() {
    const first = this.#lines.find(({ before }) => before);
    if (!first) return false;
    this.author.forget(first.before);
    first.before = 0;
    this.#lines = this.#lines.filter(({ before, defines }) => before || defines);
    return true;
  }
}
