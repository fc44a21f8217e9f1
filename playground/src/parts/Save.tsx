import { useState } from "preact/hooks";
import type { Session } from "../model";
import type { Project } from "../useProject";
import { Dialog } from "./Dialog";

/** Asks before it writes files of the folder. */
export function Save({ project, session, onClose }: { project: Project; session: Session; onClose(): void }) {
  const [failures, setFailures] = useState<string[]>([]);
  const changed = project.changed(session);
  const write = async () => {
    const failed = await project.write(changed);
    if (failed.length === 0) onClose();
    else setFailures(failed);
  };
  return (
    <Dialog title={`Write to ${project.name}`} onClose={onClose}>
      {project.isReadOnly && <p>The playground was started with --read-only.</p>}
      {changed.length === 0 ? <p>No file of the folder has changed.</p> : <ul>{changed.map((file) => <li key={file.path}>{file.path}</li>)}</ul>}
      {failures.map((failure) => <p key={failure} class="error" role="alert">{failure}</p>)}
      <div class="buttons">
        {/* The answer that somebody expects who has just asked to save. */}
        <button type="button" class="primary" autofocus disabled={project.isReadOnly || changed.length === 0} onClick={write}>
          Write {changed.length === 1 ? "1 file" : `${changed.length} files`}
        </button>
      </div>
    </Dialog>
  );
}
