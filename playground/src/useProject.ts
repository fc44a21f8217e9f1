/** The files of the folder that the playground was started with. */

import { useState } from "preact/hooks";
import { CallError, readFile, writeFile, type Meta } from "./api";
import type { Kind, Session, TextFile } from "./model";

/** What the folder contained when it was last read or written. */
interface Known {
  text: string;
  hash: string;
}

export interface Project {
  name: string;
  isReadOnly: boolean;
  /** Reads all files, and returns a session with them. */
  open(): Promise<Session>;
  /** Returns the files of a session that differ from the folder. */
  changed(session: Session): TextFile[];
  /** Writes these files, and returns what could not be written. */
  write(files: TextFile[]): Promise<string[]>;
}

export function useProject(meta: Meta | null): Project | null {
  const [known, setKnown] = useState<Map<string, Known>>(new Map());
  const project = meta?.project;
  if (project === undefined) return null;
  return {
    name: project.name,
    isReadOnly: project.isReadOnly,
    async open() {
      const read = await Promise.all(project.files.map((_, id) => readFile(id)));
      setKnown(new Map(project.files.map((path, id) => [path, read[id]!])));
      const files = project.files.map((path, id) => ({ path, text: read[id]!.text }));
      return { ...commandFor(project.files), files };
    },
    changed: (session) =>
      session.files.filter((file) => known.has(file.path) && known.get(file.path)!.text !== file.text),
    async write(files) {
      const failures: string[] = [];
      const after = new Map(known);
      for (const { path, text } of files) {
        try {
          const { hash } = await writeFile(project.files.indexOf(path), known.get(path)!.hash, text);
          after.set(path, { text, hash });
        } catch (error) {
          failures.push(`${path}: ${error instanceof CallError ? error.message : "not written"}`);
        }
      }
      setKnown(after);
      return failures;
    },
  };
}

/** Returns the command that a folder is probably for. */
function commandFor(paths: string[]): { kind: Kind; arguments: string[] } {
  if (paths.some((path) => /^(kustomization\.ya?ml|Kustomization)$/.test(path))) return { kind: "kustomize", arguments: ["."] };
  if (paths.includes("inlay.yaml")) return { kind: "run", arguments: ["inlay.yaml", "."] };
  return { kind: "build", arguments: ["-f", "."] };
}
