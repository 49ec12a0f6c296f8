/**
 * Paths as the HTTP servers of the real apps read them: the error of an unreadable path, and the normal form of a
 * readable one.
 * NOTE: the words are those of pekko-http, whose source is not part of the ledger's.
 */

const LEGAL = /^[\w\-.~!$&'()*+,;=:@/?]$/;
const HEX_DIGIT = /^[0-9a-f]$/i;

/** The error of a path with its query (B-GEN-057). */
export function targetError(target: string): string {
  for (let at = 0; at < target.length; at += 1) {
    if (target[at] === '%') {
      for (const place of [at + 1, at + 2])
        if (!HEX_DIGIT.test(target[place] ?? '')) return describeError(target, place, 'HEXDIG');
      at += 2;
    } else if (!LEGAL.test(target[at]!)) {
      const part = target[at - 1] === '/' ? 'segment' : 'pchar';
      return describeError(target, at, `${part}, '/', '?' or 'EOI'`);
    }
  }
  return 'Illegal request-target';
}

/** @param place from 0 */
function describeError(target: string, place: number, expected: string): string {
  const got =
    place < target.length
      ? `Invalid input '${shownCharacter(target.charCodeAt(place))}'`
      : 'Unexpected end of input';
  return `Illegal request-target: ${got}, expected ${expected} (line 1, column ${place + 1})`;
}

const NAMED: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r' };

/** One character in Pekko's format. */
export function shownCharacter(code: number): string {
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  if (!isControl) return String.fromCharCode(code);
  return NAMED[code] ?? `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Removes dot segments, which name the path itself or its parent (B-GEN-056). */
export function withoutDots(pathname: string): string {
  if (!/\/\.{1,2}(?:\/|$)/.test(pathname)) return pathname;
  const remaining: string[] = [];
  const segments = pathname.slice(1).split('/');
  for (const [index, segment] of segments.entries()) {
    const isDots = segment === '.' || segment === '..';
    if (segment === '..') remaining.pop();
    if (!isDots) remaining.push(segment);
    else if (index === segments.length - 1) remaining.push('');
  }
  return `/${remaining.join('/')}`;
}

/**
 * Without empty segments, which the Ledger API does not see: the official wallet SDK asks for `//v2/updates`
 * (B-GEN-055).
 */
export function withoutEmptySegments(pathname: string): string {
  return pathname.replace(/\/{2,}/g, '/');
}

/** Invalid UTF-8 becomes replacement characters, as in Java. */
export function decodedSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  const byte = (_: string, hex: string) => String.fromCharCode(parseInt(hex, 16));
  return Buffer.from(segment.replace(/%([0-9a-f]{2})/gi, byte), 'latin1').toString('utf8');
}

/** A path in its printed form: percent-encoded where necessary (B-GEN-056). */
export function shownPath(pathname: string): string {
  return pathname.split('/').map(encodedSegment).join('/');
}

function encodedSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  const text = encodeURIComponent(decodedSegment(segment));
  return text.replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
}
