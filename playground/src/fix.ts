import type { Fix, Session } from "./model";

/** Returns the session with a fix, or as it was if the place has changed since. */
export function fixed(session: Session, fix: Fix): Session {
  if (fix.type === "flag") return { ...session, arguments: [...session.arguments, fix.flag] };
  const files = session.files.map((file) => {
    if (file.path !== fix.file) return file;
    const lines = file.text.split("\n");
    const characters = [...(lines[fix.line - 1] ?? "")];
    const before = characters.slice(0, fix.column - 1).join("");
    const rest = characters.slice(fix.column - 1).join("");
    if (!rest.startsWith(fix.before)) return file;
    lines[fix.line - 1] = before + fix.after + rest.slice(fix.before.length);
    return { ...file, text: lines.join("\n") };
  });
  return { ...session, files };
}
