import { unzipSync, strFromU8 } from "fflate";
import { readFileSync } from "node:fs";
import { expect, openExample, settled, test, typeAtEnd } from "./page";
import { fromFragment, toFragment } from "../src/share";
import type { Session } from "../src/model";

const session: Session = { kind: "run", arguments: ["c.yml", "."], files: [{ path: "ä/b.yml", text: "ü: 1\n" }] };

test("a link contains the whole session", () => {
  expect(fromFragment(toFragment(session))).toEqual(session);
});

test("links of the first version are read for ever", () => {
  // Recorded when the version was new. It must never be changed, whatever is added to links.
  const link = "#s=1.q1bKVrJSKirNU9JRSlSyilZK1qvMzQFy9JRidZTSgCLRSoeX6CdBRQ_vsVIwjMlTio2tBQA";
  expect(fromFragment(link)).toEqual(session);
  for (const broken of ["#s=1.", "#s=2.q1bKVrJS", "#s=1.!!!", "#s=1.AAAA", "#t=1", ""]) {
    expect(fromFragment(broken), broken).toBeNull();
  }
});

test("a link whose files would be outside of the folder is refused", () => {
  for (const path of ["../a.yml", "/a.yml", "a/../../b", "C:\\a", ""]) {
    expect(fromFragment(toFragment({ ...session, files: [{ path, text: "" }] })), path).toBeNull();
  }
});

test("a link that inflates to gigabytes is refused", () => {
  const bomb = toFragment({ ...session, files: [{ path: "a", text: "a".repeat(20 << 20) }] });
  expect(bomb.length).toBeLessThan(64_000);
  expect(fromFragment(bomb)).toBeNull();
});

test("a shared link opens the same session in another tab", async ({ page, context, address }) => {
  await openExample(page, address, "variable");
  await typeAtEnd(page, "more: #@ name + \"&<b>\"\n");
  await expect(page.locator("#result")).toContainText("more: shop&<b>");
  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByText("The link is copied.")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  const other = await context.newPage();
  await other.goto(link);
  await expect(other.locator("#result")).toContainText("more: shop&<b>");
  await expect(other.getByLabel("Arguments")).toHaveValue("-f .");
});

test("a link that is pasted into the same tab opens", async ({ page, address }) => {
  await openExample(page, address, "hello");
  const fragment = toFragment({ kind: "build", arguments: ["-f", "x.yml"], files: [{ path: "x.yml", text: "kind: Pasted\n" }] });
  await page.evaluate((hash) => { location.hash = hash; }, fragment);
  await expect(page.locator("#result")).toContainText("kind: Pasted");
});

test("the archive has the files and the command", async ({ page, address }) => {
  await openExample(page, address, "values-layers");
  await page.getByRole("button", { name: "Share" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download zip" }).click()]);
  const files = unzipSync(readFileSync(await download.path()));
  expect(Object.keys(files).sort()).toEqual(["README.md", "config.yml", "production.yml", "schema.yml"]);
  expect(strFromU8(files["README.md"]!)).toContain("inlay build -f config.yml -f schema.yml -d production.yml -v from_flag=flag");
});

test("an example that was changed is there after a reload", async ({ page, address }) => {
  await openExample(page, address, "hello");
  await typeAtEnd(page, "kept: true\n");
  await expect(page.locator("#result")).toContainText("kept: true");
  // At once, while the address still names the example, and later, when it does not.
  await page.reload();
  await expect(page.locator("#result")).toContainText("kept: true");
  await expect.poll(() => new URL(page.url()).hash).toBe("");
  await page.reload();
  await expect(page.locator("#result")).toContainText("kept: true");
});

test("what was written is there after a reload", async ({ page, address }) => {
  const fragment = toFragment({ kind: "build", arguments: ["-f", "x.yml"], files: [{ path: "x.yml", text: "kind: A\n" }] });
  await page.goto(new URL(address).origin + "/" + fragment);
  await settled(page);
  await typeAtEnd(page, "kept: true\n");
  await expect(page.locator("#result")).toContainText("kept: true");
  await page.reload();
  await expect(page.locator("#result")).toContainText("kept: true");
});
