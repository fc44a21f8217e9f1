import { expect, openExample, test } from "./page";

test("the form changes the output, by flags", async ({ page, address }) => {
  await openExample(page, address, "data-values");
  await page.getByRole("textbox", { name: "replicas" }).fill("5");
  await expect(page.locator("#result")).toContainText("replicas: 5");
  await expect(page.getByLabel("Arguments")).toHaveValue("-f . --data-value-yaml replicas=5");
  await page.getByRole("group", { name: "image" }).getByRole("textbox", { name: "tag" }).fill("2.0");
  await expect(page.locator("#result")).toContainText("shop:2.0");
  await page.getByRole("button", { name: "Reset replicas to its default" }).click();
  await expect(page.locator("#result")).toContainText("replicas: 1");
});

test("a wrong value has its message beside the field", async ({ page, address }) => {
  await openExample(page, address, "validations");
  await page.getByRole("textbox", { name: "replicas" }).fill("11");
  await expect(page.locator(".values .error")).toContainText("a value <= 10");
  await expect(page.getByRole("textbox", { name: "replicas" })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("textbox", { name: "replicas" })).toHaveValue("11");
  await page.getByRole("textbox", { name: "replicas" }).fill("3");
  await expect(page.locator(".values .error")).toHaveCount(0);
  await expect(page.locator("#result")).toContainText("replicas: 3");
});

test("optional parts, closed lists and free values have inputs of their own", async ({ page, address }) => {
  await openExample(page, address, "schema-types");
  await page.getByRole("checkbox", { name: "set tracing" }).check();
  await expect(page.locator("#result")).toContainText("TRACING: http://traces:4317");
  await page.getByRole("textbox", { name: "endpoint" }).fill("http://other");
  await expect(page.locator("#result")).toContainText("TRACING: http://other");
  await page.getByRole("combobox", { name: "Log level" }).selectOption("warn");
  await expect(page.locator("#result")).toContainText("LOG_LEVEL: warn");
  await page.getByRole("textbox", { name: "extra" }).fill("[1, 2]");
  await expect(page.locator("#result")).toContainText("EXTRA: '[1, 2]'");
  await page.getByRole("checkbox", { name: "set tracing" }).uncheck();
  await expect(page.locator("#result")).not.toContainText("TRACING");
});

test("the form writes a file and keeps its comments", async ({ page, address }) => {
  await openExample(page, address, "values-layers");
  await expect(page.locator(".values")).toContainText("The form writes production.yml.");
  await page.getByRole("textbox", { name: "from_file" }).fill("form");
  await expect(page.locator("#result")).toContainText("from_file: form");
  await expect(page.locator(".cm-content")).toContainText("# A Data Values File is plain YAML.");
  await expect(page.locator(".cm-content")).toContainText("from_file: form");
});

test("flags move into a file", async ({ page, address }) => {
  await openExample(page, address, "data-values");
  await page.getByRole("textbox", { name: "replicas" }).fill("5");
  await expect(page.locator("#result")).toContainText("replicas: 5");
  await page.getByRole("button", { name: "Use a file" }).click();
  await expect(page.getByLabel("Arguments")).toHaveValue("-f . -d values.yml --file-mark values.yml:exclude=true");
  await page.getByRole("button", { name: "Open the file" }).click();
  await expect(page.locator(".cm-content")).toContainText("replicas: 5");
  await expect(page.locator("#result")).toContainText("replicas: 5");
});

test("lists have items to add, move and remove", async ({ page, address }) => {
  await openExample(page, address, "schema-full");
  await page.getByRole("button", { name: "Add an item to databases" }).click();
  await expect(page.locator("#result")).toContainText("adapter: postgresql");
});
