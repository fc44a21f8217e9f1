import { defineConfig } from "@playwright/test";

// The system's Chromium: no browser is downloaded.
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  // Long enough for a machine that is busy with something else.
  timeout: 120_000,
  expect: { timeout: 60_000 },
  workers: 2,
  // Tests wait for states of the page. A browser that is starved of processor time still misses a key now and then;
  // the report names a test that needs a second try.
  retries: 2,
  reporter: "line",
  forbidOnly: true,
  use: {
    launchOptions: { executablePath, args: ["--no-sandbox"] },
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: { width: 1280, height: 800 },
  },
});
