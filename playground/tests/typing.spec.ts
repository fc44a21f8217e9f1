/** Keys that come faster than the page: none of them is lost, and none goes to what is not shown any more. */

import type { Page } from "@playwright/test";
import { expect, openExample, settled, test, typeAtEnd } from "./page";

/** Returns the text of the editor, of a file that is shown whole. */
async function editorText(page: Page): Promise<string> {
  return (await page.locator(".cm-line").allTextContents()).join("\n");
}

/** Holds every answer of the server to a call back, so that the next keys come before it. */
async function delay(page: Page, call: string, milliseconds: number): Promise<void> {
  await page.context().route(`**${call}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    // A newer call may have ended this one.
    await route.continue().catch(() => undefined);
  });
}

/** Holds the answers of the server to a call back until the returned function is called. */
async function hold(page: Page, call: string): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => { release = resolve; });
  await page.context().route(`**${call}`, async (route) => {
    await isReleased;
    await route.continue().catch(() => undefined);
  });
  return release;
}

test("keys that come while a render is on its way are all there", async ({ page, address }) => {
  await openExample(page, address, "hello");
  await delay(page, "/api/render", 150);
  const before = await editorText(page);
  const keys = "typed: abcdefghijklmnopqrstuvwxyz0123456789-abcdefghijklmnopqrstuvwxyz";
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(keys);
  expect(await editorText(page)).toBe(before + keys);
  await expect(page.locator("#result")).toContainText(keys);
  expect(await editorText(page)).toBe(before + keys);
});

test("keys after a change of the file go to the file that is shown", async ({ page, address }) => {
  await openExample(page, address, "values-layers");
  await page.locator(".cm-content").focus();
  for (const number of [2, 1, 2, 1, 2, 3, 2]) {
    // In one task of the page: so follow the keys that have waited for a busy browser.
    await page.evaluate((digit) => {
      dispatchEvent(new KeyboardEvent("keydown", { altKey: true, code: `Digit${digit}`, key: String(digit) }));
      return new Promise<void>((done) => queueMicrotask(() => {
        document.querySelector<HTMLElement>(".cm-content")!.focus();
        document.execCommand("insertText", false, `#${digit}`);
        done();
      }));
    }, number);
  }
  const found: string[] = [];
  for (const tab of await page.locator(".files [role=tab]").all()) {
    await tab.click();
    found.push([...(await editorText(page)).matchAll(/#[0-9]/g)].join(""));
  }
  expect(found).toEqual(["#1#1", "#2#2#2#2", "#3"]);
});

test("typing over coloured text keeps the security policy, and brackets surround a selection", async ({ page, address }) => {
  await openExample(page, address, "variable");
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("kind: Typed\nname: shop");
  await expect(page.locator("#result")).toContainText("kind: Typed");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await page.keyboard.type("\"");
  await expect(page.locator("#result")).toContainText("name: shop");
  expect(await editorText(page)).toBe("kind: Typed\nname: \"shop\"");
  // What is typed over a selection is undone as one step.
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("x");
  await page.keyboard.press("Control+z");
  expect(await editorText(page)).toBe("kind: Typed\nname: \"shop\"");
  // The page's tests fail for every report of the policy.
});

test("what is entered in the form stays while its file is written and rendered", async ({ page, address }) => {
  await openExample(page, address, "values-layers");
  await delay(page, "/api/edit", 120);
  const field = page.getByRole("textbox", { name: "from_file" });
  await field.fill("");
  await field.pressSequentially("entered-key-by-key", { delay: 30 });
  await expect(page.locator("#result")).toContainText("from_file: entered-key-by-key");
  await expect(field).toHaveValue("entered-key-by-key");
});

test("what is typed while the form writes its file is kept", async ({ page, address }) => {
  await openExample(page, address, "values-layers");
  await page.getByRole("tab", { name: "production.yml" }).click();
  const release = await hold(page, "/api/edit");
  await page.getByRole("textbox", { name: "from_file" }).fill("form");
  await typeAtEnd(page, "# typed meanwhile\n");
  release();
  await expect(page.locator(".cm-content")).toContainText("from_file: form");
  await expect(page.locator(".cm-content")).toContainText("# typed meanwhile");
  await expect(page.locator("#result")).toContainText("from_file: form");
});

test("a dialog that is opened before the first example stays open", async ({ page, address }) => {
  const release = await hold(page, "/gallery.json");
  await page.goto(address);
  await page.getByRole("button", { name: "Help" }).click();
  release();
  await settled(page);
  await expect(page.getByRole("dialog", { name: "Help" })).toBeVisible();
});

test("nothing can be typed before there is a file, and a key acts as soon as there is one", async ({ page, address }) => {
  const release = await hold(page, "/gallery.json");
  await page.goto(address);
  await expect(page.locator("main")).toHaveAttribute("inert", "");
  release();
  await expect(page.locator("main")).not.toHaveAttribute("inert", "");
  await page.keyboard.press("F6");
  await expect(page.locator(".pane:focus")).toHaveCount(1);
});

test("rendering again keeps the cursor and what can be undone", async ({ page, address }) => {
  await openExample(page, address, "hello");
  const before = await editorText(page);
  await typeAtEnd(page, "more: 1\n");
  await page.keyboard.press("Control+Enter");
  await expect(page.locator(".cm-content")).toBeFocused();
  await settled(page);
  await page.keyboard.press("Control+z");
  await expect(page.locator(".cm-content")).toBeFocused();
  expect(await editorText(page)).toBe(before);
});
