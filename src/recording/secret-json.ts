/**
 * Removes secrets from a JSON text, by the names of members and by patterns. The other parts of the text stay
 * unchanged, such as digits, order and spaces. The text may be truncated, or have several values.
 */
import {
  isCredentials,
  isOfCredential,
  isOfLedger,
  isPrivateOfJwk,
  isSecretField,
  isSecretNumber,
} from './secret-names.js';
import { REMOVED, withoutSecretShapes, type Note } from './secret-texts.js';

/** The nesting limit for JSON texts inside strings of JSON texts. */
const MAX_INSIDE = 4;

/** Whether a text is treated as JSON. */
export const looksLikeJson = (text: string): boolean => /^\s*[[{"]/.test(text);

/** @param note receives the name of each removed secret */
export function withoutSecretsOfJson(text: string, note: Note, inside = 0): string {
  const reader = new Reader(text, note, inside);
  reader.run();
  return reader.cleaned();
}

/** An open object or list. */
interface Frame {
  readonly isObject: boolean;
  /** Whether a name of an object comes next. */
  isNameNext: boolean;
  /** The name of the current member; for a list, the name of the list's member. */
  name: string | undefined;
  /** Whether it is in a list of credentials. */
  readonly isOfCredentials: boolean;
  /** Whether the object is a JWK, whose private parts are removed. */
  isJwk: boolean;
  readonly parts: { readonly start: number; readonly end: number; readonly name: string }[];
}

class Reader {
  private readonly frames: Frame[] = [];
  private readonly edits: { readonly start: number; readonly end: number; readonly by: string }[] =
    [];

  constructor(
    private readonly text: string,
    private readonly note: Note,
    private readonly inside: number,
  ) {}

  run(): void {
    const { text } = this;
    for (let at = 0; at < text.length; at += 1) {
      switch (text[at]) {
        case '"':
          at = this.string(at);
          break;
        case '{':
        case '[':
          this.enter(text[at] === '{');
          break;
        case '}':
        case ']':
          this.leave();
          break;
        case ',': {
          const frame = this.frames.at(-1);
          if (frame?.isObject) frame.isNameNext = true;
          break;
        }
        default:
          if (/[-\d]/.test(text[at]!)) at = this.number(at);
      }
    }
    // Truncated: removes the private parts of an incomplete key, too.
    while (this.frames.length > 0) this.leave();
  }

  cleaned(): string {
    const { text, edits } = this;
    if (edits.length === 0) return text;
    let [all, from] = ['', 0];
    for (const { start, end, by } of edits.sort((one, other) => one.start - other.start)) {
      all += text.slice(from, start) + by;
      from = end;
    }
    return all + text.slice(from);
  }

  private enter(isObject: boolean): void {
    const around = this.frames.at(-1);
    const name = around?.name;
    this.frames.push({
      isObject,
      isNameNext: isObject,
      name: isObject ? undefined : name,
      isOfCredentials:
        (name !== undefined && isCredentials(name)) ||
        (around !== undefined && !around.isObject && around.isOfCredentials),
      isJwk: false,
      parts: [],
    });
  }

  private leave(): void {
    const frame = this.frames.pop();
    if (!frame?.isJwk) return;
    for (const { start, end, name } of frame.parts)
      this.take(start, end, `member ${name} of a key`);
  }

  /** @returns the end of the string */
  private string(start: number): number {
    const { text } = this;
    let end = start + 1;
    for (; end < text.length && text[end] !== '"'; end += 1) if (text[end] === '\\') end += 1;
    const raw = text.slice(start + 1, end);
    const frame = this.frames.at(-1);
    if (frame?.isObject && frame.isNameNext) {
      frame.isNameNext = false;
      frame.name = meant(raw);
      if (frame.name === 'kty') frame.isJwk = true;
    } else this.value(frame, start + 1, Math.min(end, text.length), raw);
    return end;
  }

  private value(frame: Frame | undefined, start: number, end: number, raw: string): void {
    const name = frame?.name;
    if (name !== undefined && raw !== '') {
      const isHidden = frame!.isObject && frame!.isOfCredentials && isOfCredential(name);
      if (isHidden || (isSecretField(name) && !isOfLedger(raw)))
        return this.take(start, end, `field ${name}`);
      if (frame!.isObject && isPrivateOfJwk(name)) frame!.parts.push({ start, end, name });
    }
    const value = meant(raw);
    const cleaned = this.cleanedText(value);
    if (cleaned === value) return;
    this.edits.push({ start, end, by: JSON.stringify(cleaned).slice(1, -1) });
  }

  /** Cleans a text, or JSON inside a text. Removes JSON completely if it is nested too deep. */
  private cleanedText(value: string): string {
    if (!/^\s*[[{]/.test(value)) return withoutSecretShapes(value, this.note);
    if (this.inside < MAX_INSIDE) return withoutSecretsOfJson(value, this.note, this.inside + 1);
    this.note('JSON that is nested too deep');
    return REMOVED;
  }

  private number(start: number): number {
    const { text } = this;
    let end = start + 1;
    while (end < text.length && /[\d.eE+-]/.test(text[end]!)) end += 1;
    const name = this.frames.at(-1)?.name;
    if (name !== undefined && isSecretNumber(name)) {
      this.note(`field ${name}`);
      this.edits.push({ start, end, by: `"${REMOVED}"` });
    }
    return end - 1;
  }

  private take(start: number, end: number, what: string): void {
    this.note(what);
    this.edits.push({ start, end, by: REMOVED });
  }
}

/** The content of a quoted string, without escapes. */
function meant(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
