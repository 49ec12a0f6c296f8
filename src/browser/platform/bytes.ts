/** The part of Node's `Buffer` that the engine uses, for browsers. */

export type Encoding = 'utf8' | 'utf-8' | 'hex' | 'base64' | 'base64url' | 'latin1' | 'utf16le';

const { TextDecoder, TextEncoder } = globalThis;
const encoder = new TextEncoder();
/** Like Node, it keeps a byte order mark and replaces malformed bytes. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
/** Maximum number of arguments of one call. */
const MAX_ARGUMENTS = 8192;

/** By the code of a character; both alphabets are read. */
const SIX_BITS = new Map(
  [...`${ALPHABET}+/`].map((character, value) => [character.charCodeAt(0), value]),
)
  .set(0x2d, 62)
  .set(0x5f, 63);

export class PageBytes extends Uint8Array {
  override toString(encoding: Encoding = 'utf8', start = 0, end = this.length): string {
    const part = this.subarray(Math.max(0, start), Math.max(0, end));
    switch (encoding) {
      case 'hex':
        return hexOf(part);
      case 'base64':
        return base64Of(part, `${ALPHABET}+/`, '=');
      case 'base64url':
        return base64Of(part, `${ALPHABET}-_`, '');
      case 'latin1':
        return latin1Of(part);
      case 'utf16le':
        return utf16Of(part);
      default:
        return decoder.decode(part);
    }
  }

  latin1Slice(start = 0, end = this.length): string {
    return latin1Of(this.subarray(start, end));
  }

  equals(other: Uint8Array): boolean {
    return compare(this, other) === 0;
  }

  compare(other: Uint8Array, from = 0, to = other.length, start = 0, end = this.length): number {
    return compare(this.subarray(start, end), other.subarray(from, to));
  }

  copy(target: Uint8Array, at = 0, start = 0, end = this.length): number {
    const part = this.subarray(start, Math.min(end, start + target.length - at));
    target.set(part, at);
    return part.length;
  }

  /** Writes a text as UTF-8, or in another encoding. @returns the number of bytes, which is limited by the space */
  write(text: string, at = 0, encoding: Encoding = 'utf8'): number {
    const space = this.subarray(at);
    // No character is written in part.
    if (encoding === 'utf8') return encoder.encodeInto(text, space).written;
    const part = bytesIn(text, encoding).subarray(0, space.length);
    space.set(part);
    return part.length;
  }

  override indexOf(value: number | string | Uint8Array, from = 0): number {
    if (typeof value === 'number') return super.indexOf(value, from);
    const wanted = typeof value === 'string' ? encoder.encode(value) : value;
    const last = this.length - wanted.length;
    for (let at = from; at <= last; at++)
      if (wanted.every((byte, index) => this[at + index] === byte)) return at;
    return -1;
  }

  override includes(value: number | string | Uint8Array, from = 0): boolean {
    return this.indexOf(value, from) >= 0;
  }

  readUIntBE(at: number, length: number): number {
    return this.subarray(at, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  readDoubleLE(at = 0): number {
    return viewOf(this).getFloat64(at, true);
  }

  writeInt32BE(value: number, at = 0): number {
    viewOf(this).setInt32(at, value);
    return at + 4;
  }

  writeUInt32LE(value: number, at = 0): number {
    viewOf(this).setUint32(at, value, true);
    return at + 4;
  }

  writeBigInt64BE(value: bigint, at = 0): number {
    viewOf(this).setBigInt64(at, value);
    return at + 8;
  }

  writeBigUInt64LE(value: bigint, at = 0): number {
    viewOf(this).setBigUint64(at, value, true);
    return at + 8;
  }

  writeDoubleLE(value: number, at = 0): number {
    viewOf(this).setFloat64(at, value, true);
    return at + 8;
  }

  writeFloatLE(value: number, at = 0): number {
    viewOf(this).setFloat32(at, value, true);
    return at + 4;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

function compare(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++)
    if (left[at] !== right[at]) return left[at]! < right[at]! ? -1 : 1;
  return Math.sign(left.length - right.length);
}

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte]!;
  return text;
}

function latin1Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS)
    text += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS));
  return text;
}

/** Unlike a decoder, it keeps surrogates that have no partner. */
function utf16Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at + 1 < bytes.length; at += 2)
    text += String.fromCharCode(bytes[at]! | (bytes[at + 1]! << 8));
  return text;
}

function base64Of(bytes: Uint8Array, alphabet: string, padding: string): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [first, second, third] = bytes.subarray(at, at + 3) as unknown as [
      number,
      number?,
      number?,
    ];
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    text += alphabet[bits >> 18]! + alphabet[(bits >> 12) & 63]!;
    text += second === undefined ? padding : alphabet[(bits >> 6) & 63]!;
    text += third === undefined ? padding : alphabet[bits & 63]!;
  }
  return text;
}

/** Like Node, it passes over other characters, and stops at the padding. */
function fromBase64(text: string): Uint8Array {
  const bytes = new PageBytes(Math.ceil((text.length * 3) / 4));
  let [bits, count, at] = [0, 0, 0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x3d) break;
    const value = SIX_BITS.get(code);
    if (value === undefined) continue;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[at++] = (bits >> count) & 0xff;
    }
  }
  return bytes.subarray(0, at);
}

/** Like Node, it stops at the first pair that is not hexadecimal. */
function fromHex(text: string): Uint8Array {
  const pairs = /^(?:[0-9a-f]{2})*/i.exec(text)![0].length / 2;
  const bytes = new PageBytes(pairs);
  for (let at = 0; at < pairs; at++) bytes[at] = parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

function fromUtf16(text: string): Uint8Array {
  const bytes = new PageBytes(2 * text.length);
  for (let at = 0; at < text.length; at++)
    viewOf(bytes).setUint16(2 * at, text.charCodeAt(at), true);
  return bytes;
}

function fromLatin1(text: string): Uint8Array {
  const bytes = new PageBytes(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** The bytes of a text. */
export function bytesIn(text: string, encoding: Encoding = 'utf8'): Uint8Array {
  switch (encoding) {
    case 'hex':
      return fromHex(text);
    case 'base64':
    case 'base64url':
      return fromBase64(text);
    case 'latin1':
      return fromLatin1(text);
    case 'utf16le':
      return fromUtf16(text);
    default:
      return encoder.encode(text);
  }
}

/** The same bytes, without a copy. */
export const shared = ({ buffer, byteOffset, byteLength }: Uint8Array): PageBytes =>
  new PageBytes(buffer as ArrayBuffer, byteOffset, byteLength);

type Source = string | ArrayBuffer | ArrayLike<number>;

function from(value: Source, second?: Encoding | number, length?: number): PageBytes {
  if (typeof value === 'string') return shared(bytesIn(value, second as Encoding | undefined));
  if (isBuffer(value)) return new PageBytes(value, second as number | undefined, length);
  return new PageBytes(value);
}

const isBuffer = (value: object): value is ArrayBuffer =>
  ['ArrayBuffer', 'SharedArrayBuffer'].includes(
    (value as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? '',
  );

export function concatenated(parts: readonly Uint8Array[], length = lengthOf(parts)): PageBytes {
  const all = new PageBytes(length);
  let at = 0;
  for (const part of parts) {
    const fitting = part.subarray(0, length - at);
    all.set(fitting, at);
    at += fitting.length;
  }
  return all;
}

const lengthOf = (parts: readonly Uint8Array[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

const alloc = (length: number, fill = 0): PageBytes => new PageBytes(length).fill(fill);

/** NOTE: `slice` of Node's class shares its memory. This one copies, so that the engine uses `subarray`. */
export const PageBuffer = Object.assign(PageBytes as Omit<typeof PageBytes, 'from'>, {
  from,
  alloc,
  concat: concatenated,
  compare,
  allocUnsafe: (length: number) => new PageBytes(length),
  allocUnsafeSlow: (length: number) => new PageBytes(length),
  byteLength: (value: string | ArrayBufferView, encoding?: Encoding) =>
    typeof value === 'string' ? bytesIn(value, encoding).length : value.byteLength,
  isBuffer: (value: unknown) => value instanceof PageBytes,
});
