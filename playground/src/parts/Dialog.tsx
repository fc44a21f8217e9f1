import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

/** A modal dialog. The browser keeps the focus inside, and gives it back to what had it before. */
export function Dialog({ title, children, onClose }: { title: string; children: ComponentChildren; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>Close</button>
      </header>
      {children}
    </dialog>
  );
}
