import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, openExample, settled, test } from "./page";

/** Fails for every serious problem that axe finds. */
async function check(page: Page, state: string): Promise<void> {
  const found = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
  const serious = found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact ?? ""));
  const described = serious.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(" | ")}`);
  expect(described, state).toEqual([]);
}

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds no serious problem, ${scheme}`, async ({ page, address }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme: scheme });
    await openExample(page, address, "schema-types");
    await check(page, "form");
    await page.getByRole("button", { name: "Examples" }).click();
    await check(page, "gallery");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Share" }).click();
    await check(page, "share");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Share" })).toBeFocused();
    await openExample(page, address, "debug-me");
    await page.getByRole("tab", { name: /Problems/ }).click();
    await check(page, "problems");
    await openExample(page, address, "overlay-strings");
    await page.getByRole("tab", { name: "Output" }).click();
    await page.locator("#result .line", { hasText: "replicas" }).click();
    await expect(page.locator(".why li").first()).toBeVisible();
    await check(page, "explanation");
    for (const name of ["Diff", "Embedded"]) {
      await page.getByRole("tab", { name }).click();
      await check(page, name);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    await check(page, "phone");
  });
}

test("everything can be reached by keyboard", async ({ page, address }) => {
  await openExample(page, address, "hello");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Tab");
  await expect(page.locator(".cm-content")).not.toBeFocused();
  await page.keyboard.press("F6");
  await page.getByRole("tab", { name: "Output" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Diff" })).toBeFocused();
  await page.keyboard.press("End");
  await expect(page.getByRole("tab", { name: "Problems" })).toHaveAttribute("aria-selected", "true");
});

test("problems are announced once typing has stopped", async ({ page, address }) => {
  await openExample(page, address, "debug-me");
  await expect(page.locator("header [role=status]")).toContainText("in values.yml, line 2");
});

for (const width of [320, 390, 820, 1280]) {
  test(`nothing is wider than a page of ${width} pixels`, async ({ page, address }) => {
    await page.setViewportSize({ width, height: 800 });
    await openExample(page, address, "overlay-strings");
    for (const name of ["Values", "Edit", "Result"]) {
      const pane = page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name });
      if (await pane.isVisible()) await pane.click();
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(wider, name).toBeLessThanOrEqual(0);
    }
    await settled(page);
  });
}
