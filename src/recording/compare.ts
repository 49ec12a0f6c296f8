/**
 * Compares a recorded answer with the current answer. Everything must be equal except tokens, which must correspond
 * one to one.
 */
import type { Identities } from './identities.js';
import { MAX_DIFFERENCES } from './limits.js';
import { cut, isOffset } from './tokens.js';

/** A difference between two answers. */
export interface Difference {
  /** A JSON pointer; empty for the whole answer. */
  readonly at: string;
  /** A short text; absent if there is no value. */
  readonly recorded?: string;
  readonly now?: string;
  /** The reason, if the values alone do not show it. */
  readonly why?: string;
}

/** Lists that are sets: their order has no meaning. */
const SET_KEY =
  /parties$|^(?:signatories|observers|actAs|readAs|actingParties|packageIds|stakeholders)$/i;

const SHOWN = 120;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
};

export function compareJson(recorded: unknown, now: unknown, identities: Identities): Difference[] {
  const comparison = new Comparison(identities);
  comparison.values(recorded, now, '', '');
  return comparison.differences;
}

class Comparison {
  readonly differences: Difference[] = [];

  constructor(private readonly identities: Identities) {}

  values(recorded: unknown, now: unknown, at: string, key: string): void {
    if (typeof recorded === 'string' && typeof now === 'string')
      return this.texts(recorded, now, at, key);
    if (typeof recorded === 'number' && typeof now === 'number')
      return this.numbers(recorded, now, at, key);
    if (Array.isArray(recorded) && Array.isArray(now)) return this.lists(recorded, now, at, key);
    if (isObject(recorded) && isObject(now)) return this.objects(recorded, now, at);
    if (recorded !== now) this.add({ at, recorded: shown(recorded), now: shown(now) });
  }

  private add(difference: Difference): void {
    if (this.differences.length < MAX_DIFFERENCES) this.differences.push(difference);
  }

  private texts(recorded: string, now: string, at: string, key: string): void {
    const [left, right] = [cut(recorded, key), cut(now, key)];
    const isAlike =
      left.tokens.length === right.tokens.length &&
      left.literals.every((literal, index) => literal === right.literals[index]);
    if (!isAlike) return this.add({ at, recorded: shown(recorded), now: shown(now) });
    for (const [index, token] of left.tokens.entries()) {
      const why = this.identities.pair(token, right.tokens[index]!);
      if (why === undefined) continue;
      return this.add({ at, recorded: shown(recorded), now: shown(now), why });
    }
  }

  private numbers(recorded: number, now: number, at: string, key: string): void {
    if (isOffset(key)) return this.texts(String(recorded), String(now), at, key);
    if (recorded !== now) this.add({ at, recorded: shown(recorded), now: shown(now) });
  }

  private lists(
    recorded: readonly unknown[],
    now: readonly unknown[],
    at: string,
    key: string,
  ): void {
    if (SET_KEY.test(key) && recorded.length === now.length && this.isSameSet(recorded, now, key))
      return;
    for (let i = 0; i < Math.max(recorded.length, now.length); i++) {
      const place = `${at}/${i}`;
      if (i >= now.length) this.add({ at: place, recorded: shown(recorded[i]), why: 'missing' });
      else if (i >= recorded.length) this.add({ at: place, now: shown(now[i]), why: 'too much' });
      else this.values(recorded[i], now[i], place, key);
    }
  }

  private isSameSet(recorded: readonly unknown[], now: readonly unknown[], key: string): boolean {
    return this.identities.try(() => {
      const left = [...now];
      return recorded.every((each) => {
        const found = left.findIndex((other) => this.isSame(each, other, key));
        if (found >= 0) left.splice(found, 1);
        return found >= 0;
      });
    });
  }

  private isSame(recorded: unknown, now: unknown, key: string): boolean {
    return this.identities.try(() => {
      const trial = new Comparison(this.identities);
      trial.values(recorded, now, '', key);
      return trial.differences.length === 0;
    });
  }

  private objects(recorded: Members, now: Members, at: string): void {
    const left = new Set(Object.keys(now));
    for (const [name, value] of Object.entries(recorded)) {
      const place = `${at}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`;
      const other = this.nameNow(name, left);
      if (other === undefined) {
        this.add({ at: place, recorded: shown(value), why: 'missing' });
        continue;
      }
      left.delete(other);
      this.values(value, now[other], place, name);
    }
    for (const name of left)
      this.add({ at: `${at}/${name}`, now: shown(now[name]), why: 'too much' });
  }

  /** The current name of a member, because names of members may be ids. */
  private nameNow(name: string, left: ReadonlySet<string>): string | undefined {
    const known = this.identities.text(name);
    if (left.has(known) || cut(name, '').tokens.length === 0)
      return left.has(known) ? known : undefined;
    return [...left].find((other) => this.isSame(name, other, ''));
  }
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
