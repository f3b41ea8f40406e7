// The tests of a workspace folder, and the arguments that run some of them.  Must not know vscode.

import type { Test } from "./testEvents";

/** The tests by file, in the order of their lines. */
export type TestFiles = ReadonlyMap<string, readonly Test[]>;

/** Groups tests by their files. */
export function byFile(tests: Iterable<Test>): TestFiles {
    const files = new Map<string, Test[]>();
    for (const test of tests) {
        const members = files.get(test.file);
        if (members) members.push(test);
        else files.set(test.file, [test]);
    }
    for (const members of files.values()) members.sort((one, other) => one.line - other.line);
    return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the place of a test, which `forthvm test` takes as a path. */
export function placeOf({ file, line }: Test): string {
    return `${file}:${line}`;
}

/** Files, and places of tests, that were chosen. */
export interface Chosen {
    readonly files: ReadonlySet<string>;
    readonly tests: ReadonlySet<string>;
}

export const NOTHING: Chosen = { files: new Set(), tests: new Set() };

/**
 * Returns the tests to run, and the paths that `forthvm test` takes for them: whole files where possible.
 *
 * @param include - What to run; undefined for everything.
 */
export function selection(
    files: TestFiles,
    include: Chosen | undefined,
    exclude: Chosen = NOTHING,
): { tests: Test[]; paths: string[] } {
    const tests: Test[] = [];
    const paths: string[] = [];
    for (const [file, all] of files) {
        if (exclude.files.has(file)) continue;
        const whole = include === undefined || include.files.has(file);
        const members = all.filter(
            (test) => (whole || include.tests.has(placeOf(test))) && !exclude.tests.has(placeOf(test)),
        );
        tests.push(...members);
        if (members.length === all.length) paths.push(file);
        else paths.push(...members.map(placeOf));
    }
    return { tests, paths };
}
