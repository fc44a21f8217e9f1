/** Measures how long the page takes from a key to the result on the screen, and prints the figures. */

import { loadGallery } from "../tools/gallery.mjs";
import type { Example } from "../src/model";
import { expect, openExample, repository, settled, test } from "./page";

const { examples } = loadGallery(repository) as { examples: Example[] };

/** How often a key is pressed in each example. */
const KEYS = 12;

declare global {
  interface Window {
    painted: number[];
  }
}

test("figures: from a key to the painted result", async ({ page, address }) => {
  test.setTimeout(300_000);
  // Times are not compared with a limit here: a machine that is busy is no fault of the page.
  await page.addInitScript(() => {
    window.painted = [];
    let pressed = 0;
    addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
    const send = window.fetch;
    window.fetch = async (...words) => {
      const answer = await send(...words);
      if (String(words[0]).endsWith("/api/render") && pressed > 0) {
        const start = pressed;
        const read = answer.json.bind(answer);
        answer.json = async () => {
          const content = await read();
          // The page shows the answer before the next frame; after it, the frame is on the screen.
          requestAnimationFrame(() => setTimeout(() => window.painted.push(performance.now() - start)));
          return content;
        };
      }
      return answer;
    };
  });
  const figures: { id: string; median: number; slowest: number }[] = [];
  const all: number[] = [];
  for (const example of examples) {
    await openExample(page, address, example.id);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    for (let key = 0; key < KEYS; key++) {
      const before = await page.evaluate(() => window.painted.length);
      // A comment changes the text, and not what it means.
      await page.keyboard.type(key === 0 ? "#" : "x");
      await page.waitForFunction((count) => window.painted.length > count, before);
      await settled(page);
    }
    const times = await page.evaluate(() => window.painted.splice(0));
    times.sort((one, other) => one - other);
    all.push(...times);
    figures.push({ id: example.id, median: times[times.length >> 1]!, slowest: times.at(-1)! });
  }
  expect(figures).toHaveLength(examples.length);
  figures.sort((one, other) => other.median - one.median);
  for (const { id, median, slowest } of figures) {
    console.log(`${id}: median ${median.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`);
  }
  all.sort((one, other) => one - other);
  const percentile = (share: number) => all[Math.floor(all.length * share)]!.toFixed(0);
  console.log(`all ${all.length} keys: median ${percentile(0.5)} ms, 95th percentile ${percentile(0.95)} ms`);
});
