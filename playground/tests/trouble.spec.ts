/** What goes wrong on the machine of somebody else. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, openExample, output, settled, start, test, typeAtEnd } from "./page";

const text = (content: string) => Buffer.from(content);

test("names of files may have spaces and any letters, and those that lead elsewhere are refused aloud", async ({ page, address }) => {
  await openExample(page, address, "hello");
  await page.getByLabel("Files to upload").setInputFiles([
    { name: "zwei Wörter 文.yml", mimeType: "text/yaml", buffer: text("kind: Spaced\n") },
    { name: "a:b.yml", mimeType: "text/yaml", buffer: text("kind: Colon\n") },
  ]);
  await expect(page.locator("#result")).toContainText("kind: Spaced");
  await expect(page.getByRole("alert")).toContainText("a:b.yml");
  await expect(page.getByRole("tab", { name: "zwei Wörter 文.yml" })).toHaveAttribute("aria-selected", "true");
  await typeAtEnd(page, "wrong: #@ missing\n");
  await page.locator(".count").click();
  await expect(page.locator(".problems .place")).toHaveText("zwei Wörter 文.yml:2:11");
});

test("a large file is rendered, and one that is too large is named", async ({ page, address }) => {
  await openExample(page, address, "hello");
  const lines = Array.from({ length: 5_000 }, (_, at) => `key-${at}: ${at}`).join("\n");
  await page.getByLabel("Files to upload").setInputFiles([
    { name: "large.yml", mimeType: "text/yaml", buffer: text(lines + "\n") },
    { name: "huge.yml", mimeType: "text/yaml", buffer: text("a".repeat(2 << 20)) },
  ]);
  await expect(page.getByRole("alert")).toContainText("huge.yml");
  await expect.poll(() => output(page)).toContain("key-4999: 4999");
  await typeAtEnd(page, "last: 1\n");
  await expect.poll(() => output(page)).toContain("last: 1");
});

test("a link that is too long is refused with another way", async ({ page, address }) => {
  await openExample(page, address, "hello");
  // What cannot be compressed.
  const noise = Array.from({ length: 200_000 }, (_, at) => String.fromCharCode(33 + ((at * 7919 + ((at * at) % 9973)) % 90))).join("");
  await page.getByLabel("Files to upload").setInputFiles([{ name: "noise.txt", mimeType: "text/plain", buffer: text(noise) }]);
  await settled(page);
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.getByRole("dialog")).toContainText("zip");
  await expect(page.getByRole("textbox", { name: "Link" })).toHaveCount(0);
});

test("a server that has ended is a problem, and nothing that was typed is lost", async ({ page }) => {
  const server = await start();
  await openExample(page, server.address, "hello");
  server.process.kill();
  await typeAtEnd(page, "typed: 1\n");
  await page.locator(".count").click();
  await expect(page.locator(".problems")).toContainText("the playground has ended");
  await expect(page.locator(".cm-content")).toContainText("typed: 1");
});

test("a render without an end is stopped by the clock", async ({ page }) => {
  const server = await start("--time-limit", "5");
  try {
    await openExample(page, server.address, "variable");
    await typeAtEnd(page, "\n#@ x = [n*m for n in range(100000) for m in range(100000)]\n");
    await page.locator(".count").click();
    await expect(page.locator(".problems")).toContainText("takes longer than 5s");
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+z");
    await expect(page.locator(".count")).toHaveText("0 problems");
  } finally {
    server.process.kill();
  }
});

test("two tabs on one folder do not write over each other", async ({ page, context }) => {
  const folder = mkdtempSync(join(tmpdir(), "inlay-project-"));
  const file = join(folder, "config.yml");
  writeFileSync(file, "kind: A\n");
  const server = await start(folder);
  try {
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto(server.address);
      await expect(tab.locator("#result")).toContainText("kind: A");
    }
    for (const [tab, line] of [[page, "first: 1\n"], [other, "second: 1\n"]] as const) {
      await tab.bringToFront();
      await typeAtEnd(tab, line);
      await tab.getByRole("button", { name: "Save 1" }).click();
      await tab.getByRole("button", { name: "Write 1 file" }).click();
    }
    await expect(other.getByRole("dialog").getByRole("alert")).toContainText("changed by another program");
    expect(readFileSync(file, "utf8")).toBe("kind: A\nfirst: 1\n");
  } finally {
    server.process.kill();
    rmSync(folder, { recursive: true });
  }
});
