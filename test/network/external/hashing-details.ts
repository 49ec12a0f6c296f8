/** Hashing details of a prepared transaction, read back (B-INT-009). */
import { createHash } from 'node:crypto';

export const sha256 = (digits: string) =>
  createHash('sha256').update(Buffer.from(digits, 'hex')).digest('hex');

/** Concatenates the lines of each depth: a hash covers the lines below it. @returns the result of the outermost lines */
export function addedUp(details: string): string {
  const open: string[] = [''];
  for (const line of details.trimEnd().split('\n')) {
    const [, indent, digits] = /^((?: {2})*)(?:'((?:[0-9a-f]{2})*)' )?# /.exec(line)!;
    const depth = indent!.length / 2;
    while (open.length <= depth) open.push('');
    if (open.length > depth + 1) {
      expect(open.length).toBe(depth + 2);
      if (digits !== undefined) expect(sha256(open.pop()!)).toBe(digits);
    }
    open[depth] += digits ?? '';
  }
  expect(open).toHaveLength(1);
  return sha256(open[0]!);
}
