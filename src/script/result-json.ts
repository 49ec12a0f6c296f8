/** Converts results of scripts to Ledger API JSON, if they are values of a ledger. */
import { encodeValue } from '../daml/codec/json/codec.js';
import { toLedger } from '../daml/lf/runtime/convert.js';
import { boundBody, type PackageLookup } from '../daml/model/package.js';
import type { DamlType } from '../daml/model/types.js';

/** Whether the values of a type can be on a ledger, unlike functions and `AnyTemplate`. */
function isOfLedger(packages: PackageLookup, type: DamlType): boolean {
  switch (type.kind) {
    case 'opaque':
    case 'var':
      return false;
    case 'con': {
      const { id, args } = type;
      const [packageId, ...names] = id.split(':');
      const found = packages.package(packageId!)?.dataTypes.get(names.join(':'));
      return found?.serializable === true && args.every((each) => isOfLedger(packages, each));
    }
    case 'genMap':
      return isOfLedger(packages, type.key) && isOfLedger(packages, type.value);
    case 'optional':
    case 'list':
    case 'textMap':
      return isOfLedger(packages, type.of);
    default:
      return true;
  }
}

/** @returns undefined if a ledger has no values of the type */
export function resultJson(packages: PackageLookup, type: DamlType, result: unknown): unknown {
  if (!isOfLedger(packages, type)) return undefined;
  return encodeValue(packages, type, toLedger(packages, type, result));
}

/** The JSON as a text of the real runner, which prints numbers where the Ledger API uses texts. */
export function resultText(
  packages: PackageLookup,
  type: DamlType,
  json: unknown,
  indent = '',
): string {
  const inner = `${indent}  `;
  const of = (each: DamlType, value: unknown): string => resultText(packages, each, value, inner);
  const list = (items: readonly string[], [open, close]: '[]' | '{}' | string): string =>
    items.length === 0
      ? `${open}${close}`
      : `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
  const object = (typed: (name: string) => DamlType | undefined): string => {
    const members = Object.entries(json as Readonly<Record<string, unknown>>).map(
      ([name, value]) => {
        const found = typed(name);
        const text = found === undefined ? JSON.stringify(value) : of(found, value);
        return `${JSON.stringify(name)}: ${text}`;
      },
    );
    return list(members, '{}');
  };
  switch (type.kind) {
    case 'int64':
    case 'numeric':
      return String(json);
    case 'optional':
      if (json === null) return 'null';
      if (type.of.kind !== 'optional') return resultText(packages, type.of, json, indent);
      return list(
        (json as readonly unknown[]).map((each) => of(type.of, each)),
        '[]',
      );
    case 'list':
      return list(
        (json as readonly unknown[]).map((each) => of(type.of, each)),
        '[]',
      );
    case 'textMap':
      return object(() => type.of);
    case 'genMap':
      return list(
        (json as readonly (readonly [unknown, unknown])[]).map(
          ([key, value]) => `[${of(type.key, key)}, ${of(type.value, value)}]`,
        ),
        '[]',
      );
    case 'con': {
      const body = boundBody(packages, type);
      if (body?.kind === 'record')
        return object((name) => body.fields.find((field) => field.name === name)?.type);
      if (body?.kind !== 'variant') return JSON.stringify(json);
      const { tag } = json as { readonly tag: string };
      const held = body.constructors.find(({ name }) => name === tag)?.type;
      return object((name) => (name === 'value' ? held : undefined));
    }
    default:
      return JSON.stringify(json);
  }
}
