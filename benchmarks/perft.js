/**
 * Counts move sequences in the core of exported games, in node: prints the count and the milliseconds.
 *
 * Arguments: a file with the data of an exported game, the core, and the number of plies.
 */
import { Core } from "../forthvm/web/offline/core.js";

const fs = require("node:fs");

async function main() {
  const [data, wasm, plies] = process.argv.slice(2);
  const { program } = JSON.parse(fs.readFileSync(data, "utf8"));
  const core = await Core.load(await WebAssembly.compile(fs.readFileSync(wasm)), program);
  core.start(null);
  core.exports.play_perft(Number(plies)); // the browser's compiler optimizes the module while it runs
  const begin = performance.now();
  const count = core.exports.play_perft(Number(plies));
  console.log(count, performance.now() - begin);
}

main();
