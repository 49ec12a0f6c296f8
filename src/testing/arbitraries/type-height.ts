/** The depth of the smallest value of a type, so that values of recursive types are finite. */
import { dataType, type PackageLookup } from '../../daml/model/package.js';
import { substitute, type DamlType, type DataType } from '../../daml/model/types.js';

type Named = Extract<DamlType, { kind: 'con' }>;

export interface ResolvedType {
  readonly definition: DataType;
  /** Substitutes the type arguments in the type of a field. */
  readonly inner: (type: DamlType) => DamlType;
}

export function resolved(packages: PackageLookup, type: Named): ResolvedType {
  const definition = dataType(packages, type.id);
  if (definition === undefined)
    throw new Error(`Failed to generate values of ${type.id}: no package defines this type.`);
  const bindings = new Map(definition.params.map((name, index) => [name, type.args[index]!]));
  return { definition, inner: (of) => substitute(of, bindings) };
}

/** Infinity if every value would contain another value of the same type. */
export function heightOf(
  packages: PackageLookup,
  type: DamlType,
  within: ReadonlySet<string> = new Set(),
): number {
  if (type.kind !== 'con') return 0;
  const name = JSON.stringify(type);
  if (within.has(name)) return Infinity;
  const inside = new Set(within).add(name);
  const { definition, inner } = resolved(packages, type);
  const heights = (fields: readonly { readonly type: DamlType }[]): number[] =>
    fields.map((field) => heightOf(packages, inner(field.type), inside));
  switch (definition.body.kind) {
    case 'record':
      return 1 + Math.max(0, ...heights(definition.body.fields));
    case 'variant':
      return 1 + Math.min(...heights(definition.body.constructors));
    default:
      return 0;
  }
}
