/** Files that are chosen or dropped, with the paths that they have in their folder. */

import type { TextFile } from "./model";

/** Beyond, a file is left out: the page sends all files with each render. */
const MOST_BYTES = 1 << 20;
const MOST_FILES = 500;

export interface Uploaded {
  files: TextFile[];
  /** The names of files that are too large or no text. */
  leftOut: string[];
}

export async function chosen(list: FileList): Promise<Uploaded> {
  return read([...list].map((file) => ({ path: withoutTop(file.webkitRelativePath) || file.name, file })));
}

/** `config/app.yml` of the chosen folder `config` is `app.yml` in the page. */
const withoutTop = (path: string) => path.split("/").slice(1).join("/");

export async function dropped(transfer: DataTransfer): Promise<Uploaded> {
  // The list is empty after the first wait, so the entries are taken at once.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: { path: string; file: File }[] = [];
  for (const entry of entries) {
    // One dropped folder is the root, as if it were chosen.
    if (entry.isDirectory && entries.length === 1) await collect(entry, null, found);
    else await collect(entry, "", found);
  }
  return read(found);
}

async function collect(entry: FileSystemEntry, folder: string | null, found: { path: string; file: File }[]): Promise<void> {
  const path = folder === null ? "" : folder + entry.name;
  if (found.length > MOST_FILES || entry.name.startsWith(".")) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const inner of some) await collect(inner, path === "" ? "" : `${path}/`, found);
  }
}

async function read(found: { path: string; file: File }[]): Promise<Uploaded> {
  const files: TextFile[] = [];
  const leftOut: string[] = [];
  if (found.length > MOST_FILES) leftOut.push(`all after the first ${MOST_FILES} files`);
  for (const { path, file } of found.slice(0, MOST_FILES)) {
    const text = file.size <= MOST_BYTES ? textOf(await file.arrayBuffer()) : null;
    if (text === null) leftOut.push(path);
    else files.push({ path, text });
  }
  return { files, leftOut };
}

function textOf(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
