/** The headers of a call: its deadline, and texts in the encoding of gRPC. */

const UNITS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1 / 1_000,
  n: 1 / 1_000_000,
};

/** The maximum length: eight digits and a unit. */
const LONGEST_TIMEOUT = 9;

/** Milliseconds of a `grpc-timeout`; NaN for an invalid one. */
export function timeoutOf(text: string): number {
  const match = /^([+-]?\d+)([HMSmun])$/.exec(text);
  if (match === null || text.length > LONGEST_TIMEOUT) return NaN;
  return Number(match[1]) * UNITS[match[2]!]!;
}

/** A `grpc-message`: UTF-8, percent-encoded except printable ASCII. */
export function percentEncoded(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text, 'utf8'))
    encoded +=
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return encoded;
}
