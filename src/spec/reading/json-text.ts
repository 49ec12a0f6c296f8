/**
 * Parses a request body. A body that is not JSON gets the error text of the real servers' parser (jawn, used by
 * circe), which includes the position of the fault.
 */
import { parseExactly } from './exact-json.js';

export type ParsedBody = { ok: true; value: unknown } | { ok: false; reason: string };

/** The length of the invalid text that the real parser quotes. */
const QUOTED = 6;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The characters that may follow a backslash. */
const ESCAPED = /["\\/bfnrtu]/;
const HEX_DIGITS = 4;
const LITERALS = ['true', 'false', 'null'];
const MINUS = /-/y;
const WHOLE = /0|[1-9]\d*/y;
const FRACTION = /\./y;
const EXPONENT = /[eE][+-]?/y;
const DIGITS = /\d+/y;
const SPACE = /[ \t\r\n]*/y;

export function parseJsonBody(text: string): ParsedBody {
  try {
    return { ok: true, value: parseExactly(text) };
  } catch {
    return { ok: false, reason: new ErrorFinder(text).reason() };
  }
}

const EXHAUSTED = 'exhausted input';

class SyntaxIssue extends Error {}

type State = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'after';

/**
 * Walks an invalid JSON text to find the position of its fault. It has an explicit stack, because texts can nest
 * deeply.
 */
class ErrorFinder {
  private at = 0;
  private state: State = 'value';
  /** The closing brackets that are awaited. */
  private readonly open: string[] = [];

  constructor(private readonly text: string) {}

  reason(): string {
    try {
      for (;;) {
        this.skip(SPACE);
        this.step(this.text[this.at]);
      }
    } catch (error) {
      if (error instanceof SyntaxIssue) return error.message;
      throw error;
    }
  }

  private step(character: string | undefined): void {
    switch (this.state) {
      case 'value-or-end':
      case 'key-or-end':
        if (character === this.open.at(-1)) return this.close();
        this.state = this.state === 'key-or-end' ? 'key' : 'value';
        return;
      case 'value':
        return this.value(character);
      case 'key':
        return this.key(character);
      case 'after':
        return this.after(character);
    }
  }

  private value(character: string | undefined): void {
    if (character === '{') return this.enter('}', 'key-or-end');
    if (character === '[') return this.enter(']', 'value-or-end');
    this.state = 'after';
    if (character === '"') return this.string();
    if (character !== undefined && /[-\d]/.test(character)) return this.number();
    const literal = LITERALS.find((word) => word[0] === character);
    if (literal === undefined) this.fail('expected json value');
    const given = this.text.slice(this.at, this.at + literal.length);
    if (given !== literal) {
      // The text may have ended before the two differ.
      if (literal.startsWith(given)) throw new SyntaxIssue(EXHAUSTED);
      this.fail(`expected ${literal}`);
    }
    this.at += literal.length;
  }

  /** A fault of a number is reported at its beginning. */
  private number(): void {
    const begin = this.at;
    const need = (digits: RegExp): void => {
      if (this.skip(digits)) return;
      if (this.at >= this.text.length) throw new SyntaxIssue(EXHAUSTED);
      this.at = begin;
      this.fail('expected digit');
    };
    this.skip(MINUS);
    need(WHOLE);
    for (const part of [FRACTION, EXPONENT]) if (this.skip(part)) need(DIGITS);
  }

  private key(character: string | undefined): void {
    if (character !== '"') this.fail('expected "');
    this.string();
    this.skip(SPACE);
    if (this.text[this.at] !== ':') this.fail('expected :');
    this.at++;
    this.state = 'value';
  }

  private after(character: string | undefined): void {
    const end = this.open.at(-1);
    if (end === undefined) this.fail('expected whitespace or eof');
    if (character === end) return this.close();
    if (character !== ',') this.fail(`expected ${end} or ,`);
    this.at++;
    this.state = end === '}' ? 'key' : 'value';
  }

  private enter(end: string, state: State): void {
    this.open.push(end);
    this.at++;
    this.state = state;
  }

  private close(): void {
    this.open.pop();
    this.at++;
    this.state = 'after';
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at += match[0].length;
    return match !== null;
  }

  /**
   * Advances past a string, or to the character that ends its readable part: one expression for all of it overflows
   * the stack.
   */
  private string(): void {
    for (this.at += 1; this.at < this.text.length; this.at += 1) {
      const code = this.text.charCodeAt(this.at);
      if (code < 0x20) this.fail(`control char (${code}) in string`, 1);
      if (code === QUOTE) break;
      if (code === BACKSLASH) this.escape();
    }
    if (this.at >= this.text.length) throw new SyntaxIssue(EXHAUSTED);
    this.at += 1;
  }

  /** From the backslash to the last character of the escape. */
  private escape(): void {
    const escaped = this.text[this.at + 1];
    if (escaped === undefined) throw new SyntaxIssue(EXHAUSTED);
    if (!ESCAPED.test(escaped)) this.fail(`illegal escape sequence (\\${escaped})`, 1);
    if (escaped === 'u') {
      const digits = this.text.slice(this.at + 2, this.at + 2 + HEX_DIGITS);
      if (digits.length < HEX_DIGITS) throw new SyntaxIssue(EXHAUSTED);
      if (!/^[0-9a-fA-F]+$/.test(digits)) {
        this.at += 2;
        this.fail('expected valid unicode escape');
      }
      this.at += HEX_DIGITS;
    }
    this.at += 1;
  }

  private fail(expected: string, quoted = QUOTED): never {
    if (this.at >= this.text.length) throw new SyntaxIssue(EXHAUSTED);
    const [line, column] = this.place();
    const rest = this.text.slice(this.at, this.at + quoted);
    const got = this.at + quoted >= this.text.length ? `'${rest}'` : `'${rest}...'`;
    throw new SyntaxIssue(`${expected} got ${got} (line ${line}, column ${column})`);
  }

  /** Both start at 1. */
  private place(): [line: number, column: number] {
    let line = 1;
    let begin = 0;
    for (let end = 0; (end = this.text.indexOf('\n', begin)) >= 0 && end < this.at; line += 1)
      begin = end + 1;
    return [line, this.at - begin + 1];
  }
}
