/**
 * The lexer of rule files of Zillions, for the highlighting of the code editor.
 */
import { StreamLanguage } from "@codemirror/language";

const NUMBER = /^[+-]?\d+$/;
const PARAMETER = /^\$\d/; // of a macro

/** @param {Record<string, import("@lezer/highlight").Tag>} tags By the kinds of tokens. */
export const ruleLanguage = (tags) => StreamLanguage.define({
  startState: () => ({ isString: false, isFirst: false }), // isFirst: whether the next word begins a list
  token(stream, state) {
    if (!state.isString && stream.eatSpace()) return null;
    if (state.isString || stream.eat('"')) {
      state.isString = !stream.skipTo('"');
      if (state.isString) stream.skipToEnd();
      else stream.next();
      return "string";
    }
    if (stream.eat(";")) {
      stream.skipToEnd();
      return "comment";
    }
    const { isFirst } = state;
    state.isFirst = Boolean(stream.eat("("));
    if (state.isFirst || stream.eat(")")) return null;
    stream.match(/^[^\s();"]+/);
    const word = stream.current();
    return NUMBER.test(word) ? "number" : PARAMETER.test(word) ? "quoted" : isFirst ? "kernel" : null;
  },
  tokenTable: tags,
  languageData: { commentTokens: { line: ";" } },
});
