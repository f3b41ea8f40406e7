/**
 * The place where a debugged run has stopped: its line and its token are marked.
 */
import { EditorSelection, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

const setStop = StateEffect.define();
const LINE = Decoration.line({ class: "cm-stop-line" }), TOKEN = Decoration.mark({ class: "cm-stop-token" });

const field = StateField.define({
  create: () => Decoration.none,
  update(marks, { effects, changes, newDoc }) {
    const effect = effects.find((one) => one.is(setStop));
    if (!effect) return marks.map(changes);
    if (!effect.value) return Decoration.none;
    const [from, to] = [effect.value.from, effect.value.to].map((at) => Math.min(at, newDoc.length));
    return Decoration.set([LINE.range(newDoc.lineAt(from).from), ...(to > from ? [TOKEN.range(from, to)] : [])]);
  },
  provide: (marks) => EditorView.decorations.from(marks),
});

const theme = EditorView.baseTheme({
  ".cm-stop-line": { backgroundColor: "color-mix(in srgb, var(--target) 7%, transparent)", boxShadow: "inset 4px 0 var(--target)" },
  ".cm-stop-token": { outline: "2px solid var(--target)", outlineOffset: "-1px" },
});

export const stops = [field, theme];

/** Mark a place and scroll to it; null: no place. @param {EditorView} view @param {{from: number, to: number} | null} place */
export function markStop(view, place) {
  const effects = [setStop.of(place)], end = view.state.doc.length;
  if (place) effects.push(EditorView.scrollIntoView(EditorSelection.range(Math.min(place.from, end), Math.min(place.to, end)), { yMargin: 40 }));
  view.dispatch({ effects });
}
