/** The part of `node:zlib` that the engine uses, for browsers, with the same error codes. Compressed bytes may differ. */
import { Deflate, Inflate, type InflateFunctionOptions } from 'pako';
import { concatenated, shared, type PageBytes } from './bytes.js';

interface Limits {
  readonly maxOutputLength?: number;
  readonly finishFlush?: number;
  /** Whether to return the number of bytes read too. */
  readonly info?: boolean;
}

interface WithInfo {
  readonly buffer: PageBytes;
  readonly engine: { readonly bytesWritten: number };
}

export const constants = { Z_SYNC_FLUSH: 2, BROTLI_OPERATION_FLUSH: 1 };

const withCode = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

/** By the negative number of an error. */
const CODES: Readonly<Record<number, string>> = {
  [-3]: 'Z_DATA_ERROR',
  [-5]: 'Z_BUF_ERROR',
};

function inflated(bytes: Uint8Array, how: InflateFunctionOptions, limits: Limits): WithInfo {
  const { maxOutputLength = Infinity, finishFlush } = limits;
  const inflating = new Inflate(how);
  const parts: Uint8Array[] = [];
  let length = 0;
  inflating.onData = (given) => {
    const part = given as Uint8Array;
    length += part.length;
    if (length > maxOutputLength)
      throw withCode(
        'ERR_BUFFER_TOO_LARGE',
        `Cannot create a Buffer larger than ${maxOutputLength} bytes`,
      );
    parts.push(part);
  };
  // Only the end of the stream ends this, not that of the bytes.
  inflating.push(bytes, finishFlush ?? false);
  const { err, msg, strm, ended } = inflating as unknown as {
    readonly err: number;
    readonly msg: string;
    readonly ended: boolean;
    readonly strm: { readonly total_in: number; readonly msg: string };
  };
  if (err !== 0 && err !== -5) throw withCode(CODES[err] ?? `Z_${err}`, strm.msg || msg);
  if (!ended && finishFlush === undefined) throw withCode('Z_BUF_ERROR', 'unexpected end of file');
  return { buffer: concatenated(parts), engine: { bytesWritten: strm.total_in } };
}

export function inflateRawSync(bytes: Uint8Array, limits: Limits = {}): PageBytes | WithInfo {
  const made = inflated(bytes, { raw: true }, limits);
  return limits.info === true ? made : made.buffer;
}

export const gunzipSync = (bytes: Uint8Array, limits: Limits = {}): PageBytes =>
  inflated(bytes, { windowBits: 31 }, limits).buffer;

/** The byte of the header for the operating system: Node writes that of Unix. */
const SYSTEM = { at: 9, unix: 3 };

export function gzipSync(
  bytes: Uint8Array | string,
  { level = 6 }: { readonly level?: number } = {},
): PageBytes {
  const deflating = new Deflate({ gzip: true, level: level as 6 });
  deflating.push(bytes as Uint8Array, true);
  const packed = shared(deflating.result);
  packed[SYSTEM.at] = SYSTEM.unix;
  return packed;
}

/** Only files that the package contains are compressed so. */
export function brotliDecompressSync(): never {
  throw withCode('ERR_BROTLI', 'A browser does not decompress Brotli for programs.');
}
