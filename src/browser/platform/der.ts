/** Elements of DER (X.690), as far as keys need them. */

export const TAG = { integer: 2, bits: 3, octets: 4, objectId: 6, sequence: 0x30, version: 0xa0 };

export interface Element {
  readonly tag: number;
  readonly body: Uint8Array;
  /** With its tag and length. */
  readonly whole: Uint8Array;
}

/** The elements one after the other. Bytes after the last whole one are ignored. @throws Error for malformed bytes */
export function elements(bytes: Uint8Array): readonly Element[] {
  const found: Element[] = [];
  for (let at = 0; at + 1 < bytes.length;) {
    const { length, start } = lengthAt(bytes, at + 1);
    const end = start + length;
    if (end > bytes.length) {
      if (found.length > 0) return found;
      throw new Error('The key is truncated.');
    }
    found.push({
      tag: bytes[at]!,
      body: bytes.subarray(start, end),
      whole: bytes.subarray(at, end),
    });
    at = end;
  }
  return found;
}

function lengthAt(
  bytes: Uint8Array,
  at: number,
): { readonly length: number; readonly start: number } {
  const first = bytes[at]!;
  if (first < 0x80) return { length: first, start: at + 1 };
  const start = at + 1 + (first & 0x7f);
  const length = bytes.subarray(at + 1, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { length, start };
}

/** @throws Error for another element */
export function inside(element: Element | undefined, tag: number): Uint8Array {
  if (element?.tag !== tag) throw new Error('The key has another structure.');
  return element.body;
}

export function encoded(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const digits = length < 0x80 ? [] : base256(length);
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 | digits.length, ...digits];
  return Uint8Array.from([...head, ...parts.flatMap((part) => [...part])]);
}

const base256 = (value: number): number[] =>
  value < 256 ? [value] : [...base256(Math.floor(value / 256)), value % 256];

/** A positive number. */
export function encodedInteger(digits: Uint8Array): Uint8Array {
  const first = digits.findIndex((each) => each !== 0);
  const significant = digits.subarray(first);
  const sign = significant[0]! > 0x7f ? [0] : [];
  return encoded(TAG.integer, Uint8Array.from(sign), significant);
}
