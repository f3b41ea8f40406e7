/**
 * Plays a game in the core of exported games, in node, and prints a line of JSON for each position.
 *
 * Arguments: a file with the data of an exported game, the core, and the indices of the moves as JSON (see
 * offline_play.js).  Python joins it with the modules that it imports.
 */
import { Core } from "../../forthvm/web/offline/core.js";
import { played } from "./offline_play.js";

const fs = require("node:fs");

async function main() {
  const [data, wasm, indices, takeBack] = process.argv.slice(2);
  const { program, tables } = JSON.parse(fs.readFileSync(data, "utf8"));
  const core = await Core.load(await WebAssembly.compile(fs.readFileSync(wasm)), program);
  for (const position of played(core, tables, JSON.parse(indices), takeBack)) console.log(JSON.stringify(position));
}

main();
