/** What the page edits, and what the server answers. */

export type Kind = "build" | "run" | "kustomize";

export interface TextFile {
  path: string;
  text: string;
}

/** Returns whether a path is one of a file below the folder of the command; the server refuses all others. */
export const isPath = (path: string) =>
  path.length <= 1024 && !/[\\:\0]/.test(path) && path.split("/").every((name) => !["", ".", ".."].includes(name));

/** A command line with its files: everything that a render depends on, and all that is shared. */
export interface Session {
  kind: Kind;
  arguments: string[];
  files: TextFile[];
}

export interface Example extends Session {
  id: string;
  section: string;
  title: string;
  lesson: string;
  open: string;
  try: string;
}

/** A place in a file. Lines and columns count from 1, columns in characters; the end is exclusive. */
export interface Range {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export type Fix =
  | { type: "replace"; label: string; file: string; line: number; column: number; before: string; after: string }
  | { type: "flag"; label: string; flag: string };

export interface Problem extends Partial<Range> {
  severity: "error" | "warning" | string;
  code: string;
  message: string;
  labels: (Range & { text: string })[];
  notes: string[];
  help: string[];
  fixes: Fix[];
}

export interface EmbeddedText {
  path: string[];
  format: string;
  text: string;
  embedded: EmbeddedText[];
}

export interface OutputDocument {
  title: string;
  text: string;
  before: string | null;
  embedded: EmbeddedText[];
}

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Answer {
  failed: boolean;
  output: string;
  documents: OutputDocument[];
  written: TextFile[];
  diagnostics: Problem[];
  /** The text of the schema, which keeps the order of its fields. */
  schema: string | null;
  values: Json;
  /** Instead of everything else: the render was ended, or could not be started. */
  problem?: string;
}

/** As much of JSON Schema as the schema of data values uses. */
export interface Schema {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: Json;
  enum?: Json[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  properties?: { [key: string]: Schema };
  additionalProperties?: boolean | Schema;
  items?: Schema;
  examples?: Json[];
  deprecated?: boolean;
}

export const EMPTY_SESSION: Session = { kind: "build", arguments: ["-f", "."], files: [{ path: "config.yml", text: "" }] };
