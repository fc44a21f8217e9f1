/** What the user wrote is kept in the browser, so that a closed tab loses nothing. */

import type { Session } from "./model";

const DRAFT = "inlay.draft";
const MOST_CHARACTERS = 500_000;

export function keepDraft(session: Session): void {
  try {
    const text = JSON.stringify(session);
    if (text.length <= MOST_CHARACTERS) localStorage.setItem(DRAFT, text);
  } catch {
    // The browser keeps nothing.
  }
}

export function keptDraft(): Session | null {
  try {
    const draft = JSON.parse(localStorage.getItem(DRAFT) ?? "null") as Session | null;
    return draft !== null && Array.isArray(draft.files) && Array.isArray(draft.arguments) ? draft : null;
  } catch {
    return null;
  }
}
