/**
 * The words that the console can explain: those of forthvm, with their descriptions, and those that texts define.
 *
 * @typedef {{words: Record<string, [effect: string, sentence: string, kind: string]>, definers: string[]}} Tables
 */

const MOST = 60; // words of a list
const SHOWN = 4000; // characters of a definition

/** @param {string} text */
const escaped = (text) => text.replace(/[^\w\s]/g, "\\$&");

export class Dictionary {
  /** @param {Tables} tables @param {() => string[]} texts The texts with definitions, the newest first. */
  constructor(tables, texts) {
    this.tables = tables;
    this.texts = texts;
    this.definition = new RegExp(`(?<!\\S)(?:${tables.definers.map(escaped).join("|")})\\s+(\\S+)`, "g");
  }

  /** The names of all words. */
  get names() {
    const own = this.texts().flatMap((text) => [...text.matchAll(this.definition)].map(([, name]) => name));
    return [...new Set([...own, ...Object.keys(this.tables.words)])];
  }

  /** @param {string} name */
  has(name) {
    return Boolean(this.#entry(name)) || this.#definition(name) !== null;
  }

  /** The words that a pattern with `*` and `?` matches, or of which name or description contains a text. @param {string} pattern */
  list(pattern) {
    const rule = new RegExp(`^${escaped(pattern).replaceAll("\\*", ".*").replaceAll("\\?", ".")}$`, "i"), lower = pattern.toLowerCase();
    const isPattern = /[*?]/.test(pattern);
    const found = this.names.filter((name) => rule.test(name) || (!isPattern && `${name} ${this.#entry(name)?.[1] ?? ""}`.toLowerCase().includes(lower)));
    const lines = found.slice(0, MOST).map((name) => `${name}  ${this.#entry(name)?.[0] ?? ""}`.trim());
    return [...lines, ...(found.length > MOST ? ["…"] : [])].join("\n");
  }

  /** Effect and description of a word; empty if it is unknown. @param {string} name */
  help(name) {
    const own = this.#definition(name);
    if (own !== null) return own.split("\n", 1)[0];
    const known = this.#entry(name) ? name : name.toUpperCase(), [effect, sentence] = this.#entry(known) ?? ["", ""];
    return [`${known}  ${effect}`.trim(), sentence && `  ${sentence}`].filter((_, at) => effect || sentence || at).filter(Boolean).join("\n");
  }

  /** The source of a definition; empty if there is none. @param {string} name */
  source(name) {
    return this.#definition(name) ?? "";
  }

  /** @param {string} name */
  #entry(name) {
    return Object.hasOwn(this.tables.words, name) ? this.tables.words[name] : undefined;
  }

  /** The newest definition of a word in the texts. @param {string} name */
  #definition(name) {
    const makers = this.tables.definers.filter((word) => word !== ":").map(escaped).join("|");
    const rule = new RegExp(`(?<!\\S):\\s+${escaped(name)}(?=\\s)[\\s\\S]*?\\s;(?=\\s|$)[^\\S\\n]*(?:IMMEDIATE)?|^.*(?<!\\S)(?:${makers})\\s+${escaped(name)}(?!\\S).*$`, "gm");
    for (const text of this.texts()) {
      const last = [...text.matchAll(rule)].at(-1);
      if (last) return last[0].trim().slice(0, SHOWN);
    }
    return null;
  }
}
