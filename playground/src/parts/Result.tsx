import { useMemo } from "preact/hooks";
import { questionAt } from "../explain";
import { lineChanges, type LineChange } from "../lines";
import type { Answer, EmbeddedText, Fix, OutputDocument, Problem } from "../model";
import { Code } from "./Code";
import { Words } from "./Words";

/** The documents of an output, each on its own. */
export function Output({ answer, onAsk }: { answer: Answer; onAsk(question: string): void }) {
  if (answer.documents.length === 0 && answer.written.length === 0) {
    return <p class="empty">The output is empty.</p>;
  }
  return (
    <>
      {answer.documents.map((document, at) => (
        <details open key={at} class="document">
          <summary><h3>{document.title}</h3></summary>
          <Code text={withoutMarker(document.text)} format="yaml" label={`Output, ${document.title}`}
            onLine={(line) => {
              const question = questionAt(document.title, withoutMarker(document.text), line);
              if (question !== null) onAsk(question);
            }} />
        </details>
      ))}
      {answer.written.map((file) => (
        <details open key={file.path} class="document">
          <summary><h3>{file.path} <span class="type">written</span></h3></summary>
          <Code text={file.text} format={/\.ya?ml$/.test(file.path) ? "yaml" : "text"} label={`File ${file.path}`} />
        </details>
      ))}
    </>
  );
}

const withoutMarker = (text: string) => text.replace(/^---\n/, "");

/** How each document differs from the same object of the input, or from the result before. */
export function Diff({ answer, last, against, onAgainst }: {
  answer: Answer;
  last: Answer | null;
  against: "input" | "last";
  onAgainst(against: "input" | "last"): void;
}) {
  const hasOther = against === "input" || last !== null;
  return (
    <>
      <div class="choice" role="radiogroup" aria-label="Compare with">
        <span>Compare with</span>
        <label><input type="radio" name="against" checked={against === "input"} onChange={() => onAgainst("input")} /> the input</label>
        <label><input type="radio" name="against" checked={against === "last"} onChange={() => onAgainst("last")} /> the last result</label>
      </div>
      {hasOther && answer.documents.map((document, at) => (
        <DocumentDiff key={at} document={document} before={against === "input" ? document.before : textBefore(document, last)} />
      ))}
      {!hasOther && <p class="empty">There is no other result yet: edit something.</p>}
      {answer.documents.length === 0 && <p class="empty">There is no output to compare.</p>}
    </>
  );
}

const textBefore = (document: OutputDocument, last: Answer | null): string | null =>
  last?.documents.find((own) => own.title === document.title)?.text ?? null;

function DocumentDiff({ document, before }: { document: OutputDocument; before: string | null }) {
  const changes = useMemo(
    () => lineChanges(withoutMarker(before ?? ""), withoutMarker(document.text)),
    [before, document.text],
  );
  const count = changes.filter((change) => change.sign !== " ").length;
  const about = before === null ? "new" : count === 0 ? "same" : `${count} ${count === 1 ? "line" : "lines"}`;
  return (
    <details open={count > 0} class="document">
      <summary><h3>{document.title} <span class="type">{about}</span></h3></summary>
      <pre class="code diff" tabIndex={0} role="region" aria-label={`Difference of ${document.title}`}>
        <code>{shortened(changes).map((change, at) => <DiffLine key={at} change={change} />)}</code>
      </pre>
    </details>
  );
}

function DiffLine({ change }: { change: LineChange | null }) {
  if (change === null) return <span class="line gap">{"⋯\n"}</span>;
  const text = `${change.sign} ${change.text}\n`;
  if (change.sign === "+") return <ins class="line">{text}</ins>;
  if (change.sign === "-") return <del class="line">{text}</del>;
  return <span class="line">{text}</span>;
}

/** Leaves out what is far from every change; null is a gap. */
function shortened(changes: LineChange[]): (LineChange | null)[] {
  const NEAR = 3;
  const near = changes.map((_, at) => changes.slice(Math.max(0, at - NEAR), at + NEAR + 1).some((own) => own.sign !== " "));
  const shown: (LineChange | null)[] = [];
  changes.forEach((change, at) => {
    if (near[at]) shown.push(change);
    else if (shown.length > 0 && shown.at(-1) !== null) shown.push(null);
    else if (shown.length === 0) shown.push(null);
  });
  return shown;
}

/** The documents inside the strings of the output, unfolded. */
export function Embedded({ answer }: { answer: Answer }) {
  const documents = answer.documents.filter((document) => document.embedded.length > 0);
  if (documents.length === 0) return <p class="empty">No string of the output contains a document.</p>;
  return (
    <>
      {documents.map((document, at) => (
        <section key={at} class="document">
          <h3>{document.title}</h3>
          {document.embedded.map((text, inner) => <EmbeddedDocument key={inner} text={text} level={0} />)}
        </section>
      ))}
    </>
  );
}

function EmbeddedDocument({ text, level }: { text: EmbeddedText; level: number }) {
  const path = text.path.join(" › ");
  return (
    <details open class="embedded">
      <summary><h4>{path} <span class="type">{text.format}</span></h4></summary>
      <Code text={text.format === "json" ? unfolded(text.text) : text.text} format={text.format} label={`${path}, ${text.format}`} />
      {level < 6 && text.embedded.map((inner, at) => <EmbeddedDocument key={at} text={inner} level={level + 1} />)}
    </details>
  );
}

/** Breaks JSON that is on one line into lines. Tokens keep their spelling: `1.10` stays `1.10`. */
export function unfolded(json: string): string {
  if (json.trim().includes("\n")) return json;
  const tokens = json.match(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let text = "";
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    if (token === "{" || token === "[") {
      depth++;
      text += next === "}" || next === "]" ? token : token + line();
    } else if (token === "}" || token === "]") {
      depth--;
      const before = tokens[at - 1];
      text += before === "{" || before === "[" ? token : line() + token;
    } else if (token === ",") text += token + line();
    else text += token === ":" ? ": " : token;
  });
  return text;
}

/** All messages, with buttons that go to their places and apply their fixes. */
export function Problems({ problems, onGo, onFix }: {
  problems: Problem[];
  onGo(problem: Problem): void;
  onFix(fix: Fix): void;
}) {
  if (problems.length === 0) return <p class="empty">No problems.</p>;
  return (
    <ol class="problems">
      {problems.map((problem, at) => (
        <li key={at} class={problem.severity}>
          <p><span class="severity">{problem.severity}</span> <Words text={problem.message} /></p>
          {problem.file !== undefined && (
            <button type="button" class="place" onClick={() => onGo(problem)}>{problem.file}:{problem.line}:{problem.column}</button>
          )}
          {problem.notes.map((note, inner) => <p key={inner} class="note">note: <Words text={note} /></p>)}
          {problem.help.map((help, inner) => <p key={inner} class="note">help: <Words text={help} /></p>)}
          {problem.fixes.map((fix, inner) => (
            <button key={inner} type="button" class="fix" onClick={() => onFix(fix)}>Fix: {fix.label}</button>
          ))}
        </li>
      ))}
    </ol>
  );
}
