/**
 * The author's files: texts with names, of which one is the script that is loaded; the browser remembers them.
 *
 * @typedef {import("../offline/loading.js").Text} Text
 * @typedef {{file: string, line: number}} Breakpoint
 * @typedef {{files: Text[], main: string, example: string, variant: number | null, breakpoints: Breakpoint[]}} Sources example: the
 *   bundled game that they were made of, or ""; variant: the index of the chosen game of a rule file.
 */
import { remember, remembered } from "../page/preferences.js";

const KEY = "playground";
const MAX_FILES = 500, MAX_CHARACTERS = 4_000_000;
const MAX_NAME = 200, MAX_BREAKPOINTS = 1000;
const PART = /^(?!\.{1,2}$)[^\\/:*?"<>|\p{Cc}]+$/u; // a name of a file or folder on every system

/** Whether a file can have a name, which may begin with folders. @param {string} name */
export const isFileName = (name) => name.length <= MAX_NAME && name.split("/").every((part) => PART.test(part) && part.trim() === part);

/** @param {any} value */
const isBreakpoint = (value) => typeof value?.file === "string" && Number.isInteger(value.line);

/** The sources in a value from outside, such as a link; null if it is anything else. @param {any} value @returns {Sources | null} */
export function readSources(value) {
  if (!Array.isArray(value?.files) || !value.files.length || value.files.length > MAX_FILES) return null;
  const files = value.files.map((/** @type {any} */ file) => ({ name: String(file?.name), text: String(file?.text ?? "").replace(/\r\n?/g, "\n") }));
  const names = new Set(files.map((/** @type {Text} */ { name }) => name.toLowerCase()));
  const main = String(value.main), example = String(value.example ?? ""), variant = Number.isInteger(value.variant) ? value.variant : null;
  const breakpoints = Array.isArray(value.breakpoints) ? value.breakpoints.slice(0, MAX_BREAKPOINTS).filter(isBreakpoint) : [];
  const isRight = names.size === files.length && files.every((/** @type {Text} */ { name }) => isFileName(name)) && sizeOf(files) <= MAX_CHARACTERS;
  return isRight && files.some((/** @type {Text} */ { name }) => name === main) ? { files, main, example, variant, breakpoints } : null;
}

/** The sources that the browser has remembered. */
export function rememberedSources() {
  try {
    return readSources(JSON.parse(remembered(KEY) ?? "null"));
  } catch {
    return null;
  }
}

/** Whether the browser remembers sources, which fails if they are too long. @param {Sources} sources */
export const rememberSources = (sources) => sizeOf(sources.files) <= MAX_CHARACTERS && remember(KEY, JSON.stringify(sources));

/** The number of characters. @param {Text[]} files */
const sizeOf = (files) => files.reduce((sum, { text }) => sum + text.length, 0);

export class Files {
  /** @param {Omit<Sources, "variant" | "breakpoints"> & {variant?: number | null, breakpoints?: Breakpoint[]}} sources @param {Map<string, Blob>} [pictures] By their names. */
  constructor({ files, main, example, variant = null, breakpoints = [] }, pictures = new Map()) {
    this.files = files.map((file) => ({ ...file }));
    this.pictures = pictures;
    this.main = main;
    this.example = example;
    this.variant = variant;
    this.breakpoints = breakpoints;
    this.current = main;
  }

  get sources() {
    const { files, main, example, variant, breakpoints } = this;
    return { files, main, example, variant, breakpoints };
  }

  /** @param {string} name */
  find(name) {
    return this.files.find((file) => file.name.toLowerCase() === name.toLowerCase());
  }

  /** The text of the file that is shown. */
  get text() {
    return this.find(this.current)?.text ?? "";
  }

  set text(text) {
    const file = this.find(this.current);
    if (file) file.text = text;
  }

  /** Add an empty file. @param {string} name */
  add(name) {
    this.files.push({ name, text: "" });
    this.current = name;
  }

  /** Rename the file that is shown. @param {string} name */
  rename(name) {
    const file = this.find(this.current);
    if (!file) return;
    if (this.main === file.name) this.main = name;
    file.name = this.current = name;
  }

  /** Delete the file that is shown, unless it is the script that is loaded. */
  delete() {
    if (this.current === this.main) return;
    this.files = this.files.filter(({ name }) => name !== this.current);
    this.current = this.main;
  }
}
