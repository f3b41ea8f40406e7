/**
 * The worker that compiles rule files: Pyodide, with the Python code of forthvm.
 *
 * @typedef {{name: string, file: Blob}} Picture
 */
import { grantRequests } from "../offline/requests.js";
import { decodedPicture } from "./pictures.js";

const FOLDER = "/files", CODE = "/python";
const START = [
  "import os, shutil, sys, zipfile",
  `zipfile.ZipFile("${CODE}.zip").extractall("${CODE}")`,
  `sys.path.insert(0, "${CODE}")`,
  "from forthvm.web.playground.rule_worker import RuleWorker",
  "RuleWorker()",
].join("\n");
const EMPTY = `os.chdir("/"); shutil.rmtree("${FOLDER}", ignore_errors=True); os.mkdir("${FOLDER}"); os.chdir("${FOLDER}")`;

/** @type {any} */ let pyodide;
/** The RuleWorker of rule_worker.py. @type {any} */ let python;
/** The names of the texts among the files. @type {Set<string>} */ let texts = new Set();
/** The pictures that Python has been given. @type {Set<string>} */ const decoded = new Set();

/** @param {string} name */
const at = (name) => `${FOLDER}/${name}`;

/** @param {string} name @param {string | Uint8Array} contents */
function write(name, contents) {
  pyodide.FS.mkdirTree(at(name).replace(/\/[^/]*$/, ""));
  pyodide.FS.writeFile(at(name), contents);
}

/** Replace all files by pictures. @param {Picture[]} pictures */
async function writePictures(pictures) {
  pyodide.runPython(EMPTY);
  texts.clear();
  decoded.clear();
  python.forget_pictures();
  for (const { name, file } of pictures) write(name, new Uint8Array(await file.arrayBuffer()));
}

/** Replace the texts. @param {import("../offline/loading.js").Text[]} files */
function writeTexts(files) {
  const names = new Set(files.map(({ name }) => name));
  for (const name of texts) if (!names.has(name)) pyodide.FS.unlink(at(name));
  for (const { name, text } of files) write(name, text);
  texts = names;
}

grantRequests({
  /** Load Python. @param {{base: string}} request base: the address of the page. */
  async begin({ base }) {
    const address = (/** @type {string} */ name) => new URL(name, base).href;
    const modules = fetch(address("python.zip")).then((response) => response.arrayBuffer());
    const { loadPyodide } = await import(address("pyodide/pyodide.mjs"));
    pyodide = await loadPyodide({ indexURL: address("pyodide/") });
    pyodide.FS.writeFile(`${CODE}.zip`, new Uint8Array(await modules));
    python = pyodide.runPython(START);
  },
  /**
   * @param {{files: import("../offline/loading.js").Text[], pictures: Picture[] | null, main: string, variant: number | null}} request
   *   pictures: null if they are those of the request before.
   */
  async compile({ files, pictures, main, variant }) {
    if (pictures) await writePictures(pictures);
    writeTexts(files);
    return JSON.parse(python.compile(main, variant ?? undefined));
  },
  /** The place in a rule file from which a part of the script was compiled. @param {{offset: number}} request In bytes. */
  locate: ({ offset }) => JSON.parse(python.locate(offset)),
  /** The findings of `check` about the file that was compiled. @param {{main: string}} request */
  check: ({ main }) => JSON.parse(python.check(main)),
  /** @param {{facts: object}} request */
  async draw({ facts }) {
    for (const name of JSON.parse(python.begin_drawing(JSON.stringify(facts)))) {
      if (decoded.has(name)) continue;
      decoded.add(name);
      const { png, width, height } = (await decodedPicture(pyodide.FS.readFile(name))) ?? { png: new Uint8Array(), width: 0, height: 0 };
      python.add_picture(name, png, width, height);
    }
    return JSON.parse(python.draw());
  },
});
