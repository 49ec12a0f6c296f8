import fc from 'fast-check';
import { readDar } from '../../../src/daml/dar/dar-file.js';
import type { DamlPackage } from '../../../src/daml/model/package.js';
import type { DamlType } from '../../../src/daml/model/types.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { encodePackage, type ModuleSpec, type PackageSpec } from '../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';
import { check } from '../../support/property.js';

const VERSIONS = ['1', '2', '3', 'dev'] as const;
type Lf = PackageSpec['lf'];

function load(modules: Readonly<Record<string, ModuleSpec>>, lf?: Lf): DamlPackage {
  return readDar(buildDar(encodePackage({ modules, lf }))).main;
}

/** The type of field `x` of a record that has it alone. */
function roundTrip(type: LfTypeSpec, lf?: Lf, params: readonly string[] = []): DamlType {
  const types = { R: { record: { x: type }, params, serializable: false } };
  const { body } = load({ M: { types } }, lf).dataTypes.get('M:R')!;
  if (body.kind !== 'record') throw new Error('R is a record.');
  return body.fields[0]!.type;
}

describe.each(VERSIONS)('a package of Daml-LF 2.%s', (lf) => {
  const wallet = {
    'Main.Wallet': {
      types: {
        'Asset.Kind': { enum: ['Coin', 'Note'] },
        Event: { variant: { Paid: t.con('Main.Wallet:Pair', t.text, t.int64), Closed: t.unit } },
        Pair: { params: ['a', 'b'], record: { first: t.var('a'), second: t.var('b') } },
        View: { record: { owner: t.party } },
        Handler: { serializable: false, record: { run: t.arrow(t.text, t.int64) } },
        Wallet_Pay: { record: { amount: t.numeric(10) } },
        Holder_Show: { record: {} },
      },
      templates: {
        Wallet: {
          fields: { owner: t.party, kind: t.con('Main.Wallet:Asset.Kind') },
          choices: {
            Wallet_Pay: {
              argument: t.con('Main.Wallet:Wallet_Pay'),
              returns: t.contractId(t.con('Main.Wallet:Wallet')),
            },
            Wallet_Look: {
              consuming: false,
              argument: t.con('Main.Wallet:Holder_Show'),
              returns: t.unit,
            },
          },
          implements: { 'Main.Wallet:Holder': ['getOwner'] },
        },
      },
      interfaces: {
        Holder: {
          view: t.con('Main.Wallet:View'),
          methods: { getOwner: t.party },
          choices: {
            Holder_Show: {
              consuming: false,
              argument: t.con('Main.Wallet:Holder_Show'),
              returns: t.text,
            },
          },
        },
      },
    },
  } satisfies Record<string, ModuleSpec>;
  const main = load(wallet, lf);
  const id = (entity: string): string => `${main.id}:Main.Wallet:${entity}`;

  test('has its name, version and language', () => {
    expect([main.name, main.version, main.languageVersion]).toEqual([
      'test-package',
      '1.0.0',
      `2.${lf}`,
    ]);
  });

  test('has records, variants, enums and interfaces, with fields in order', () => {
    expect(main.dataTypes.get('Main.Wallet:Asset.Kind')).toEqual({
      id: id('Asset.Kind'),
      params: [],
      serializable: true,
      body: { kind: 'enum', constructors: ['Coin', 'Note'] },
    });
    const pair = { kind: 'con', id: id('Pair'), args: [{ kind: 'text' }, { kind: 'int64' }] };
    expect(main.dataTypes.get('Main.Wallet:Event')!.body).toEqual({
      kind: 'variant',
      constructors: [
        { name: 'Paid', type: pair },
        { name: 'Closed', type: { kind: 'unit' } },
      ],
    });
    expect(main.dataTypes.get('Main.Wallet:Pair')).toMatchObject({
      params: ['a', 'b'],
      body: { kind: 'record', fields: [{ name: 'first', type: { kind: 'var', name: 'a' } }, {}] },
    });
    expect(main.dataTypes.get('Main.Wallet:Handler')).toMatchObject({
      serializable: false,
      body: { fields: [{ name: 'run', type: { kind: 'opaque', name: 'Arrow' } }] },
    });
    expect(main.dataTypes.get('Main.Wallet:Holder')!.body).toEqual({ kind: 'interface' });
  });

  test('has templates with their choices, interfaces and code', () => {
    const template = main.templates.get('Main.Wallet:Wallet')!;
    expect(template.payloadType).toEqual({ kind: 'con', id: id('Wallet'), args: [] });
    expect(template.code).toBeDefined();
    expect(template.key).toBeUndefined();
    expect([...template.choices.values()]).toMatchObject([
      {
        name: 'Wallet_Pay',
        consuming: true,
        argumentType: { kind: 'con', id: id('Wallet_Pay'), args: [] },
        returnType: { kind: 'contractId', of: { kind: 'con', id: id('Wallet'), args: [] } },
      },
      {
        name: 'Wallet_Look',
        consuming: false,
        argumentType: { kind: 'con', id: id('Holder_Show'), args: [] },
        returnType: { kind: 'unit' },
      },
    ]);
    expect([...template.implementations]).toMatchObject([
      [id('Holder'), { interfaceId: id('Holder') }],
    ]);
  });

  test('has interfaces with their view, choices and requirements', () => {
    expect(main.interfaces.get('Main.Wallet:Holder')).toMatchObject({
      id: id('Holder'),
      packageName: 'test-package',
      viewType: { kind: 'con', id: id('View') },
      requires: [],
    });
    expect([...main.interfaces.get('Main.Wallet:Holder')!.choices.keys()]).toEqual(['Holder_Show']);
  });
});

test('computes definitions once, at the first access', () => {
  const main = load({
    M: { types: { R: { record: { x: t.text } } }, templates: { T: { fields: {} } } },
  });
  expect(main.dataTypes).toBe(main.dataTypes);
  expect(main.templates).toBe(main.templates);
  expect(main.interfaces).toBe(main.interfaces);
});

test('reads contract keys since 2.3', () => {
  const modules = { M: { templates: { T: { fields: { p: t.party }, key: t.party } } } };
  expect(load(modules, '3').templates.get('M:T')!.key).toEqual({ type: { kind: 'party' } });
});

describe('types', () => {
  const simple: readonly (readonly [LfTypeSpec, DamlType])[] = [
    [t.unit, { kind: 'unit' }],
    [t.bool, { kind: 'bool' }],
    [t.int64, { kind: 'int64' }],
    [t.text, { kind: 'text' }],
    [t.date, { kind: 'date' }],
    [t.timestamp, { kind: 'timestamp' }],
    [t.party, { kind: 'party' }],
    [t.numeric(0), { kind: 'numeric', scale: 0 }],
    [t.numeric(37), { kind: 'numeric', scale: 37 }],
  ];
  const types = fc.letrec<{ type: readonly [LfTypeSpec, DamlType] }>((tie) => ({
    type: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(...simple),
      fc
        .tuple(
          fc.constantFrom(
            'optional' as const,
            'list' as const,
            'textMap' as const,
            'contractId' as const,
          ),
          tie('type'),
        )
        .map(([kind, [spec, of]]) => [t[kind](spec), { kind, of }] as const),
      fc
        .tuple(tie('type'), tie('type'))
        .map(([[a, key], [b, value]]) => [t.genMap(a, b), { kind: 'genMap', key, value }] as const),
    ),
  })).type;

  test('of each shape are decoded as encoded, for each language version', () => {
    check(
      fc.property(types, fc.constantFrom(...VERSIONS), ([spec, expected], lf) => {
        expect(roundTrip(spec, lf)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['a function', t.arrow(t.int64, t.text), 'Arrow'],
    ['Any', t.any, 'Any'],
    ['a structural record', t.struct({ a: t.int64, b: t.text }), 'struct'],
    ['a polymorphic type', t.forall('a', t.var('a')), 'forall'],
  ])('decodes %s as opaque', (_, spec, name) => {
    for (const lf of VERSIONS) expect(roundTrip(spec, lf)).toEqual({ kind: 'opaque', name });
  });

  test('expands synonyms, across packages too', () => {
    const library = encodePackage({
      name: 'library',
      modules: {
        Lib: {
          synonyms: {
            Amount: { type: t.numeric(10) },
            Pair: { params: ['a'], type: t.genMap(t.var('a'), t.syn('Lib:Amount')) },
          },
        },
      },
    });
    const pair = t.syn(`${library.id}:Lib:Pair`, t.list(t.party));
    const main = encodePackage({
      name: 'main',
      modules: { M: { types: { R: { record: { pair }, serializable: false } } } },
    });
    const { body } = readDar(buildDar(main, library)).main.dataTypes.get('M:R')!;
    expect(body).toEqual({
      kind: 'record',
      fields: [
        {
          name: 'pair',
          type: {
            kind: 'genMap',
            key: { kind: 'list', of: { kind: 'party' } },
            value: { kind: 'numeric', scale: 10 },
          },
        },
      ],
    });
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'accepts the name %s',
    (name) => {
      const main = load({
        [name]: {
          types: { [name]: { record: [[name, t.text]] }, E: { enum: [name] } },
        },
      });
      expect(main.dataTypes.get(`${name}:${name}`)!.body).toEqual({
        kind: 'record',
        fields: [{ name, type: { kind: 'text' } }],
      });
      expect(main.dataTypes.get('M:toString')).toBeUndefined();
    },
  );
});
