import { useState } from "preact/hooks";
import type { Fix, Problem } from "../model";
import type { Rendered } from "../useRender";
import { Diff, Embedded, Output, Problems } from "./Result";
import { Tabs } from "./Tabs";

export type View = "output" | "diff" | "embedded" | "problems";

export function ResultPane({ rendered, problems, view, onView, onGo, onFix, onAsk }: {
  rendered: Rendered;
  problems: Problem[];
  view: View;
  onView(view: View): void;
  onGo(problem: Problem): void;
  onFix(fix: Fix): void;
  onAsk(question: string): void;
}) {
  const [against, setAgainst] = useState<"input" | "last">("input");
  // While there are errors, the last output stays and is dimmed.
  const shown = rendered.good ?? rendered.answer;
  const isOld = rendered.answer?.failed === true && rendered.good !== null;
  // Without any output, the problems are what there is to see.
  const isProblems = view === "problems" || (view === "output" && rendered.good === null && rendered.answer?.failed === true);
  const errors = problems.length > 0 ? ` (${problems.length})` : "";
  return (
    <>
      <Tabs label="Result" panel="result" chosen={view} onChoose={(id) => onView(id as View)}
        tabs={[
          { id: "output", title: "Output" },
          { id: "diff", title: "Diff" },
          { id: "embedded", title: "Embedded" },
          { id: "problems", title: `Problems${errors}` },
        ]} />
      <div id="result" role="tabpanel" aria-labelledby={`result-tab-${view}`} tabIndex={0} class={isOld && view !== "problems" ? "panel old" : "panel"}>
        {isOld && view !== "problems" && (
          <p class="stale">This is the output before the last change. <button type="button" class="small" onClick={() => onView("problems")}>Show the problems</button></p>
        )}
        {isProblems && view === "output" && <p class="empty">No output yet: correct the problems first.</p>}
        {isProblems && <Problems problems={problems} onGo={onGo} onFix={onFix} />}
        {shown !== null && view === "output" && shown.documents.length > 0 && (
          <p class="hint">A click on a line shows where its value comes from. <button type="button" class="small" onClick={() => onAsk("metadata.name")}>Ask</button></p>
        )}
        {shown !== null && view === "output" && !isProblems && <Output answer={shown} onAsk={onAsk} />}
        {shown !== null && view === "diff" && <Diff answer={shown} last={rendered.last} against={against} onAgainst={setAgainst} />}
        {shown !== null && view === "embedded" && <Embedded answer={shown} />}
      </div>
    </>
  );
}
