/** Which lines of two texts are the same: Myers' algorithm, with an end. */

export interface LineChange {
  sign: " " | "-" | "+";
  text: string;
}

/** The most differences that are searched for. Beyond, the middle is shown as replaced. */
const MOST = 1_000;

export function lineChanges(before: string, after: string): LineChange[] {
  const [old, now] = [lines(before), lines(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const same = (text: string): LineChange => ({ sign: " ", text });
  return [
    ...old.slice(0, start).map(same),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

const lines = (text: string): string[] => {
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  return all;
};

/**
 * Walks the grid of both texts along its diagonals. `furthest[k]` is how far diagonal `k` was
 * reached with so many differences; the steps are kept to walk back.
 */
function middle(old: string[], now: string[]): LineChange[] {
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let differences = 0; differences <= Math.min(MOST, old.length + now.length); differences++) {
    trace.push(new Map(furthest));
    for (let k = -differences; k <= differences; k += 2) {
      const down = k === -differences || (k !== differences && furthest.get(k - 1)! < furthest.get(k + 1)!);
      let x = down ? furthest.get(k + 1)! : furthest.get(k - 1)! + 1;
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) x++;
      furthest.set(k, x);
      if (x >= old.length && x - k >= now.length) return walkBack(trace, old, now);
    }
  }
  return [
    ...old.map((text): LineChange => ({ sign: "-", text })),
    ...now.map((text): LineChange => ({ sign: "+", text })),
  ];
}

function walkBack(trace: Map<number, number>[], old: string[], now: string[]): LineChange[] {
  const changes: LineChange[] = [];
  let [x, y] = [old.length, now.length];
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const furthest = trace[differences]!;
    const k = x - y;
    const down = k === -differences || (k !== differences && furthest.get(k - 1)! < furthest.get(k + 1)!);
    const before = down ? k + 1 : k - 1;
    const startX = furthest.get(before)!;
    const startY = startX - before;
    while (x > startX && y > startY && x > 0 && y > 0) changes.push({ sign: " ", text: old[--x]! }), y--;
    if (differences === 0) break;
    if (down) changes.push({ sign: "+", text: now[--y]! });
    else changes.push({ sign: "-", text: old[--x]! });
  }
  return changes.reverse();
}
