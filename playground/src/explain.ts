/** Questions to `inlay explain`, and its answers (docs/explain.md, "JSON"). */

import type { SyntaxNode } from "@lezer/common";
import { parserOf } from "./editor/language";
import type { Json } from "./model";

export interface Link {
  kind: string;
  at?: { file: string; line: number; column: number };
  text?: string;
  before?: Json;
  after?: Json;
  inputs?: Input[];
}

export interface Input {
  dataValue?: string;
  object?: ExplainedObject;
  path?: string;
  value: Json;
  links: Link[];
}

interface ExplainedObject {
  kind: string;
  namespace?: string;
  name: string;
}

export interface Match {
  object?: ExplainedObject;
  path: string;
  value: Json;
  links: Link[];
}

/**
 * Returns the question about the value on a line of a document of the output. The title of a document
 * is its object: `Deployment shop/web`.
 */
export function questionAt(title: string, text: string, line: number): string | null {
  const start = text.split("\n").slice(0, line).join("\n").length + (line > 0 ? 1 : 0);
  const indent = /^[\s-]*/.exec(text.slice(start))![0].length;
  const path = pathAt(text, start + indent);
  if (path === null) return null;
  const [kind, name] = title.split(" ");
  return name === undefined || kind === "Document" ? path : `${kind}/${name} ${path}`;
}

/** Returns the JSONPath of the innermost entry or item at an offset. */
function pathAt(text: string, offset: number): string | null {
  const steps: string[] = [];
  let node: SyntaxNode | null = parserOf("yaml")!.parse(text).resolveInner(offset, 1);
  for (; node !== null; node = node.parent) {
    if (node.name === "Pair") {
      const key = node.getChild("Key");
      if (key !== null) steps.push(`['${keyText(text.slice(key.from, key.to)).replace(/[\\']/g, "\\$&")}']`);
    } else if (node.name === "Item") {
      let index = 0;
      for (let before = node.prevSibling; before !== null; before = before.prevSibling) if (before.name === "Item") index++;
      steps.push(`[${index}]`);
    }
  }
  return steps.length === 0 ? null : `$${steps.reverse().join("")}`;
}

function keyText(written: string): string {
  if (written.startsWith('"')) {
    try {
      return JSON.parse(written) as string;
    } catch {
      return written.slice(1, -1);
    }
  }
  return written.startsWith("'") ? written.slice(1, -1).replaceAll("''", "'") : written;
}

/** Returns the places of an answer, for the editor to mark. */
export function places(links: Link[]): { file: string; line: number }[] {
  return links.flatMap((link) => [...(link.at === undefined ? [] : [link.at]), ...(link.inputs ?? []).flatMap((input) => places(input.links))]);
}
