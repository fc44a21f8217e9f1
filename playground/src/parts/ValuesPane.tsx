import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Json, Problem, Session } from "../model";
import type { Rendered } from "../useRender";
import { intoFile, replacedAt, valuesFile, withValue, type ValuePath } from "../values";
import { ValuesForm } from "./ValuesForm";
import { Words } from "./Words";

/** The form of the data values, and where it writes them. */
export function ValuesPane({ session, rendered, problems, scope, onChange, onOpen }: {
  session: Session;
  rendered: Rendered;
  problems: Problem[];
  scope: number;
  onChange(next: (before: Session) => Session): void;
  onOpen(path: string): void;
}) {
  // What the user has entered shows at once, and also while the build refuses it.
  const [entered, setEntered] = useState<[ValuePath, Json][]>([]);
  const [failure, setFailure] = useState("");
  /** The number of the last change of each value. */
  const latest = useRef(new Map<string, number>());
  const queue = useRef<Promise<void>>(Promise.resolve());
  const current = useRef(session);
  current.current = session;
  const [waiting, setWaiting] = useState(0);
  useLayoutEffect(() => setEntered([]), [scope]);
  useLayoutEffect(() => {
    // An answer about an older session does not know yet what was entered since.
    const isAnswered = !rendered.isPending && waiting === 0;
    if (isAnswered && rendered.answer !== null && !rendered.answer.failed) setEntered([]);
  }, [rendered, waiting]);

  /**
   * Changes follow each other: the next one starts from the session that the one before has made. If the session is
   * edited elsewhere meanwhile, the change is made again, in what was written there.
   */
  const apply = (next: (before: Session) => Promise<Session>) => {
    setWaiting((before) => before + 1);
    const run = async () => {
      for (;;) {
        const before = current.current;
        const after = await next(before);
        if (current.current !== before) continue;
        current.current = after;
        onChange(() => after);
        setFailure("");
        return;
      }
    };
    queue.current = queue.current
      .then(run)
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)))
      .then(() => setWaiting((before) => before - 1));
  };
  const change = (path: ValuePath, value: Json | undefined) => {
    setEntered((before) => {
      const others = before.filter(([own]) => own.join("\0") !== path.join("\0"));
      return value === undefined ? others : [...others, [path, value]];
    });
    // Of the keys in a field, only the last one is written if they come faster.
    const key = path.join("\0");
    const number = (latest.current.get(key) ?? 0) + 1;
    latest.current.set(key, number);
    apply(async (before) => (latest.current.get(key) === number ? withValue(before, path, value) : before));
  };

  const { schema } = rendered;
  const file = valuesFile(session);
  const values = entered.reduce((all: Json | undefined, [path, value]) => replacedAt(all, path, value), rendered.values);
  return (
    <>
      <h2>Data values</h2>
      {failure !== "" && <p class="error" role="alert">{failure}</p>}
      {schema?.properties === undefined
        ? <p class="empty"><Words text={session.kind === "build" ? "A schema (`#@data/values-schema`) makes a form here." : "Only `build` has data values."} /></p>
        : (
          <>
            <div class="buttons">
              {file === null
                ? (
                  <>
                    <span class="about">The form writes flags.</span>
                    <button type="button" class="small" onClick={() => apply(intoFile)}>Use a file</button>
                  </>
                )
                : (
                  <>
                    <span class="about">The form writes {file}.</span>
                    <button type="button" class="small" onClick={() => onOpen(file)}>Open the file</button>
                  </>
                )}
            </div>
            <ValuesForm schema={schema} values={values} problems={problems} onChange={change} />
          </>
        )}
    </>
  );
}
