/**
 * Translates values of one type to another type, so that a version of a package can read values of another version.
 * Canton translates in two places, with different rules for values that do not fit: its interpreter translates
 * contracts, its preprocessor translates requests. For equal types, the translation is free.
 */
import { comparisonOf } from '../codec/compare.js';
import { invariant } from '../errors/ledger-error.js';
import type { Numeric } from '../model/numeric.js';
import { boundBody, type PackageLookup } from '../model/package.js';
import { prettyType } from '../codec/pretty.js';
import { recordMaker, type RecordMaker } from '../codec/record-maker.js';
import { scalaValue } from '../codec/scala-value.js';
import { typeKey } from '../codec/type-fold.js';
import type { DamlType, DataBody, Field } from '../model/types.js';
import {
  DamlVariant,
  Some,
  storedMembers,
  type DamlRecord,
  type DamlValue,
} from '../model/values.js';

/** The reason why a value does not fit: it has another type, it is invalid, or it refers to an unknown definition. */
export interface TranslationError {
  readonly message: string;
  readonly expected?: DamlType;
  readonly actual?: { readonly type: DamlType; readonly value: DamlValue };
}

export class Untranslatable extends Error {
  constructor(readonly problem: TranslationError) {
    super(problem.message);
  }
}

type Translate = (value: DamlValue) => DamlValue;
type Entry = readonly [DamlValue, DamlValue];
type Named = Extract<DamlType, { kind: 'con' }>;
type Body<K> = Extract<DataBody, { kind: K }>;

/** The type of a value, and its target type. */
interface Pair<T extends DamlType = DamlType> {
  readonly from: T;
  readonly to: T;
}

/** The two types of a record. */
interface Records {
  readonly pair: Pair;
  readonly from: readonly Field[];
  readonly to: readonly Field[];
  readonly make: RecordMaker;
}

const unchanged: Translate = (value) => value;

abstract class Translator {
  private readonly named = new Map<string, Translate>();

  constructor(protected readonly packages: PackageLookup) {}

  /** The function throws {@link Untranslatable}. */
  between(from: DamlType, to: DamlType): Translate {
    const [one, other] = [typeKey(from), typeKey(to)];
    if (one === other) return unchanged;
    if (from.kind !== 'con' || to.kind !== 'con') return this.builtin({ from, to });
    const key = `${one} ${other}`;
    let known = this.named.get(key);
    if (known === undefined) {
      // Types may be recursive, so their bodies are compiled at the first value.
      let run: Translate | undefined;
      known = (value) => (run ??= this.betweenBodies({ from, to }))(value);
      this.named.set(key, known);
    }
    return known;
  }

  protected abstract betweenRecords(records: Records): Translate;
  protected abstract betweenScales(pair: Pair): Translate;
  /** @param entries in the order of the original keys @param keyType the new type of the keys */
  protected abstract sorted(entries: Entry[], keyType: DamlType, refuse: () => never): Entry[];
  /** Whether error texts print values with labels. */
  protected abstract readonly isLabelled: boolean;

  protected mismatch({ from, to }: Pair, value: DamlValue, message?: string): Untranslatable {
    const quoted = (): string => scalaValue(this.packages, from, value, this.isLabelled);
    return new Untranslatable({
      message: message ?? `mismatching type: ${prettyType(to)} and value: ${quoted()}`,
      expected: to,
      actual: { type: from, value },
    });
  }

  private mismatching(pair: Pair): Translate {
    return (value) => {
      throw this.mismatch(pair, value);
    };
  }

  private builtin(pair: Pair): Translate {
    const { from, to } = pair;
    if (from.kind !== to.kind) return this.mismatching(pair);
    switch (from.kind) {
      case 'numeric':
        return this.betweenScales(pair);
      case 'optional': {
        const run = this.between(from.of, (to as typeof from).of);
        return (value) => (value === null ? null : new Some(run((value as Some).value)));
      }
      case 'list': {
        const run = this.between(from.of, (to as typeof from).of);
        return (value) => (value as readonly DamlValue[]).map(run);
      }
      case 'textMap': {
        const run = this.between(from.of, (to as typeof from).of);
        return (value) => {
          const entries = [...(value as ReadonlyMap<string, DamlValue>)];
          return new Map(entries.map(([key, item]) => [key, run(item)]));
        };
      }
      case 'genMap':
        return this.betweenMaps(pair as Pair<typeof from>);
      default:
        return this.mismatching(pair);
    }
  }

  private betweenMaps({ from, to }: Pair<Extract<DamlType, { kind: 'genMap' }>>): Translate {
    const [key, item] = [this.between(from.key, to.key), this.between(from.value, to.value)];
    return (value) => {
      const entries = (value as readonly Entry[]).map(([at, of]): Entry => [key(at), item(of)]);
      if (key === unchanged) return entries;
      return this.sorted(entries, to.key, () => {
        const message = 'Unexpected non-strictly ordered GenMap value';
        throw new Untranslatable({ message, actual: { type: from, value } });
      });
    };
  }

  private betweenBodies(pair: Pair<Named>): Translate {
    const from = boundBody(this.packages, pair.from);
    const to = boundBody(this.packages, pair.to);
    invariant(from !== undefined && to !== undefined, 'types of checked packages are known');
    if (from.kind === 'record' && to.kind === 'record') {
      const make = recordMaker(to.fields.map(({ name }) => name));
      return this.betweenRecords({ pair, from: from.fields, to: to.fields, make });
    }
    if (from.kind === 'variant' && to.kind === 'variant')
      return this.betweenVariants(pair, from, to);
    if (from.kind === 'enum' && to.kind === 'enum')
      return (value) => {
        if (to.constructors.includes(value as string)) return value;
        throw unknownConstructor(value as string, 'enumeration', pair);
      };
    return this.mismatching(pair);
  }

  private betweenVariants(
    pair: Pair<Named>,
    from: Body<'variant'>,
    to: Body<'variant'>,
  ): Translate {
    const targets = new Map(to.constructors.map(({ name, type }) => [name, type]));
    const cases = new Map(
      from.constructors.map(({ name, type }) => {
        const target = targets.get(name);
        return [name, target && this.between(type, target)];
      }),
    );
    return (value) => {
      const { tag, value: inner } = value as DamlVariant;
      const run = cases.get(tag);
      if (run === undefined) throw unknownConstructor(tag, 'variant', pair);
      return new DamlVariant(tag, run(inner));
    };
  }
}

function unknownConstructor(name: string, of: string, { to }: Pair<Named>): Untranslatable {
  return new Untranslatable({ message: `unknown constructor ${name} in ${of} ${to.id}` });
}

/** Translates contracts like the interpreter, which reads them from the ledger: it matches fields by position. */
class ContractTranslator extends Translator {
  protected readonly isLabelled = false;

  protected betweenRecords({ pair, from, to, make }: Records): Translate {
    const runs = from.map(({ type }, place) => {
      const target = to[place];
      return target && this.between(type, target.type);
    });
    return (value) => {
      const given = storedMembers(value as DamlRecord);
      const values = to.map((): DamlValue => null);
      given.forEach((member, place) => {
        const run = runs[place];
        if (run !== undefined) values[place] = run(member);
        else if (member !== null) throw this.mismatch(pair, value, cannotDrop(from[place]!, place));
      });
      if (to.some(({ type }, place) => place >= given.length && type.kind !== 'optional'))
        throw this.mismatch(
          pair,
          value,
          'Unexpected non-optional extra template field type encountered during upgrading.',
        );
      return make(values);
    };
  }

  protected betweenScales(pair: Pair): Translate {
    return (value) => {
      const [expected, { scale }] = [scaleOf(pair.to), value as Numeric];
      throw this.mismatch(
        pair,
        value,
        `Non-normalized Numeric: the type expects scale ${expected}, but the value has scale ${scale}`,
      );
    };
  }

  protected sorted(entries: Entry[], keyType: DamlType, refuse: () => never): Entry[] {
    const compare = comparisonOf(this.packages, keyType);
    const isSorted = entries.every(
      ([key], place) => place === 0 || compare(entries[place - 1]![0], key) < 0,
    );
    return isSorted ? entries : refuse();
  }
}

function cannotDrop({ type }: Field, place: number): string {
  return type.kind === 'optional'
    ? `Found an optional contract field with a value of Some at index ${place}, may not be dropped during downgrading.`
    : `Found non-optional extra field at index ${place}, cannot remove for downgrading.`;
}

const scaleOf = (type: DamlType): number => (type as { readonly scale: number }).scale;

/** Translates values like the preprocessor: numerics and maps take the form of the type if this loses no data. */
abstract class RequestTranslator extends Translator {
  protected betweenScales(pair: Pair): Translate {
    const scale = scaleOf(pair.to);
    return (value) => {
      const given = value as Numeric;
      const rescaled = given.rescale(scale);
      if (rescaled !== undefined) return rescaled;
      const message =
        scale < given.scale
          ? `Cannot represent ${this.isLabelled ? given.toCompact() : given.toString()} as (Numeric ${scale}) without loss of precision`
          : `Out-of-bounds (Numeric ${scale}) ${given.toString()}${'0'.repeat(scale - given.scale)}`;
      throw this.mismatch(pair, value, message);
    };
  }

  protected sorted(entries: Entry[], keyType: DamlType): Entry[] {
    const compare = comparisonOf(this.packages, keyType);
    return entries.sort(([left], [right]) => compare(left, right));
  }

  /** @param sourceOf the index of a field in the source type; -1 if it has none */
  protected betweenFields(
    { pair, from, to, make }: Records,
    sourceOf: (field: Field, place: number) => number,
    membersOf: (record: DamlRecord) => readonly DamlValue[],
  ): Translate {
    const sources = to.map((field, place) => {
      const source = sourceOf(field, place);
      const run = source < 0 ? unchanged : this.between(from[source]!.type, field.type);
      return { source, run, field };
    });
    const taken = new Set(sources.map(({ source }) => source));
    const extras = from.map((_field, place) => place).filter((place) => !taken.has(place));
    return (value) => {
      const given = membersOf(value as DamlRecord);
      for (const { source, field } of sources)
        if (given[source] === undefined && field.type.kind !== 'optional')
          throw this.mismatch(
            pair,
            value,
            `Missing non-optional field "${field.name}", cannot upgrade non-optional fields.`,
          );
      const values = sources.map(({ source, run }) => {
        const member = given[source];
        return member === undefined ? null : run(member);
      });
      extras.forEach((place) => {
        const member = given[place];
        if (member !== undefined && member !== null)
          throw this.mismatch(pair, value, this.cannotDrop(from[place]!));
      });
      return make(values);
    };
  }

  private cannotDrop({ name, type }: Field): string {
    if (type.kind === 'optional')
      return `An optional contract field${this.isLabelled ? ` ("${name}")` : ''} with a value of Some may not be dropped during downgrading.`;
    return `Found non-optional extra field${this.isLabelled ? ` "${name}"` : ''}, cannot remove for downgrading.`;
  }
}

/** Translates commands: it matches fields by name. */
class CommandTranslator extends RequestTranslator {
  protected readonly isLabelled = true;

  protected betweenRecords(records: Records): Translate {
    const places = new Map(records.from.map(({ name }, place) => [name, place]));
    return this.betweenFields(records, ({ name }) => places.get(name) ?? -1, Object.values);
  }
}

/** Translates contracts to compute their views: it matches fields by position. */
class ViewedTranslator extends RequestTranslator {
  protected readonly isLabelled = false;

  protected betweenRecords(records: Records): Translate {
    const { length } = records.from;
    const sourceOf = (_field: Field, place: number): number => (place < length ? place : -1);
    return this.betweenFields(records, sourceOf, storedMembers);
  }
}

/** Caches a translator for each set of packages. */
function perPackages(
  make: new (packages: PackageLookup) => Translator,
): (packages: PackageLookup) => Translator {
  const known = new WeakMap<PackageLookup, Translator>();
  return (packages) => {
    const root = packages.root ?? packages;
    let translator = known.get(root);
    if (translator === undefined) known.set(root, (translator = new make(root)));
    return translator;
  };
}

export const contractTranslator = perPackages(ContractTranslator);
export const commandTranslator = perPackages(CommandTranslator);
export const viewedTranslator = perPackages(ViewedTranslator);
