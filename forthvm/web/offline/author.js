/**
 * What an author needs of the core, besides a game that is played: a prompt, the dictionary, the places of errors.
 *
 * It owns the calls of native/wasm/authoring.c.
 *
 * @import { Core, Source } from "./core.js"
 * @typedef {Source & {name: string, own: boolean}} File A text that was loaded.  own: by the author, not of the library.
 * @typedef {{file: string, from: number, to: number, line: number, own: boolean}} Place A token of a file, as indices of characters.
 */

const UNDEFINED = 7; // FVM_ERR_UNDEFINED
const NO_INDEX = 0xffffffff;
const MAX_SHOWN = 32; // cells of the stack

/** The bytes of a text in UTF-8, as characters. @param {string} text */
export function bytesOf(text) {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

export class Author {
  /** The texts that were interpreted, by their source positions. @type {{file: File, at: number}[]} */ #texts = [];

  /** @param {Core} core */
  constructor(core) {
    this.core = core;
  }

  /** Remember the source position of a text. @param {File} file @param {number} at */
  begins(file, at) {
    this.#texts.push({ file, at });
  }

  /** The texts that were interpreted so far. */
  get loaded() {
    return this.#texts.map(({ file }) => file);
  }

  /** Interpret what a person has typed. @param {string} text @param {number} before What was saved; after an error the stack is as there. */
  interpret(text, before) {
    const bytes = bytesOf(text);
    this.core.check(this.core.with(bytes, (at) => this.core.exports.author_interpret(at, bytes.length, before)));
  }

  /** Save memory and stack; 0: there is no memory. @returns {number} */
  save() {
    return this.core.exports.author_save();
  }

  /** Restore what was saved. @param {number} saved */
  restore(saved) {
    this.core.check(this.core.exports.author_restore(saved));
  }

  /** Forget what was saved. @param {number} saved */
  forget(saved) {
    this.core.exports.author_free(saved);
  }

  /** The size of the memory in bytes. @returns {number} */
  get size() {
    return this.core.exports.author_size();
  }

  /** The end of the dictionary. @returns {number} */
  get here() {
    return this.core.exports.author_here();
  }

  /** The parameter stack, the topmost cell last; of a deep one only the topmost cells. */
  get stack() {
    let depth = 0;
    const cells = this.core.cells(MAX_SHOWN, (to) => { depth = this.core.exports.author_stack(to, MAX_SHOWN); });
    return { depth, cells: cells.slice(0, Math.max(depth, 0)).reverse() };
  }

  /** The name of a word. @param {number} token */
  word(token) {
    return this.core.textAt(this.core.exports.author_word(token));
  }

  /** The topmost cell after a word has run. @param {number} token */
  execute(token) {
    this.core.check(this.core.exports.author_execute(token, this.core.result));
    return this.core.resultCell;
  }

  /** The address of a variable, or of entry 0 of an array; 0 if there is none. @param {string} name */
  address(name) {
    return this.core.with(bytesOf(name), (at) => this.core.exports.author_address(at));
  }

  /** Whether the script, not the library, defines a word. @param {string} name */
  defines(name) {
    return Boolean(this.core.with(bytesOf(name), (at) => this.core.exports.author_defines(at)));
  }

  /**
   * Where the last error occurred: the innermost place in a text of the author, or else of the library; for an unknown
   * word, the place of its name.
   * @param {number} status
   * @returns {Place | null}
   */
  place(status) {
    const positions = [];
    for (let index = 0; index < 100; index++) {
      const position = this.core.exports.author_error_position(index) >>> 0;
      if (position === NO_INDEX) break;
      positions.push(position);
    }
    const interpreted = positions.pop() ?? 0;
    const running = positions.filter((position) => this.textAt(position));
    const isUnknown = status === UNDEFINED && !running.some((position) => this.textAt(position)?.file.own);
    const candidates = isUnknown && interpreted ? [interpreted] : [...running, interpreted];
    const own = candidates.find((position) => this.textAt(position)?.file.own);
    return this.placeAt(own ?? candidates[0] ?? 0);
  }

  /** The source position of the code at an address; 0: it has none. @param {number} address @returns {number} */
  sourceOf(address) {
    return this.core.exports.code_source(address) >>> 0;
  }

  /** The author's text of a file. @param {string} name */
  textNamed(name) {
    return [...this.#texts].reverse().find(({ file }) => file.own && file.name === name);
  }

  /** The text with a source position. @param {number} position */
  textAt(position) {
    return this.#texts.find(({ file, at }) => position >= at && position <= at + file.text.length);
  }

  /** The token at a source position. @param {number} position @returns {Place | null} */
  placeAt(position) {
    const found = this.textAt(position);
    if (!found) return null;
    const { file, at } = found;
    const before = file.text.slice(0, position - at), from = this.#decoded(before).length;
    const to = from + this.tokenAt(position).length;
    return { file: file.name, from, to, line: before.split("\n").length, own: file.own };
  }

  /** The text of the token at a source position. @param {number} position */
  tokenAt(position) {
    const found = this.textAt(position);
    return found ? this.#decoded(/^\S*/.exec(found.file.text.slice(position - found.at))?.[0] ?? "") : "";
  }

  /** The source positions of the start of a line and of the next one. @param {number} position @returns {[number, number]} */
  lineAt(position) {
    const found = this.textAt(position);
    if (!found) return [0, 0];
    const { file: { text }, at } = found, offset = position - at, end = text.indexOf("\n", offset);
    return [at + (offset ? text.lastIndexOf("\n", offset - 1) + 1 : 0), at + (end < 0 ? text.length : end) + 1];
  }

  /** The source position of the script's first character. */
  get scriptStart() {
    return this.#texts.find(({ file }) => file.own)?.at ?? 1;
  }

  /** The text that bytes are. @param {string} bytes */
  #decoded(bytes) {
    return this.core.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  }
}
