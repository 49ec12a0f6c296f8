/** A body as it passes: kept up to a limit, and read as it was before it was compressed. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { spelledOut } from '../daml/errors/printable.js';
import { harText } from '../recording/har.js';
import { MAX_RECORDED_BYTES } from '../recording/limits.js';

export class RecordedBody {
  private chunks: Buffer[] = [];
  /** Bytes that passed. */
  length = 0;

  constructor(private readonly maxBytes = MAX_RECORDED_BYTES) {}

  push(chunk: Buffer): void {
    this.length += chunk.length;
    if (this.length > this.maxBytes) this.chunks = [];
    else this.chunks.push(chunk);
  }

  /** @returns its text, or why it is not kept */
  read(contentEncoding = ''): { text?: string; encoding?: 'base64'; size: number; cut?: string } {
    const { length, maxBytes } = this;
    if (length > maxBytes)
      return { size: length, cut: `${length} bytes, more than are kept: left out.` };
    const bytes = Buffer.concat(this.chunks);
    try {
      const plain = decoded(bytes, contentEncoding.trim().toLowerCase(), maxBytes);
      return { ...harText(plain), size: plain.length };
    } catch {
      // There may be secrets in it.
      const how = spelledOut(contentEncoding);
      return { size: length, cut: `${length} bytes as ${how}, which cannot be read: left out.` };
    }
  }
}

function decoded(bytes: Buffer, encoding: string, maxOutputLength: number): Buffer {
  const limit = { maxOutputLength };
  if (bytes.length === 0) return bytes;
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes, limit);
    case 'deflate':
      return inflateSync(bytes, limit);
    case 'br':
      return brotliDecompressSync(bytes, limit);
    case '':
    case 'identity':
      return bytes;
    default:
      throw new Error(`Failed to decode: ${encoding} is not known.`);
  }
}
