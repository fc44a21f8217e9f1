import { expect, openExample, test } from "./page";

test("a click on a value shows what made it, and the lines light up", async ({ page, address }) => {
  await openExample(page, address, "values-layers");
  await page.locator("#result .line", { hasText: "from_flag" }).click();
  const why = page.getByRole("region", { name: "Where the value comes from" });
  await expect(why).toContainText("flag");
  await expect(why).toContainText("production.yml:3");
  await expect(why).toContainText("schema.yml:5");
  await why.getByRole("button", { name: "config.yml:5" }).click();
  await expect(page.locator(".cm-lit")).toContainText("from_flag: #@ data.values.from_flag");
});

test("a value is explained below lists, and by a typed question", async ({ page, address }) => {
  await openExample(page, address, "kustomize-base");
  await page.locator("#result .line", { hasText: "image: registry.example.com/web" }).click();
  const why = page.getByRole("region", { name: "Where the value comes from" });
  await expect(why).toContainText("images");
  await expect(why).toContainText("production/kustomization.yaml:");
  await why.getByLabel("Why").fill("Deployment/production-web spec.replica");
  await page.keyboard.press("Enter");
  await expect(why).toContainText("has no field replica");
});
