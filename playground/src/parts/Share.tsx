import { strToU8, zipSync } from "fflate";
import { useMemo, useState } from "preact/hooks";
import type { Answer, Session } from "../model";
import { LONGEST_LINK, LONG_LINK, toFragment } from "../share";
import { joined } from "../words";
import { Dialog } from "./Dialog";

export const commandOf = (session: Session) => joined(["inlay", session.kind, ...session.arguments]);

/** Offers the session as a link, as Markdown and as an archive. */
export function Share({ session, answer, onClose }: { session: Session; answer: Answer | null; onClose(): void }) {
  const [said, say] = useState("");
  const fragment = useMemo(() => toFragment(session), [session]);
  const link = `${location.origin}/${fragment}`;
  const isTooLong = link.length > LONGEST_LINK;
  const copy = async (text: string, name: string) => {
    await navigator.clipboard.writeText(text);
    say(`${name} is copied.`);
  };
  return (
    <Dialog title="Share" onClose={onClose}>
      {isTooLong
        ? <p>The files are too large for a link ({link.length.toLocaleString("en")} characters). Download them instead.</p>
        : (
          <>
            <p>The link contains the files and the command line; nothing is sent anywhere. It works in every playground: replace the part before <code>#</code>.</p>
            <label class="link">Link <input type="text" readOnly value={link} onFocus={(event) => event.currentTarget.select()} /></label>
            {link.length > LONG_LINK && <p>It has {link.length.toLocaleString("en")} characters; some programs cut links that long.</p>}
          </>
        )}
      <div class="buttons">
        <button type="button" disabled={isTooLong} onClick={() => copy(link, "The link")}>Copy link</button>
        <button type="button" onClick={() => copy(markdownOf(session, answer), "The Markdown")}>Copy as Markdown</button>
        <button type="button" onClick={() => download(session)}>Download zip</button>
        <button type="button" onClick={() => copy(commandOf(session), "The command")}>Copy command</button>
      </div>
      <p role="status">{said}</p>
    </Dialog>
  );
}

/** Returns a text for an issue: the files, the command and its output. */
export function markdownOf(session: Session, answer: Answer | null): string {
  const block = (text: string, language: string) => {
    // A fence is longer than every fence in the text.
    const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((fence) => fence.length));
    const fence = "`".repeat(longest + 1);
    return `${fence}${language}\n${text.replace(/\n?$/, "\n")}${fence}\n`;
  };
  const parts = session.files.map((file) => `\`${file.path}\`\n\n${block(file.text, languageName(file.path))}`);
  parts.push(block(`$ ${commandOf(session)}`, "console"));
  if (answer !== null) {
    const messages = answer.diagnostics.map((own) => `${own.severity}[${own.code}]: ${own.message}`);
    parts.push(block([answer.output, ...messages].filter((text) => text !== "").join("\n"), "yaml"));
  }
  return parts.join("\n");
}

const languageName = (path: string) => (/\.ya?ml$/.test(path) ? "yaml" : /\.json$/.test(path) ? "json" : "");

/** Downloads the files with a README that has the exact command. */
export function download(session: Session): void {
  const readme = `# From the playground\n\nRun this in the folder:\n\n    ${commandOf(session)}\n`;
  const name = session.files.some((file) => file.path === "README.md") ? "PLAYGROUND.md" : "README.md";
  const files = Object.fromEntries([...session.files, { path: name, text: readme }].map((file) => [file.path, strToU8(file.text)]));
  const url = URL.createObjectURL(new Blob([zipSync(files) as BlobPart], { type: "application/zip" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = "playground.zip";
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
