/** The task "a sidecar everywhere but one", as somebody does it who is new: with the mistakes, and by what the page says. */

import { expect, openExample, output, test, typeAtEnd } from "./page";

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

const overlay = `#@overlay/match by=overlay.subset({"kind": "Deployment"})
---
spec:
  template:
    spec:
      containers:
      - name: proxy
        image: proxy:2
`;

test("a sidecar everywhere but one is written from an empty overlay", async ({ page, address }) => {
  // Many steps: on a machine that is busy, each of them takes seconds.
  test.setTimeout(300_000);
  await openExample(page, address, "hello");
  const manifests = ["web", "api", "batch"].map(deployment).join("---\n");
  await page.getByLabel("Files to upload").setInputFiles([
    { name: "manifests.yml", mimeType: "text/yaml", buffer: Buffer.from(manifests) },
  ]);
  await page.getByRole("tab", { name: "config.yml" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.locator("#result")).toContainText("batch:1");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByLabel("Path").fill("sidecar.yml");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "sidecar.yml" })).toHaveAttribute("aria-selected", "true");

  // Nobody knows the first line by heart: the fix writes it.
  await typeAtEnd(page, overlay);
  await page.locator(".count").click();
  await page.getByRole("button", { name: "Fix: add #@ load(\"@ytt:overlay\", \"overlay\")" }).click();
  await expect(page.locator(".cm-content")).toContainText("#@ load(\"@ytt:overlay\", \"overlay\")");
  // The message says what is missing, and how it is written.
  await expect(page.locator(".problems")).toContainText("expected 1 matching document, found 3");
  await expect(page.locator(".problems")).toContainText("expects=\"1+\"");
  await replaceInEditor(page, "subset({\"kind\": \"Deployment\"})", "subset({\"kind\": \"Deployment\"}), expects=\"1+\"");
  await expect(page.locator(".count")).toHaveText("0 problems");
  await page.getByRole("tab", { name: "Output" }).click();
  await expect(page.locator("#result")).toContainText("image: proxy:2");
  expect((await output(page)).split("image: proxy:2")).toHaveLength(4);

  // But one.
  const condition = "overlay.and_op(overlay.subset({\"kind\": \"Deployment\"}), overlay.not_op(overlay.subset({\"metadata\": {\"name\": \"batch\"}})))";
  await replaceInEditor(page, "overlay.subset({\"kind\": \"Deployment\"})", condition);
  await expect.poll(async () => (await output(page)).split("image: proxy:2").length).toBe(3);
  await expect(page.locator(".count")).toHaveText("0 problems");
  await page.getByRole("tab", { name: "Diff" }).click();
  await expect(page.locator("ins", { hasText: "image: proxy:2" })).toHaveCount(2);

  // Where it comes from.
  await page.getByRole("tab", { name: "Output" }).click();
  await page.locator("#result .line", { hasText: "image: proxy:2" }).first().click();
  await expect(page.getByRole("region", { name: "Where the value comes from" })).toContainText("sidecar.yml:");
});

/** Writes the whole text of the editor again, with a part of it replaced. */
async function replaceInEditor(page: import("@playwright/test").Page, before: string, after: string): Promise<void> {
  const text = (await page.locator(".cm-line").allTextContents()).join("\n");
  expect(text).toContain(before);
  await page.locator(".cm-content").click();
  // Typing over colored text makes the browser copy its style, which the page forbids, into the new text.
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text.replace(before, after));
}
