/** Arbitrary values of any Daml type, normalized as on the ledger. */
import fc, { type Arbitrary } from 'fast-check';
import { comparisonOf } from '../../daml/codec/compare.js';
import type { PackageLookup } from '../../daml/model/package.js';
import { compareText } from '../../daml/model/text-order.js';
import type { DamlType, Field } from '../../daml/model/types.js';
import {
  DamlVariant,
  Some,
  UNIT,
  type ContractId,
  type DamlRecord,
  type DamlValue,
  type Party,
} from '../../daml/model/values.js';
import {
  arbitraryContractId,
  arbitraryDate,
  arbitraryInt64,
  arbitraryNumeric,
  arbitraryParty,
  arbitraryText,
  arbitraryTimestamp,
} from './daml-scalars.js';
import { heightOf, resolved } from './type-height.js';

/** Ids that exist on a ledger, to use instead of generated ids. */
export interface Pools {
  /** Parties to choose from. */
  readonly parties?: readonly Party[];
  /** Contracts to choose from. */
  readonly contractIds?: readonly ContractId[];
}

/** Most entries of a list or a map. */
const MAX_LENGTH = 3;
const DEFAULT_FUEL = 4;

export class ValueArbitraries {
  private readonly party: Arbitrary<string>;
  private readonly contractId: Arbitrary<string>;

  constructor(
    private readonly packages: PackageLookup,
    { parties = [], contractIds = [] }: Pools = {},
  ) {
    this.party = parties.length > 0 ? fc.constantFrom(...parties) : arbitraryParty;
    this.contractId =
      contractIds.length > 0 ? fc.constantFrom(...contractIds) : arbitraryContractId;
  }

  /** @param fuel the number of levels with any content; below them, a value ends as soon as its type allows */
  value(type: DamlType, fuel = DEFAULT_FUEL): Arbitrary<DamlValue> {
    switch (type.kind) {
      case 'unit':
        return fc.constant(UNIT);
      case 'bool':
        return fc.boolean();
      case 'int64':
        return arbitraryInt64;
      case 'numeric':
        return arbitraryNumeric(type.scale);
      case 'text':
        return arbitraryText;
      case 'party':
        return this.party;
      case 'contractId':
        return this.contractId;
      case 'timestamp':
        return arbitraryTimestamp;
      case 'date':
        return arbitraryDate;
      case 'optional':
        if (fuel <= 0) return fc.constant(null);
        return fc.option(this.value(type.of, fuel - 1).map((value) => new Some(value)));
      case 'list':
        if (fuel <= 0) return fc.constant([]);
        return fc.array(this.value(type.of, fuel - 1), { maxLength: MAX_LENGTH });
      case 'textMap':
        return this.textMap(type.of, fuel);
      case 'genMap':
        return this.genMap(type.key, type.value, fuel);
      case 'con':
        return this.named(type, fuel);
      case 'var':
      case 'opaque':
        throw new Error(`Failed to generate values of ${type.name}: this type has no values.`);
    }
  }

  private textMap(of: DamlType, fuel: number): Arbitrary<DamlValue> {
    if (fuel <= 0) return fc.constant(new Map());
    return fc
      .uniqueArray(fc.tuple(arbitraryText, this.value(of, fuel - 1)), {
        maxLength: MAX_LENGTH,
        selector: ([key]) => key,
      })
      .map((entries) => new Map(entries.sort(([left], [right]) => compareText(left, right))));
  }

  private genMap(key: DamlType, value: DamlType, fuel: number): Arbitrary<DamlValue> {
    if (fuel <= 0) return fc.constant([]);
    const compare = comparisonOf(this.packages, key);
    return fc
      .uniqueArray(fc.tuple(this.value(key, fuel - 1), this.value(value, fuel - 1)), {
        maxLength: MAX_LENGTH,
        comparator: (left, right) => compare(left[0], right[0]) === 0,
      })
      .map((entries) => entries.sort((left, right) => compare(left[0], right[0])));
  }

  private named(type: Extract<DamlType, { kind: 'con' }>, fuel: number): Arbitrary<DamlValue> {
    const { definition, inner } = resolved(this.packages, type);
    const { body } = definition;
    switch (body.kind) {
      case 'enum':
        return fc.constantFrom(...body.constructors);
      case 'variant':
        return fc.oneof(
          ...this.usable(body.constructors, inner, fuel).map(({ name, type: of }) =>
            this.value(inner(of), fuel - 1).map((value) => new DamlVariant(name, value)),
          ),
        );
      case 'record':
        return this.record(body.fields, inner, fuel);
      case 'interface':
        throw new Error(
          `Failed to generate values of ${type.id}: an interface has no values. Name a template.`,
        );
    }
  }

  /** All constructors, or only the one with the smallest value when the fuel is used up. */
  private usable(
    constructors: readonly Field[],
    inner: (type: DamlType) => DamlType,
    fuel: number,
  ): readonly Field[] {
    const heights = constructors.map(({ type }) => heightOf(this.packages, inner(type)));
    if (fuel > 0) return constructors.filter((_, index) => heights[index] !== Infinity);
    return [constructors[heights.indexOf(Math.min(...heights))]!];
  }

  private record(
    fields: readonly Field[],
    inner: (type: DamlType) => DamlType,
    fuel: number,
  ): Arbitrary<DamlRecord> {
    const values = fields.map((field) => this.value(inner(field.type), fuel - 1));
    return fc.tuple(...values).map((made) => {
      const record = {};
      // Defines members, so that a field may have the name `__proto__`.
      for (const [index, { name }] of fields.entries())
        Object.defineProperty(record, name, {
          value: made[index],
          enumerable: true,
          configurable: true,
          writable: true,
        });
      return record as DamlRecord;
    });
  }
}
