/**
 * Parses a request body. A body that is not JSON is refused with the words of the real servers' parser (jawn, used by
 * circe), which name the place of the fault.
 */

export type ParsedBody = { ok: true; value: unknown } | { ok: false; reason: string };

/** How much of the offending text the real parser quotes. */
const QUOTED = 6;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const STRING_BEGUN = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

export function parseJsonBody(text: string): ParsedBody {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, reason: new FaultFinder(text).reason() };
  }
}

class SyntaxFault extends Error {}

type State = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'after';

/** Walks a text that is known not to be JSON, to say where it goes wrong. Keeps its own stack: texts nest deeply. */
class FaultFinder {
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
      if (error instanceof SyntaxFault) return error.message;
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
    if (character === '"' ? this.skip(STRING) : this.skip(LITERAL) || this.skip(NUMBER)) return;
    if (character === '"') this.failInString();
    const literal = ['true', 'false', 'null'].find((word) => word[0] === character);
    this.fail(`expected ${literal ?? 'json value'}`);
  }

  private key(character: string | undefined): void {
    if (character !== '"') this.fail('expected "');
    if (!this.skip(STRING)) this.failInString();
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
    if (match === null) return false;
    this.at += match[0].length;
    return match[0].length > 0;
  }

  /** Goes to the character that ends the readable part of a string. */
  private failInString(): never {
    this.skip(STRING_BEGUN);
    this.fail(
      this.text[this.at] === '\\' ? 'illegal escape sequence after \\' : 'control char in string',
    );
  }

  private fail(expected: string): never {
    if (this.at >= this.text.length) throw new SyntaxFault('exhausted input');
    const before = this.text.slice(0, this.at).split('\n');
    const rest = this.text.slice(this.at, this.at + QUOTED);
    const got = this.at + QUOTED >= this.text.length ? `'${rest}'` : `'${rest}...'`;
    const column = (before.at(-1)?.length ?? 0) + 1;
    throw new SyntaxFault(`${expected} got ${got} (line ${before.length}, column ${column})`);
  }
}
