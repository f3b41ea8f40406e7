/**
 * Lets engines of exported games search the positions of a game, in node, and prints a line of JSON for each search.
 *
 * Arguments: a file with the data of an exported game, the core, the indices of the moves and the specifications of the
 * engines as JSON.  Python joins it with the modules that it imports.
 */
import { Core } from "../../forthvm/web/offline/core.js";
import { chooseMove } from "../../forthvm/web/offline/engines.js";
import { Position } from "../../forthvm/web/offline/position.js";

const fs = require("node:fs");
const SCORE = 2; // of fvm_report_kind

async function main() {
  const [data, wasm, indices, specifications] = process.argv.slice(2);
  const { program, tables } = JSON.parse(fs.readFileSync(data, "utf8"));
  const core = await Core.load(await WebAssembly.compile(fs.readFileSync(wasm)), program);
  const position = new Position(core, tables);
  core.start(null);
  for (const index of [...JSON.parse(indices), null]) {
    for (const specification of JSON.parse(specifications)) {
      let score = null;
      core.onReport = ({ kind, value }) => { score = kind === SCORE ? value : score; };
      const chosen = chooseMove(specification, core, position);
      console.log(JSON.stringify({ move: core.moveTexts[chosen], score }));
    }
    if (index < 0) core.pass();
    else if (index !== null) core.make(index);
  }
}

main();
