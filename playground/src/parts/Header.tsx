import { useEffect, useState } from "preact/hooks";
import type { Kind, Problem, Session } from "../model";
import type { Rendered } from "../useRender";
import { joined, split } from "../words";
import { commandOf } from "./Share";
import { ThemeSwitch } from "./ThemeSwitch";

export type PaneName = "values" | "edit" | "result";

const PANES: [PaneName, string][] = [["values", "Values"], ["edit", "Edit"], ["result", "Result"]];

export function Header({ rendered, problems, unsaved, onDialog, onProblems }: {
  rendered: Rendered;
  problems: Problem[];
  /** How many files differ from the folder. */
  unsaved: number;
  onDialog(name: "gallery" | "share" | "help" | "save"): void;
  onProblems(): void;
}) {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  return (
    <header class="top">
      <h1>Inlay <span>playground</span></h1>
      <div class="buttons">
        <button type="button" onClick={() => onDialog("gallery")}>Examples</button>
        <button type="button" onClick={() => onDialog("share")}>Share</button>
        {unsaved > 0 && <button type="button" class="primary" onClick={() => onDialog("save")}>Save {unsaved}</button>}
        <button type="button" onClick={() => onDialog("help")}>Help</button>
        <ThemeSwitch />
      </div>
      <div class="state">
        <span class="time" aria-hidden="true">{rendered.isPending ? "…" : `${Math.round(rendered.milliseconds)} ms`}</span>
        <button type="button" class={problems.length > 0 ? "count wrong" : "count"} onClick={onProblems}>{count}</button>
      </div>
      <Announcement problems={problems} isPending={rendered.isPending} />
    </header>
  );
}

/** Chooses the pane, on pages that are too narrow for all of them. */
export function PaneBar({ pane, problems, onPane }: { pane: PaneName; problems: number; onPane(pane: PaneName): void }) {
  return (
    <nav class="panes" aria-label="Panes">
      {PANES.map(([name, title]) => (
        <button key={name} type="button" aria-pressed={pane === name} onClick={() => onPane(name)}>
          {title}{name === "result" && problems > 0 && <span class="badge" aria-hidden="true">{problems}</span>}
        </button>
      ))}
    </nav>
  );
}

/** Says the number of problems to screen readers, a second after the last keystroke. */
function Announcement({ problems, isPending }: { problems: Problem[]; isPending: boolean }) {
  const [said, say] = useState("");
  useEffect(() => {
    if (isPending) return;
    const first = problems[0];
    const place = first?.line === undefined ? "" : ` in ${first.file}, line ${first.line}`;
    const text = first === undefined ? "Rendered without problems." : `${problems.length} problems, the first${place}: ${first.message}`;
    const timer = setTimeout(() => say(text), 1_000);
    return () => clearTimeout(timer);
  }, [problems, isPending]);
  return <p class="hidden" role="status">{said}</p>;
}

/** The command line: the same words do the same in a terminal. */
export function CommandBar({ session, isInert, onChange }: {
  session: Session;
  isInert: boolean;
  onChange(next: (before: Session) => Session): void;
}) {
  // What is typed stays as it is typed; the words decide.
  const [typed, setTyped] = useState(joined(session.arguments));
  const [isCopied, setCopied] = useState(false);
  const words = JSON.stringify(session.arguments);
  useEffect(() => {
    if (JSON.stringify(split(typed)) !== words) setTyped(joined(session.arguments));
  }, [words]);
  const type = (text: string) => {
    setTyped(text);
    onChange((before) => ({ ...before, arguments: split(text) }));
  };
  const copy = async () => {
    await navigator.clipboard.writeText(commandOf(session));
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div class="command" inert={isInert}>
      <span aria-hidden="true">$ inlay</span>
      <label class="hidden" for="kind">Command</label>
      <select id="kind" value={session.kind} onChange={(event) => {
        const kind = event.currentTarget.value as Kind;
        onChange((before) => ({ ...before, kind }));
      }}>
        <option value="build">build</option>
        <option value="run">run</option>
        <option value="kustomize">kustomize</option>
      </select>
      <label class="hidden" for="arguments">Arguments</label>
      <input id="arguments" type="text" spellcheck={false} autocapitalize="off" value={typed} onInput={(event) => type(event.currentTarget.value)} />
      <button type="button" onClick={copy} aria-live="polite">{isCopied ? "Copied" : "Copy command"}</button>
    </div>
  );
}
