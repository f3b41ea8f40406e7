// The licenses of the npm packages that a bundle contains.

import { readdirSync, readFileSync } from "node:fs";

/** Returns the licenses of the packages of files, which are paths with `node_modules` in them. */
export function notices(files) {
    const folders = files.map((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]);
    const packages = [...new Set(folders)].filter(Boolean).sort();
    return packages
        .map((folder) => {
            const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
            const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
            if (!license) throw new Error(`${name} has no license`);
            return `${name} ${version}\n\n${readFileSync(`${folder}/${license}`, "utf8").trim()}\n`;
        })
        .join(`\n${"-".repeat(80)}\n\n`);
}
