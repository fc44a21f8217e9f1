/**
 * Takes pictures of the page, for those who change it to look at: they are in `test-results/`. With `PICTURES=1`, those of
 * the documentation are written, too.
 */

import { join } from "node:path";
import { expect, openExample, repository, test } from "./page";

const SIZES = { desktop: { width: 1180, height: 560 }, phone: { width: 390, height: 800 } };

for (const scheme of ["light", "dark"] as const) {
  for (const [name, viewport] of Object.entries(SIZES)) {
    test(`pictures, ${scheme}, ${name}`, async ({ page, address }, information) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize(viewport);
      const picture = (shown: string) => page.screenshot({ path: information.outputPath(`${shown}.png`), animations: "disabled" });
      /** Shows a pane, on a page that is too narrow for all of them. */
      const show = async (pane: string) => {
        const button = page.getByRole("navigation", { name: "Panes" }).getByRole("button", { name: pane });
        if (await button.isVisible()) await button.click();
      };
      await openExample(page, address, "schema-types");
      await show("Values");
      await page.getByRole("checkbox", { name: "set tracing" }).check();
      await expect(page.getByRole("textbox", { name: "endpoint" })).toBeVisible();
      await page.getByRole("textbox", { name: "Cache" }).fill("lots");
      await expect(page.locator(".values .error").first()).toBeVisible();
      // A picture is not a measurement.
      await page.locator(".time").evaluate((time) => { (time as HTMLElement).style.visibility = "hidden"; });
      if (process.env.PICTURES !== undefined && name === "desktop") {
        await page.screenshot({ path: join(repository, "docs", "pictures", `playground-${scheme}.png`), animations: "disabled" });
      }
      await picture("values");
      await openExample(page, address, "debug-me");
      await show("Edit");
      await picture("edit");
      await show("Result");
      await page.getByRole("tab", { name: /Problems/ }).click();
      await picture("problems");
      await openExample(page, address, "overlay-strings");
      await page.getByRole("tab", { name: "Output" }).click();
      await page.locator("#result .line", { hasText: "replicas" }).click();
      await expect(page.locator(".why li").first()).toBeVisible();
      await picture("explanation");
      for (const view of ["Diff", "Embedded"]) {
        await page.getByRole("tab", { name: view }).click();
        await picture(view.toLowerCase());
      }
      for (const dialog of ["Examples", "Share", "Help"]) {
        await page.getByRole("button", { name: dialog, exact: true }).click();
        await picture(dialog.toLowerCase());
        await page.keyboard.press("Escape");
      }
    });
  }
}
