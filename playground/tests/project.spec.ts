import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, settled, start, test, typeAtEnd } from "./page";

test("a folder is edited, after a question, and never over another change", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "inlay-project-"));
  const file = join(folder, "config.yml");
  writeFileSync(file, "kind: A\n");
  const server = await start(folder);
  try {
    await page.goto(server.address);
    await expect(page.locator("#result")).toContainText("kind: A");
    await typeAtEnd(page, "b: 1\n");
    await expect(page.locator("#result")).toContainText("b: 1");
    expect(readFileSync(file, "utf8")).toBe("kind: A\n");
    await page.keyboard.press("Control+s");
    await expect(page.getByRole("button", { name: "Write 1 file" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeHidden();
    expect(readFileSync(file, "utf8")).toBe("kind: A\nb: 1\n");

    // Somebody else writes it, too.
    writeFileSync(file, "kind: Other\n");
    await typeAtEnd(page, "c: 1\n");
    await page.getByRole("button", { name: "Save 1" }).click();
    await page.getByRole("button", { name: "Write 1 file" }).click();
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("changed by another program");
    expect(readFileSync(file, "utf8")).toBe("kind: Other\n");
    await settled(page);
  } finally {
    server.process.kill();
    rmSync(folder, { recursive: true });
  }
});
