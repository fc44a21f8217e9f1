import { useEffect, useState } from "preact/hooks";
import { explain } from "../api";
import { places, type Link, type Match } from "../explain";
import type { Json, Session, TextFile } from "../model";
import { Words } from "./Words";

/** What made a value: the steps, the newest first, with their places. */
export function Why({ session, question, onAsk, onGo, onLight, onClose }: {
  session: Session;
  question: string;
  onAsk(question: string): void;
  onGo(place: { file: string; line: number; column: number }): void;
  onLight(places: { file: string; line: number }[]): void;
  onClose(): void;
}) {
  const [typed, setTyped] = useState(question);
  const [matches, setMatches] = useState<Match[]>([]);
  const [failure, setFailure] = useState("");
  useEffect(() => setTyped(question), [question]);
  useEffect(() => {
    const abort = new AbortController();
    explain(session, question, abort.signal).then((found) => {
      setMatches(found);
      setFailure("");
      onLight(found.flatMap((match) => places(match.links)));
    }, (error: unknown) => {
      if (abort.signal.aborted) return;
      setMatches([]);
      setFailure(error instanceof Error ? error.message : String(error));
      onLight([]);
    });
    return () => abort.abort();
  }, [session, question]);
  return (
    <section class="why" aria-label="Where the value comes from">
      <form onSubmit={(event) => { event.preventDefault(); onAsk(typed.trim()); }}>
        <label for="question">Why</label>
        <input id="question" type="text" spellcheck={false} autocapitalize="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        <button type="submit" class="small">Explain</button>
        <button type="button" class="small" onClick={onClose}>Close</button>
      </form>
      <div role="status">
        {failure !== "" && <p class="error"><Words text={failure} /></p>}
        {matches.map((match, at) => (
          <div key={at} class="match">
            <p><code>{match.path}</code> = <code>{shown(match.value)}</code></p>
            <Links links={match.links} files={session.files} onGo={onGo} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Links({ links, files, onGo }: {
  links: Link[];
  files: TextFile[];
  onGo(place: { file: string; line: number; column: number }): void;
}) {
  // A flag has a place, too, but in no file.
  const isInFile = (link: Link) => files.some((file) => file.path === link.at?.file);
  return (
    <ol>
      {links.map((link, at) => (
        <li key={at}>
          <strong>{spaced(link.kind)}</strong>{" "}
          {isInFile(link) && <button type="button" class="place" onClick={() => onGo(link.at!)}>{link.at?.file}:{link.at?.line}</button>}
          {link.text !== undefined && <><code>{link.text}</code>{link.after !== undefined && ": "}</>}
          {link.before !== undefined && <><code>{shown(link.before)}</code> → </>}
          {link.after !== undefined && <code>{shown(link.after)}</code>}
          {(link.inputs ?? []).map((input, inner) => (
            <div key={inner}>
              {input.dataValue !== undefined ? `data value ${input.dataValue}` : `${input.object?.kind ?? ""} ${input.object?.name ?? ""} ${input.path ?? ""}`} = <code>{shown(input.value)}</code>
              <Links links={input.links} files={files} onGo={onGo} />
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}

/** `valuesFile` is the values file. */
const spaced = (kind: string) => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function shown(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
