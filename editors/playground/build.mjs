// Bundles the editor of the playground, with the licenses of the packages in it, into
// forthvm/web/playground/editor.js.

import { dirname } from "node:path";
import { chdir } from "node:process";
import { fileURLToPath } from "node:url";
import { writeFileSync } from "node:fs";
import { build } from "esbuild";
import { notices } from "../notices.mjs";

const folder = dirname(fileURLToPath(import.meta.url));
chdir(folder);
const { metafile, outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["editor.js"],
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "codeEditor",
    target: "es2022",
    metafile: true,
    write: false,
    logLevel: "warning",
});
const licenses = notices(Object.keys(metafile.inputs)).replaceAll("*/", "* /");
writeFileSync("../../forthvm/web/playground/editor.js", `/*\n${licenses}*/\n${outputFiles[0].text}`);
