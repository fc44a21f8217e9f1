import { useState } from "preact/hooks";
import type { Example } from "../model";
import { Dialog } from "./Dialog";
import { Words } from "./Words";

/** All examples, in teaching order. */
export function Gallery({ examples, onOpen, onClose }: { examples: Example[]; onOpen(example: Example): void; onClose(): void }) {
  const [wanted, setWanted] = useState("");
  const isWanted = (example: Example) =>
    `${example.title} ${example.lesson} ${example.kind}`.toLowerCase().includes(wanted.trim().toLowerCase());
  const found = examples.filter(isWanted);
  const sections = [...new Set(found.map((example) => example.section))];
  return (
    <Dialog title="Examples" onClose={onClose}>
      <label class="filter">Filter <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} /></label>
      <div class="gallery" tabIndex={0} role="region" aria-label="List of examples">
        {sections.map((section) => (
          <section key={section}>
            <h3>{section}</h3>
            <ul>
              {found.filter((example) => example.section === section).map((example) => (
                <li key={example.id}>
                  <button type="button" onClick={() => onOpen(example)}>
                    <strong>{example.title}</strong> <span class="type">{example.kind}</span>
                    <span class="lesson"><Words text={example.lesson} /></span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {found.length === 0 && <p class="empty">No example has these words.</p>}
      </div>
    </Dialog>
  );
}
