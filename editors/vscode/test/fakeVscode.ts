// A stand-in for the module vscode: what the parts under test use, and a record of what they do.

type Listener = (event: never) => unknown;

/** An event, and the function that raises it. */
class Emitter {
    private readonly listeners: Listener[] = [];
    readonly event = (listener: Listener, _self?: unknown, owners?: unknown[]): { dispose(): void } => {
        this.listeners.push(listener);
        const disposable = { dispose: () => void this.listeners.splice(this.listeners.indexOf(listener), 1) };
        owners?.push(disposable);
        return disposable;
    };
    async fire(event?: unknown): Promise<void> {
        for (const listener of this.listeners) await listener(event as never);
    }
}

export class Uri {
    readonly scheme = "file";
    private constructor(readonly fsPath: string) {}
    static file(path: string): Uri {
        return new Uri(path);
    }
    static parse(text: string): Uri {
        return new Uri(text.replace(/^file:\/\//, ""));
    }
    toString(): string {
        return `file://${this.fsPath}`;
    }
}

export class Position {
    constructor(readonly line: number, readonly character: number) {}
}
export class Range {
    constructor(readonly start: Position, readonly end: Position) {}
}
export class Location {
    constructor(readonly uri: Uri, readonly range: Range) {}
}
export class TestTag {
    constructor(readonly id: string) {}
}
export class TestMessage {
    location: Location | undefined;
    constructor(readonly message: string) {}
}
export class DebugAdapterExecutable {
    constructor(readonly command: string, readonly args: string[], readonly options: object) {}
}
export class FunctionBreakpoint {
    constructor(readonly functionName: string) {}
}
export class EvaluatableExpression {
    constructor(readonly range: Range) {}
}
export const TestRunProfileKind = { Run: 1, Debug: 2 };
export const DebugConfigurationProviderTriggerKind = { Initial: 1, Dynamic: 2 };
export const ViewColumn = { Beside: -2 };

// --- tests -----------------------------------------------------------------------------

class Items {
    private members: Item[] = [];
    constructor(private readonly parent?: Item) {}
    replace(items: Item[]): void {
        this.members = items;
        for (const item of items) item.parent = this.parent;
    }
    get all(): readonly Item[] {
        return this.members;
    }
}

export class Item {
    parent: Item | undefined;
    readonly children: Items = new Items(this);
    range: Range | undefined;
    tags: readonly TestTag[] = [];
    sortText = "";
    constructor(readonly id: string, readonly label: string, readonly uri?: Uri) {}
}

type Handler = (request: Request, token: Token) => Promise<void>;
export type Request = { include?: readonly Item[]; exclude?: readonly Item[] };

export class Token {
    isCancellationRequested = false;
    private readonly emitter = new Emitter();
    readonly onCancellationRequested = this.emitter.event;
    cancel(): void {
        this.isCancellationRequested = true;
        void this.emitter.fire();
    }
}

/** The test controller that was created last, and what its runs reported. */
export const controller = {
    items: new Items(),
    profiles: new Map<string, { handler: Handler; tag?: TestTag }>(),
    reports: [] as string[],
    refreshHandler: undefined as unknown as (token?: Token) => Promise<void>,
    createTestItem: (id: string, label: string, uri?: Uri) => new Item(id, label, uri),
    createRunProfile(name: string, _kind: number, handler: Handler, _isDefault: boolean, tag?: TestTag): void {
        this.profiles.set(name, { handler, tag });
    },
    createTestRun() {
        const report = (what: string) => (item: Item, message?: TestMessage | number) => {
            const line = message instanceof TestMessage ? message.location?.range.start.line : undefined;
            const place = line === undefined ? "" : ` at line ${line + 1}`;
            const text = message instanceof TestMessage ? `${place}: ${message.message}` : "";
            this.reports.push(`${what} ${item.label}${text}`);
        };
        return {
            enqueued: report("enqueued"),
            started: report("started"),
            passed: report("passed"),
            failed: report("failed"),
            errored: report("errored"),
            skipped: report("skipped"),
            appendOutput: (text: string) => this.reports.push(`output ${text.trim()}`),
            end: () => this.reports.push("end"),
        };
    },
    dispose: () => undefined,
};

export const tests = { createTestController: () => controller };

// --- the rest --------------------------------------------------------------------------

const editorChanged = new Emitter();
const textChanged = new Emitter();
const selectionChanged = new Emitter();
const customEvent = new Emitter();
const sessionChanged = new Emitter();
const disposed = new Emitter();
const received = new Emitter();
export const events = { editorChanged, textChanged, selectionChanged, customEvent, sessionChanged, disposed, received };

/** What the parts under test read and write. */
export const state = {
    command: "forthvm" as unknown,
    posted: [] as unknown[],
    html: "",
    panels: 0,
    started: [] as unknown[],
    factory: undefined as unknown as { createDebugAdapterDescriptor(session: object): DebugAdapterExecutable },
};

export const workspace = {
    workspaceFolders: undefined as { uri: Uri; name: string }[] | undefined,
    getWorkspaceFolder: (uri: Uri) =>
        workspace.workspaceFolders?.find((folder) => uri.fsPath.startsWith(folder.uri.fsPath)),
    getConfiguration: () => ({ get: () => state.command }),
    asRelativePath: (uri: Uri) => uri.fsPath.replace(/^.*\//, ""),
    createFileSystemWatcher: () => ({
        onDidChange: new Emitter().event,
        onDidCreate: new Emitter().event,
        onDidDelete: new Emitter().event,
        dispose: () => undefined,
    }),
    onDidChangeWorkspaceFolders: new Emitter().event,
    onDidChangeTextDocument: textChanged.event,
};

export const window = {
    activeTextEditor: undefined as { document: { uri: Uri; languageId: string }; selection?: object } | undefined,
    onDidChangeActiveTextEditor: editorChanged.event,
    onDidChangeTextEditorSelection: selectionChanged.event,
    createWebviewPanel: () => {
        state.panels++;
        return {
            webview: {
                set html(text: string) {
                    state.html = text;
                },
                postMessage: async (message: unknown) => state.posted.push(message),
                onDidReceiveMessage: received.event,
            },
            onDidDispose: disposed.event,
            reveal: () => undefined,
            dispose: () => undefined,
        };
    },
    showInformationMessage: async () => undefined,
};

export const debug = {
    activeDebugSession: undefined as { type: string; name: string; customRequest(name: string): Promise<unknown> } | undefined,
    breakpoints: [] as object[],
    addBreakpoints: (added: object[]) => void debug.breakpoints.push(...added),
    removeBreakpoints: (removed: object[]) => {
        debug.breakpoints = debug.breakpoints.filter((one) => !removed.includes(one));
    },
    onDidReceiveDebugSessionCustomEvent: customEvent.event,
    onDidChangeActiveDebugSession: sessionChanged.event,
    startDebugging: async (_folder: unknown, configuration: unknown) => state.started.push(configuration),
    registerDebugAdapterDescriptorFactory: (_type: string, factory: typeof state.factory) => (state.factory = factory),
    registerDebugConfigurationProvider: () => ({ dispose: () => undefined }),
};

export const languages = { registerEvaluatableExpressionProvider: () => ({ dispose: () => undefined }) };
