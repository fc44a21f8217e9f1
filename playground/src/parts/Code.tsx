import { classHighlighter, highlightCode } from "@lezer/highlight";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { parserOf } from "../editor/language";

/** A longer text is shown without colours: parsing it would take longer than a render. */
const COLOURED = 200_000;

/** Returns the lines of a text with colours, each a list of elements. */
function colouredLines(text: string, format: string): ComponentChildren[][] {
  const parser = text.length > COLOURED ? null : parserOf(format);
  if (parser === null) return text.split("\n").map((line) => [line]);
  const lines: ComponentChildren[][] = [[]];
  const put = (part: string, classes: string) =>
    lines.at(-1)!.push(classes === "" ? part : <span class={classes}>{part}</span>);
  highlightCode(text, parser.parse(text), classHighlighter, put, () => lines.push([]));
  return lines;
}

/** A text that is only shown. The region can be focused, so that it can be scrolled by keyboard. */
export function Code({ text, format, label, onLine }: {
  text: string;
  format: string;
  label: string;
  /** A click on a line, which counts from 0. */
  onLine?(line: number): void;
}) {
  const shown = text.endsWith("\n") ? text.slice(0, -1) : text;
  const lines = useMemo(() => colouredLines(shown, format), [shown, format]);
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      <code>{lines.map((line, at) => <span class={onLine === undefined ? "line" : "line asked"} key={at} onClick={onLine && (() => onLine(at))}>{line}{at + 1 < lines.length ? "\n" : ""}</span>)}</code>
    </pre>
  );
}
