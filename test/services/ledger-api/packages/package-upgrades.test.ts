/** Invalid upgrades of a vetted package (B-PKG-012, B-VET-016): one row for each rule, with its message. */
import { addPackages } from '../../../../src/network/index.js';
import { d, defineInterface, definePackage, defineTemplate } from 'canticle';
import {
  byInterface,
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  type LedgerApi,
} from '../../../support/ledger-api.js';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type ChoiceSpec,
  type ModuleSpec,
  type PackageSpec,
} from '../../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

let api: LedgerApi;
beforeEach(async () => {
  api = await startLedgerApi({ alphaVersionSupport: true });
});
afterEach(() => api.client.close());

type Modules = PackageSpec['modules'];
const packageOf = (version: string, modules: Modules, lf?: PackageSpec['lf']) =>
  encodePackage({ name: 'assets', version, modules, lf });

const GIVE = { argument: t.con('Main:Give'), returns: t.contractId(t.con('Main:Asset')) };
const owner = { owner: t.party };

/** A module with a template, a choice, and a type of each kind. */
const BASE: ModuleSpec = {
  types: {
    Give: { record: { to: t.party } },
    Size: { enum: ['Small', 'Large'] },
    Shape: { variant: { Round: t.int64, Square: t.con('Main:Shape.Square') } },
    'Shape.Square': { record: { side: t.int64 } },
    Pair: { params: ['a', 'b'], record: { first: t.var('a'), second: t.var('b') } },
    Note: { record: { text: t.text } },
    Rates: { record: { last: t.numeric(2), of: t.genMap(t.text, t.int64) } },
    Code: { record: { run: t.arrow(t.unit, t.unit) }, serializable: false },
  },
  templates: { Asset: { fields: owner, choices: { Give: GIVE } } },
};
const main = (more: Partial<ModuleSpec> = {}): Modules => ({ Main: { ...BASE, ...more } });
const typed = (types: ModuleSpec['types']): Modules => main({ types: { ...BASE.types, ...types } });
const asset = (template: object): Modules =>
  main({ templates: { Asset: { fields: owner, choices: { Give: GIVE }, ...template } } });

const { Give: _give, ...withoutGive } = BASE.types!;

const INVALID: [string, Modules, RegExp][] = [
  [
    'a module is removed',
    { Other: another() },
    /^Module Main appears in package that is being upgraded/,
  ],
  [
    'a template is removed',
    main({ templates: {}, types: { ...BASE.types, Asset: { record: owner } } }),
    /^Template Asset appears/,
  ],
  ['a choice is removed', asset({ choices: {} }), /^Choice Give appears/],
  [
    'a choice returns another type',
    asset({ choices: { Give: { ...GIVE, returns: t.unit } } }),
    /choice Give cannot change its return type/,
  ],
  [
    'a type is removed',
    main({
      types: withoutGive,
      templates: {
        Asset: { fields: owner, choices: { Give: { ...GIVE, argument: t.con('Main:Size') } } },
      },
    }),
    /^Data type Give appears/,
  ],
  [
    'a template has a new required field',
    asset({ fields: { ...owner, price: t.int64 } }),
    /template Asset has added new fields, but those fields are not Optional/,
  ],
  [
    'a template lacks a field',
    asset({ fields: { holder: t.party } }),
    /template Asset is missing some of its original fields/,
  ],
  [
    'a field has another type',
    asset({ fields: { owner: t.text } }),
    /template Asset has changed the types of some of its original fields/,
  ],
  [
    'a numeric has another scale',
    typed({ Rates: { record: { last: t.numeric(3), of: t.genMap(t.text, t.int64) } } }),
    /data type Rates has changed the types/,
  ],
  [
    'a map has other keys',
    typed({ Rates: { record: { last: t.numeric(2), of: t.genMap(t.party, t.int64) } } }),
    /data type Rates has changed the types/,
  ],
  [
    'a map has other values',
    typed({ Rates: { record: { last: t.numeric(2), of: t.genMap(t.text, t.text) } } }),
    /data type Rates has changed the types/,
  ],
  [
    'an argument has another type',
    typed({ Give: { record: { to: t.list(t.party) } } }),
    /input type of choice Give on template Asset has changed the types/,
  ],
  [
    'an optional field is added at the start',
    asset({ fields: { note: t.optional(t.text), ...owner } }),
    /template Asset has changed the order of its fields/,
  ],
  [
    'an enum constructor is removed',
    typed({ Size: { enum: ['Small'] } }),
    /data type Size has removed an existing variant/,
  ],
  [
    'enum constructors change their order',
    typed({ Size: { enum: ['Large', 'Small'] } }),
    /at the end of the enum/,
  ],
  [
    'an enum constructor is added between others',
    typed({ Size: { enum: ['Small', 'Medium', 'Large'] } }),
    /at the end of the enum/,
  ],
  [
    'a type becomes the argument type of a choice',
    asset({ choices: { Give: GIVE, Note: { argument: t.con('Main:Note'), returns: t.unit } } }),
    /record Note has changed origin from data type Note to input type of choice Note on template Asset/,
  ],
  [
    'a variant constructor is removed',
    typed({ Shape: { variant: { Square: t.con('Main:Shape.Square') } } }),
    /data type Shape has removed an existing variant/,
  ],
  [
    'a variant constructor has another type',
    typed({ Shape: { variant: { Round: t.text, Square: t.con('Main:Shape.Square') } } }),
    /data type Shape has changed the type of a variant/,
  ],
  [
    'a variant constructor has another type of the module',
    typed({ Shape: { variant: { Round: t.int64, Square: t.con('Main:Size') } } }),
    /The record Shape.Square has changed origin from variant constructor Shape.Square from variant Shape/,
  ],
  [
    'variant constructors change their order',
    typed({ Shape: { variant: { Square: t.con('Main:Shape.Square'), Round: t.int64 } } }),
    /at the end of the variant/,
  ],
  [
    'the record of a constructor has a new field',
    typed({ 'Shape.Square': { record: { side: t.int64, color: t.text } } }),
    /variant constructor Shape.Square from variant Shape has added a field/,
  ],
  [
    'a record becomes a variant',
    typed({ Pair: { params: ['a', 'b'], variant: { First: t.var('a') } } }),
    /data type Pair has changed from a record to a variant/,
  ],
  [
    'a type has fewer parameters',
    typed({ Pair: { params: ['a'], record: { first: t.var('a'), second: t.var('a') } } }),
    /data type Pair has changed the number of type variables/,
  ],
  [
    'type parameters are swapped',
    typed({ Pair: { params: ['a', 'b'], record: { first: t.var('b'), second: t.var('a') } } }),
    /data type Pair has changed the types/,
  ],
  [
    'a type is no longer serializable',
    typed({ Size: { enum: ['Small', 'Large'], serializable: false } }),
    /data type Size was serializable and is now unserializable/,
  ],
];

/** Another module with something in it. */
function another(): ModuleSpec {
  return { types: { Size: { enum: ['Small'] } } };
}

it.each(INVALID)('rejects an upgrade if %s', async (_what, modules, reason) => {
  await api.ok('/v2/dars', buildDar(packageOf('1.0.0', main())));
  const next = packageOf('2.0.0', modules);
  for (const path of ['/v2/dars/validate', '/v2/dars']) {
    const { status, body } = await api.post(path, buildDar(next));
    expect([status, body.code]).toEqual([400, 'NOT_VALID_UPGRADE_PACKAGE']);
    expect(body.context.upgradeError).toMatch(reason);
    expect(body.context.newPackage).toBe(`${next.id} (assets v2.0.0)`);
  }
});

/** Versions of a template with a key of that type, or without one. Keys came with Daml-LF 2.3. */
const keyed = (version: string, key?: LfTypeSpec) =>
  packageOf(version, key === undefined ? asset({}) : asset({ key }), '3');

it.each([
  ['the key is removed', t.party, undefined, /template Asset cannot remove its key/],
  ['a key is added', undefined, t.party, /template Asset cannot add a key/],
  ['the key has another type', t.party, t.text, /template Asset cannot change its key type/],
])('rejects an upgrade if %s', async (_what, before, after, reason) => {
  await api.ok('/v2/dars', buildDar(keyed('1.0.0', before)));
  await api.ok('/v2/dars', buildDar(keyed('1.1.0', before)));
  const { status, body } = await api.post('/v2/dars', buildDar(keyed('2.0.0', after)));
  expect([status, body.code]).toEqual([400, 'NOT_VALID_UPGRADE_PACKAGE']);
  expect(body.context.upgradeError).toMatch(reason);
});

it.each([
  ['dev', '3', '2.3 < 2.dev'],
  ['3', '2', '2.2 < 2.3'],
] as const)('rejects an upgrade from Daml-LF 2.%s to 2.%s', async (before, after, versions) => {
  await api.ok('/v2/dars', buildDar(packageOf('1.0.0', main(), before)));
  const { status, body } = await api.post('/v2/dars', buildDar(packageOf('2.0.0', main(), after)));
  expect([status, body.context?.upgradeError]).toEqual([
    400,
    `The upgraded package uses an older LF version (${versions})`,
  ]);
});

it('the error names the packages in the order of their versions, not of their upload', async () => {
  await api.ok(
    '/v2/dars',
    buildDar(packageOf('2.0.0', asset({ fields: { ...owner, note: t.optional(t.text) } }))),
  );
  const { body } = await api.post('/v2/dars', buildDar(packageOf('3.0.0', main())));
  expect(body.context).toMatchObject({
    oldPackage: expect.stringMatching(/v2.0.0/),
    newPackage: expect.stringMatching(/v3.0.0/),
  });
  expect((await api.post('/v2/dars', buildDar(packageOf('1.0.0', main())))).status).toBe(200);
});

it.each<[string, Modules]>([
  ['no change', main()],
  ['an optional field at the end', asset({ fields: { ...owner, note: t.optional(t.text) } })],
  [
    'a new choice',
    main({
      types: { ...BASE.types, Burn: { record: {} } },
      templates: {
        Asset: {
          fields: owner,
          choices: { Give: GIVE, Burn: { argument: t.con('Main:Burn'), returns: t.unit } },
        },
      },
    }),
  ],
  ['new constructors at the end', typed({ Size: { enum: ['Small', 'Large', 'Huge'] } })],
  [
    'other names of type parameters',
    typed({ Pair: { params: ['x', 'y'], record: { first: t.var('x'), second: t.var('y') } } }),
  ],
  ['a new module', { ...main(), More: another() }],
  [
    'another type that is no longer serializable',
    typed({ Code: { record: { run: t.arrow(t.int64, t.unit) }, serializable: false } }),
  ],
])('accepts an upgrade: %s', async (_what, modules) => {
  await api.ok('/v2/dars', buildDar(packageOf('1.0.0', main())));
  // A package of the same contents differs by its version.
  expect((await api.post('/v2/dars/validate', buildDar(packageOf('1.1.0', modules)))).status).toBe(
    200,
  );
  await api.ok('/v2/dars', buildDar(packageOf('1.1.0', modules)));
});

it('checks one module after another', async () => {
  const modules = (sizes: string[], choices: Readonly<Record<string, ChoiceSpec>>): Modules => ({
    First: { types: { Size: { enum: sizes } } },
    Second: {
      types: { Give: { record: {} } },
      templates: { Asset: { fields: owner, choices } },
    },
  });
  const give = { Give: { argument: t.con('Second:Give'), returns: t.unit } };
  await api.ok('/v2/dars', buildDar(packageOf('1.0.0', modules(['Small', 'Large'], give))));
  const { body } = await api.post('/v2/dars', buildDar(packageOf('2.0.0', modules(['Small'], {}))));
  expect(body.context.upgradeError).toMatch(/data type Size has removed an existing variant/);
});

it('accepts a removed exception, and rejects a removed interface implementation', async () => {
  const modules = {
    Api: { interfaces: { Named: { view: t.con('Api:View') } }, types: { View: { record: {} } } },
  };
  const names = encodePackage({ name: 'names', modules });
  const named = {
    [`${names.id}:Api:Named`]: { view: e.record(t.con(`${names.id}:Api:View`), {}), methods: {} },
  };
  const version = (number: string, isNamed: boolean, more: Partial<ModuleSpec> = {}) => {
    const template = {
      fields: owner,
      choices: { Give: GIVE },
      ...(isNamed && { implements: named }),
    };
    return encodePackage({
      name: 'assets',
      version: number,
      imports: [names.id],
      modules: main({ templates: { Asset: template }, ...more }),
    });
  };
  const withException = {
    types: { ...BASE.types, Err: { record: { code: t.int64 } } },
    exceptions: ['Err'],
  };
  await api.ok('/v2/dars', buildDar(version('1.0.0', true, withException), names));
  await api.ok('/v2/dars', buildDar(version('1.1.0', true), names));
  const { body } = await api.post('/v2/dars', buildDar(version('1.2.0', false), names));
  expect(body.context.upgradeError).toBe(
    `Implementation of interface ${names.id}:Api:Named by template Asset appears in package that is being upgraded, but does not appear in this package.`,
  );
});

it('packages of the same language version, or of TypeScript, upgrade each other', async () => {
  const none = definePackage({ name: 'assets', version: '0.9.0', templates: [] });
  addPackages(api.canticle.participant.engine, [none]);
  for (const number of ['1.0.0', '1.1.0'])
    await api.ok('/v2/dars', buildDar(packageOf(number, main(), 'dev')));
});

it('rejects an older language version', async () => {
  await api.ok('/v2/dars', buildDar(packageOf('1.0.0', main(), '2')));
  const { body } = await api.post('/v2/dars', buildDar(packageOf('2.0.0', main(), '1')));
  expect(body.context.upgradeError).toBe(
    'The upgraded package uses an older LF version (2.1 < 2.2)',
  );
});

it('a type of a dependency may stay or become newer, but not older', async () => {
  const lib = (version: string) =>
    encodePackage({
      name: 'lib',
      version,
      modules: { Lib: { types: { Id: { record: { text: t.text } } } } },
    });
  const [old, current] = [lib('1.0.0'), lib('1.1.0')];
  const using = (version: string, { id }: { id: string }) =>
    packageOf(version, {
      Main: { templates: { Asset: { fields: { owner: t.party, id: t.con(`${id}:Lib:Id`) } } } },
    });
  await api.ok('/v2/dars', buildDar(using('1.0.0', current), current));
  const older = await api.post('/v2/dars', buildDar(using('2.0.0', old), old));
  expect(older.body.context.upgradeError).toMatch(/template Asset has changed the types/);
  await api.client.close();
  api = await startLedgerApi({ alphaVersionSupport: true });
  await api.ok('/v2/dars', buildDar(using('1.0.0', old), old));
  for (const number of ['2.0.0', '2.1.0'])
    await api.ok('/v2/dars', buildDar(using(number, current), current));
});

it.each([
  ['daml-prim', 'GHC.Stack.Types'],
  ['daml-stdlib', 'DA.Numeric'],
])(
  "the compiler's package %s may have serializable types in its original module only",
  async (name, module) => {
    const compilers = (modules: Modules) => buildDar(encodePackage({ name, modules }));
    const refusal = { status: 400, body: { code: 'DAML_PRIM_NOT_UTILITY_PACKAGE' } };
    expect(await api.post('/v2/dars', compilers({ Main: another() }))).toMatchObject(refusal);
    expect((await api.post('/v2/dars', compilers({ [module]: another() }))).status).toBe(200);
  },
);

it('packages without serializable types or templates are not upgrades of each other', async () => {
  const utility = (value: string) =>
    encodePackage({ name: 'utility', modules: { [value]: { values: { f: { type: t.unit } } } } });
  await api.ok('/v2/dars', buildDar(utility('A')));
  expect((await api.post('/v2/dars', buildDar(utility('B')))).status).toBe(200);
});

/** Refusals of the engine's computeInterfaceView. The versions can be incompatible if their vetting was forced. */
describe('the view of a contract fails in the version that computes it, if', () => {
  let alice: string;
  beforeEach(async () => {
    [alice] = await api.parties('alice');
  });
  const idOf = ({ id }: { readonly id: string }) => `${id}:Main:Thing`;
  type Fields = Parameters<typeof defineTemplate>[0]['fields'];
  const Seen = defineInterface({
    name: 'Main:Seen',
    view: d.record('Main:SeenView', { owner: d.party }),
  });
  const interfaces = definePackage({ name: 'seen', version: '1.0.0', interfaces: [Seen] });
  const template = (name: string, fields: object, isSeen: boolean) =>
    defineTemplate({
      name,
      fields: { owner: d.party, ...fields } as { owner: typeof d.party },
      signatories: ({ owner }) => [owner],
      implements: (implement) =>
        isSeen ? [implement(Seen, { view: ({ owner }) => ({ owner }) })] : [],
    });
  const things = (major: number, ...templates: ReturnType<typeof template>[]) =>
    definePackage({ name: 'things', version: `${major}.0.0`, templates });
  const viewOf = async (payload: object, ...versions: ReturnType<typeof things>[]) => {
    addPackages(api.canticle.participant.engine, [interfaces, ...versions]);
    await api.transact(create(idOf(versions[0]!), { owner: alice, ...payload }), {
      actAs: alice,
    });
    const format = eventFormat([alice], byInterface('#seen:Main:Seen', { view: true }));
    const [{ interfaceViews }] = await api.active(format);
    return interfaceViews[0];
  };

  it.each<[string, Fields, object, Fields, string]>([
    [
      'a field is required',
      {},
      {},
      { n: d.int64 },
      'Missing non-optional field "n", cannot upgrade non-optional fields.',
    ],
    [
      'a field would lose its value',
      { n: d.optional(d.text) },
      { n: 'x' },
      {},
      'An optional contract field with a value of Some may not be dropped during downgrading.',
    ],
    [
      'a required field is removed',
      { n: d.int64 },
      { n: '1' },
      {},
      'Found non-optional extra field, cannot remove for downgrading.',
    ],
    [
      'a field has another type',
      { n: d.int64 },
      { n: '1' },
      { n: d.text },
      'mismatching type: Text and value: Int64(1)',
    ],
    [
      'decimals would be lost',
      { n: d.numeric(10) },
      { n: '1.255' },
      { n: d.numeric(2) },
      'Cannot represent 1.2550000000 as (Numeric 2) without loss of precision',
    ],
    [
      'the number has too many digits',
      { n: d.numeric(0) },
      { n: `1${'0'.repeat(30)}` },
      { n: d.numeric(10) },
      `Out-of-bounds (Numeric 10) 1${'0'.repeat(30)}.0000000000`,
    ],
    [
      'the number has too many digits, some of them decimals',
      { n: d.numeric(2) },
      { n: `1${'0'.repeat(30)}.25` },
      { n: d.numeric(10) },
      `Out-of-bounds (Numeric 10) 1${'0'.repeat(30)}.2500000000`,
    ],
  ])('%s', async (_what, before, payload, after, message) => {
    const one = things(1, template('Main:Thing', before, false));
    const other = things(2, template('Main:Thing', after, true));
    const { viewValue, viewStatus, implementationPackageId } = await viewOf(payload, one, other);
    expect(viewValue).toBeNull();
    expect(viewStatus).toMatchObject({ code: 3 });
    expect(viewStatus.message).toMatch(/^COMMAND_PREPROCESSING_FAILED\(8,\w+\): /);
    expect(viewStatus.message).toContain(message);
    expect(viewStatus.message).not.toContain(`${message}0`);
    expect(implementationPackageId).toBe(other.id);
  });

  it('not for scales without loss, and maps have the key order of the target version', async () => {
    const fields = (scale: number, ...colors: [string, string]) => ({
      n: d.numeric(scale),
      m: d.genMap(d.enum('Main:Color', colors), d.int64),
    });
    const one = things(1, template('Main:Thing', fields(10, 'Red', 'Green'), false));
    const other = things(2, template('Main:Thing', fields(2, 'Green', 'Red'), true));
    const payload = {
      n: '1.25',
      m: [
        ['Red', '1'],
        ['Green', '2'],
      ],
    };
    expect(await viewOf(payload, one, other)).toMatchObject({ viewValue: { owner: alice } });
  });

  it.each([
    ['template', [] as const, (id: string) => `unknown template ${id}`],
    [
      'instance',
      [template('Main:Thing', {}, false)] as const,
      (id: string) => `unknown interface instance ${interfaces.id}:Main:Seen for ${id}`,
    ],
  ])('the %s is missing', async (_what, templates, message) => {
    const one = things(1, template('Main:Thing', {}, true));
    const other = things(2, template('Main:Other', {}, true), ...templates);
    const { viewStatus } = await viewOf({}, one, other);
    expect(viewStatus.message).toContain(message(idOf(other)));
  });
});

it('a contract keeps its key, even if another version adds or removes the key', async () => {
  const [alice] = await api.parties('alice');
  const things = (major: number, isKeyed: boolean) =>
    definePackage({
      name: 'keyed-things',
      version: `${major}.0.0`,
      templates: [
        defineTemplate({
          name: 'Main:Thing',
          fields: { owner: d.party },
          signatories: ({ owner }) => [owner],
          ...(isKeyed && {
            key: {
              type: d.party,
              of: ({ owner }: { owner: string }) => owner,
              maintainers: (owner: string) => [owner],
            },
          }),
        }),
      ],
    });
  const versions = [things(1, false), things(2, true)] as const;
  addPackages(api.canticle.participant.engine, versions);
  const keyResources = async (from: 0 | 1, to: 0 | 1) => {
    const idOf = (at: 0 | 1) => `${versions[at].id}:Main:Thing`;
    const contractId = await api.create(idOf(from), { owner: alice }, { actAs: alice });
    const archive = exercise(idOf(to), contractId, 'Archive');
    const { body } = await api.post(
      '/v2/commands/submit-and-wait',
      api.commands(archive, { actAs: alice }),
    );
    expect(body.code).toBe('INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED');
    return body.resources
      .filter(([kind]: string[]) => kind!.includes('NULLABLE'))
      .map(([, name]: string[]) => (name === alice ? 'alice' : name));
  };
  const without = ['NULL', 'NULL', 'NULL'];
  const key = [expect.not.stringMatching(/^NULL$/), 'keyed-things', 'alice'];
  expect(await keyResources(0, 1)).toEqual([...without, ...key]);
  expect(await keyResources(1, 0)).toEqual([...key, ...without]);
});
