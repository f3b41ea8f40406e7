// The output of `forthvm test --json`.  Owns its reading; does not use vscode.

/** A test of a file: a position test, or a line of a perft file. */
export interface Test {
    readonly event: "test";
    readonly id: string;
    readonly name: string;
    readonly file: string;
    readonly line: number;
    readonly kind: string;
}

/** The result of a test. */
export interface Result {
    readonly event: "result";
    readonly id: string;
    readonly outcome: Outcome;
    readonly message: string;
    readonly seconds: number;
    /** The line of the statement that failed, from 1; undefined if it is not in the file of the test. */
    readonly failedLine?: number;
}

export type Outcome = "passed" | "failed" | "error" | "skipped";
const OUTCOMES: readonly unknown[] = ["passed", "failed", "error", "skipped"] satisfies Outcome[];

/** Returns what a line describes; undefined for lines that are no events, and for other events. */
export function readEvent(line: string): Test | Result | undefined {
    if (!line.startsWith("{")) return undefined;
    let value: Record<string, unknown>;
    try {
        value = JSON.parse(line);
    } catch {
        return undefined;
    }
    if (typeof value.id !== "string") return undefined;
    if (value.event === "test" && typeof value.file === "string") {
        return {
            event: "test",
            id: value.id,
            name: text(value.name) || value.id,
            file: value.file,
            line: Math.max(1, Math.trunc(number(value.line))),
            kind: text(value.kind),
        };
    }
    if (value.event === "result" && OUTCOMES.includes(value.outcome)) {
        return {
            event: "result",
            id: value.id,
            outcome: value.outcome as Outcome,
            message: text(value.message),
            seconds: Math.max(0, number(value.seconds)),
            ...(number(value.failedLine) >= 1 && { failedLine: Math.trunc(number(value.failedLine)) }),
        };
    }
    return undefined;
}

function text(value: unknown): string {
    return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
    return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Splits a stream of text into lines, without their ends. */
export class LineSplitter {
    private rest = "";

    /** Returns the lines that a piece of the stream completes. */
    push(piece: string): string[] {
        const lines = (this.rest + piece).split("\n");
        this.rest = lines.pop() ?? "";
        return lines.map((line) => line.replace(/\r$/, ""));
    }

    /** Returns the last line if it has no end. */
    end(): string[] {
        const last = this.rest;
        this.rest = "";
        return last === "" ? [] : [last];
    }
}
