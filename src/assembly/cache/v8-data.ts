/**
 * What V8 made of the scripts of a file of code, by module: a line with the hash of that file's own hash and of all behind it, a line
 * of JSON that says where each begins and ends, and the data.
 */
import { hashOf } from './code-file.js';

const HASH_LENGTH = 64;

export class V8Data {
  private constructor(private readonly data: ReadonlyMap<string, Buffer>) {}

  /** Nothing of what is torn, or of another file. @param hash of the file of code */
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
