/**
 * The game as the single file that `forthvm export` makes: export.html, with the game and the core filled in.
 *
 * @import { LoadedGame } from "./loader.js"
 */
import { saveAs } from "../page/dom.js";

const PERSON = "person";

/** @param {string} text */
const inMarkup = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A JSON text that can stand in a script element. @param {unknown} value */
const inScript = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** What an exported file contains; the first player is a person, and engines of the middle level play for the others. @param {LoadedGame} game @param {string} title */
export function contents({ program, tables, message, engines }, title) {
  const players = tables.contestants.length ? tables.contestants : tables.movers;
  const levels = Object.keys(engines).filter((name) => name.startsWith("level:"));
  const by = levels[Math.ceil(levels.length / 2) - 1];
  const sources = program.sources.map(({ text, top, main, bind }) => ({ text, top, main, bind }));
  const seats = Object.fromEntries(players.map((player, at) => [player, at ? by : PERSON]));
  return { program: { ...program, sources }, tables, game: message, title, seats, engines, seed: null };
}

/** @param {LoadedGame} game @param {string} title */
async function singleFile(game, title) {
  const [page, core] = await Promise.all([(await fetch("export.html")).text(), (await fetch("core.wasm")).arrayBuffer()]);
  const base64 = btoa(Array.from(new Uint8Array(core), (byte) => String.fromCharCode(byte)).join(""));
  return page
    .replace(/<title>.*?<\/title>/, () => `<title>${inMarkup(title)}</title>`)
    .replace('id="offline-core">null<', () => `id="offline-core">${inScript(base64)}<`)
    .replace('id="offline-game">null<', () => `id="offline-game">${inScript(contents(game, title))}<`);
}

/** Let the browser save a game as a file. @param {LoadedGame} game @param {string} title @param {string} name Of the file. */
export async function download(game, title, name) {
  saveAs(name, new Blob([await singleFile(game, title)], { type: "text/html" }));
}
