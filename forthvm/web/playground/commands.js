/**
 * The commands of the console, as those of `forthvm repl` with these names.
 *
 * @import { Dictionary } from "./dictionary.js"
 * @typedef {{undo: () => void, moves: () => string[], request: (request: object) => void}} Actions What the page does: undo
 *   a line, return the legal moves, and send a request to the board.
 */
import { text } from "../page/texts.js";

export class Commands {
  /** @param {Dictionary} dictionary @param {Actions} actions */
  constructor(dictionary, actions) {
    this.dictionary = dictionary;
    this.actions = actions;
  }

  /** @type {Record<string, (argument: string) => string>} Each returns what it prints. */
  #commands = {
    help: (word) => (word ? this.dictionary.help(word) || this.dictionary.list(word) || text("playground.no-word", { word }) : text("playground.help")),
    words: (pattern) => this.dictionary.list(pattern || "*") || text("playground.no-word", { word: pattern }),
    see: (word) => this.dictionary.source(word) || text("playground.no-source", { word }),
    undo: () => { this.actions.undo(); return ""; },
    moves: (part) => this.actions.moves().filter((move) => move.includes(part)).map((move, at) => (part ? move : `${at + 1}  ${move}`)).join("\n") || text("playground.no-moves"),
    play: (move) => this.#play(move),
    takeback: () => this.#request({ do: "undo" }),
    new: () => this.#request({ do: "new" }),
  };

  /** The names of commands. */
  get names() {
    return Object.keys(this.#commands);
  }

  /** Run a line if it is a command; return what is printed, or null. @param {string} line @returns {string | null} */
  run(line) {
    const [, sign, name, argument] = /^\s*(%?)(\S*)\s*([^\n]*?)\s*$/.exec(line) ?? [];
    const command = name?.toLowerCase() ?? "";
    const isWord = !sign && this.dictionary.has(name ?? "");
    return !isWord && Object.hasOwn(this.#commands, command) ? this.#commands[command](argument ?? "") : null;
  }

  /** @param {object} request */
  #request(request) {
    this.actions.request(request);
    return "";
  }

  /** Make a move, given by its text, the beginning of its text, or its number. @param {string} move */
  #play(move) {
    const moves = this.actions.moves(), beginning = moves.filter((one) => one.startsWith(move));
    const at = moves.includes(move) ? moves.indexOf(move) : /^\d+$/.test(move) ? Number(move) - 1 : beginning.length === 1 ? moves.indexOf(beginning[0]) : -1;
    if (!moves[at]) return text("playground.no-move", { move });
    return this.#request({ do: "play", move: at });
  }
}
