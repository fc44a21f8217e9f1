import type { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useLayoutEffect, useRef } from "preact/hooks";
import { light, newState, offsetOf, replaceText, showProblems } from "../editor/setup";
import type { Fix, Problem, TextFile } from "../model";

/** Where the cursor has to go. Each request is a new object. */
export interface Target {
  path: string;
  line: number;
  column: number;
}

/**
 * The editor of one file. The other files keep their state: undo, selection, folds.
 *
 * Its effects are layout effects: what the page shows and what the editor contains change together, and no key comes
 * between them.
 */
export function Editor({ file, problems, lit, target, writing, onChange, onFix }: {
  file: TextFile;
  problems: Problem[];
  /** The lines that an explanation names. */
  lit: { file: string; line: number }[];
  target: Target | null;
  /** A new number asks for the focus. */
  writing: number;
  onChange(edited: TextFile): void;
  onFix(fix: Fix): void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const states = useRef(new Map<string, EditorState>());
  const shown = useRef(file.path);
  const changed = useRef(onChange);
  changed.current = onChange;
  // What comes back from the page is what the editor contains already, or contained before the next key.
  const typed = useRef(new WeakSet<TextFile>());
  const stateOf = ({ path, text }: TextFile) => newState(path, text, (now) => {
    const edited = { path, text: now };
    typed.current.add(edited);
    changed.current(edited);
  });

  useLayoutEffect(() => {
    // With its first state, which has the nonce: styles are added when the view is created.
    const created = new EditorView({ parent: host.current!, state: stateOf(file) });
    view.current = created;
    return () => created.destroy();
  }, []);

  useLayoutEffect(() => {
    const editor = view.current!;
    if (shown.current !== file.path) {
      states.current.set(shown.current, editor.state);
      shown.current = file.path;
      editor.setState(states.current.get(file.path) ?? stateOf(file));
    }
    if (!typed.current.has(file)) replaceText(editor, file.text);
  }, [file]);

  useLayoutEffect(() => showProblems(view.current!, file.path, problems, onFix), [file.path, problems]);

  useLayoutEffect(() => light(view.current!, lit.filter((place) => place.file === file.path).map((place) => place.line)), [file.path, lit]);

  useLayoutEffect(() => {
    const editor = view.current!;
    if (target === null || target.path !== file.path) return;
    const at = offsetOf(editor.state.doc, target.line, target.column);
    editor.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    editor.focus();
  }, [target, file.path]);

  useLayoutEffect(() => {
    if (writing > 0) view.current!.focus();
  }, [writing]);

  return <div class="editor" ref={host} />;
}
