import { execFileSync, type ExecFileSyncOptions } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadGallery } from "../tools/gallery.mjs";
import type { Example } from "../src/model";
import { expect, openExample, output, program, repository, test } from "./page";

const { examples } = loadGallery(repository) as { examples: Example[] };

/** Runs an example in a folder of its own, as a user would; an example with mistakes prints nothing. */
function printed(example: Example): string {
  const folder = mkdtempSync(join(tmpdir(), "inlay-gallery-"));
  try {
    for (const file of example.files) {
      mkdirSync(dirname(join(folder, file.path)), { recursive: true });
      writeFileSync(join(folder, file.path), file.text);
    }
    const options: ExecFileSyncOptions = { cwd: folder, stdio: ["ignore", "pipe", "ignore"] };
    return execFileSync(program, [example.kind, ...example.arguments], options).toString();
  } catch {
    return "";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The lines of a text, without the markers between documents, which the page shows as documents. */
const lines = (text: string) => text.split("\n").filter((line) => line !== "---" && line.trim() !== "");

test("every example renders what the command line prints", async ({ page, address }) => {
  test.setTimeout(180_000);
  expect(examples.length).toBeGreaterThanOrEqual(20);
  for (const example of examples) {
    await openExample(page, address, example.id);
    await expect(page.locator(".lesson h2")).toHaveText(example.title);
    const expected = lines(printed(example));
    // The example before it may still be shown.
    const shown = async () => lines(await output(page)).slice(0, expected.length);
    await expect.poll(shown, { message: example.id }).toEqual(expected);
    const isBroken = expected.length === 0;
    await expect(page.locator(".count"), example.id).toHaveText(isBroken ? /^[1-9]\d* problems?$/ : /problem/);
  }
});

test("the gallery finds and opens an example", async ({ page, address }) => {
  await page.goto(address);
  await page.getByRole("button", { name: "Examples" }).click();
  const dialog = page.getByRole("dialog", { name: "Examples" });
  await expect(dialog.getByRole("listitem")).toHaveCount(examples.length);
  await dialog.getByLabel("Filter").fill("sidecar");
  await dialog.getByRole("button", { name: "A sidecar everywhere but one" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.locator("#result")).toContainText("image: proxy:2");
});
