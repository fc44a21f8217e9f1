/**
 * The fragment of the address names what was opened, until it is edited: a reload then brings back what was typed.
 *
 * A change of the address holds up the requests of the page for about 100 ms, and so the result of the first key. So the
 * fragment goes away when no key comes for a moment, and until then a mark says that it does not count.
 */

const MARK = "inlay.edited";
const MOMENT = 1_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Returns the fragment; an empty text if what it names was edited. */
export function fragment(): string {
  const { hash } = location;
  return hash !== "" && sessionStorage.getItem(MARK) === hash ? "" : hash;
}

/** Notes that what the fragment names was edited. */
export function leaveFragment(): void {
  if (location.hash === "") return;
  sessionStorage.setItem(MARK, location.hash);
  clearTimeout(timer);
  timer = setTimeout(removeFragment, MOMENT);
}

/** Removes the fragment, unless it names something else by now. */
export function removeFragment(): void {
  if (fragment() === "" && location.hash !== "") history.replaceState(null, "", location.pathname);
  sessionStorage.removeItem(MARK);
}
