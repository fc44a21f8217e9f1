/** The page of a playground of its own, which fails the test for every error in the console. */

import { test as base, expect, type Page } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

export const repository = join(import.meta.dirname, "..", "..");
export const program = process.env.INLAY ?? join(repository, "target", "debug", "inlay");

/** Starts `inlay playground`, and returns the address that it prints. */
export async function start(...words: string[]): Promise<{ address: string; process: ChildProcess }> {
  // The limit is for users; this machine may be busy.
  const limit = words.includes("--time-limit") ? [] : ["--time-limit", "30"];
  const started = spawn(program, ["playground", ...limit, ...words], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface({ input: started.stdout! })) return { address: line, process: started };
  throw new Error("the playground printed no address");
}

interface Fixtures {
  address: string;
  page: Page;
}

export const test = base.extend<Fixtures, { server: { address: string } }>({
  server: [async ({}, use) => {
    const server = await start();
    await use(server);
    server.process.kill();
  }, { scope: "worker" }],
  address: ({ server }, use) => use(server.address),
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("console", (message) => {
      // The browser reports the answer "somebody else has changed the file" as an error, and a server that a test ends.
      const isAnswer = /^Failed to load resource.*( 409 |ERR_CONNECTION_REFUSED)/.test(message.text());
      if (message.type() === "error" && !isAnswer) errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    // Nothing comes from anywhere else.
    await page.context().route("**", (route) => {
      if (new URL(route.request().url()).hostname === "127.0.0.1") return route.continue();
      errors.push(`foreign request: ${route.request().url()}`);
      return route.abort();
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
    });
    if (process.env.DIST !== undefined) await serveBuilt(page);
    await use(page);
    expect(errors).toEqual([]);
  },
});

export { expect };

/** With `DIST=dist`, tests what `vite build` made, without building the program again. */
async function serveBuilt(page: Page): Promise<void> {
  for (const name of ["app.js", "app.css"]) {
    await page.context().route(`**/${name}`, (route) => route.fulfill({ path: join(process.env.DIST!, name) }));
  }
}

/** Opens an example, and waits until its result is shown. */
export async function openExample(page: Page, address: string, id: string): Promise<void> {
  const url = new URL(address);
  await page.goto(`${url.origin}/#example=${id}`);
  await expect(page.locator(".page")).toHaveAttribute("data-example", id);
  await settled(page);
}

/** Waits until nothing is being rendered. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator(".time")).toHaveText(/ms$/);
}

/** Returns the text of all documents of the output, as the page shows it. */
export async function output(page: Page): Promise<string> {
  return (await page.locator("#result .code").allInnerTexts()).join("\n");
}

/** Types at the end of the file that is shown. */
export async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText(text);
}
