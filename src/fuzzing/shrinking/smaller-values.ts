/** Smaller values of a Daml type, for the shrinking of a failing sequence. */
import { Numeric } from '../../daml/model/numeric.js';
import { boundBody, type PackageLookup } from '../../daml/model/package.js';
import type { DamlType } from '../../daml/model/types.js';
import {
  DamlVariant,
  Some,
  UNIT,
  type DamlRecord,
  type DamlValue,
  type Party,
  type Timestamp,
} from '../../daml/model/values.js';

/** The simplest values of types without a natural zero. */
export interface Origins {
  /** The simplest party first. */
  readonly parties: readonly Party[];
  /** The time at which sequences start. */
  readonly now: Timestamp;
}

const MICROS_PER_DAY = 86_400_000_000n;

export class SmallerValues {
  constructor(
    private readonly packages: PackageLookup,
    private readonly origins: Origins,
  ) {}

  /** Candidates, the smallest first. None equals the value, and repeated shrinking ends. */
  *of(type: DamlType, value: DamlValue): Generator<DamlValue, void, undefined> {
    switch (type.kind) {
      case 'bool':
        if (value === true) yield false;
        break;
      case 'int64':
        yield* towards(0n, value as bigint);
        break;
      case 'numeric':
        yield* this.numerics(value as Numeric);
        break;
      case 'text':
        yield* texts(value as string);
        break;
      case 'party':
        yield* before(this.origins.parties, value as Party);
        break;
      case 'timestamp':
        yield* towards(this.origins.now, value as bigint);
        break;
      case 'date': {
        const today = this.origins.now / MICROS_PER_DAY;
        for (const day of towards(today, BigInt(value as number))) yield Number(day);
        break;
      }
      case 'optional':
        if (!(value instanceof Some)) break;
        yield null;
        for (const inner of this.of(type.of, value.value)) yield new Some(inner);
        break;
      case 'list':
        yield* lists(value as readonly DamlValue[], (item) => this.of(type.of, item));
        break;
      case 'textMap': {
        const entries = [...(value as ReadonlyMap<string, DamlValue>)];
        const inner = ([key, item]: readonly [string, DamlValue]) =>
          mapped(this.of(type.of, item), (smaller) => [key, smaller] as const);
        yield* mapped(lists(entries, inner), (smaller) => new Map(smaller));
        break;
      }
      case 'genMap': {
        const inner = (entry: DamlValue) => {
          const [key, item] = entry as readonly [DamlValue, DamlValue];
          return mapped(this.of(type.value, item), (smaller) => [key, smaller] as DamlValue);
        };
        yield* lists(value as readonly DamlValue[], inner);
        break;
      }
      case 'con':
        yield* this.named(type, value);
        break;
    }
  }

  private *numerics(value: Numeric): Generator<Numeric, void, undefined> {
    const { unscaled, scale } = value;
    const one = 10n ** BigInt(scale);
    const whole = unscaled / one;
    for (const each of towards(0n, whole)) yield Numeric.fromUnscaled(each * one, scale);
    if (whole * one === unscaled) return;
    yield Numeric.fromUnscaled(whole * one, scale);
    // One digit less after the point.
    for (let unit = one / 10n; unit > 1n; unit /= 10n) {
      const shorter = (unscaled / unit) * unit;
      if (shorter !== unscaled && shorter !== whole * one)
        yield Numeric.fromUnscaled(shorter, scale);
    }
  }

  private *named(
    type: Extract<DamlType, { kind: 'con' }>,
    value: DamlValue,
  ): Generator<DamlValue, void, undefined> {
    const body = boundBody(this.packages, type);
    switch (body?.kind) {
      case 'record': {
        const record = value as DamlRecord;
        for (const field of body.fields)
          for (const smaller of this.of(field.type, record[field.name]!))
            yield { ...record, [field.name]: smaller };
        break;
      }
      case 'enum':
        yield* before(body.constructors, value as string);
        break;
      case 'variant': {
        const { tag, value: inner } = value as DamlVariant;
        for (const { name, type: of } of body.constructors) {
          if (name === tag) {
            for (const smaller of this.of(of, inner)) yield new DamlVariant(tag, smaller);
            break;
          }
          if (of.kind === 'unit') yield new DamlVariant(name, UNIT);
        }
        break;
      }
    }
  }
}

/** The origin, then numbers between it and the value. */
function* towards(origin: bigint, value: bigint): Generator<bigint, void, undefined> {
  for (let step = value - origin; step !== 0n; step /= 2n) yield value - step;
}

function* before<T>(all: readonly T[], value: T): Generator<T, void, undefined> {
  const place = all.indexOf(value);
  yield* place < 0 ? all.slice(0, 1) : all.slice(0, place);
}

/** Shorter texts, then the same length with the letter a. */
function* texts(value: string): Generator<string, void, undefined> {
  const points = [...value];
  for (const shorter of lists(points, () => [])) yield shorter.join('');
  const plain = 'a'.repeat(points.length);
  if (plain !== value) yield plain;
}

/** Shorter lists, then lists with one smaller item. */
function* lists<T>(
  items: readonly T[],
  smaller: (item: T) => Iterable<T>,
): Generator<readonly T[], void, undefined> {
  for (let size = items.length; size > 0; size = Math.floor(size / 2))
    for (let from = 0; from < items.length; from += size)
      yield [...items.slice(0, from), ...items.slice(from + size)];
  for (const [place, item] of items.entries())
    for (const each of smaller(item)) yield items.with(place, each);
}

function* mapped<T, R>(items: Iterable<T>, to: (item: T) => R): Generator<R, void, undefined> {
  for (const item of items) yield to(item);
}
