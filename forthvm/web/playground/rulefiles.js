/**
 * Rule files of Zillions: a worker with Python compiles them, and says how their games are drawn.
 *
 * @import { Files } from "./files.js"
 * @import { Answer, Problem } from "./loader.js"
 * @import { Place } from "../offline/author.js"
 * @import { Text } from "../offline/loading.js"
 * @typedef {{text: string, isMissing?: boolean, place: {file: string, line: number, column: number, length: number} | null}} Said By Python.
 * @typedef {Problem & {severity: "error" | "warning" | "info"}} Finding
 * @typedef {{problem?: Said,
 *   script: string | null, plugin: string | null, title: string, titles: string[], variant: number}} Compiled
 */
import { Helper, scriptWorker } from "../offline/helper.js";

const PATIENCE = 120_000; // milliseconds; Python has to be loaded first, perhaps by a slow phone

/** Whether a file is a rule file, by its name. @param {string} name */
export const isRuleFile = (name) => /\.zrf$/i.test(name);

/** The name of the script that a rule file is compiled to. @param {string} main */
export const scriptName = (main) => `${main}.4th`;

export class RuleFiles {
  #helper;
  #newest = 0; // only the newest request counts
  #running = Promise.resolve();
  /** What is wrong with the pictures of the game that was drawn last. @type {{missing: string[], damaged: string[]} | null} */ pictures = null;
  /** Those that the worker has. @type {Map<string, Blob> | null} */ #pictures = null;

  /** @param {string} worker Its script. */
  constructor(worker) {
    this.#helper = new Helper(scriptWorker(worker, "module"), { do: "begin", base: location.href }, { patience: PATIENCE });
  }

  /** Whether Python has to be loaded first. */
  get isCold() {
    return !this.#helper.worker;
  }

  /** End Python if it is running. */
  stopIfBusy() {
    this.#helper.stopIfBusy();
  }

  /**
   * Compile the rule file that is to be loaded.
   * @param {Files} files
   * @returns {Promise<Compiled | null>} null if there is a newer request.
   */
  async compile({ files, pictures, main, variant }) {
    const number = ++this.#newest;
    await this.#running;
    if (number !== this.#newest) return null;
    const isSame = pictures === this.#pictures && !this.isCold;
    this.#pictures = pictures;
    const request = { do: "compile", files, main, variant, pictures: isSame ? null : [...pictures].map(([name, file]) => ({ name, file })) };
    const asked = this.#helper.ask(request, { patience: PATIENCE });
    this.#running = asked.catch(() => {});
    const compiled = await asked;
    return number === this.#newest ? compiled : null;
  }

  /**
   * The place in a rule file from which a place in its script was compiled; other places stay.
   * @param {Place | null} place
   * @param {Files} files
   * @param {Compiled | null} compiled
   * @returns {Promise<Place | null>}
   */
  async origin(place, { files, main }, compiled) {
    if (!place || !compiled?.script || place.file !== scriptName(main)) return place;
    const offset = new TextEncoder().encode(compiled.script.slice(0, place.from)).length;
    const found = await this.#helper.ask({ do: "locate", offset }, { patience: PATIENCE });
    return placed({ text: "", place: found }, files).place;
  }

  /** What `check` finds in the rule file, which is compiled first. @param {Files} files @returns {Promise<Finding[]>} */
  async check(files) {
    await this.compile(files);
    const found = await this.#helper.ask({ do: "check", main: files.main }, { patience: PATIENCE });
    return found.map((/** @type {Said & Finding} */ { severity, ...said }) => ({ severity, ...placed(said, files.files) }));
  }

  /** Draw a game that was loaded from a compiled script as its rule file says. @param {NonNullable<Answer["game"]>} game */
  async draw({ grid, message, tables }) {
    const { names, types, players, owners, movable, hidden } = tables;
    const facts = { names, types: Object.values(types), players, owners, movable, hidden, grid };
    const drawing = await this.#helper.ask({ do: "draw", facts }, { patience: PATIENCE });
    Object.assign(message, drawing.message);
    Object.assign(tables, drawing.tables);
    this.pictures = drawing.pictures;
  }
}

/** A problem of a rule file, with its place in one of the files. @param {Said} said @param {Text[]} files @returns {Problem} */
export function placed({ text, place, isMissing }, files) {
  const file = files.find(({ name }) => name === place?.file);
  if (!place || !file) return { text, place: null, isMissing };
  const lines = file.text.split("\n"), before = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const characters = Array.from(lines[place.line - 1] ?? ""); // Python counts characters outside of the first plane once
  const column = characters.slice(0, place.column - 1).join("").length;
  const length = characters.slice(place.column - 1, place.column - 1 + place.length).join("").length;
  return { text, isMissing, place: { file: file.name, line: place.line, own: true, from: before + column, to: before + column + length } };
}

/** Where a rule file names a picture. @param {string} picture @param {Files} files @returns {Place | null} */
export function placeOf(picture, { files, main }) {
  for (const { name, text } of [...files].sort((one, other) => Number(other.name === main) - Number(one.name === main))) {
    const at = isRuleFile(name) ? text.indexOf(`"${picture}"`) : -1;
    if (at >= 0) return { file: name, line: text.slice(0, at).split("\n").length, own: true, from: at, to: at + picture.length + 2 };
  }
  return null;
}
