/** Splits SQL into statements and tokens, as the lexer of PostgreSQL does. */

export interface Token {
  /** `word`: a keyword or name in lower case; `name`: a quoted name; `string`: a literal without its quotes; `sign`: anything else. */
  readonly kind: 'word' | 'name' | 'string' | 'sign';
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

export type Statement = readonly Token[];

const SPACE = /(?:\s+|--[^\n\r]*)+/y;
const WORD = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const NUMBER = /\d[\w.]*/y;
const DOLLAR = /\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/y;
const PARAMETER = /\$\d+/y;

/** The statements of a text, without empty ones. */
export function statementsOf(sql: string): Statement[] {
  const statements: Token[][] = [];
  let current: Token[] = [];
  for (const token of tokensOf(sql)) {
    if (token.value === ';' && token.kind === 'sign') {
      if (current.length > 0) statements.push(current);
      current = [];
    } else current.push(token);
  }
  if (current.length > 0) statements.push(current);
  return statements;
}

function* tokensOf(sql: string): Generator<Token> {
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0];
  };
  while (at < sql.length) {
    const space = match(SPACE);
    if (space !== undefined) at += space.length;
    else if (sql.startsWith('/*', at)) at = endOfComment(sql, at);
    else {
      const token = tokenAt(sql, at, match);
      yield token;
      at = token.end;
    }
  }
}

function tokenAt(
  sql: string,
  start: number,
  match: (pattern: RegExp) => string | undefined,
): Token {
  const char = sql[start]!;
  if (char === "'") return quoted(sql, start, start, false);
  if (char === '"') return quoted(sql, start, start, false);
  if (/[eE]/.test(char) && sql[start + 1] === "'") return quoted(sql, start, start + 1, true);
  const word = match(WORD);
  if (word !== undefined) {
    const end = start + word.length;
    return { kind: 'word', value: word.toLowerCase(), start, end };
  }
  const tag = match(DOLLAR);
  if (tag !== undefined) {
    const from = start + tag.length;
    const close = sql.indexOf(tag, from);
    const to = close < 0 ? sql.length : close;
    const end = close < 0 ? sql.length : close + tag.length;
    return { kind: 'string', value: sql.slice(from, to), start, end };
  }
  const value = match(NUMBER) ?? match(PARAMETER) ?? char;
  return { kind: 'sign', value, start, end: start + value.length };
}

/** A literal or a name from its quote on, in which two quotes mean one. */
function quoted(sql: string, start: number, from: number, escapes: boolean): Token {
  const quote = sql[from]!;
  let at = from + 1;
  let value = '';
  for (; at < sql.length; at += 1) {
    const char = sql[at]!;
    if (escapes && char === '\\') at += 1;
    else if (char === quote) {
      if (sql[at + 1] !== quote) break;
      at += 1;
    }
    value += sql[at] ?? '';
  }
  const kind = quote === '"' ? 'name' : 'string';
  return { kind, value, start, end: Math.min(at + 1, sql.length) };
}

/** The end of a comment, which can contain comments. */
function endOfComment(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  let depth = 0;
  for (let found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return sql.length;
}
