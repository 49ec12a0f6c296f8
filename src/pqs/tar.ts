/** Data folders of PostgreSQL as tar archives. */

const BLOCK = 512;
const NAME = 100;
const SIZE_AT = 124;
const SIZE_LENGTH = 12;

/**
 * Leaves out the template databases, which are 60% of a data folder and which only `create database` reads.
 * @param archive a tar archive with names of at most 100 characters
 */
export function withoutTemplates(archive: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  const text = (at: number, length: number): string =>
    Buffer.from(archive.subarray(at, at + length))
      .toString('latin1')
      .replace(/\0[^]*/, '');
  for (let at = 0; at < archive.length;) {
    const name = text(at, NAME);
    if (name === '') {
      kept.push(archive.subarray(at));
      break;
    }
    const size = Number.parseInt(text(at + SIZE_AT, SIZE_LENGTH), 8) || 0;
    const end = at + BLOCK * (1 + Math.ceil(size / BLOCK));
    if (!/^\/?base\/[14]\//.test(name)) kept.push(archive.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
