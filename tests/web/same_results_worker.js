/**
 * A worker that loads games and fragments of scripts as the playground does, for test_same_results.py.
 */
import { Core, ScriptError } from "../../forthvm/web/offline/core.js";
import { bytesOf } from "../../forthvm/web/offline/author.js";
import { OPTIONS, open } from "../../forthvm/web/offline/loading.js";
import { grantRequests } from "../../forthvm/web/offline/requests.js";
import { played } from "./offline_play.js";

let wasm, library;

/** Load files as the playground does. */
async function opened(files, main) {
  let output = "";
  const { core, author } = await open(wasm, { library, files, main }, OPTIONS, (text) => { output += text; });
  const printed = () => {
    const text = output;
    output = "";
    return text;
  };
  return { core, author, printed };
}

/** The message of the error of a script, or null. */
function problemOf(run) {
  try {
    run();
    return null;
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    return error.message;
  }
}

grantRequests({
  async begin({ address, texts, clock }) {
    Date.now = () => clock * 1000;
    wasm = await WebAssembly.compile(await (await fetch(address)).arrayBuffer());
    library = texts;
  },
  /** Play the moves of an exported game. */
  async play({ program, tables, indices }) {
    const core = await Core.load(wasm, program);
    return played(core, tables, indices, false).map(({ moves, board, player, partial, code }) => ({ moves, board, player, partial, code }));
  },
  /** Load a script: what it prints and leaves on the stack, and its error. */
  async fragment({ text }) {
    const { core, author, printed } = await opened([{ name: "fragment.4th", text }], "fragment.4th");
    const problem = problemOf(() => core.loadSources());
    return { problem, printed: printed(), stack: author.stack.cells };
  },
  /** Interpret texts one after another, each with an empty stack, after an empty script. */
  async lines({ texts }) {
    const { core, author, printed } = await opened([{ name: "empty.4th", text: "" }], "empty.4th");
    core.loadSources();
    return texts.map((text) => {
      author.address(""); // empties the stack
      const source = { text: bytesOf(`${text}\n`), top: true, main: true, bind: false };
      const problem = problemOf(() => {
        core.check(core.interpret(source));
        core.check(core.exports.play_bind()); // the texts define hooks
      });
      return { problem, printed: printed(), stack: author.stack.cells };
    });
  },
  /** Count move sequences from the start of a game. */
  async perft({ files, main, plies }) {
    const { core } = await opened(files, main);
    core.loadSources();
    core.start(null);
    return core.exports.play_perft(plies);
  },
});
