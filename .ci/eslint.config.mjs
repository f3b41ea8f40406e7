// The rules of ESLint for the page of the board.  Undefined names are found by the type checker.
import { createRequire } from "node:module";
import { join } from "node:path";

const js = createRequire(join(process.env.NODE_TOOLS, "package.json"))("@eslint/js");
export default [
    { ignores: ["forthvm/web/playground/editor.js", "forthvm/web/playground/pyodide/**"] }, // written by others
    js.configs.recommended,
    { rules: { "no-undef": "off", eqeqeq: "error", "prefer-const": "error", "no-var": "error", "no-eval": "error" } },
];
