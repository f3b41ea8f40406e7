/**
 * The code editor of `forthvm playground`: CodeMirror with ForthScript, for forthvm/web/playground.
 *
 * It owns the choice of CodeMirror's parts.  Everything about words comes from the tables of forthvm.
 *
 * @typedef {{words: Record<string, [effect: string, text: string, kind: string]>, strings: string[], definers: string[],
 *   readers: string[], alwaysReaders: string[], opening: string[], closing: string[]}} Words
 */
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { ruleLanguage } from "./rule_language.js";
import { breakpoints, linesOf, withBreakpoints } from "./breakpoints.js";
import { markStop, stops } from "./stops.js";

const NUMBER = /^(?:[+-]?\d+|[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;
const ITEM = /^\{[^{}\s]+\}$/;
const TAGS = {
  comment: tags.comment, string: tags.string, defining: tags.definitionKeyword, name: tags.definition(tags.name), quoted: tags.special(tags.name),
  control: tags.controlKeyword, section: tags.moduleKeyword, item: tags.modifier, number: tags.number, kernel: tags.standard(tags.name),
};
const COLOURS = Object.keys(TAGS).map((kind) => ({ tag: TAGS[kind], color: `var(--code-${kind})` }));
const CONTINUING = ["ELSE", "WHILE"]; // the line after them is indented again
const RULE_FILE = /\.zrf$/i;
const SHOWN = 300; // characters of a definition that hovering shows

/** @param {Words} words @param {string} word */
const entryOf = ({ words }, word) => (Object.hasOwn(words, word) ? words[word] : undefined);

/** The lexer, as forthvm/syntax/tokens.py, line by line. @param {Words} tables */
function language(tables) {
  const { strings, definers, readers, alwaysReaders, opening, closing } = tables;
  const isReader = (word, compiling) => alwaysReaders.includes(word) || (!compiling && (definers.includes(word) || readers.includes(word)));
  return StreamLanguage.define({
    startState: () => ({ inside: "", next: "", compiling: false, depth: 0, free: true }), // inside: a comment or a string; next: the kind of the next name; free: see `indent`
    token(stream, state) {
      if (state.inside) {
        const end = { paren: ")", quote: '"', line: null }[state.inside];
        const kind = state.inside === "quote" ? "string" : "comment";
        if (end && stream.skipTo(end)) stream.next();
        else stream.skipToEnd();
        if (!end || stream.current().endsWith(end)) state.inside = "";
        return kind;
      }
      if (stream.sol() && !state.depth) state.free = true;
      if (stream.eatSpace()) return null;
      stream.match(/\S+/);
      const word = stream.current();
      if (state.next) {
        const kind = state.next;
        state.next = "";
        return kind;
      }
      if (word === "\\") {
        if (stream.eol() || stream.match(/^\s$/)) state.inside = "line";
        else stream.skipToEnd();
        return "comment";
      }
      if (word === "(") {
        stream.match(/^\s\)*/); // the comment begins after a blank and the delimiters that follow it
        state.inside = "paren";
        return "comment";
      }
      if (strings.includes(word)) {
        stream.match(/^\s"*/);
        state.inside = "quote";
        return "control";
      }
      if (isReader(word, state.compiling)) state.next = definers.includes(word) ? "name" : "quoted";
      if (opening.includes(word)) {
        state.depth++;
        state.free = false;
      }
      if (closing.includes(word) && !CONTINUING.includes(word)) state.depth = Math.max(state.depth - 1, 0);
      if (word === ":" || word === "]") state.compiling = true;
      if (word === ";" || word === "[") state.compiling = false;
      const kind = entryOf(tables, word)?.[2] ?? (NUMBER.test(word) ? "number" : ITEM.test(word) ? "item" : "word");
      return kind === "word" ? null : kind;
    },
    /** The indentation of a line, as `forthvm fmt`; null, that of the line before, where the layout is free: outside of structures. */
    indent({ inside, depth, free }, after, { unit }) {
      const closes = closing.includes(/^\S*/.exec(after)[0]);
      return inside || free ? null : unit * Math.max(depth - (closes ? 1 : 0), 0);
    },
    tokenTable: TAGS,
    languageData: { commentTokens: { line: "\\" }, indentOnInput: new RegExp(`^\\s*(?:${closing.map((word) => word.replace(/\W/g, "\\$&")).join("|")})$`) },
  });
}

/** The names that a text defines, with the rests of their lines. @param {string} text @param {string[]} definers */
function definitions(text, definers) {
  /** @type {Map<string, string>} */ const found = new Map();
  const makers = definers.map((word) => word.replace(/[^\w\s]/g, "\\$&")).join("|");
  for (const [, , name] of text.matchAll(new RegExp(`(^|\\s)(?:${makers})\\s+(\\S+)`, "g"))) found.set(name, "");
  for (const [line, name] of text.matchAll(/^\s*:\s+(\S+).*$/gm)) found.set(name, line.trim().slice(0, SHOWN));
  return found;
}

/** The word at a place. @param {EditorState} state @param {number} at */
function wordAt(state, at) {
  const line = state.doc.lineAt(at);
  const before = /\S*$/.exec(line.text.slice(0, at - line.from))[0], after = /^\S*/.exec(line.text.slice(at - line.from))[0];
  return { from: at - before.length, to: at + after.length, word: before + after };
}

/** @param {Words} tables @param {() => string[]} texts The texts of all files. */
function completions({ words, definers }, texts) {
  const ofLibrary = Object.entries(words).map(([label, [detail, info]]) => ({ label, detail, info: info || undefined, type: "function" }));
  return (context) => {
    const typed = context.matchBefore(/\S+/);
    if (!typed && !context.explicit) return null;
    const own = texts().flatMap((text) => [...definitions(text, definers)]).filter(([name]) => name !== typed?.text);
    const ofScript = [...new Map(own)].map(([label, info]) => ({ label, info: info || undefined, type: "variable", boost: 1 }));
    return { from: typed?.from ?? context.pos, options: [...ofScript, ...ofLibrary], validFor: /^\S*$/ };
  };
}

/** @param {Words} tables @param {() => string[]} texts */
function help(tables, texts) {
  return hoverTooltip((view, at) => {
    const { from, to, word } = wordAt(view.state, at);
    const [effect, sentence] = entryOf(tables, word) ?? entryOf(tables, word.toUpperCase()) ?? ["", ""];
    const own = texts().map((text) => definitions(text, tables.definers).get(word)).find(Boolean);
    if (!own && !effect && !sentence) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "word-help";
      const head = document.createElement("code");
      head.textContent = own ?? `${word} ${effect}`;
      dom.append(head);
      if (!own && sentence) dom.append(Object.assign(document.createElement("p"), { textContent: sentence }));
      return { dom };
    };
    return { pos: from, end: to, above: true, create };
  });
}

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", fontSize: ".9rem", lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--muted)", borderRight: "1px solid var(--edge)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 18%, transparent)" },
  ".cm-tooltip, .cm-panels": { color: "var(--ink)", backgroundColor: "var(--panel)", border: "1px solid var(--edge)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { color: "var(--on-accent)", backgroundColor: "var(--accent)" },
  ".cm-completionDetail": { fontStyle: "normal", color: "inherit" },
  ".cm-textfield, .cm-button": { color: "var(--ink)", background: "var(--raised)", border: "1px solid var(--control)" },
  ".word-help": { padding: ".3rem .6rem", maxWidth: "32rem", whiteSpace: "pre-wrap" },
  ".word-help p": { margin: ".2rem 0 0" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--threat)" },
});

/**
 * Make an editor in a shadow root, whose style sheets the policy of the page allows.
 * @param {{parent: HTMLElement, tables: Words, texts: () => string[], onChange: (text: string) => void, onBreakpoint: () => void,
 *   sayBreakpoint: (on: boolean, line: number) => string}} options
 */
export function createEditor({ parent, tables, texts, onChange, onBreakpoint, sayBreakpoint }) {
  const root = parent.attachShadow({ mode: "open" });
  const words = new Compartment();
  let isQuiet = false;
  const common = [
    breakpoints(sayBreakpoint, onBreakpoint), lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightSelectionMatches(), lintGutter(), indentUnit.of("\t"), indentOnInput(),
    EditorState.tabSize.of(4), syntaxHighlighting(HighlightStyle.define(COLOURS)), THEME, stops, words.of([]),
    keymap.of([...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.domEventHandlers({ drop: (event) => event.dataTransfer?.types.includes("Files") }), // the page opens them
    EditorView.updateListener.of((update) => { if (update.docChanged && !isQuiet) onChange(update.state.doc.toString()); }),
  ];
  const forScripts = [...common, language(tables), autocompletion({ override: [completions(tables, texts)] }), help(tables, texts)];
  const forRules = [...common, ruleLanguage(TAGS)];
  /** @type {Map<string, EditorState>} The state of each file: its text, its history, its selection. */ const states = new Map();
  const view = new EditorView({ parent: root, root, state: EditorState.create({ extensions: common }) });
  let shown = "";
  /** The lines with breakpoints in files that were not shown yet. @type {Map<string, number[]>} */ let points = new Map();
  /** Where a run has stopped. @type {{file: string, from: number, to: number} | null} */ let stop = null;
  let languageOf = [];
  return {
    /** Show a file. @param {string} name @param {string} text */
    open(name, text) {
      if (shown) states.set(shown, view.state);
      shown = name;
      const known = states.get(name);
      isQuiet = true;
      const isKnown = known?.doc.toString() === text;
      view.setState(isKnown ? known : withBreakpoints(EditorState.create({ doc: text, extensions: RULE_FILE.test(name) ? forRules : forScripts }), points.get(name) ?? []));
      points.delete(name);
      view.dispatch({ effects: words.reconfigure(languageOf) });
      markStop(view, stop?.file === name ? stop : null);
      isQuiet = false;
    },
    /** The lines with breakpoints, in all files. @returns {{file: string, line: number}[]} */
    breakpoints() {
      const all = new Map([...states, [shown, view.state]]);
      const lines = [...points, ...[...all].map(([file, state]) => /** @type {[string, number[]]} */ ([file, linesOf(state)]))];
      return lines.flatMap(([file, numbers]) => numbers.map((line) => ({ file, line })));
    },
    /** Mark where a run has stopped; null: nowhere. @param {{file: string, from: number, to: number} | null} place */
    stopAt(place) {
      stop = place;
      markStop(view, stop?.file === shown ? stop : null);
    },
    /** Forget the files; others have breakpoints. @param {{file: string, line: number}[]} found */
    clear(found) {
      points = new Map(Object.entries(Object.groupBy(found, ({ file }) => file)).map(([file, own]) => [file, own.map(({ line }) => line)]));
      states.clear();
      shown = "";
    },
    /** Name the editor, and use the words of a language. @param {string} label @param {Record<string, string>} phrases */
    translate(label, phrases) {
      languageOf = [EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }), EditorState.phrases.of(phrases)];
      view.dispatch({ effects: words.reconfigure(languageOf) });
    },
    /** Mark problems. @param {{from: number, to: number, message: string, severity: "error" | "warning" | "info"}[]} found */
    mark(found) {
      const end = view.state.doc.length;
      const diagnostics = found.map(({ from, to, message, severity }) => ({ from: Math.min(from, end), to: Math.min(to, end), severity, message }));
      view.dispatch(setDiagnostics(view.state, /** @type {any} */ (diagnostics)));
    },
    /** Put the cursor somewhere. @param {number} at */
    goTo(at) {
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
  };
}
