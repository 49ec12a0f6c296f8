/**
 * Arbitrary Daml types with arbitrary values of them. The types refer to one fixed package that declares a definition of each
 * kind, recursive and generic ones among them.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { DamlPackage, PackageLookup } from '../../../src/daml/model/package.js';
import type { DamlType, DataBody, DataType, Field } from '../../../src/daml/model/types.js';
import type { DamlValue } from '../../../src/daml/model/values.js';
import { ValueArbitraries } from '../../../src/testing/arbitraries/daml-value.js';

export {
  arbitraryDate,
  arbitraryDigits,
  arbitraryNumeric,
  arbitraryParty,
  arbitraryText,
  arbitraryTimestamp,
} from '../../../src/testing/arbitraries/daml-scalars.js';

const PACKAGE_ID = 'a1'.repeat(32);
const TYPES_MODULE = 'Arbitrary.Types';

export const INT64: DamlType = { kind: 'int64' };
export const TEXT: DamlType = { kind: 'text' };
export const PARTY: DamlType = { kind: 'party' };
const A: DamlType = { kind: 'var', name: 'a' };
const B: DamlType = { kind: 'var', name: 'b' };

export const numericType = (scale: number): DamlType => ({ kind: 'numeric', scale });
export const optionalType = (of: DamlType): DamlType => ({ kind: 'optional', of });
export const listType = (of: DamlType): DamlType => ({ kind: 'list', of });
export const textMapType = (of: DamlType): DamlType => ({ kind: 'textMap', of });
export const genMapType = (key: DamlType, value: DamlType): DamlType => ({
  kind: 'genMap',
  key,
  value,
});
export const contractIdType: DamlType = { kind: 'contractId', of: { kind: 'opaque', name: 'any' } };
export const named = (entity: string, ...args: DamlType[]): DamlType => ({
  kind: 'con',
  id: `${PACKAGE_ID}:${TYPES_MODULE}:${entity}`,
  args,
});

const DEFINITIONS: readonly (readonly [name: string, params: readonly string[], body: DataBody])[] =
  [
    ['Empty', [], { kind: 'record', fields: [] }],
    [
      'Holding',
      [],
      record({
        owner: PARTY,
        amount: numericType(10),
        note: optionalType(TEXT),
        meta: textMapType(TEXT),
        lock: optionalType(INT64),
      }),
    ],
    ['Odd', [], record({ ['__proto__']: TEXT, constructor: optionalType(INT64), toString: INT64 })],
    // Not among the arbitrary types: more than four fields that it must have.
    [
      'Wide',
      [],
      record({
        owner: TEXT,
        i: INT64,
        n: TEXT,
        s: TEXT,
        b: INT64,
        d: INT64,
        o: optionalType(TEXT),
      }),
    ],
    ['Pair', ['a', 'b'], record({ _1: A, _2: B })],
    // Not among the arbitrary types: with an Optional for `a` its JSON is ambiguous.
    ['Box', ['a'], record({ item: optionalType(A) })],
    ['Colour', [], { kind: 'enum', constructors: ['Red', 'Green', 'Blue'] }],
    [
      'Shape',
      [],
      {
        kind: 'variant',
        constructors: [
          { name: 'Point', type: { kind: 'unit' } },
          { name: 'Circle', type: numericType(4) },
          { name: 'Named', type: named('Pair', TEXT, INT64) },
        ],
      },
    ],
    [
      'Chain',
      ['a'],
      {
        kind: 'variant',
        constructors: [
          { name: 'End', type: { kind: 'unit' } },
          { name: 'Link', type: named('Pair', A, named('Chain', A)) },
        ],
      },
    ],
    ['Tree', [], record({ label: INT64, children: listType(named('Tree')) })],
    [
      'Nested',
      [],
      record({ inner: optionalType(optionalType(INT64)), last: optionalType(named('Nested')) }),
    ],
  ];

function record(fields: Record<string, DamlType>): DataBody {
  return {
    kind: 'record',
    fields: Object.keys(fields).map((name): Field => ({ name, type: fields[name]! })),
  };
}

const dataTypes = new Map<string, DataType>(
  DEFINITIONS.map(([name, params, body]) => [
    `${TYPES_MODULE}:${name}`,
    { id: `${PACKAGE_ID}:${TYPES_MODULE}:${name}`, params, serializable: true, body },
  ]),
);

export const typesPackage: DamlPackage = {
  id: PACKAGE_ID,
  name: 'arbitrary-types',
  version: '1.0.0',
  languageVersion: 'typescript',
  dependencies: [],
  dataTypes,
  templates: new Map([
    [
      `${TYPES_MODULE}:Holding`,
      {
        id: `${PACKAGE_ID}:${TYPES_MODULE}:Holding`,
        packageName: 'arbitrary-types',
        payloadType: named('Holding'),
        choices: new Map(),
        implementations: new Map(),
        code: { precondition: () => true, signatories: () => [], observers: () => [] },
      },
    ],
  ]),
  interfaces: new Map(),
  archive: new Uint8Array(),
};

export const packages: PackageLookup = {
  package: (id) => (id === PACKAGE_ID ? typesPackage : undefined),
  packageIdForName: (name) => (name === typesPackage.name ? PACKAGE_ID : undefined),
};

const leafType: Arbitrary<DamlType> = fc.oneof(
  fc.constantFrom<DamlType>(
    { kind: 'unit' },
    { kind: 'bool' },
    INT64,
    TEXT,
    PARTY,
    { kind: 'timestamp' },
    { kind: 'date' },
    contractIdType,
    ...['Empty', 'Holding', 'Odd', 'Colour', 'Shape', 'Tree', 'Nested'].map((name) => named(name)),
  ),
  fc.integer({ min: 0, max: 37 }).map(numericType),
);

export const damlType: Arbitrary<DamlType> = fc.letrec<{ type: DamlType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leafType,
    tie('type').map(optionalType),
    tie('type').map(listType),
    tie('type').map(textMapType),
    fc.tuple(tie('type'), tie('type')).map(([key, value]) => genMapType(key, value)),
    fc.tuple(tie('type'), tie('type')).map(([first, second]) => named('Pair', first, second)),
    tie('type').map((element) => named('Chain', element)),
  ),
})).type;

const values = new ValueArbitraries(packages);

/** Normalised values of the type. `fuel` bounds the recursion of recursive types. */
export const damlValue = (type: DamlType, fuel?: number): Arbitrary<DamlValue> =>
  values.value(type, fuel);

export const damlTypeAndValue: Arbitrary<{ type: DamlType; value: DamlValue }> = damlType.chain(
  (type) => damlValue(type).map((value) => ({ type, value })),
);
