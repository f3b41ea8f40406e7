/**
 * Plays a game in the core of exported games, in node, and prints a line of JSON for each position.
 *
 * Arguments: a file with the data of an exported game, the core, and the indices of the moves as JSON (-1: a pass
 * of a player without moves; null: drawn by the game).  Python joins it with the modules that it imports.
 */
import { Core } from "../../forthvm/web/offline/core.js";
import { Describer } from "../../forthvm/web/offline/describer.js";
import { Position } from "../../forthvm/web/offline/position.js";

const fs = require("node:fs");

async function main() {
  const [data, wasm, indices, takeBack] = process.argv.slice(2);
  const { program, tables } = JSON.parse(fs.readFileSync(data, "utf8"));
  const core = await Core.load(await WebAssembly.compile(fs.readFileSync(wasm)), program);
  const position = new Position(core, tables), describer = new Describer(position, tables);
  const history = [];
  const print = () => {
    const board = core.read(core.variable("$board"), core.variable("$boardSize") / 4);
    console.log(JSON.stringify({ ...describer.describe(history, null), board, code: core.code, partial: core.isPartial }));
  };
  core.start(null);
  print();
  for (const index of JSON.parse(indices)) {
    const player = position.player.name;
    const chosen = index ?? core.draw();
    const text = core.moveTexts[chosen] ?? "Pass";
    if (chosen < 0) core.pass();
    else core.make(chosen);
    history.push({ player, text });
    print();
  }
  while (takeBack && history.length) {
    core.takeBack();
    history.pop();
    print();
  }
}

main();
