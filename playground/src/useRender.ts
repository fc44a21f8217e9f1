/** Renders a session whenever it changes, and keeps what was last good. */

import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { CallError, render } from "./api";
import type { Answer, Json, Problem, Schema, Session } from "./model";

export interface Rendered {
  /** The last answer. */
  answer: Answer | null;
  /** The last answer of a command that did not fail: it stays, dimmed, while there are errors. */
  good: Answer | null;
  /** The good answer before that. */
  last: Answer | null;
  schema: Schema | null;
  values: Json | undefined;
  isPending: boolean;
  /** How long the last render took, with the way to the server and back. */
  milliseconds: number;
}

const NOTHING: Rendered = {
  answer: null, good: null, last: null, schema: null, values: undefined, isPending: true, milliseconds: 0,
};

/** What the last answer was about. */
interface Answered {
  session: Session;
  scope: number;
  rendered: Rendered;
}

/**
 * `scope` is a new number for another session, such as an example: nothing of the old one is kept.
 * At 0, there is no session yet.
 *
 * Whether a render is pending follows from what the last answer was about, so it is true from the key on and not from
 * the next effect on.
 */
export function useRender(session: Session, scope: number): Rendered {
  const [answered, setAnswered] = useState<Answered>({ session, scope: 0, rendered: NOTHING });
  // A layout effect: the request is on its way before the key is painted.
  useLayoutEffect(() => {
    if (scope === 0) return;
    const abort = new AbortController();
    const started = performance.now();
    renderNewest(session, abort.signal)
      .catch(problemOf)
      .then((answer) => {
        if (abort.signal.aborted) return;
        const milliseconds = performance.now() - started;
        setAnswered((before) => {
          const known = before.scope === scope ? before.rendered : NOTHING;
          return { session, scope, rendered: next(known, withProblem(answer), milliseconds) };
        });
      });
    return () => abort.abort();
  }, [session, scope]);
  return useMemo(() => {
    if (answered.scope !== scope) return NOTHING;
    const isPending = answered.session !== session;
    return isPending ? { ...answered.rendered, isPending } : answered.rendered;
  }, [answered, session, scope]);
}

/**
 * Renders a session, and again as long as the server takes another render of this page for the newer one: requests may
 * arrive in another order than they were sent. Only the newest one is not aborted, so this ends.
 */
async function renderNewest(session: Session, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    try {
      return await render(session, signal);
    } catch (error) {
      const isReplaced = error instanceof CallError && error.status === 409;
      if (signal.aborted || !isReplaced) throw error;
    }
  }
}

function next(before: Rendered, answer: Answer, milliseconds: number): Rendered {
  const isGood = !answer.failed;
  const isOther = isGood && before.good !== null && before.good.output !== answer.output;
  return {
    answer,
    good: isGood ? answer : before.good,
    last: isOther ? before.good : before.last,
    // While a template or a value is wrong, the form stays as it was.
    schema: answer.schema !== null ? (JSON.parse(answer.schema) as Schema) : isGood ? null : before.schema,
    values: answer.values ?? (isGood ? undefined : before.values),
    isPending: false,
    milliseconds,
  };
}

/** Returns the answer with the message of the server as a problem. */
function withProblem(answer: Answer): Answer {
  if (answer.problem === undefined) return answer;
  return failed(answer.problem);
}

const problemOf = (error: unknown): Answer =>
  failed(error instanceof CallError ? error.message : "the playground has ended: start it again in the terminal");

function failed(message: string): Answer {
  const problem: Problem = { severity: "error", code: "playground", message, labels: [], notes: [], help: [], fixes: [] };
  return { failed: true, output: "", documents: [], written: [], diagnostics: [problem], schema: null, values: null };
}
