/**
 * Random values of Daml types for the state of a fuzzed ledger. Values are often equal or close to those of the state
 * and to constants of the code. Their size is bounded.
 */
import { comparisonOf } from '../../daml/codec/compare.js';
import { genMapOf, textMapOf } from '../../daml/codec/map-order.js';
import { recordMaker } from '../../daml/codec/record-maker.js';
import { typeCompiler, type FoldedField, type ScalarType } from '../../daml/codec/type-fold.js';
import {
  dataType,
  interfaceDefinition,
  template as templateOf,
  type PackageLookup,
} from '../../daml/model/package.js';
import type { Numeric } from '../../daml/model/numeric.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import { qualifiedNameOf, type DamlType, type TypeId } from '../../daml/model/types.js';
import {
  DamlVariant,
  Some,
  UNIT,
  type ContractId,
  type DamlValue,
  type Party,
} from '../../daml/model/values.js';
import type { FuzzLedger } from '../ledger/fuzz-ledger.js';
import { NO_CONSTANTS, type Constants } from './constants.js';
import { date, int64, numeric, timestamp } from './numbers.js';
import type { Random } from './random.js';
import { StateLeaves, type LeafKind } from './state-leaves.js';

/** From this depth on, values are as small as possible. */
export const MAX_VALUE_DEPTH = 8;
/** The most elements of a list or map. */
export const MAX_ELEMENTS = 4;
/** The most elements of all lists and maps of a value. */
export const MAX_VALUE_ELEMENTS = 100;
/** A party that is in no contract of the start state. */
export const STRANGER: Party = 'Stranger';
/** The id of no contract. */
const UNKNOWN_ID: ContractId = `00${'f'.repeat(64)}ca121220${'f'.repeat(64)}`;

type Make = (values: ValueSource, depth: number) => DamlValue;

/** The values of one run. It is used for one value at a time. */
export class ValueSource {
  private readonly leaves: StateLeaves;
  /** Whether a value since the last call of {@link focusOn} needs a contract that does not exist. */
  isLacking = false;
  /** How many elements the current value may still get. */
  private left = MAX_VALUE_ELEMENTS;
  /** Parties that occur often in the current values, because code often compares the parties of its inputs. */
  private focus: readonly Party[] = [];

  constructor(
    readonly random: Random,
    readonly ledger: FuzzLedger,
    readonly constants: Constants = NO_CONSTANTS,
  ) {
    this.leaves = StateLeaves.of(ledger.packages);
  }

  /** Begins the values of one command. */
  focusOn(parties: readonly Party[]): void {
    this.focus = parties;
    this.isLacking = false;
  }

  /** A value of a serializable type. */
  make(type: DamlType): DamlValue {
    this.left = MAX_VALUE_ELEMENTS;
    return makerOf(this.ledger.packages, type)(this, 0);
  }

  /** A value of the state or a constant; often undefined. */
  known<T extends DamlValue>(kind: LeafKind, constants: readonly T[]): T | undefined {
    const { random } = this;
    if (constants.length > 0 && random.chance(0.25)) return random.pick(constants);
    return this.leaves.pick(random, this.ledger, kind) as T | undefined;
  }

  party(): Party {
    const { random, ledger } = this;
    const { parties } = ledger;
    if (this.focus.length > 0 && random.chance(0.6)) return random.pick(this.focus);
    if (parties.length === 0 || random.chance(0.06)) return STRANGER;
    if (random.chance(0.4)) {
      const known = this.leaves.pick(random, ledger, 'party');
      if (known !== undefined) return known as Party;
    }
    return random.pick(parties);
  }

  text(): string {
    const { random } = this;
    switch (random.below(6)) {
      case 0:
        return '';
      case 1:
        return String.fromCharCode(97 + random.below(26));
      case 2:
        return random.pick(TEXTS);
      default:
        return this.known('text', this.constants.texts) ?? random.pick(TEXTS);
    }
  }

  /** The id of a contract of these templates: usually an active one, and one of the parties in focus. */
  contractOf(templates: readonly TypeId[]): ContractId | undefined {
    const { random } = this;
    const lists = this.ledger.listsOf(templates);
    if (lists.length === 0) return undefined;
    const list = lists.length === 1 ? lists[0]! : random.pick(lists);
    const start = random.below(list.length);
    if (random.chance(0.03)) return list[start]!.instance.contractId;
    const isFocused = this.focus.length > 0 && random.chance(0.5);
    let found: ContractId | undefined;
    for (let i = 0; i < list.length; i++) {
      const { instance, archivedIn } = list[(start + i) % list.length]!;
      if (archivedIn !== undefined) continue;
      if (!isFocused || this.isOfFocus(instance)) return instance.contractId;
      found ??= instance.contractId;
    }
    return found;
  }

  private isOfFocus({ signatories, observers }: ContractInstance): boolean {
    const { focus } = this;
    for (let i = 0; i < focus.length; i++)
      if (signatories.includes(focus[i]!) || observers.includes(focus[i]!)) return true;
    return false;
  }

  anyContract(): ContractId {
    const { created } = this.ledger;
    return created.length === 0 ? UNKNOWN_ID : this.random.pick(created).instance.contractId;
  }

  /** The number of elements of a list or map. */
  length(depth: number): number {
    const { random } = this;
    const wanted = random.chance(0.6) ? 1 : random.below(MAX_ELEMENTS + 1);
    const length = depth >= MAX_VALUE_DEPTH ? 0 : Math.min(wanted, this.left);
    this.left -= length;
    return length;
  }
}

const TEXTS = ['a', 'b', 'text', '0', '-1', ' ', 'ä', '😀', 'a b', 'x'.repeat(64)];

const makerOf = typeCompiler<Make>((packages) => ({
  scalar: (type) => scalar(packages, type),
  optional: (of, compile) => {
    const inner = compile(of);
    return (values, depth) =>
      depth >= MAX_VALUE_DEPTH || values.random.chance(0.6)
        ? null
        : new Some(inner(values, depth + 1));
  },
  list: (of) => (values, depth) => {
    const items: DamlValue[] = [];
    for (let left = values.length(depth); left > 0; left--) items.push(of(values, depth + 1));
    return items;
  },
  textMap: (of) => (values, depth) => {
    const entries = new Map<string, DamlValue>();
    for (let left = values.length(depth); left > 0; left--)
      entries.set(values.text(), of(values, depth + 1));
    return textMapOf([...entries]);
  },
  genMap: (key, value, type) => {
    const compare = comparisonOf(packages, type.key);
    return (values, depth) => {
      const entries: [DamlValue, DamlValue][] = [];
      for (let left = values.length(depth); left > 0; left--)
        entries.push([key(values, depth + 1), value(values, depth + 1)]);
      return genMapOf(entries, compare);
    };
  },
  record: (fields) => {
    if (fields.length === 0) return () => UNIT;
    const make = recordMaker(fields.map(({ name }) => name));
    return (values, depth) => {
      const members: DamlValue[] = [];
      for (let i = 0; i < fields.length; i++) members.push(fields[i]!.run(values, depth + 1));
      return make(members);
    };
  },
  variant: (constructors, _id, type) => {
    const least = smallest(packages, constructors, type);
    return (values, depth) => {
      const { name, run } = depth >= MAX_VALUE_DEPTH ? least : values.random.pick(constructors);
      return new DamlVariant(name, run(values, depth + 1));
    };
  },
  enumeration: (constructors) => (values) => values.random.pick(constructors),
  opaque: (name) => () => {
    throw new TypeError(`The type ${name} has no serializable values.`);
  },
}));

function scalar(packages: PackageLookup, type: ScalarType): Make {
  switch (type.kind) {
    case 'unit':
      return () => UNIT;
    case 'bool':
      return ({ random }) => random.chance(0.5);
    case 'int64':
      return (values) => int64(values.random, values.known('int64', values.constants.ints));
    case 'text':
      return (values) => values.text();
    case 'timestamp':
      return (values) => {
        const known = values.known('timestamp', values.constants.timestamps);
        return timestamp(values.random, values.ledger.now, known);
      };
    case 'date':
      return (values) => {
        const known = values.known('date', values.constants.dates);
        return date(values.random, values.ledger.now, known);
      };
    case 'party':
      return (values) => values.party();
    case 'numeric':
      return (values) => {
        const known = values.known<Numeric>('numeric', values.constants.numerics);
        return numeric(values.random, type.scale, known);
      };
    case 'contractId': {
      const id = type.of.kind === 'con' ? type.of.id : undefined;
      if (id === undefined) return (values) => values.anyContract();
      const template = templateOf(packages, id);
      const name = qualifiedNameOf(id);
      const isInterface = interfaceDefinition(packages, id) !== undefined;
      /** The templates of the contracts that an id of this type can name. */
      const templatesOf = ({ targets }: FuzzLedger): readonly TypeId[] => {
        if (template !== undefined) return targets.versionsOf(template.packageName, name);
        return isInterface ? targets.implementersOf(id) : NO_TEMPLATES;
      };
      return (values) => {
        const found = values.contractOf(templatesOf(values.ledger));
        if (found === undefined) values.isLacking = true;
        return found ?? values.anyContract();
      };
    }
  }
}

const NO_TEMPLATES: readonly TypeId[] = [];

/** The constructor whose values need the fewest levels. */
function smallest(
  packages: PackageLookup,
  constructors: readonly FoldedField<Make>[],
  type: DamlType,
): FoldedField<Make> {
  const own = type.kind === 'con' ? [type.id] : [];
  const depths = constructors.map((each) => leastDepth(packages, each.type, new Set(own)));
  return constructors[depths.indexOf(Math.min(...depths))]!;
}

/** The levels of the smallest value of a type; Infinity if it needs a type of which it is a part. */
function leastDepth(packages: PackageLookup, type: DamlType, around: ReadonlySet<TypeId>): number {
  if (type.kind !== 'con') return 0;
  if (around.has(type.id)) return Infinity;
  const body = dataType(packages, type.id)?.body;
  const within = new Set([...around, type.id]);
  if (body?.kind === 'record')
    return 1 + Math.max(0, ...body.fields.map((each) => leastDepth(packages, each.type, within)));
  if (body?.kind === 'variant')
    return (
      1 + Math.min(...body.constructors.map((each) => leastDepth(packages, each.type, within)))
    );
  return 0;
}
