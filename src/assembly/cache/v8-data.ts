/**
 * The V8 code caches of a code file's scripts, by module. The file contains a line with a hash of the code file's hash and the rest, a
 * line of JSON with the position of each cache, and the caches.
 */
import { hashOf } from './code-file.js';

const HASH_LENGTH = 64;

export class V8Data {
  private constructor(private readonly data: ReadonlyMap<string, Buffer>) {}

  /** Empty if the data is truncated, or belongs to another code file. @param hash of the code file */
  static read(bytes: Uint8Array | undefined, hash: string): V8Data {
    if (bytes === undefined) return new V8Data(new Map());
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const body = whole.subarray(HASH_LENGTH);
    if (whole.toString('latin1', 0, HASH_LENGTH) !== hashOf(hash, body))
      return new V8Data(new Map());
    const from = body.indexOf('\n') + 1;
    const places = JSON.parse(body.toString('utf8', 0, from)) as [string, number, number][];
    return new V8Data(
      new Map(
        places.map(([module, start, end]) => [module, body.subarray(from + start, from + end)]),
      ),
    );
  }

  of(module: string): Buffer | undefined {
    return this.data.get(module);
  }

  with(more: Iterable<readonly [module: string, data: Buffer]>): V8Data {
    return new V8Data(new Map([...this.data, ...more]));
  }

  bytes(hash: string): Uint8Array {
    let start = 0;
    const places = [...this.data].map(([module, { length }]) => {
      const place = [module, start, start + length];
      start += length;
      return place;
    });
    const body = Buffer.concat([Buffer.from(`${JSON.stringify(places)}\n`), ...this.data.values()]);
    return Buffer.concat([Buffer.from(hashOf(hash, body)), body]);
  }
}
