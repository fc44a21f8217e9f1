// Reads the gallery: the table in gallery.json, and the files of each example, which are the same
// that the documentation and its tests use.

import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Returns the paths of the files below a folder, relative to it. */
function below(folder, prefix = "") {
  return readdirSync(join(folder, prefix)).sort().flatMap((name) => {
    const path = prefix + name;
    return statSync(join(folder, path)).isDirectory() ? below(folder, `${path}/`) : [path];
  });
}

/** Returns the examples with their files, and the paths of all these files in the repository. */
export function loadGallery(repository) {
  const table = JSON.parse(readFileSync(join(repository, "playground", "gallery.json"), "utf8"));
  const paths = [];
  const examples = table.map(({ folder, files, ...example }) => {
    const root = join(repository, folder);
    return {
      ...example,
      files: (files ?? below(root)).map((path) => {
        paths.push(`${folder}/${path}`);
        return { path, text: readFileSync(join(root, path), "utf8") };
      }),
    };
  });
  return { examples, paths: [...new Set(paths)] };
}
