// Writes what `vite build` made, and the gallery, into the assets of the program.
//
// The result is the same on every machine: fflate is pure JavaScript of a fixed version, while the
// zlib of Node differs between processors. `assets.lock.json` lists the hash of every source and
// every asset; `cargo test --test playground` compares it without Node.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "fflate";
import { loadGallery } from "./gallery.mjs";

const repository = join(import.meta.dirname, "..", "..");
const playground = join(repository, "playground");
// A check builds into another folder, and compares.
const assets = process.argv[2] ?? join(repository, "src", "playground", "assets");

const SOURCES = [
  "gallery.json", "index.html", "package-lock.json", "package.json", "public", "src", "tools",
  "tsconfig.json", "vite.config.ts",
];

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().flatMap((name) => filesBelow(join(path, name)));
}

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");

const gallery = loadGallery(repository);
const outputs = {
  "index.html": readFileSync(join(playground, "index.html")),
};
const packed = {
  "app.css": readFileSync(join(playground, "dist", "app.css")),
  "app.js": readFileSync(join(playground, "dist", "app.js")),
  "gallery.json": Buffer.from(JSON.stringify(gallery.examples)),
  "icon.svg": readFileSync(join(playground, "public", "icon.svg")),
  "theme.js": readFileSync(join(playground, "public", "theme.js")),
};
for (const [name, content] of Object.entries(packed)) {
  outputs[`${name}.gz`] = gzipSync(content, { level: 9, mtime: 0 });
}

const sources = SOURCES.flatMap((name) => filesBelow(join(playground, name)))
  .map((path) => relative(repository, path).replaceAll("\\", "/"));
const lock = { sources: {}, assets: {} };
for (const path of [...sources, ...gallery.paths].sort()) {
  lock.sources[path] = hash(readFileSync(join(repository, path)));
}
mkdirSync(assets, { recursive: true });
for (const name of Object.keys(outputs).sort()) {
  lock.assets[name] = hash(outputs[name]);
  writeFileSync(join(assets, name), outputs[name]);
}
writeFileSync(join(assets, "assets.lock.json"), JSON.stringify(lock, null, 2) + "\n");
for (const [name, content] of Object.entries(outputs)) console.log(`${name}  ${content.length} bytes`);
