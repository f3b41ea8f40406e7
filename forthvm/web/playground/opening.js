/**
 * Files that a person opens, by a button or by dropping them on the page.
 *
 * @import { Dropped } from "../page/dropping.js"
 * @import { Sources } from "./files.js"
 * @import { Text } from "../offline/loading.js"
 */
import { readSources } from "./files.js";
import { isRuleFile } from "./rulefiles.js";

const TEXT = /\.(?:zrf|4th|txt|md|notation)$/i;
const SCRIPT = /\.4th$/i;
const HIGH_LETTER = 0xc0; // from which on bytes are letters in Windows-1251 and Latin-1

/** The sources in opened files; null if there is no rule file and no script in them. @param {Dropped[]} opened @returns {Promise<Sources | null>} */
export async function sourcesOf(opened) {
  const texts = opened.filter(([path]) => TEXT.test(path));
  const files = await Promise.all(texts.map(async ([name, file]) => ({ name, text: decoded(new Uint8Array(await file.arrayBuffer())) })));
  const main = mainOf(files);
  return main ? readSources({ files, main: main.name }) : null;
}

/** The file that is loaded first: a rule file or a script that no other one names. @param {Text[]} files */
function mainOf(files) {
  const named = (/** @type {Text} */ file) => files.some(({ name, text }) => name !== file.name && text.toLowerCase().includes(plain(file.name)));
  for (const isKind of [isRuleFile, (/** @type {string} */ name) => SCRIPT.test(name)]) {
    const found = files.filter(({ name }) => isKind(name));
    if (found.length) return found.find((file) => !named(file)) ?? found[0];
  }
  return null;
}

/** @param {string} path */
const plain = (path) => path.replace(/^.*\//, "").toLowerCase();

/** The text of a file, in UTF-8 or an encoding of Windows, as forthvm/core/loading/source.py guesses it. @param {Uint8Array} bytes */
export function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const letters = bytes.filter((byte) => byte >= HIGH_LETTER).length;
    const paired = bytes.filter((byte, at) => byte >= HIGH_LETTER && bytes[at - 1] >= HIGH_LETTER).length;
    return new TextDecoder(paired * 2 > letters ? "windows-1251" : "windows-1252").decode(bytes);
  }
}
