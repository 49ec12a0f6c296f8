/**
 * Maps the tokens of a recording to tokens of the current network, one to one, from the first exchange to the last.
 */
import { parseTimestamp } from '../daml/model/time.js';
import { cut, isOffset, type Token, type TokenKind } from './tokens.js';

/** The depth limit for JSON to send. Deeper parts stay unchanged. */
const MAX_DEPTH = 200;

export class Identities {
  private readonly there = new Map<string, string>();
  private readonly back = new Map<string, string>();
  /** The pairs since a trial began, which a failed trial removes. */
  private trial: string[] | undefined;

  /** @returns why these two tokens cannot correspond, or undefined if they correspond from now on */
  pair(recorded: Token, { kind, text }: Token): string | undefined {
    if (recorded.kind !== kind) return `${recorded.kind} here, ${kind} now`;
    const [from, to] = [keyOf(kind, recorded.text), keyOf(kind, text)];
    const known = this.there.get(from);
    if (known !== undefined && keyOf(kind, known) === to) return undefined;
    if (known !== undefined) return `${recorded.text} already corresponds to ${known}`;
    const other = this.back.get(to);
    if (other !== undefined) return `${text} already corresponds to ${other}`;
    this.there.set(from, text);
    this.back.set(to, recorded.text);
    this.trial?.push(from, to);
    return undefined;
  }

  /** Whether each matched token equals its counterpart. */
  get isPlain(): boolean {
    return [...this.there].every(([key, now]) => {
      const kind = key.slice(0, key.indexOf(' ')) as TokenKind;
      return key === keyOf(kind, now);
    });
  }

  /** Whether the token has a counterpart. */
  knows({ kind, text }: Token): boolean {
    return this.there.has(keyOf(kind, text));
  }

  /** Runs an action. If it fails, removes the pairs that it has added. */
  try(action: () => boolean): boolean {
    const outer = this.trial;
    const here: string[] = (this.trial = []);
    const holds = action();
    this.trial = outer;
    if (holds) outer?.push(...here);
    else
      for (let i = 0; i < here.length; i += 2) {
        this.there.delete(here[i]!);
        this.back.delete(here[i + 1]!);
      }
    return holds;
  }

  /** A recorded text with the tokens of the current network. Unknown tokens stay unchanged. */
  text(recorded: string, key = ''): string {
    const { literals, tokens } = cut(recorded, key);
    return tokens.reduce(
      (text, token, i) => text + this.of(token) + literals[i + 1]!,
      literals[0]!,
    );
  }

  /** Like {@link text}, for JSON; names of members may be ids, too. */
  json(value: unknown, key = '', depth = 0): unknown {
    if (depth > MAX_DEPTH) return value;
    if (typeof value === 'string') return this.text(value, key);
    if (typeof value === 'number' && isOffset(key)) return this.number(value);
    if (Array.isArray(value)) return value.map((each) => this.json(each, key, depth + 1));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, each]) => [
      this.text(name),
      this.json(each, name, depth + 1),
    ]);
    return Object.fromEntries(members);
  }

  private number(recorded: number): number {
    const known = this.there.get(keyOf('offset', String(recorded)));
    return known === undefined ? recorded : Number(known);
  }

  private of({ kind, text }: Token): string {
    const known = this.there.get(keyOf(kind, text));
    if (known !== undefined) return known;
    return kind === 'time' ? this.shifted(text) : text;
  }

  /** Maps an unknown time: it keeps its distance to the last known time before it. */
  private shifted(text: string): string {
    const at = millisOf(text);
    let best: { distance: number; now: number } | undefined;
    if (isNaN(at)) return text;
    for (const [key, now] of this.there) {
      if (!key.startsWith('time ')) continue;
      const then = millisOf(key.slice('time '.length));
      const distance = Math.abs(at - then);
      if (isNaN(then) || (best !== undefined && distance >= best.distance)) continue;
      best = { distance, now: millisOf(now) + (at - then) };
    }
    if (best === undefined || isNaN(best.now)) return text;
    return new Date(best.now).toISOString();
  }
}

/** Equal times have one key, however they are written: the microseconds since 1970. */
const keyOf = (kind: TokenKind, text: string): string =>
  `${kind} ${(kind === 'time' && parseTimestamp(text)) || text}`;

/** @param text a time, or its microseconds since 1970 */
const millisOf = (text: string): number =>
  /^-?\d+$/.test(text) ? Number(BigInt(text) / 1000n) : Date.parse(text);
