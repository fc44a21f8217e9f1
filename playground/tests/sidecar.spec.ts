/** The task "a sidecar everywhere but one", as somebody does it who is new: with the mistakes, and by what the page says. */

import type { Page } from "@playwright/test";
import { expect, openExample, output, test } from "./page";

const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  template:
    spec:
      containers:
      - name: ${name}
        image: ${name}:1
`;

/** Key by key, as a user: the editor indents, and closes brackets and quotes. */
const OVERLAY = ["#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})", "---", "spec:", "template:", "spec:", "containers:", "- name: proxy", "image: proxy:2"];

test("a sidecar everywhere but one is written from an empty overlay", async ({ page, address }) => {
  // Many steps: on a machine that is busy, each of them takes seconds.
  test.setTimeout(300_000);
  const result = page.locator("#result");
  await openExample(page, address, "hello");
  const manifests = ["web", "api", "batch"].map(deployment).join("---\n");
  await page.getByLabel("Files to upload").setInputFiles([
    { name: "manifests.yml", mimeType: "text/yaml", buffer: Buffer.from(manifests) },
  ]);
  await page.getByRole("tab", { name: "config.yml" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(result).toContainText("batch:1");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByLabel("Path").fill("sidecar.yml");
  await page.keyboard.press("Enter");
  // The next key is for the new file.
  await page.keyboard.type(OVERLAY.join("\n"));
  expect(await editorLines(page)).toEqual([
    OVERLAY[0], "---", "spec:", "  template:", "    spec:", "      containers:", "        - name: proxy", "          image: proxy:2",
  ]);

  // Nobody knows the first line by heart: the fix writes it.
  await page.locator(".count").click();
  await page.getByRole("button", { name: "Fix: add #@ load(\"@ytt:overlay\", \"overlay\")" }).click();
  await expect(page.locator(".cm-line").first()).toHaveText("#@ load(\"@ytt:overlay\", \"overlay\")");
  // The message says what is missing, and how it is written.
  await expect(page.locator(".problems")).toContainText("expected 1 matching document, found 3");
  await expect(page.locator(".problems")).toContainText("expects=\"1+\"");
  await toEndOf(page, "#@overlay/match");
  await page.keyboard.type(", expects=\"1+\"");
  await expect(page.locator(".count")).toHaveText("0 problems");
  await page.getByRole("tab", { name: "Output" }).click();
  await expect.poll(() => sidecars(page)).toBe(3);

  // But one: first as a sentence would say it, and then as the message says.
  await select(page, ", expects=");
  await page.keyboard.type(" and not overlay.subset({\"metadata\": {\"name\": \"batch\"}}), expects=");
  await page.locator(".count").click();
  await expect(page.locator(".problems")).toContainText("overlay.and_op(…)");
  await select(page, "by=overlay.subset");
  await page.keyboard.type("by=overlay.and_op(overlay.subset");
  await select(page, " and not overlay");
  await page.keyboard.type(", overlay.not_op(overlay");
  await select(page, "}}), expects");
  await page.keyboard.type("}}))), expects");
  await expect(page.locator(".count")).toHaveText("0 problems");
  await page.getByRole("tab", { name: "Output" }).click();
  await expect.poll(() => sidecars(page)).toBe(2);
  await page.getByRole("tab", { name: "Diff" }).click();
  await expect(page.locator("ins", { hasText: "image: proxy:2" })).toHaveCount(2);

  // Where it comes from.
  await page.getByRole("tab", { name: "Output" }).click();
  await page.locator("#result .line", { hasText: "image: proxy:2" }).first().click();
  await expect(page.getByRole("region", { name: "Where the value comes from" })).toContainText("sidecar.yml:");
});

const sidecars = async (page: Page) => (await output(page)).split("image: proxy:2").length - 1;

const editorLines = (page: Page) => page.locator(".cm-line").allTextContents();

/** Puts the cursor at the end of a line, with a click as a user does it. */
async function toEndOf(page: Page, text: string): Promise<void> {
  await page.locator(".cm-line", { hasText: text }).click();
  await page.keyboard.press("End");
}

/** Selects a part of the text with the search panel of the editor. */
async function select(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+f");
  await expect(page.locator(".cm-search [name=search]")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.locator(".cm-content")).toBeFocused();
}
