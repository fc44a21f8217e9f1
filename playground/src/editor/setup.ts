/** The editor: CodeMirror with what the page needs, and nothing that fetches or evaluates. */

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore, toggleComment } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import {
  Decoration, EditorView, drawSelection, type DecorationSet, highlightActiveLine, highlightActiveLineGutter, keymap, type KeyBinding, lineNumbers,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Fix, Problem } from "../model";
import { languageOf } from "./language";

export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>("meta[name=style-nonce]")?.content ?? "";
}

const setLit = StateEffect.define<number[]>();

/** The lines that an explanation names. */
const litLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lit, transaction) => {
    let next = lit.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setLit)) continue;
      const { doc } = transaction.state;
      const numbers = [...new Set(effect.value)].filter((line) => line >= 1 && line <= doc.lines).sort((one, other) => one - other);
      next = Decoration.set(numbers.map((line) => Decoration.line({ class: "cm-lit" }).range(doc.line(line).from)));
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks lines, and no others. */
export function light(view: EditorView, lines: number[]): void {
  view.dispatch({ effects: setLit.of(lines) });
}

/** Returns whether a key is the editor's: these are keys of the page, which would do two things at once. */
const isOfEditor = ({ key }: KeyBinding): boolean => key !== "Mod-Enter" && key !== "F8";

/**
 * Types over a selection without the browser. Chromium gives what it inserts there the colours of what was selected, as
 * a `style` attribute, which the content security policy refuses. An input method writes into the page by itself.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { state } = view;
    const text = event.data;
    const isTyped = event.inputType === "insertText" && text !== null && event.cancelable && !event.isComposing && !view.composing;
    if (!isTyped || state.selection.ranges.every((range) => range.empty)) return false;
    const { from, to } = state.selection.main;
    const insert = () => state.update(state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    // Those of extensions, such as brackets around the selection, come first, as for every other key.
    const isHandled = state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

export function newState(path: string, text: string, onChange: (text: string) => void): EditorState {
  const extensions: Extension[] = [
    EditorView.cspNonce.of(styleNonce()),
    lineNumbers(),
    highlightActiveLineGutter(),
    history(),
    foldGutter({ openText: "▾", closedText: "▸" }),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    lintGutter(),
    litLines,
    typeOverSelection,
    syntaxHighlighting(classHighlighter),
    EditorState.tabSize.of(2),
    // Tab leaves the editor, as in every other field; Ctrl-] and Ctrl-[ indent.
    keymap.of([
      { key: "Mod-]", run: indentMore },
      { key: "Mod-[", run: indentLess },
      { key: "Mod-/", run: toggleComment },
      ...[closeBracketsKeymap, defaultKeymap, searchKeymap, historyKeymap, foldKeymap, lintKeymap].flat().filter(isOfEditor),
    ]),
    // It can be focused anyway; the attribute says so to tools that look for one.
    EditorView.contentAttributes.of({ "aria-label": `${path}, editor`, tabindex: "0" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
    ...languageOf(path),
  ];
  return EditorState.create({ doc: text, extensions });
}

/** Makes the text of the editor `text`, and changes no more than the part that differs. */
export function replaceText(view: EditorView, text: string): void {
  const old = view.state.doc.toString();
  if (old === text) return;
  let from = 0;
  while (from < old.length && from < text.length && old[from] === text[from]) from++;
  let end = 0;
  const most = Math.min(old.length, text.length) - from;
  while (end < most && old.at(-1 - end) === text.at(-1 - end)) end++;
  view.dispatch({ changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) } });
}

/** Returns the offset of a place. Columns count characters, which may be two units of a string. */
export function offsetOf(doc: Text, line: number, column: number): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const before = [...found.text].slice(0, Math.max(column - 1, 0)).join("");
  return Math.min(found.from + before.length, found.to);
}

/** Marks the places of problems in the file that the editor shows. */
export function showProblems(view: EditorView, path: string, problems: Problem[], onFix: (fix: Fix) => void): void {
  const doc = view.state.doc;
  const marks: Diagnostic[] = [];
  for (const problem of problems) {
    problem.labels.forEach((label, at) => {
      if (label.file !== path) return;
      const from = offsetOf(doc, label.line, label.column);
      marks.push({
        from,
        to: Math.max(from, offsetOf(doc, label.endLine, label.endColumn)),
        severity: at > 0 ? "info" : problem.severity === "error" ? "error" : "warning",
        message: [problem.message, label.text, ...problem.help.map((help) => `help: ${help}`)].filter((part) => part !== "").join("\n"),
        actions: at > 0 ? [] : problem.fixes.map((fix) => ({ name: `Fix: ${fix.label}`, apply: () => onFix(fix) })),
      });
    });
  }
  view.dispatch(setDiagnostics(view.state, marks.sort((one, other) => one.from - other.from)));
}
