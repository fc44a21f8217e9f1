/**
 * The form of the data values. It changes the command line (a flag for each value), or the text of
 * the Data Values File that the command line names. Both are ordinary parts of the session.
 */

import { edit } from "./api";
import type { Json, Problem, Schema, Session } from "./model";

export type ValuePath = string[];

/** Returns a path as messages write it: `databases[0].adapter`. */
export function pathText(path: ValuePath): string {
  return path.reduce((text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text === "" ? key : `${text}.${key}`), "");
}

/** Returns the name of a flag's data value: dots separate keys. */
const flagKey = (path: ValuePath) => path.map((key) => key.replaceAll(".", "\\.")).join(".");

const FLAG = "--data-value-yaml";

/** Returns the Data Values File that the form edits: the last one that the command line names. */
export function valuesFile(session: Session): string | null {
  let found: string | null = null;
  session.arguments.forEach((word, at) => {
    const isFlag = word === "-d" || word === "--data-values-file";
    const named = isFlag ? session.arguments[at + 1] : /^--data-values-file=(.*)$/.exec(word)?.[1];
    if (named !== undefined && session.files.some((file) => file.path === named)) found = named;
  });
  return found;
}

/**
 * Returns the session with a value set, or removed. Flags win over the file: one for the same value goes away, and behind
 * one for a map around the value, the value needs a flag, too.
 */
export async function withValue(session: Session, path: ValuePath, value: Json | undefined): Promise<Session> {
  const text = value === undefined ? undefined : JSON.stringify(value);
  const file = valuesFile(session);
  if (file === null || isInFlag(session.arguments, path)) {
    return { ...session, arguments: withFlag(session.arguments, path, text) };
  }
  const before = session.files.find((own) => own.path === file)?.text ?? "";
  const after = await edit(before, path, text);
  return {
    ...session,
    arguments: withFlag(session.arguments, path, undefined),
    files: session.files.map((own) => (own.path === file ? { ...own, text: after } : own)),
  };
}

/** Returns the name of the data value that the flag at a place of the command line sets, if there is one. */
function flagName(words: string[], at: number): string | undefined {
  const isFlag = [FLAG, "-v", "--data-value"].includes(words[at]!);
  return isFlag ? words[at + 1]?.split("=", 1)[0] : undefined;
}

/** Returns whether a flag sets a map around a value. */
function isInFlag(words: string[], path: ValuePath): boolean {
  const key = flagKey(path);
  return words.some((_, at) => {
    const name = flagName(words, at);
    return name !== undefined && key.startsWith(`${name}.`);
  });
}

/** Replaces the flag of a value and those of the values inside it, or removes them. */
function withFlag(words: string[], path: ValuePath, value: string | undefined): string[] {
  const key = flagKey(path);
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const name = flagName(words, at);
    if (name !== undefined && (name === key || name.startsWith(`${key}.`))) at++;
    else kept.push(words[at]!);
  }
  if (value !== undefined) return [...kept, FLAG, `${key}=${value}`];
  // The same list shows that nothing has changed.
  return kept.length === words.length ? words : kept;
}

/** Moves the values of the flags into a new file. It is not one of the templates, even if `-f .` finds it. */
export async function intoFile(session: Session): Promise<Session> {
  const path = freeName(session, "values.yml");
  let text = "";
  const words: string[] = [];
  for (let at = 0; at < session.arguments.length; at++) {
    const word = session.arguments[at]!;
    const assignment = /^((?:\\.|[^=\\])+)=(.*)$/s.exec(session.arguments[at + 1] ?? "");
    const value = word === FLAG && assignment !== null ? jsonOf(assignment[2]!) : undefined;
    if (value === undefined || assignment === null) {
      words.push(word);
      continue;
    }
    const keys = assignment[1]!.split(/(?<!\\)\./).map((key) => key.replaceAll("\\.", "."));
    text = await edit(text, keys, JSON.stringify(value));
    at++;
  }
  words.push("-d", path, "--file-mark", `${path}:exclude=true`);
  return { ...session, arguments: words, files: [...session.files, { path, text }] };
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function freeName(session: Session, wanted: string): string {
  const isTaken = (path: string) => session.files.some((file) => file.path === path);
  const [stem, extension] = /^(.*?)(\.[^./]*)?$/.exec(wanted)!.slice(1);
  let path = wanted;
  for (let number = 2; isTaken(path); number++) path = `${stem}-${number}${extension ?? ""}`;
  return path;
}

/** Returns the value that a path leads to. */
export function valueAt(values: Json | undefined, path: ValuePath): Json | undefined {
  let value: Json | undefined = values;
  for (const key of path) {
    if (value === null || typeof value !== "object") return undefined;
    value = Array.isArray(value) ? value[Number(key)] : value[key];
  }
  return value;
}

/** Returns a value with another value at a path inside it. */
export function replacedAt(value: Json | undefined, path: ValuePath, inner: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return inner;
  if (Array.isArray(value)) {
    return value.map((item, at) => (String(at) === key ? replacedAt(item, rest, inner) : item));
  }
  const entries = value !== null && typeof value === "object" ? value : {};
  return { ...entries, [key]: replacedAt(entries[key], rest, inner) };
}

/** Returns what a new item of a list, or an optional part, begins with. */
export function defaultOf(schema: Schema): Json {
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, inner]) => [key, defaultOf(inner)]));
  }
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  const types = typesOf(schema);
  if (types.includes("object")) return {};
  if (types.includes("array")) return [];
  if (types.includes("boolean")) return false;
  return types.includes("string") ? "" : 0;
}

export const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat();

export const isNullable = (schema: Schema): boolean => typesOf(schema).includes("null");

/** Returns the messages about a value, and not those about a value inside it. */
export function messagesAbout(problems: Problem[], path: ValuePath): string[] {
  const named = `\`${pathText(path)}\``;
  const about = problems.filter((problem) => ["validation", "data-value", "schema"].includes(problem.code));
  return about.filter((problem) => problem.message.includes(named)).map((problem) => problem.message);
}
