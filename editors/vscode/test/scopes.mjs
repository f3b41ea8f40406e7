// Tokenizes texts with the grammars, as VS Code does.
// Usage: node test/scopes.mjs SCOPE < TEXTS, a JSON array of arrays of lines.  Prints, for every text
// and line, its tokens: [start, end, innermost scope].

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const folder = new URL("..", import.meta.url);
const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
await oniguruma.loadWASM(readFileSync(wasm).buffer);
const { contributes } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));

const registry = new textmate.Registry({
    onigLib: Promise.resolve({
        createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
        createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
        const found = contributes.grammars.find((one) => one.scopeName === scope);
        return found && textmate.parseRawGrammar(readFileSync(new URL(found.path, folder), "utf8"), found.path);
    },
});

const grammar = await registry.loadGrammar(process.argv[2]);
const result = JSON.parse(readFileSync(0, "utf8")).map((lines) => {
    let state = textmate.INITIAL;
    return lines.map((line) => {
        const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
        state = ruleStack;
        return tokens.map(({ startIndex, endIndex, scopes }) => [startIndex, endIndex, scopes.at(-1)]);
    });
});
process.stdout.write(JSON.stringify(result));
