import { defineConfig } from "@playwright/test";

// The system's Chromium: no browser is downloaded.
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 2,
  // A machine that is busy with something else for seconds is no fault of the page.
  retries: 1,
  reporter: "line",
  forbidOnly: true,
  use: {
    launchOptions: { executablePath, args: ["--no-sandbox"] },
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: { width: 1280, height: 800 },
  },
});
