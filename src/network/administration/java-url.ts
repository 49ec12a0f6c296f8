/** The URLs that a JVM accepts (`new URI(text).toURL`), and its error texts for others (B-IDP-002). */

const UNRESERVED = "A-Za-z0-9_\\-!.~'()*";
const OUTSIDE = {
  'scheme name': /[^A-Za-z0-9+.-]/,
  'opaque part': new RegExp(`[^${UNRESERVED};/?:@&=+$,\\[\\]%]`),
  path: new RegExp(`[^${UNRESERVED}:@&=+$,;/%]`),
  query: new RegExp(`[^${UNRESERVED};/?:@&=+$,\\[\\]%]`),
  fragment: new RegExp(`[^${UNRESERVED};/?:@&=+$,\\[\\]%]`),
  authority: new RegExp(`[^${UNRESERVED}$,;:@&=+%\\[\\]]`),
} as const;
/** Beyond ASCII, all characters are valid except spaces and control characters. */
const FOREIGN = /[\u00a1-\u1fff\u2030-\u2fff\u3001-\uffff]/;
const PROTOCOLS = new Set(['http', 'https', 'file', 'ftp', 'jar', 'jrt', 'jmod', 'mailto']);

class Malformed extends Error {}

/** The reason why the text is not a URL; undefined if it is valid. */
export function urlError(text: string): string | undefined {
  try {
    const { scheme, authority } = parsed(text);
    if (scheme === undefined) return 'URI is not absolute';
    if (!PROTOCOLS.has(scheme.toLowerCase())) return `unknown protocol: ${scheme.toLowerCase()}`;
    if (scheme.toLowerCase() === 'jar' && !text.includes('!/')) return 'no !/ in spec';
    return portError(authority);
  } catch (error) {
    if (error instanceof Malformed) return error.message;
    throw error;
  }
}

interface Parts {
  readonly scheme?: string;
  readonly authority?: string;
}

function parsed(text: string): Parts {
  const end = text.search(/[/?#:]/);
  if (text[end] !== ':') return { authority: hierarchical(text, 0) };
  if (end === 0) throw at(text, 'Expected scheme name', 0);
  if (!/^[A-Za-z]/.test(text)) throw at(text, 'Illegal character in scheme name', 0);
  check(text, 'scheme name', 0, end);
  const scheme = text.slice(0, end);
  const start = end + 1;
  if (text[start] === '/') return { scheme, authority: hierarchical(text, start) };
  const fragment = indexOrEnd(text, /#/, start);
  if (fragment <= start) throw at(text, 'Expected scheme-specific part', start);
  check(text, 'opaque part', start, fragment);
  check(text, 'fragment', fragment + 1, text.length);
  return { scheme };
}

/** @returns the authority, if there is one */
function hierarchical(text: string, from: number): string | undefined {
  let start = from;
  let authority: string | undefined;
  if (text.startsWith('//', start)) {
    start += 2;
    const end = indexOrEnd(text, /[/?#]/, start);
    if (end === start && end === text.length) throw at(text, 'Expected authority', start);
    authority = text.slice(start, end);
    checkAuthority(text, start, end);
    start = end;
  }
  const query = indexOrEnd(text, /[?#]/, start);
  check(text, 'path', start, query);
  const fragment = indexOrEnd(text, /#/, query);
  check(text, 'query', query + 1, fragment);
  check(text, 'fragment', fragment + 1, text.length);
  return authority;
}

function checkAuthority(text: string, start: number, end: number): void {
  escapes(text, start, end);
  const authority = text.slice(start, end);
  if (firstOutside(authority, OUTSIDE.authority) >= 0)
    throw at(text, 'Illegal character in authority', start);
  const bracket = authority.indexOf('[');
  if (bracket < 0) return;
  if (!authority.includes(']')) throw at(text, 'Expected closing bracket for IPv6 address', end);
  if (!/\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%[^\]]+)?\]/.test(authority))
    throw at(text, 'Malformed IPv6 address', start + bracket + 1);
}

function check(text: string, part: keyof typeof OUTSIDE, start: number, end: number): void {
  const outside = firstOutside(text.slice(start, end), OUTSIDE[part]);
  escapes(text, start, outside < 0 ? end : start + outside);
  if (outside >= 0) throw at(text, `Illegal character in ${part}`, start + outside);
}

function firstOutside(part: string, outside: RegExp): number {
  return part.split('').findIndex((each) => outside.test(each) && !FOREIGN.test(each));
}

function escapes(text: string, start: number, end: number): void {
  const broken = text.slice(start, end).search(/%(?![0-9A-Fa-f]{2})/);
  if (broken >= 0) throw at(text, 'Malformed escape pair', start + broken);
}

function portError(authority = ''): string | undefined {
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/^\[[^\]]*\]/, '');
  const digits = /^[^:]*:(.*)$/.exec(host)?.[1] ?? '';
  const wrong = digits.search(/(?!^-)\D/);
  return wrong < 0 ? undefined : `Error at index ${wrong} in: "${digits}"`;
}

function indexOrEnd(text: string, pattern: RegExp, from: number): number {
  const index = text.slice(from).search(pattern);
  return index < 0 ? text.length : from + index;
}

const at = (text: string, reason: string, index: number): Malformed =>
  new Malformed(`${reason} at index ${index}: ${text}`);
