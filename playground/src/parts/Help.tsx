import { Dialog } from "./Dialog";

const KEYS: [string, string][] = [
  ["Ctrl Enter", "render now"],
  ["Ctrl S", "write the folder, or download a zip"],
  ["F8, Shift F8", "go to the next or previous problem"],
  ["F6, Shift F6", "go to the next or previous pane"],
  ["Alt 1 … Alt 9", "go to a file"],
  ["Ctrl F", "find in the editor"],
  ["Ctrl ], Ctrl [", "indent and outdent"],
  ["Ctrl /", "comment lines out"],
  ["Tab", "leaves the editor"],
];

export function Help({ version, onClose }: { version: string | undefined; onClose(): void }) {
  return (
    <Dialog title="Help" onClose={onClose}>
      <p>
        The command line above the panes runs whenever something changes, on the files of this page and nothing else. The
        same words do the same in a terminal.
      </p>
      <table>
        <caption>Keys; on a Mac, Command is Ctrl</caption>
        <tbody>{KEYS.map(([key, does]) => <tr key={key}><th scope="row"><kbd>{key}</kbd></th><td>{does}</td></tr>)}</tbody>
      </table>
      {version !== undefined && <p class="about">Inlay {version}</p>}
    </Dialog>
  );
}
