import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isPath, type Session, type TextFile } from "../model";
import { chosen, dropped, type Uploaded } from "../upload";
import { freeName } from "../values";
import { Tabs } from "./Tabs";

/** The files as tabs, and what can be done with them. */
export function FileBar({ session, active, onActive, onChange, onNotice, onAccept }: {
  session: Session;
  active: string;
  onActive(path: string): void;
  onChange(next: (before: Session) => Session): void;
  onNotice(text: string): void;
  /** A file was added or renamed: the next key is for it. */
  onAccept(): void;
}) {
  const [name, setName] = useState<string | null>(null);
  const [isRenaming, setRenaming] = useState(false);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);

  const ask = (text: string, renames: boolean) => {
    setName(text);
    setRenaming(renames);
  };
  const accept = () => {
    const path = (name ?? "").trim();
    const isTaken = session.files.some((file) => file.path === path && path !== (isRenaming ? active : ""));
    if (path === "" || isTaken || !isPath(path)) {
      onNotice(isTaken ? `There is a file ${path} already.` : "A path consists of names and /, without . and ..");
      return;
    }
    onNotice("");
    onChange((before) => (isRenaming
      ? { ...before, files: before.files.map((file) => (file.path === active ? { ...file, path } : file)) }
      : { ...before, files: [...before.files, { path, text: "" }] }));
    onActive(path);
    setName(null);
    onAccept();
  };
  const remove = () => {
    onChange((before) => ({ ...before, files: before.files.filter((file) => file.path !== active) }));
    onActive(session.files.find((file) => file.path !== active)?.path ?? "");
  };
  const add = ({ files, leftOut }: Uploaded) => {
    const added = files.filter((file) => isPath(file.path));
    const misnamed = files.filter((file) => !isPath(file.path)).map((file) => file.path);
    onChange((before) => ({ ...before, files: withFiles(before.files, added) }));
    if (added[0] !== undefined) onActive(added[0].path);
    const notices = [
      leftOut.length > 0 ? `Left out, too large or no text: ${leftOut.join(", ")}.` : "",
      misnamed.length > 0 ? `Left out, as their paths contain a colon, a backslash or "..": ${misnamed.join(", ")}.` : "",
    ];
    onNotice(notices.filter((notice) => notice !== "").join(" "));
  };
  const upload = async (list: FileList | null) => list !== null && add(await chosen(list));

  const latestAdd = useRef(add);
  latestAdd.current = add;
  useLayoutEffect(() => {
    // Anywhere in the page: the browser would leave the page for a file, and the editor would insert its text.
    const onDrag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      setOver(event.type === "dragover");
      if (event.type === "drop") void dropped(event.dataTransfer).then((files) => latestAdd.current(files));
    };
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    addEventListener("dragover", onDrag, true);
    addEventListener("drop", onDrag, true);
    addEventListener("dragleave", onLeave);
    return () => {
      removeEventListener("dragover", onDrag, true);
      removeEventListener("drop", onDrag, true);
      removeEventListener("dragleave", onLeave);
    };
  }, []);

  return (
    <div class={isOver ? "files over" : "files"}>
      <Tabs label="Files" panel="files" chosen={active} onChoose={onActive}
        tabs={session.files.map((file) => ({ id: file.path, title: file.path }))} />
      <div class="buttons">
        <button type="button" class="small" onClick={() => ask(freeName(session, "new.yml"), false)}>Add</button>
        <button type="button" class="small" disabled={active === ""} onClick={() => ask(active, true)}>Rename</button>
        <button type="button" class="small" disabled={active === ""} onClick={remove}>Delete</button>
        <button type="button" class="small" onClick={() => input.current?.click()}>Upload</button>
        <button type="button" class="small" onClick={() => folder.current?.click()}>Folder</button>
        <input ref={input} type="file" multiple hidden aria-label="Files to upload" onChange={(event) => upload(event.currentTarget.files)} />
        <input ref={(element) => { folder.current = element; element?.setAttribute("webkitdirectory", ""); }} type="file" hidden
          aria-label="Folder to upload" onChange={(event) => upload(event.currentTarget.files)} />
      </div>
      {name !== null && (
        <form class="rename" onSubmit={(event) => { event.preventDefault(); accept(); }}>
          <label for="file-name">{isRenaming ? "New path" : "Path"}</label>
          <input id="file-name" type="text" spellcheck={false} autocapitalize="off" value={name} ref={(element) => element?.focus()}
            onInput={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Escape" && setName(null)} />
          <button type="submit" class="small">{isRenaming ? "Rename" : "Add file"}</button>
          <button type="button" class="small" onClick={() => setName(null)}>Cancel</button>
        </form>
      )}
    </div>
  );
}

/** Adds files; one with the path of an old one replaces it. */
function withFiles(files: TextFile[], added: TextFile[]): TextFile[] {
  const kept = files.filter((file) => !added.some((own) => own.path === file.path));
  return [...kept, ...added];
}
