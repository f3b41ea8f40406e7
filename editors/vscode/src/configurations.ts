// Debug configurations.  Owns their defaults; does not use vscode.

export const DEBUG_TYPE = "forthvm";

/** A configuration as in launch.json. */
export interface Configuration {
    type: string;
    request: string;
    name: string;
    program?: string;
    target?: string;
    test?: string;
    stopOnEntry?: boolean;
    [name: string]: unknown;
}

/** Returns whether a file is a script or a rule file. */
export function isProgram(file: string): boolean {
    return /\.(4th|zrf)$/i.test(file);
}

/** Returns the configurations that are offered for a file. */
export function configurationsFor(file: string): Configuration[] {
    const name = file.replace(/^.*[/\\]/, "");
    const common = { type: DEBUG_TYPE, request: "launch", program: file };
    return [
        { ...common, name: `Moves of ${name}`, target: "moves" },
        { ...common, name: `Load ${name}`, target: "load" },
        { ...common, name: `Search in ${name}`, target: "search", engine: "axiom", depth: 2 },
    ];
}

/**
 * Returns a configuration with what is missing, or the reason why it cannot be launched.
 *
 * Without launch.json the configuration is empty; then the moves of the current file are debugged.
 *
 * @param file - The current file.
 * @param hasBreakpoints - Whether there are breakpoints; without any, the program stops at its beginning.
 */
export function completed(
    configuration: Configuration,
    file: string | undefined,
    hasBreakpoints: boolean,
): Configuration | string {
    const isEmpty = !configuration.type && !configuration.request && !configuration.name;
    const result = { ...configuration };
    if (!result.program && result.target !== "test") {
        if (file === undefined || !isProgram(file)) return "Open a script (.4th) or a rule file (.zrf) to debug it.";
        result.program = file;
    }
    if (!isEmpty) return result;
    const [first] = configurationsFor(result.program ?? "");
    return { ...first, stopOnEntry: !hasBreakpoints };
}

/** Returns the configuration that debugs a test, `FILE:LINE`. */
export function testConfiguration(test: { file: string; line: number; name: string }): Configuration {
    const place = `${test.file}:${test.line}`;
    return { type: DEBUG_TYPE, request: "launch", name: test.name, target: "test", program: test.file, test: place };
}
