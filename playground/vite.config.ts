import { defineConfig } from "vite";

// Names have no hashes: the program embeds the files under fixed names, and their hashes are in
// assets.lock.json.
export default defineConfig({
  publicDir: false,
  build: {
    target: "es2022",
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      input: "src/main.tsx",
      output: {
        entryFileNames: "app.js",
        assetFileNames: "app[extname]",
        codeSplitting: false,
      },
    },
  },
});
