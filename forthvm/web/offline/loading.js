/**
 * Loads a game from texts: the library, then the files of the game, which LOAD finds by their names.
 *
 * @import { Program } from "./core.js"
 * @import { File } from "./author.js"
 * @typedef {{name: string, text: string}} Text
 * @typedef {Omit<Program, "sources">} Options
 */
import { Author, bytesOf } from "./author.js";
import { Core } from "./core.js";

const NO_FILE = 28; // FVM_ERR_NO_FILE
const KERNEL = ["core.4th", "axiom.4th"];

/** @type {Options} */
export const OPTIONS = { encoding: "utf-8", version: 150, checked: false, memory: 64 << 20, milliseconds: 10_000 };

/** @param {Text} text @param {boolean} own @returns {File} */
const fileOf = ({ name, text }, own) => ({ name, own, text: bytesOf(text), top: false, main: false, bind: false });

/** The name of a file without folders; case does not matter in names after LOAD. @param {string} name */
const plain = (name) => name.replace(/^.*[\\/]/, "").toLowerCase();

/**
 * Make a core which `loadSources` loads with a game.
 * @param {WebAssembly.Module} wasm
 * @param {{library: Text[], files: Text[], main: string}} texts main: the file that is loaded first.
 * @param {Options} options
 * @param {(text: string) => void} print Receives what the script prints.
 * @returns {Promise<{core: Core, author: Author}>}
 */
export async function open(wasm, { library, files, main }, options, print) {
  const own = files.map((text) => fileOf(text, true)), shared = library.map((text) => fileOf(text, false));
  const find = (/** @type {string} */ name) => [...own, ...shared].find((file) => plain(file.name) === plain(name));
  const first = find(main);
  if (!first) throw new Error(`there is no file ${main}`);
  const sources = [...KERNEL.flatMap((kernel) => shared.filter(({ name }) => name === kernel)), first]
    .map((file, at) => ({ ...file, top: true, main: file === first, bind: at > 0 }));
  const core = await Core.create(wasm, { sources, ...options }, {
    print,
    load: (name) => {
      const file = find(name);
      return file ? core.interpret(file) : NO_FILE;
    },
    begins: (file, at) => author.begins(/** @type {File} */ (file), at),
  });
  const author = new Author(core);
  return { core, author };
}
