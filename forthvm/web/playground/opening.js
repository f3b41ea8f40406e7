/**
 * Files that a person opens, by a button or by dropping them on the page: texts, pictures, and archives with both.
 *
 * @import { Dropped } from "../page/dropping.js"
 * @import { Member } from "./archive.js"
 * @import { Text } from "../offline/loading.js"
 */
import { ArchiveError, isArchive, MAX_BYTES, MAX_MEMBERS, unpacked } from "./archive.js";
import { Files, isFileName, readSources } from "./files.js";
import { isRuleFile } from "./rulefiles.js";

const TEXT = /\.(?:zrf|4th|txt|md|notation)$/i;
const PICTURE = /\.(?:bmp|png|gif|jpe?g|svg)$/i;
const SCRIPT = /\.4th$/i;
const HIGH_LETTER = 0xc0; // from which on bytes are letters in Windows-1251 and Latin-1

/** @param {string} name */
const isWanted = (name) => (TEXT.test(name) || PICTURE.test(name)) && isFileName(name);

/**
 * The files that were opened.
 * @param {Dropped[]} opened
 * @returns {Promise<Files | null>} null if there is no rule file and no script among them.
 * @throws {ArchiveError} An archive is damaged, the files are too large, or the first one is no text.
 */
export async function filesOf(opened) {
  const members = withoutFolder(await membersOf(opened));
  const size = members.reduce((sum, [, contents]) => sum + contents.size, 0);
  if (members.length > MAX_MEMBERS || size > MAX_BYTES) throw new ArchiveError("too-much-opened");
  const texts = await Promise.all(members.filter(([name]) => TEXT.test(name)).map(textOf));
  const [main] = gamesIn(texts);
  if (!main) return null;
  if (main.text.includes("\0")) throw new ArchiveError("no-text");
  const sources = readSources({ files: texts, main: main.name });
  if (!sources) throw new ArchiveError("too-much-opened");
  return new Files(sources, new Map(members.filter(([name]) => PICTURE.test(name))));
}

/** The texts and pictures, of which names differ in more than case. @param {Dropped[]} opened @returns {Promise<Member[]>} */
async function membersOf(opened) {
  /** @type {Map<string, Member>} */ const found = new Map();
  for (const [name, file] of opened) {
    const isPacked = !TEXT.test(name) && !PICTURE.test(name) && (await isArchive(file));
    const members = isPacked ? await unpacked(file, isWanted) : isWanted(name) ? [/** @type {Member} */ ([name, file])] : [];
    for (const member of members) found.set(member[0].toLowerCase(), member);
  }
  return [...found.values()];
}

/** Files without the name of a folder that all of them are in. @param {Member[]} members @returns {Member[]} */
function withoutFolder(members) {
  const folder = /^[^/]+\//.exec(members[0]?.[0] ?? "")?.[0];
  if (!folder || !members.every(([name]) => name.startsWith(folder))) return members;
  return withoutFolder(members.map(([name, contents]) => [name.slice(folder.length), contents]));
}

/** @param {Member} member @returns {Promise<Text>} */
async function textOf([name, contents]) {
  return { name, text: decoded(new Uint8Array(await contents.arrayBuffer())) };
}

/** The files that can be loaded first: rule files or else scripts that no other one names. @param {Text[]} files @returns {Text[]} */
export function gamesIn(files) {
  const isScript = (/** @type {string} */ name) => SCRIPT.test(name);
  const code = files.filter(({ name }) => isRuleFile(name) || isScript(name)).map(({ name, text }) => ({ name, text: text.toLowerCase() }));
  const named = (/** @type {Text} */ file) => code.some(({ name, text }) => name !== file.name && text.includes(plain(file.name)));
  for (const isKind of [isRuleFile, isScript]) {
    const found = files.filter(({ name }) => isKind(name));
    const unnamed = found.filter((file) => !named(file));
    if (found.length) return unnamed.length ? unnamed : found;
  }
  return [];
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
