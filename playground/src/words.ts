/** Command lines as a shell reads and writes them. */

const PLAIN = /^[A-Za-z0-9_./:=@%+,-]+$/;

/** Returns a word as it is typed in a shell. */
export function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function joined(words: string[]): string {
  return words.map(quoted).join(" ");
}

/** Splits a typed line into words. An open quote ends at the end of the line. */
export function split(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote !== "") {
      if (character === quote) quote = "";
      else if (character === "\\" && quote === '"' && at + 1 < line.length) word += line[++at]!;
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === "\\" && at + 1 < line.length) {
      word = (word ?? "") + line[++at]!;
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? "") + character;
    }
  }
  if (word !== null) words.push(word);
  return words;
}
