/** The checksum of zip entries (ISO 3309): Node's own, and for versions of it that have none one by a table. */
import * as zlib from 'node:zlib';

type Crc32 = (bytes: Uint8Array) => number;

export const crc32: Crc32 = (zlib as { readonly crc32?: Crc32 }).crc32 ?? byTable;

const REVERSED_POLYNOMIAL = 0xedb88320;
let table: Int32Array | undefined;

export function byTable(bytes: Uint8Array): number {
  table ??= Int32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? REVERSED_POLYNOMIAL : 0);
    return rest;
  });
  let crc = -1;
  for (const byte of bytes) crc = (crc >>> 8) ^ table[(crc ^ byte) & 0xff]!;
  return ~crc >>> 0;
}
