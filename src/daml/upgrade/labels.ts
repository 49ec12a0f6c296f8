/**
 * Compares names in versions of a template. A contract's hash covers the names of its types and fields and the
 * ranks of constructors. If a version of the template has other names, it cannot replace the version that created
 * the contract, even if the values fit.
 */
import {
  boundBody,
  template as templateOf,
  type PackageLookup,
  type Template,
} from '../model/package.js';
import type { ContractInstance } from '../model/transaction.js';
import { qualifiedNameOf, type DamlType, type DataBody, type Field } from '../model/types.js';
import { authenticationFailed } from '../refusals/authentication-refusal.js';
import {
  storedMembers,
  type DamlRecord,
  type DamlValue,
  type DamlVariant,
  type Some,
} from '../model/values.js';

type Named = Extract<DamlType, { kind: 'con' }>;
type Enumeration = Extract<DataBody, { kind: 'enum' }>;

/** @param payload the contract's payload in the version of `target` */
export function checkLabels(
  packages: PackageLookup,
  contract: ContractInstance,
  target: Template,
  payload: DamlRecord,
): void {
  const source = templateOf(packages, contract.templateId)!;
  if (new Forms(packages).same(source.payloadType, target.payloadType, contract.payload)) return;
  throw authenticationFailed(
    packages,
    { contract, target, payload },
    'The two versions of the template name a type or a field differently, or list constructors in another order.',
  );
}

/**
 * Checks whether a payload has the same hash in both versions: the names of its types and fields, and the ranks of
 * constructors, are equal.
 */
class Forms {
  constructor(private readonly packages: PackageLookup) {}

  /** `one` and `other` are the value's type in either version; trailing Nones of a record are ignored. */
  same(one: DamlType, other: DamlType, value: DamlValue): boolean {
    switch (one.kind) {
      case 'optional':
        return value === null || this.same(one.of, (other as typeof one).of, (value as Some).value);
      case 'list':
        return (value as readonly DamlValue[]).every((item) =>
          this.same(one.of, (other as typeof one).of, item),
        );
      case 'textMap':
        return [...(value as ReadonlyMap<string, DamlValue>).values()].every((item) =>
          this.same(one.of, (other as typeof one).of, item),
        );
      case 'genMap': {
        const { key, value: of } = other as typeof one;
        return (value as readonly (readonly [DamlValue, DamlValue])[]).every(
          ([at, item]) => this.same(one.key, key, at) && this.same(one.value, of, item),
        );
      }
      case 'con':
        return this.sameNamed(one, other as typeof one, value);
      default:
        return true;
    }
  }

  private sameNamed(one: Named, other: Named, value: DamlValue): boolean {
    if (one.id === other.id && one.args.length === 0) return true;
    if (qualifiedNameOf(one.id) !== qualifiedNameOf(other.id)) return false;
    const body = boundBody(this.packages, one)!;
    const otherBody = boundBody(this.packages, other)!;
    // The value was translated between the types, so both have the same kind.
    if (body.kind === 'record')
      return this.sameFields(body.fields, (otherBody as typeof body).fields, value as DamlRecord);
    if (body.kind === 'variant') {
      const { tag, value: inner } = value as DamlVariant;
      const rank = body.constructors.findIndex(({ name }) => name === tag);
      const constructor = (otherBody as typeof body).constructors[rank];
      if (constructor?.name !== tag) return false;
      return this.same(body.constructors[rank]!.type, constructor.type, inner);
    }
    const rank = (body as Enumeration).constructors.indexOf(value as string);
    return (otherBody as Enumeration).constructors[rank] === value;
  }

  private sameFields(
    fields: readonly Field[],
    others: readonly Field[],
    record: DamlRecord,
  ): boolean {
    const { length } = storedMembers(record);
    return fields.slice(0, length).every(({ name, type }, index) => {
      const other = others[index];
      return other?.name === name && this.same(type, other.type, record[name]!);
    });
  }
}
