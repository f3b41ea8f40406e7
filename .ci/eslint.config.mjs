// The rules of ESLint for the page of the board.
import { createRequire } from "node:module";
import { join } from "node:path";

const js = createRequire(join(process.env.NODE_TOOLS, "package.json"))("@eslint/js");
const globals = ["document", "window", "location", "navigator", "fetch", "WebSocket", "URLSearchParams", "setTimeout"];
const types = ["HTMLElement", "HTMLSelectElement"];

export default [
    js.configs.recommended,
    {
        languageOptions: {
            globals: Object.fromEntries([...globals, ...types].map((name) => [name, "readonly"])),
        },
        rules: { eqeqeq: "error", "prefer-const": "error", "no-var": "error", "no-eval": "error" },
    },
];
