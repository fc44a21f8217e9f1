/**
 * A session in the fragment of an address: `#s=1.` and the session as JSON, compressed, in the
 * letters that addresses may contain. Browsers do not send fragments, so the files stay in the link.
 *
 * Invariant: every version that was ever written can be read.
 */

import { deflateSync, Inflate, strFromU8, strToU8 } from "fflate";
import { isPath, type Kind, type Session } from "./model";

/** A longer link is cut by some programs, and a much longer one is refused by browsers. */
export const LONG_LINK = 8_000;
export const LONGEST_LINK = 64_000;

const MOST_BYTES = 2 << 20;
const MOST_FILES = 200;
const KINDS: Kind[] = ["build", "run", "kustomize"];

interface Payload {
  k: string;
  a: string[];
  f: [string, string][];
}

export function toFragment(session: Session): string {
  const payload: Payload = {
    k: session.kind,
    a: session.arguments,
    f: session.files.map((file) => [file.path, file.text]),
  };
  return `#s=1.${base64url(deflateSync(strToU8(JSON.stringify(payload)), { level: 9 }))}`;
}

/** Returns the session of a fragment; null if it has none, or one that cannot be read. */
export function fromFragment(fragment: string): Session | null {
  const coded = /^#s=1\.([A-Za-z0-9_-]+)$/.exec(fragment)?.[1];
  if (coded === undefined) return null;
  try {
    return sessionOf(JSON.parse(strFromU8(inflated(bytesOf(coded)))));
  } catch {
    return null;
  }
}

/** Inflates at most `MOST_BYTES`: a short link can contain a text of gigabytes. */
function inflated(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  const inflate = new Inflate((part) => {
    length += part.length;
    if (length > MOST_BYTES) throw new RangeError("the link contains too much");
    parts.push(part);
  });
  // In small pieces, so that the check comes before much is inflated.
  for (let at = 0; at < bytes.length; at += 512) {
    inflate.push(bytes.subarray(at, at + 512), at + 512 >= bytes.length);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function sessionOf(payload: Partial<Payload>): Session | null {
  const { k, a, f } = payload;
  const isText = (value: unknown) => typeof value === "string";
  // A path that leads elsewhere would leave the folder into which somebody unpacks the archive.
  const isFile = (value: unknown) => Array.isArray(value) && value.length === 2 && value.every(isText) && isPath(String(value[0]));
  const kind = KINDS.find((own) => own === k);
  if (kind === undefined || !Array.isArray(a) || !a.every(isText)) return null;
  if (!Array.isArray(f) || f.length > MOST_FILES || !f.every(isFile)) return null;
  return { kind, arguments: a, files: f.map(([path, text]) => ({ path, text })) };
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(text: string): Uint8Array {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
