/** Calls to the server. Every call is a POST request with the token of the printed address. */

import type { Match } from "./explain";
import type { Answer, Example, Session } from "./model";

const TOKEN = "inlay.token";

/** Which page calls: the server ends an older render of the same page. */
const page = crypto.getRandomValues(new Uint32Array(1))[0]!;

export interface Meta {
  version: string;
  project?: { name: string; isReadOnly: boolean; files: string[] };
}

export class CallError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** Moves the token from the address into the tab, so that it is in no bookmark and no link. */
export function takeToken(): void {
  const token = /^#t=([0-9a-f]{32})$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  sessionStorage.setItem(TOKEN, token);
  history.replaceState(null, "", location.pathname);
}

async function call<T>(target: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch(target, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Inlay-Token": sessionStorage.getItem(TOKEN) ?? "none" },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new CallError(response.status, (await response.text()).trim());
  return response.json();
}

/** Tells the server that a page is open: with `--idle-exit`, it ends when none is. */
export const alive = () => call<object>("/api/alive", {});

export const meta = () => call<Meta>("/api/meta", {});

export const gallery = async (): Promise<Example[]> => (await fetch("/gallery.json")).json();

export const render = (session: Session, signal: AbortSignal) =>
  call<Answer>("/api/render", { page, ...session }, signal);

/** Changes one value in the text of a Data Values File; `undefined` removes it. */
export async function edit(text: string, path: string[], value: string | undefined): Promise<string> {
  const answer = await call<Answer>("/api/edit", {
    // Not the number of the page: an edit must not end a render.
    page: page + 2 ** 32,
    kind: "build",
    arguments: [],
    files: [],
    edit: { text, path, value },
  });
  if (answer.failed || answer.problem !== undefined) {
    throw new CallError(200, answer.problem ?? answer.diagnostics[0]?.message ?? "the value cannot be written");
  }
  return answer.output;
}

/** Returns what made the values in question. */
export async function explain(session: Session, question: string, signal: AbortSignal): Promise<Match[]> {
  const { kind, arguments: words, files } = session;
  const job = { page: page + 2 * 2 ** 32, kind, arguments: words, files, explain: question };
  const answer = await call<Answer>("/api/render", job, signal);
  if (answer.failed || answer.problem !== undefined) {
    throw new CallError(200, answer.problem ?? answer.diagnostics[0]?.message ?? "the value cannot be explained");
  }
  return (JSON.parse(answer.output) as { matches: Match[] }).matches;
}

export const readFile = (id: number) => call<{ text: string; hash: string }>("/api/file/read", { id });

export const writeFile = (id: number, hash: string, text: string) =>
  call<{ hash: string }>("/api/file/write", { id, hash, text });
