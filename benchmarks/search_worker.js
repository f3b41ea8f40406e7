/**
 * A worker that searches a position as the engine of the playground and of exported games does.
 */
import { Core } from "../forthvm/web/offline/core.js";
import { chooseMove } from "../forthvm/web/offline/engines.js";
import { Position } from "../forthvm/web/offline/position.js";
import { grantRequests } from "../forthvm/web/offline/requests.js";

const SCORE = 2, NODES = 3; // of fvm_report_kind

/** @type {Promise<WebAssembly.Module>} */ let wasm;

grantRequests({
  async begin({ address }) {
    wasm = WebAssembly.compile(await (await fetch(address)).arrayBuffer());
  },
  /** Search the first position of a game that is loaded anew: the answer, and the milliseconds of the search. */
  async search({ program, tables, engine }) {
    const core = await Core.load(await wasm, program);
    const values = {};
    core.onReport = ({ kind, value }) => { values[kind] = value; };
    core.start(null);
    const begin = performance.now();
    const index = chooseMove(engine, core, new Position(core, tables));
    const milliseconds = performance.now() - begin;
    return { move: core.moveTexts[index], score: values[SCORE], nodes: values[NODES], milliseconds };
  },
});
