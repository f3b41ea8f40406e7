/**
 * Calls the core of exported games with random values, in node; prints the number of answers and of refusals.
 *
 * Arguments: a file with the data of an exported game, the core, a seed, and the number of cases.  Python joins
 * it with the modules that it imports.  A script that is damaged at random must be refused, never end the module.
 */
import { Core, ScriptError } from "../../forthvm/web/offline/core.js";

const fs = require("node:fs");

const TEXTS = [
  "", "\0", "x", "$board", "$boardSize", "OnIsGameOver", "OnEvaluate", "DROP", "@", "!", "EXECUTE", ">R", "ALLOT", "1 0 /",
  ": f f ; f", "\" ", "( ", "\\ ", "27 EMIT", "HERE 0 !", "0 1 - HERE !", "\xff\xfe", "x".repeat(70000), "[", "]", "{board", "board}",
  "CREATE", "' ", "' x EXECUTE", "9".repeat(400), "1e999", "$gameLog ON", "LOAD x",
];
const NUMBERS = [0, 1, -1, 2, 7, 255, 4096, 65536, 2 ** 31 - 1, -(2 ** 31)];

/** @param {number} state */
const random = (state) => () => { // mulberry32
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

async function main() {
  const [data, wasm, seed, cases] = process.argv.slice(2);
  const { program } = JSON.parse(fs.readFileSync(data, "utf8"));
  const module = await WebAssembly.compile(fs.readFileSync(wasm));
  const next = random(Number(seed));
  const choose = (list) => list[Math.floor(next() * list.length)];
  const counts = { answers: 0, refusals: 0 };

  const attempt = (action) => {
    try {
      const result = action();
      counts.answers++;
      return result;
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      counts.refusals++;
      return null;
    }
  };

  /** The program with bytes of its script replaced, or a text added. */
  const damaged = () => {
    const sources = program.sources.map((source) => ({ ...source }));
    const script = sources.find(({ main }) => main);
    if (next() < 0.5) script.text += `\n${choose(TEXTS)} ${choose(TEXTS)}\n`;
    for (let count = Math.floor(next() * 3); count > 0; count--) {
      const at = Math.floor(next() * script.text.length);
      script.text = script.text.slice(0, at) + String.fromCharCode(Math.floor(next() * 256)) + script.text.slice(at + 1);
    }
    return { ...program, sources, milliseconds: 300 };
  };

  const actions = (core) => [
    () => core.start(choose(NUMBERS)),
    () => core.moveCount && core.make(Math.floor(next() * core.moveCount)),
    () => !core.moveCount && core.pass(),
    () => core.takeBack(),
    () => core.moveTexts,
    () => core.comment,
    () => core.variable(choose(TEXTS)),
    () => core.read(choose(NUMBERS), Math.floor(next() * 5000), next() < 0.5),
    () => core.call(choose(TEXTS), [choose(NUMBERS), choose(NUMBERS)].slice(0, Math.floor(next() * 3))),
    () => core.draw(),
    () => core.runScriptEngine({ depth: choose(NUMBERS), variety: choose(NUMBERS), seconds: 0.01 }),
  ];

  for (let number = 0; number < Number(cases); number++) {
    let core = null;
    try {
      core = await Core.load(module, next() < 0.5 ? program : damaged());
      core.start(1);
      counts.answers++;
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error;
      counts.refusals++;
      continue;
    }
    for (let step = 0; step < 30; step++) attempt(choose(actions(core)));
  }
  console.log(JSON.stringify(counts));
}

main();
