import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, openExample, output, test, typeAtEnd } from "./page";

test("an error shows at its place, and its fix corrects it", async ({ page, address }) => {
  await openExample(page, address, "data-values");
  await page.getByRole("tab", { name: "config.yml" }).click();
  await typeAtEnd(page, "wrong: #@ data.values.replcas\n");
  await expect(page.locator(".count")).toHaveText("1 problem");
  await expect(page.locator(".cm-lintRange-error")).toHaveText("data.values.replcas");
  // The last good output stays.
  await expect(page.locator("#result")).toContainText("registry.example.com/shop:1.0");

  await page.locator(".count").click();
  const problem = page.locator(".problems li");
  await expect(problem).toContainText("did you mean replicas?");
  await problem.locator(".place").click();
  await expect(page.locator(".cm-content")).toBeFocused();
  await expect(page.locator(".cm-activeLine")).toContainText("data.values.replcas");
  await problem.getByRole("button", { name: "Fix: change to replicas" }).click();
  await expect(page.locator(".count")).toHaveText("0 problems");
  await page.getByRole("tab", { name: "Output" }).click();
  await expect(page.locator("#result")).toContainText("wrong: 1");
});

test("the broken example is corrected by its fixes", async ({ page, address }) => {
  await openExample(page, address, "debug-me");
  await page.getByRole("tab", { name: /Problems/ }).click();
  await page.getByRole("button", { name: "Fix: change to replicas" }).click();
  await page.getByRole("button", { name: "Fix: change to name" }).click();
  await expect(page.locator(".count")).toHaveText("0 problems");
  await page.getByRole("tab", { name: "Output" }).click();
  await expect(page.locator("#result")).toContainText("replicas: 3");
});

test("F8 goes to the next problem", async ({ page, address }) => {
  await openExample(page, address, "debug-me");
  await page.keyboard.press("F8");
  await expect(page.locator(".cm-content")).toBeFocused();
  await expect(page.locator(".cm-activeLine")).toContainText("replcas");
});

test("files are added, renamed and deleted", async ({ page, address }) => {
  await openExample(page, address, "hello");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByLabel("Path").fill("folder/more.yml");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "folder/more.yml" })).toHaveAttribute("aria-selected", "true");
  await typeAtEnd(page, "kind: More\n");
  await expect(page.locator("#result")).toContainText("kind: More");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("New path").fill("../out.yml");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("without . and ..");
  await page.getByLabel("New path").fill("less.yml");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "less.yml" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.locator("#result")).not.toContainText("kind: More");
});

test("files are uploaded", async ({ page, address }) => {
  await openExample(page, address, "hello");
  await page.getByLabel("Files to upload").setInputFiles([
    { name: "up.yml", mimeType: "text/yaml", buffer: Buffer.from("kind: Up\n") },
    { name: "no.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0xff, 0xfe, 0]) },
  ]);
  await expect(page.locator("#result")).toContainText("kind: Up");
  await expect(page.getByRole("alert")).toContainText("no.bin");
});

test("a diff shows what an overlay changes, and embedded documents are unfolded", async ({ page, address }) => {
  await openExample(page, address, "overlay-strings");
  await page.getByRole("tab", { name: "Diff" }).click();
  await expect(page.locator("del").first()).toContainText("debug");
  await expect(page.locator("ins").first()).toContainText("warn");
  await page.getByRole("tab", { name: "Embedded" }).click();
  // The Secret is decoded.
  await expect(page.locator("#result")).toContainText("password: new");
});

test("the diff against the last result shows the last edit", async ({ page, address }) => {
  await openExample(page, address, "hello");
  await page.getByRole("tab", { name: "Diff" }).click();
  await typeAtEnd(page, "more: 1\n");
  await page.getByLabel("the last result").check();
  await expect(page.locator("ins")).toHaveText(/more: 1/);
});

test("the command line is an input, and wrong flags are a problem", async ({ page, address }) => {
  await openExample(page, address, "values-layers");
  await page.getByLabel("Arguments").fill("-f config.yml -f schema.yml -v 'from_flag=a b'");
  await expect(page.locator("#result")).toContainText("from_flag: a b");
  await page.getByLabel("Arguments").fill("-f config.yml --no-such-flag");
  await expect(page.locator(".count")).toHaveText("1 problem");
  await page.getByRole("button", { name: "Copy command" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe("inlay build -f config.yml --no-such-flag");
});

test("a template without an end is stopped, and the page goes on", async ({ page, address }) => {
  test.setTimeout(120_000);
  await openExample(page, address, "variable");
  const good = await output(page);
  await typeAtEnd(page, "\n#@ x = [n*m for n in range(100000) for m in range(100000)]\n");
  await expect(page.locator(".time")).toHaveText("…");
  // The next keystroke ends the render.
  await page.keyboard.press("Control+z");
  await expect.poll(() => output(page)).toBe(good);
  await expect(page.locator(".count")).toHaveText("0 problems");
});

test("without any output, the problems and their fixes are in its place", async ({ page, address }) => {
  await openExample(page, address, "debug-me");
  await expect(page.locator("#result")).toContainText("No output yet");
  const result = page.locator("#result");
  const before = await result.innerText();
  await result.getByRole("button", { name: "Fix" }).first().click();
  await expect.poll(() => result.innerText()).not.toBe(before);
  await result.getByRole("button", { name: "Fix" }).first().click();
  await expect(result).toContainText("replicas: 3");
});

test("files and folders are dropped anywhere in the page", async ({ page, address }) => {
  const folder = mkdtempSync(join(tmpdir(), "inlay-drop-"));
  mkdirSync(join(folder, "config", "inner"), { recursive: true });
  writeFileSync(join(folder, "config", "one.yml"), "one: 1\n");
  writeFileSync(join(folder, "config", "inner", "two.yml"), "two: 2\n");
  writeFileSync(join(folder, "three.yml"), "three: 3\n");
  await openExample(page, address, "hello");
  const devtools = await page.context().newCDPSession(page);
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  /** Drops files of this machine in the middle of a part of the page. */
  const drop = async (place: string, files: string[]) => {
    const box = (await page.locator(place).boundingBox())!;
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const data = { items: [], files, dragOperationsMask: 1 };
    const send = (type: "dragEnter" | "dragOver" | "drop") => devtools.send("Input.dispatchDragEvent", { type, ...at, data });
    await send("dragEnter");
    // The browser drops only where the page has accepted an event before. A busy one may lose an event.
    await expect(async () => {
      await send("dragOver");
      await expect(page.locator(".files.over")).toHaveCount(1, { timeout: 1000 });
    }).toPass();
    await send("dragOver");
    await send("drop");
    await expect(page.locator(".files.over")).toHaveCount(0);
  };
  const before = await page.locator(".cm-content").innerText();
  await drop(".cm-editor", [join(folder, "config")]);
  await expect(tab("one.yml")).toBeVisible();
  await expect(tab("inner/two.yml")).toBeVisible();
  await drop("#result", [join(folder, "three.yml")]);
  await expect(tab("three.yml")).toHaveAttribute("aria-selected", "true");
  await expect.poll(() => output(page)).toContain("three: 3");
  await expect(page.locator(".files.over")).toHaveCount(0);
  await page.keyboard.press("Alt+1");
  await expect(page.locator(".cm-content")).toHaveText(before.replaceAll("\n", ""));
});
