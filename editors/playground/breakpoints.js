/**
 * Breakpoints on lines: a gutter in which clicks set and remove them, and a key that does it for the line of the cursor.
 */
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { EditorView, gutter, GutterMarker, keymap } from "@codemirror/view";

const toggle = StateEffect.define({ map: (at, changes) => changes.mapPos(at) });

const MARKER = new (class extends GutterMarker {
  toDOM() {
    return Object.assign(document.createElement("span"), { className: "cm-breakpoint", textContent: "●" });
  }
})();

const field = StateField.define({
  create: () => RangeSet.empty,
  update(points, { changes, effects }) {
    return effects.filter((effect) => effect.is(toggle)).reduce((changed, { value: at }) => {
      let has = false;
      changed.between(at, at, () => { has = true; });
      return has ? changed.update({ filter: (from) => from !== at }) : changed.update({ add: [MARKER.range(at)] });
    }, points.map(changes));
  },
});

/** The numbers of the lines with breakpoints. @param {import("@codemirror/state").EditorState} state @returns {number[]} */
export function linesOf(state) {
  const points = state.field(field, false) ?? RangeSet.empty;
  /** @type {Set<number>} */ const lines = new Set();
  points.between(0, state.doc.length, (from) => { lines.add(state.doc.lineAt(from).number); });
  return [...lines];
}

/** A state with breakpoints on lines; lines that it does not have are left out. @param {import("@codemirror/state").EditorState} state @param {number[]} lines */
export function withBreakpoints(state, lines) {
  const found = [...new Set(lines)].filter((line) => line >= 1 && line <= state.doc.lines);
  return state.update({ effects: found.map((line) => toggle.of(state.doc.line(line).from)) }).state;
}

/** Extensions for an editor. @param {(on: boolean, line: number) => string} said Returns what screen readers say. @param {() => void} onChange */
export function breakpoints(said, onChange) {
  const toggleAt = (/** @type {EditorView} */ view, /** @type {number} */ at) => {
    const { from, number } = view.state.doc.lineAt(at), has = linesOf(view.state).includes(number);
    view.dispatch({ effects: [toggle.of(from), EditorView.announce.of(said(!has, number))] });
    onChange();
    return true;
  };
  return [
    field,
    gutter({
      class: "cm-breakpoints",
      markers: (view) => view.state.field(field),
      initialSpacer: () => MARKER,
      renderEmptyElements: true,
      domEventHandlers: { mousedown: (view, { from }) => toggleAt(view, from) },
    }),
    keymap.of([{ key: "F9", run: (view) => toggleAt(view, view.state.selection.main.head) }]),
    EditorView.baseTheme({
      ".cm-breakpoints": { cursor: "pointer" },
      ".cm-breakpoints .cm-gutterElement": { padding: "0 .2rem", minWidth: "1.2rem", textAlign: "center" },
      ".cm-breakpoint": { color: "var(--threat)" },
    }),
  ];
}
