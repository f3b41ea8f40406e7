// Bundles the extension into out/extension.js, with the licenses of the packages in it; with --tests,
// bundles the unit tests into out/test/.

import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { notices } from "../notices.mjs";

const common = {
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    minify: process.argv.includes("--minify"),
    metafile: true,
    logLevel: "warning",
};

if (process.argv.includes("--tests")) {
    const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
    // Tests of the repository use the page of the board and the configurations.
    const entryPoints = [...tests.map((name) => `test/${name}`), "src/boardPage.ts", "src/configurations.ts"];
    const alias = { vscode: "./test/fakeVscode.ts" };
    await build({ ...common, entryPoints, alias, outdir: "out/test", entryNames: "[name]" });
} else {
    mkdirSync("out", { recursive: true });
    const entryPoints = ["src/extension.ts"];
    const { metafile } = await build({ ...common, entryPoints, outdir: "out", external: ["vscode"] });
    writeFileSync("out/NOTICES.txt", notices(Object.keys(metafile.inputs)));
    copyFileSync("../../LICENSE", "LICENSE"); // the package must contain it
}
