// The page of the board view.  Owns its HTML, style and script; does not use vscode.

/** What the page shows; "" for what is missing. */
export interface Board {
    readonly title: string;
    readonly svg: string;
    /** The board for screen readers. */
    readonly text: string;
    readonly error: string;
    /** Where the position comes from. */
    readonly source: string;
}

export const NO_BOARD: Board = { title: "", svg: "", text: "", error: "", source: "" };

/** Returns a board from the answer of the language server or the debug adapter. */
export function readBoard(answer: unknown, source: string): Board {
    const fields = (typeof answer === "object" && answer !== null ? answer : {}) as Record<string, unknown>;
    const field = (name: string): string => (typeof fields[name] === "string" ? fields[name] : "");
    return { title: field("title"), svg: field("svg"), text: field("text"), error: field("error"), source };
}

/**
 * Returns the page.  It posts "ready" and shows the boards that are posted to it.
 *
 * The board is shown as an image, in which neither scripts nor links work, so that a game cannot
 * make the page do anything.
 */
export function boardPage(nonce: string): string {
    const policy = `default-src 'none'; img-src data:; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Board</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<header><h1 id="title"></h1><p id="source"></p></header>
<p id="error" role="alert" hidden></p>
<img id="board" alt="" hidden>
<p id="hint">Open a script (.4th) or a rule file (.zrf) to see its board.</p>
</main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`;
}

const STYLE = `
body { margin: 0; padding: 0; color: var(--vscode-foreground, #333); background: var(--vscode-editor-background, #fff);
  font: var(--vscode-font-size, 13px)/1.4 var(--vscode-font-family, sans-serif); }
main { display: flex; flex-direction: column; gap: 12px; box-sizing: border-box; height: 100vh; min-height: 160px; padding: 14px 18px; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 12px; }
header:has(#title:empty):has(#source:empty) { display: none; }
h1:empty { display: none; }
h1 { margin: 0; font-size: 1.2em; font-weight: 600; overflow-wrap: anywhere; }
p { margin: 0; }
#source, #hint { color: var(--vscode-descriptionForeground, #666); }
#error { padding: 8px 10px; white-space: pre-wrap; overflow-wrap: anywhere;
  font-family: var(--vscode-editor-font-family, monospace); color: var(--vscode-foreground, #333);
  background: var(--vscode-inputValidation-errorBackground, #f2dede);
  border: 1px solid var(--vscode-inputValidation-errorBorder, #be1100); }
#board { box-sizing: border-box; min-height: 0; max-width: 100%; align-self: flex-start; padding: 4px; object-fit: contain;
  background: #fff; border-radius: 6px; } /* pictures of boards are made for white paper */
#board.old { opacity: 0.4; }
[hidden] { display: none !important; }
`;

const SCRIPT = `
const host = acquireVsCodeApi();
const part = (id) => document.getElementById(id);
addEventListener("message", ({ data }) => {
  const { title, svg, text, error, source } = data;
  const board = part("board");
  part("title").textContent = title;
  part("source").textContent = source;
  part("error").textContent = error;
  part("error").hidden = !error;
  if (svg) {
    board.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
    board.alt = text || title;
    board.hidden = false;
    board.dataset.source = source;
  } else if (board.dataset.source !== source) {
    board.hidden = true;
  }
  board.classList.toggle("old", !svg); // the last board of this source that could be drawn
  part("hint").hidden = Boolean(svg || error);
});
host.postMessage("ready");
`;
