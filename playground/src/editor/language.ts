/** YAML with Starlark in its `#@` comments, plain Starlark, and the formats of strings. */

import { parseMixed, type Parser } from "@lezer/common";
import { json } from "@codemirror/lang-json";
import { pythonLanguage } from "@codemirror/lang-python";
import { yamlLanguage } from "@codemirror/lang-yaml";
import { indentService, LRLanguage, LanguageSupport } from "@codemirror/language";

/** The code of a comment: `#@ load(…)` and `#@overlay/match by="name"`, without what is before it. */
const CODE = /^#@(?:[a-z]+\/[\w/-]+)?/;

/** The grammar of Python reads Starlark, which is a part of it. */
const yamlWithStarlark = yamlLanguage.parser.configure({
  wrap: parseMixed((node, input) => {
    if (node.name !== "Comment") return null;
    const head = CODE.exec(input.read(node.from, Math.min(node.to, node.from + 200)))?.[0];
    const from = node.from + (head?.length ?? 0);
    if (head === undefined || from >= node.to) return null;
    return { parser: pythonLanguage.parser, overlay: [{ from, to: node.to }] };
  }),
});

/** A line that ends with a key: what belongs to it comes on the next lines. */
const KEY = /^(\s*(?:- +)*)[^\s#][^#]*:\s*$/;

/** Indents below a key, behind the dash of a list item. Everything else is the grammar's. */
const belowKeys = indentService.of((context, place) => {
  const head = context.simulatedBreak === place ? KEY.exec(context.lineAt(place, -1).text)?.[1] : undefined;
  return head === undefined ? undefined : head.length + context.unit;
});

const yaml = new LanguageSupport(
  LRLanguage.define({
    name: "yaml",
    parser: yamlWithStarlark,
    languageData: { commentTokens: { line: "#!" }, indentOnInput: /^\s*[\]}]$/ },
  }),
  belowKeys,
);

const starlark = new LanguageSupport(pythonLanguage);

/** Returns the language of a file, for the editor. */
export function languageOf(path: string): LanguageSupport[] {
  if (/\.(ya?ml|lib\.yml)$/i.test(path) || /kustomization$/i.test(path) || /Kptfile$/.test(path)) return [yaml];
  if (/\.json$/i.test(path)) return [json()];
  if (/\.star$/i.test(path)) return [starlark];
  return [];
}

/** Returns the parser of a format, for texts that are only shown. */
export function parserOf(format: string): Parser | null {
  if (format === "yaml") return yamlWithStarlark;
  if (format === "json") return json().language.parser;
  return null;
}
