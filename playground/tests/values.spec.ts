import type { Page } from "@playwright/test";
import { toFragment } from "../src/share";
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

test("a value that a flag sets moves into the file that the form writes", async ({ page, address }) => {
  await openExample(page, address, "values-layers");
  await page.getByRole("textbox", { name: "from_flag" }).fill("form");
  await expect(page.locator("#result")).toContainText("from_flag: form");
  await expect(page.getByLabel("Arguments")).toHaveValue("-f config.yml -f schema.yml -d production.yml");
  await expect(page.locator(".cm-content")).toContainText("from_flag: form");
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
  await openTypes(page, address);
  const hosts = page.getByRole("group", { name: "hosts" });
  for (const [at, host] of ["a.example.com", "b.example.com"].entries()) {
    await hosts.getByRole("button", { name: "Add an item to hosts" }).click();
    await hosts.getByRole("textbox", { name: `hosts ${at + 1}` }).fill(host);
    await expect(page.locator("#result")).toContainText(`- ${host}`);
  }
  await hosts.getByRole("button", { name: "Move hosts[1] up" }).click();
  await expect(page.locator("#result")).toContainText("- b.example.com\n  - a.example.com");
  await hosts.getByRole("button", { name: "Remove hosts[0]" }).click();
  await expect(page.locator("#result")).not.toContainText("b.example.com");
  await expect(page.locator("#result")).toContainText("- a.example.com");
});

const SCHEMA = `#@data/values-schema
---
name: shop
#@schema/validation min=1, max=10
count: 2
ratio: 0.5
debug: false
#@schema/validation one_of=["dev", "prod"]
stage: dev
#@schema/nullable
limit: 7
hosts:
- ""
ports:
- name: http
  number: 80
#@schema/type any=True
extra: {}
nested:
  #@schema/validation min_len=2
  key: xy
`;

const TEMPLATE = `#@ load("@ytt:data", "data")
---
kind: Values
values: #@ data.values
`;

/** Opens a session whose schema has a value of every type. */
async function openTypes(page: Page, address: string): Promise<void> {
  const files = [{ path: "schema.yml", text: SCHEMA }, { path: "config.yml", text: TEMPLATE }];
  await page.goto(new URL(address).origin + "/" + toFragment({ kind: "build", arguments: ["-f", "."], files }));
  await expect(page.locator("#result")).toContainText("kind: Values");
}

test("each type of a schema has a field that changes the output", async ({ page, address }) => {
  await openTypes(page, address);
  const values = page.locator(".values");
  const result = page.locator("#result");
  await values.getByRole("textbox", { name: "name" }).first().fill("cart");
  await expect(result).toContainText("name: cart");
  await values.getByRole("textbox", { name: "count" }).fill("3");
  await expect(result).toContainText("count: 3");
  // Key by key: `1.` is a number on the way to 1.25.
  await values.getByRole("textbox", { name: "ratio" }).fill("");
  await values.getByRole("textbox", { name: "ratio" }).pressSequentially("1.25");
  await expect(result).toContainText("ratio: 1.25");
  await values.getByRole("checkbox", { name: "debug" }).check();
  await expect(result).toContainText("debug: true");
  await values.getByRole("combobox", { name: "stage" }).selectOption("prod");
  await expect(result).toContainText("stage: prod");
  await expect(result).toContainText("limit: null");
  await values.getByRole("checkbox", { name: "set limit" }).check();
  await expect(result).not.toContainText("limit: null");
  await values.getByRole("textbox", { name: "extra" }).fill("{\"a\": [1]}");
  await expect(result).toContainText("a:");
  await values.getByRole("group", { name: "nested" }).getByRole("textbox", { name: "key" }).fill("long");
  await expect(result).toContainText("key: long");
  await values.getByRole("button", { name: "Add an item to ports" }).click();
  await expect(result).toContainText("number: 80");
  // What the button copies is what the page has run.
  await page.getByRole("button", { name: "Copy command" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  for (const flag of ["name=", "count=3", "ratio=1.25", "debug=true", "nested.key="]) expect(copied).toContain(flag);
});

test("each type of a schema has its messages beside the field", async ({ page, address }) => {
  await openTypes(page, address);
  const values = page.locator(".values");
  const wrong: [string, string, string, string][] = [
    ["count", "x", "expected an integer for count, found a string", "2"],
    ["count", "11", "a value <= 10", "2"],
    ["ratio", "much", "expected a float for ratio, found a string", "0.5"],
    ["key", "x", "length >= 2", "xy"],
  ];
  for (const [name, text, message, right] of wrong) {
    const input = values.getByRole("textbox", { name });
    await input.fill(text);
    const field = values.locator(".field", { has: page.getByRole("textbox", { name }) });
    await expect(field.locator(".error")).toContainText(message);
    await expect(values.locator(".error")).toHaveCount(1);
    await expect(input).toHaveAttribute("aria-invalid", "true");
    await input.fill(right);
    await expect(values.locator(".error")).toHaveCount(0);
  }
  // An item of a list.
  await values.getByRole("button", { name: "Add an item to ports" }).click();
  const number = values.getByRole("textbox", { name: "number" });
  await number.fill("http");
  await expect(values.locator(".field", { has: page.getByRole("textbox", { name: "number" }) }).locator(".error")).toContainText("ports[0].number");
});
