/**
 * Finds the tokens of a text that differ between networks: ids, hashes, times, bytes. Splits a text into these
 * tokens and the literal parts between them, which are equal on all networks.
 */

/** The kind of a token. Only tokens of the same kind correspond. */
export type TokenKind =
  | 'contract'
  | 'hash'
  | 'uuid'
  | 'time'
  | 'trace'
  | 'bytes'
  | 'offset'
  | 'page';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const TOKEN = new RegExp(
  [
    '(?<trace>00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})',
    '(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})',
    '(?<time>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]\\d\\d:\\d\\d))',
    '(?<![0-9A-Za-z])(?<hex>[0-9a-f]{32,})(?![0-9A-Za-z])',
    // As errors shorten ids: `1220abababab...`, and the first digits of a trace in `CODE(8,abababab)`.
    '(?<![0-9A-Za-z])(?<short>[0-9a-f]{8,31})(?=\\.\\.\\.)',
    '(?<=[A-Z]\\(\\d+,)(?<tid>[0-9a-f]{8})(?=\\))',
  ].join('|'),
  'g',
);

/** Long base64 texts are not words. */
const BYTES = /^[A-Za-z0-9+/_-]{80,}={0,2}$/;
const HEX = /^[0-9a-f]+$/;
/** Since 1970 in microseconds, from 2017 on. */
const MICROS = /^1[5-9]\d{14}$/;
const OFFSET_KEY = /offset$|^(?:begin|end)(?:Exclusive|Inclusive)$/i;
const PAGE_KEY = /(?:page|continuation)_?token$/i;
/** Errors mention offsets in sentences. */
const OF_OFFSETS = /\boffset|ledger end/i;

/** Whether a member of that name holds an offset. */
export const isOffset = (key: string): boolean => OFFSET_KEY.test(key);

/**
 * The tokens of a text, and the literal parts around them: one more.
 * @param key the name of the member with this value
 */
export function cut(text: string, key: string): { literals: string[]; tokens: Token[] } {
  const whole = wholeKind(text, key);
  if (whole !== undefined) return { literals: ['', ''], tokens: [{ kind: whole, text }] };
  const literals: string[] = [];
  const tokens: Token[] = [];
  let from = 0;
  const add = (kind: TokenKind, at: number, found: string) => {
    literals.push(text.slice(from, at));
    tokens.push({ kind, text: found });
    from = at + found.length;
  };
  for (const match of text.matchAll(TOKEN)) add(kindOf(match), match.index, match[0]);
  literals.push(text.slice(from));
  return OF_OFFSETS.test(text) ? withNumbers(literals, tokens) : { literals, tokens };
}

function wholeKind(text: string, key: string): TokenKind | undefined {
  if (text === '') return undefined;
  if (isOffset(key) && /^[0-9a-f]+$/.test(text)) return 'offset';
  if (PAGE_KEY.test(key)) return 'page';
  if (MICROS.test(text)) return 'time';
  if (BYTES.test(text) && !HEX.test(text)) return 'bytes';
  return undefined;
}

function kindOf({ groups = {} }: RegExpMatchArray): TokenKind {
  const { trace, uuid, time, hex = '' } = groups;
  if (trace !== undefined) return 'trace';
  if (uuid !== undefined) return 'uuid';
  if (time !== undefined) return 'time';
  return hex.startsWith('00') && hex.length >= 66 ? 'contract' : 'hash';
}

/** Numbers in sentences about offsets are offsets. */
function withNumbers(
  literals: readonly string[],
  tokens: readonly Token[],
): { literals: string[]; tokens: Token[] } {
  const cutLiterals: string[] = [];
  const all: Token[] = [];
  literals.forEach((literal, index) => {
    const [first, ...rest] = literal.split(/(\d+)/);
    cutLiterals.push(first!);
    for (let i = 0; i < rest.length; i += 2) {
      all.push({ kind: 'offset', text: rest[i]! });
      cutLiterals.push(rest[i + 1]!);
    }
    const token = tokens[index];
    if (token !== undefined) all.push(token);
  });
  return { literals: cutLiterals, tokens: all };
}
