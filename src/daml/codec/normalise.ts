/**
 * Checks that a value built by TypeScript code fits its Daml type, and returns its canonical form. The members have
 * the order of the fields, maps are sorted, and numerics have the scale of their type. Authors may write plain `{
 * tag, value }` for variants, integers for Int64, decimal text for Numeric, and leave out members that are None.
 * NOTE: the texts of these errors are from Canticle, because no participant runs TypeScript.
 */
import { comparisonOf } from './compare.js';
import { textMapOf } from './map-order.js';
import { contractIdError } from '../model/contract-id-text.js';
import { partyError } from '../model/identifiers.js';
import { interpretation, ledgerError, type LedgerError } from '../errors/ledger-error.js';
import { MAX_NESTING } from '../errors/limits.js';
import { Numeric } from '../model/numeric.js';
import { isPlainObject, ownMember } from '../model/own-members.js';
import { DamlFailure, type PackageLookup } from '../model/package.js';
import { recordMaker } from './record-maker.js';
import { malformedText } from '../model/text-order.js';
import { formatDate, isDate, isTimestamp } from '../model/time.js';
import { typeCompiler, type FoldedField, type ScalarType } from './type-fold.js';
import type { DamlType } from '../model/types.js';
import { DamlVariant, Some, UNIT, type DamlValue } from '../model/values.js';
import { isMap } from '../errors/realms.js';

export interface NormaliseOptions {
  /** The place of the value, for the message: `payload`. */
  readonly at?: string;
  /** Set for values that Daml code computed: nesting and text errors then carry the interpreter's codes (B-VAL-030). */
  readonly insideDaml?: boolean;
}

/** Throws a LedgerError, by default COMMAND_PREPROCESSING_FAILED, that names the member in error. */
export function normaliseValue(
  packages: PackageLookup,
  type: DamlType,
  value: unknown,
  options: NormaliseOptions = {},
): DamlValue {
  return normaliserOf(packages, type)(value, new Walk(options));
}

class Walk {
  /** The current path: the first {@link steps} elements. It is long enough for most values, so it rarely grows. */
  private readonly path: (string | number)[] = ['', '', '', ''];
  private steps = 0;
  constructor(private readonly options: NormaliseOptions) {}

  into<T>(step: string | number, visit: () => T): T {
    this.enter(step);
    const result = visit();
    this.leave();
    return result;
  }

  enter(step: string | number): void {
    this.path[this.steps++] = step;
    if (this.steps > MAX_NESTING) throw this.tooDeep();
  }

  leave(): void {
    this.steps -= 1;
  }

  error(reason: string): LedgerError {
    return this.refuse('COMMAND_PREPROCESSING_FAILED', reason);
  }

  badText(reason: string): LedgerError {
    return this.refuse(
      this.options.insideDaml === true ? 'MALFORMED_TEXT' : 'COMMAND_PREPROCESSING_FAILED',
      reason,
    );
  }

  private tooDeep(): LedgerError {
    return this.options.insideDaml === true
      ? this.refuse(
          'VALUE_NESTING',
          interpretation(`Value exceeds maximum nesting value of ${MAX_NESTING}`),
        )
      : this.refuse(
          'COMMAND_PREPROCESSING_FAILED',
          `Provided value exceeds maximum nesting level of ${MAX_NESTING}`,
        );
  }

  private refuse(
    code: 'COMMAND_PREPROCESSING_FAILED' | 'MALFORMED_TEXT' | 'VALUE_NESTING',
    cause: string,
  ): LedgerError {
    let path = this.options.at ?? 'value';
    for (const step of this.path.slice(0, this.steps))
      path += typeof step === 'number' ? `[${step}]` : `.${step}`;
    return ledgerError(code, { cause, explanation: `${path}: ${cause}` });
  }
}

/** All empty lists share one object. */
const NO_ITEMS: readonly DamlValue[] = Object.freeze([]);

type Normaliser = (value: unknown, walk: Walk) => DamlValue;

const normaliserOf = typeCompiler<Normaliser>((packages) => ({
  scalar: (type) => (value, walk) => scalar(type, value, walk),
  optional: (of, compile) => {
    const normalise = compile(of);
    return (value, walk) => {
      if (value === null || value === undefined) return null;
      if (!(value instanceof Some))
        throw walk.error(`expected an Optional: null or some(…), got ${show(value)}`);
      return new Some(walk.into('some', () => normalise(value.value, walk)));
    };
  },
  list: (of) => (value, walk) => {
    if (!Array.isArray(value)) throw walk.error(`expected a list, got ${show(value)}`);
    return value.length === 0
      ? NO_ITEMS
      : Array.from(value as unknown[], (item, index) => walk.into(index, () => of(item, walk)));
  },
  textMap: (of) => (value, walk) => {
    const source = isMap(value) ? [...value] : plainEntries(value);
    if (source === undefined)
      throw walk.error(`expected a TextMap: a Map of texts, got ${show(value)}`);
    const entries = source.map(([key, member]): [string, DamlValue] => [
      text(key, walk),
      walk.into(String(key), () => of(member, walk)),
    ]);
    return textMapOf(entries);
  },
  genMap: (key, value, type) => genMap(packages, key, value, type.key),
  record,
  variant: (constructors) => {
    const cases = new Map(constructors.map(({ name, run }) => [name, run]));
    return (value, walk) => {
      const [tag, inner] =
        value instanceof DamlVariant
          ? [value.tag, value.value]
          : isPlainObject(value)
            ? [ownMember(value, 'tag'), ownMember(value, 'value')]
            : [undefined, undefined];
      if (typeof tag !== 'string')
        throw walk.error(`expected a variant: variant(tag, value), got ${show(value)}`);
      const normalise = cases.get(tag);
      if (normalise === undefined)
        throw walk.error(`${show(tag)} is none of ${[...cases.keys()].join(', ')}`);
      return new DamlVariant(
        tag,
        walk.into(tag, () => normalise(inner, walk)),
      );
    };
  },
  enumeration: (constructors) => (value, walk) => {
    if (typeof value === 'string' && constructors.includes(value)) return value;
    throw walk.error(`expected one of ${constructors.join(', ')}, got ${show(value)}`);
  },
  opaque: (name) => (_value, walk) => {
    throw walk.error(`${name} has no serializable values`);
  },
}));

function genMap(
  packages: PackageLookup,
  key: Normaliser,
  value: Normaliser,
  keyType: DamlType,
): Normaliser {
  const compare = comparisonOf(packages, keyType);
  return (map, walk) => {
    const source: unknown = isMap(map) ? [...map] : map;
    if (!Array.isArray(source))
      throw walk.error(`expected a map: a list of [key, value], got ${show(map)}`);
    const entries = Array.from(source as unknown[], (entry, index) =>
      walk.into(index, (): readonly [DamlValue, DamlValue] => {
        if (!Array.isArray(entry) || entry.length !== 2)
          throw walk.error(`expected [key, value], got ${show(entry)}`);
        return [key(entry[0], walk), value(entry[1], walk)];
      }),
    );
    entries.sort((left, right) => compare(left[0], right[0]));
    entries.forEach((entry, index) => {
      if (index > 0 && compare(entries[index - 1]![0], entry[0]) === 0)
        throw walk.error('a key occurs twice');
    });
    return entries;
  };
}

function record(fields: readonly FoldedField<Normaliser>[]): Normaliser {
  const known = new Set(fields.map(({ name }) => name));
  const make = recordMaker(fields.map(({ name }) => name));
  return (value, walk) => {
    if (!isPlainObject(value)) throw walk.error(`expected a record, got ${show(value)}`);
    for (const name in value)
      if (!known.has(name) && value[name] !== undefined && Object.hasOwn(value, name))
        throw unknownMembers(value, known, walk);
    const values = new Array<DamlValue>(fields.length);
    for (let i = 0; i < fields.length; i++) {
      const { name, run, type } = fields[i]!;
      const member = ownMember(value, name);
      if (member === undefined && type.kind !== 'optional' && type.kind !== 'unit')
        throw walk.error(`missing ${show(name)}`);
      walk.enter(name);
      values[i] = run(member, walk);
      walk.leave();
    }
    return make(values);
  };
}

function unknownMembers(
  value: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
  walk: Walk,
): LedgerError {
  const names = Object.keys(value).filter((name) => !known.has(name) && value[name] !== undefined);
  return walk.error(`the record has no ${names.map(show).join(', ')}`);
}

function scalar(type: ScalarType, value: unknown, walk: Walk): DamlValue {
  switch (type.kind) {
    case 'unit':
      if (value === undefined || (isPlainObject(value) && Object.keys(value).length === 0))
        return UNIT;
      throw walk.error(`expected Unit, got ${show(value)}`);
    case 'bool':
      if (typeof value === 'boolean') return value;
      throw walk.error(`expected true or false, got ${show(value)}`);
    case 'int64': {
      const integer =
        typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
      if (typeof integer === 'bigint' && BigInt.asIntN(64, integer) === integer) return integer;
      throw walk.error(`expected a 64-bit integer, got ${show(value)}`);
    }
    case 'numeric':
      return numeric(type.scale, value, walk);
    case 'text':
      return text(value, walk);
    case 'timestamp':
      if (typeof value === 'bigint' && isTimestamp(value)) return value;
      throw walk.error(
        `expected microseconds between the years 1 and 9999 as a bigint, got ${show(value)}`,
      );
    case 'date':
      if (typeof value === 'number' && isDate(value)) return value;
      throw walk.error(
        `expected days since ${formatDate(0)} between the years 1 and 9999, got ${show(value)}`,
      );
    case 'party':
      return obeying(partyError, 'a party', value, walk);
    case 'contractId':
      return obeying(contractIdError, 'a contract id', value, walk);
  }
}

function numeric(scale: number, value: unknown, walk: Walk): Numeric {
  if (
    !(value instanceof Numeric) &&
    typeof value !== 'string' &&
    typeof value !== 'bigint' &&
    !(typeof value === 'number' && Number.isFinite(value))
  ) {
    throw walk.error(`expected a Numeric, got ${show(value)}`);
  }
  try {
    return Numeric.of(value, scale);
  } catch (error) {
    if (!(error instanceof DamlFailure)) throw error;
    throw walk.error(
      `Cannot represent ${String(value)} as (Numeric ${scale}) without loss of precision`,
    );
  }
}

function text(value: unknown, walk: Walk): string {
  if (typeof value !== 'string') throw walk.error(`expected a text, got ${show(value)}`);
  const error = malformedText(value);
  if (error !== undefined) throw walk.badText(error);
  return value;
}

function obeying(
  rule: (text: string) => string | undefined,
  what: string,
  value: unknown,
  walk: Walk,
): string {
  if (typeof value !== 'string') throw walk.error(`expected ${what}, got ${show(value)}`);
  const error = rule(value);
  if (error !== undefined) throw walk.error(error);
  return value;
}

function plainEntries(value: unknown): [string, unknown][] | undefined {
  return isPlainObject(value) ? Object.keys(value).map((key) => [key, value[key]]) : undefined;
}

/** A short text for any JavaScript value, for messages. */
function show(value: unknown): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) {
    return value instanceof Numeric
      ? value.toString()
      : `${value.constructor?.name ?? 'an object'} {${Object.keys(value).slice(0, 5).join(', ')}}`;
  }
  return typeof value === 'function' ? 'a function' : String(value);
}
