/**
 * The worker that compiles rule files: Pyodide, with the Python code of forthvm.
 */

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

/** Replace the files of which Python knows. @param {import("../offline/loading.js").Text[]} files */
function writeFiles(files) {
  const { FS } = pyodide;
  pyodide.runPython(EMPTY);
  for (const { name, text } of files) {
    FS.mkdirTree(`${FOLDER}/${name}`.replace(/\/[^/]*$/, ""));
    FS.writeFile(`${FOLDER}/${name}`, text);
  }
}

/** @type {Record<string, (request: any) => unknown>} */
const requests = {
  /** Load Python. @param {{base: string}} request base: the address of the page. */
  async begin({ base }) {
    const at = (/** @type {string} */ name) => new URL(name, base).href;
    const modules = fetch(at("python.zip")).then((response) => response.arrayBuffer());
    const { loadPyodide } = await import(at("pyodide/pyodide.mjs"));
    pyodide = await loadPyodide({ indexURL: at("pyodide/") });
    pyodide.FS.writeFile(`${CODE}.zip`, new Uint8Array(await modules));
    python = pyodide.runPython(START);
  },
  /** @param {{files: import("../offline/loading.js").Text[], main: string, variant: number | null}} request */
  compile({ files, main, variant }) {
    writeFiles(files);
    return JSON.parse(python.compile(main, variant ?? undefined));
  },
  /** @param {{facts: object}} request */
  draw: ({ facts }) => JSON.parse(python.draw(JSON.stringify(facts))),
};

let answered = Promise.resolve(); // requests wait for those before them
self.onmessage = ({ data }) => {
  answered = answered.then(async () => {
    try {
      self.postMessage({ id: data.id, value: await requests[data.do](data) });
    } catch (error) {
      self.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) });
    }
  });
};
