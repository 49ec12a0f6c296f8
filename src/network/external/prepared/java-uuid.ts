/**
 * Reads a UUID as `java.util.UUID.fromString` does: five groups of hexadecimal digits of any length, with its error
 * texts.
 */

const LONGEST = 36;
const MAX_INT64 = 2n ** 63n - 1n;
/** The digits of each group that count; earlier ones are ignored. */
const DIGITS = [8, 4, 4, 4, 12];

const USUAL = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export type JavaUuid = { readonly uuid: string } | { readonly error: string };

export function parseJavaUuid(text: string): JavaUuid {
  if (USUAL.test(text)) return { uuid: text };
  if (text.length > LONGEST) return { error: 'UUID string too large' };
  const groups = text.split('-');
  if (groups.length !== DIGITS.length) return { error: `Invalid UUID string: ${text}` };
  const error = groups.map(groupError).find((each) => each !== undefined);
  if (error !== undefined) return { error };
  const uuid = groups.map((group, index) =>
    group.replace('+', '').toLowerCase().padStart(12, '0').slice(-DIGITS[index]!),
  );
  return { uuid: uuid.join('-') };
}

/** As a signed number of 64 bits, with or without its sign. */
function groupError(group: string): string | undefined {
  if (group === '') return '';
  const start = group.startsWith('+') ? 1 : 0;
  let value = 0n;
  for (let index = start; index < Math.max(group.length, start + 1); index += 1) {
    const digit = /^[0-9a-f]$/i.test(group.charAt(index))
      ? BigInt(`0x${group[index]!}`)
      : undefined;
    if (digit !== undefined) value = value * 16n + digit;
    if (digit === undefined || value > MAX_INT64) return `Error at index ${index} in: "${group}"`;
  }
  return undefined;
}
