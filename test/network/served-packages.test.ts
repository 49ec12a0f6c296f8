/** The archives that a participant serves: their hashes are the package ids, and any other participant accepts them as an upload. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import {
  createCanticle,
  d,
  defineInterface,
  definePackage,
  defineTemplate,
  methods,
  quickstartPackage,
  startLocalnet,
  tuple2,
  type Canticle,
  type Localnet,
  type PackageSpec,
  type Type,
} from 'canticle';
import { check } from '../support/property.js';
import { encodeArchive } from '../support/daml/lf-encoder.js';
import { buildDar } from '../support/daml/dar-builder.js';

type Package = ReturnType<typeof definePackage>;

const servedBy = async (canticle: Canticle): Promise<readonly string[]> =>
  ((await canticle.handle({ path: '/v2/packages' })).json() as any).packageIds;

const downloaded = async (canticle: Canticle, id: string): Promise<Buffer> =>
  Buffer.from((await canticle.handle({ path: `/v2/packages/${id}` })).body as Uint8Array);

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A DAR of a package and of all that it needs, as a participant serves them. */
async function darOf(canticle: Canticle, main: Package): Promise<Uint8Array> {
  const { packages } = canticle.network.participants[0]!;
  const needed = new Set([main.id]);
  for (const id of needed) packages.package(id)!.dependencies.forEach((each) => needed.add(each));
  const encoded = await Promise.all(
    [...needed].map(async (id) => {
      const { name, version } = packages.package(id)!;
      const payload = await downloaded(canticle, id);
      return { id, name, version, payload, dalf: encodeArchive(payload) };
    }),
  );
  return buildDar(encoded[0]!, ...encoded.slice(1));
}

async function upload(canticle: Canticle, body: Uint8Array): Promise<unknown> {
  return (await canticle.handle({ path: '/v2/dars', method: 'POST', body })).json();
}

const Currency = d.enum('Model.Types:Currency', ['EUR', 'USD']);
const Shape = d.variant('Model.Types:Shape', { Circle: { radius: d.numeric(2) }, Point: d.unit });
const types = definePackage({ name: 'model-types', version: '1.0.0', types: [Currency, Shape] });

const View = d.record('Model.Api:View', { owner: d.party, currency: Currency });
const Asset = defineInterface({
  name: 'Model.Api:Asset',
  view: View,
  methods: methods<{
    asset_moveImpl(update: unknown, to: { to: string }): string;
    other(): void;
  }>()('asset_moveImpl', 'other'),
  choices: (choice) => ({
    Asset_Move: choice({
      argument: { to: d.party },
      result: d.text,
      controllers: ({ owner }) => [owner],
      run: (update, self, to) => self.methods.asset_moveImpl(update, to),
    }),
  }),
});
const api = definePackage({ name: 'model-api', version: '1.0.0', interfaces: [Asset] });

const Account = defineTemplate({
  name: 'Model.Main:Account',
  fields: { owner: d.party, shape: Shape, next: d.optional(d.contractId('Model.Main:Account')) },
  signatories: ({ owner }) => [owner],
  key: {
    type: tuple2(d.party, d.text),
    of: ({ owner }) => ({ _1: owner, _2: '' }),
    maintainers: ({ _1 }) => [_1],
  },
  implements: (implement) => [
    implement(Asset, {
      view: ({ owner }) => ({ owner, currency: 'EUR' as const }),
      methods: { asset_moveImpl: () => 'moved', other: () => undefined },
    }),
  ],
  choices: (choice) => ({
    Peek: choice({
      consuming: false,
      argument: { map: d.genMap(d.text, d.int64), texts: d.textMap(d.list(d.date)) },
      result: tuple2(d.timestamp, d.contractId()),
      controllers: ({ owner }) => [owner],
      run: (update, self) => ({ _1: update.getTime(), _2: self.contractId }),
    }),
  }),
});
const model = definePackage({ name: 'model-main', version: '1.0.0', templates: [Account] });

const PACKAGES = [types, api, model];

it.each([
  ['a library instance', {}],
  ['a bare instance, like Canton', { bare: true }],
  ['one with packages in TypeScript', { packages: PACKAGES }],
])('%s serves only archives whose hashes are their ids', async (_, options) => {
  const canticle = createCanticle(options);
  const ids = await servedBy(canticle);
  expect(ids.length).toBeGreaterThanOrEqual(4);
  for (const id of ids) expect(hashOf(await downloaded(canticle, id))).toBe(id);
});

it('serves TypeScript packages with keys and interfaces, which another participant accepts', async () => {
  const one = createCanticle({ packages: PACKAGES });
  const served = await servedBy(one);
  expect(served).toEqual(expect.arrayContaining(PACKAGES.map(({ id }) => id)));
  const other = createCanticle({ bare: true });
  expect(await upload(other, await darOf(one, model))).toEqual({});
  expect(await servedBy(other)).toEqual(expect.arrayContaining(PACKAGES.map(({ id }) => id)));
  // The other participant reads the same declarations.
  for (const { id, name } of PACKAGES) {
    const [written, read] = [one, other].map((each) => declared(each, id));
    expect({ name, ...read }).toEqual({ name, ...written });
  }
});

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  one < other ? -1 : 1;

/** Types, choices and interfaces of a package as the other one knows them. */
function declared(canticle: Canticle, id: string) {
  const found = canticle.network.participants[0]!.packages.package(id)!;
  const choices = (of: ReadonlyMap<string, any>) =>
    [...of.values()]
      .map(({ name, consuming, argumentType, returnType }) => [
        name,
        consuming,
        argumentType,
        returnType,
      ])
      .sort();
  return {
    types: [...found.dataTypes].sort(byName),
    templates: [...found.templates]
      .sort(byName)
      .map(([name, template]) => [
        name,
        template.key?.type,
        choices(template.choices),
        [...template.implementations.keys()],
      ]),
    interfaces: [...found.interfaces].map(([name, each]) => [
      name,
      each.viewType,
      choices(each.choices),
    ]),
  };
}

it('continues to run the TypeScript code of a package whose archive is uploaded', async () => {
  const canticle = createCanticle();
  expect(await upload(canticle, await darOf(canticle, quickstartPackage))).toEqual({});
  const alice = canticle.participant.allocateParty('alice');
  const iou = { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [] };
  const template = '#canticle-quickstart:Quickstart.Iou:Iou';
  expect(canticle.participant.create(template, iou, { actAs: [alice] })).toMatch(/^00/);
});

it('an error explains where the code is if only the archive is present', async () => {
  const one = createCanticle();
  const other = createCanticle({ bare: true });
  await upload(other, await darOf(one, quickstartPackage));
  const alice = other.participant.allocateParty('alice');
  const iou = { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [] };
  expect(() =>
    other.participant.create('#canticle-quickstart:Quickstart.Iou:Iou', iou, { actAs: [alice] }),
  ).toThrow(/the package canticle-quickstart 1\.0\.0/);
});

describe('in a LocalNet', () => {
  let localnet: Localnet;
  beforeAll(async () => {
    localnet = await startLocalnet({ spliceDars: false });
  });
  afterAll(() => localnet.close());

  it("each node serves archives only, and none of Canticle's own packages", async () => {
    for (const node of [localnet.sv, localnet.appProvider, localnet.appUser]) {
      const get = async (path: string) =>
        fetch(`${node.ledgerApi}${path}`, { headers: { authorization: `Bearer ${node.token()}` } });
      const { packageIds } = (await (await get('/v2/packages')).json()) as any;
      expect(packageIds).not.toContain(quickstartPackage.id);
      for (const id of packageIds) {
        const answer = await get(`/v2/packages/${id}`);
        const bytes = Buffer.from(await answer.arrayBuffer());
        expect(hashOf(bytes)).toBe(id);
      }
      const vetted = await fetch(`${node.ledgerApi}/v2/package-vetting/list`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${node.token()}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ packageMetadataFilter: { packageNamePrefixes: ['canticle'] } }),
      });
      const { vettedPackages } = (await vetted.json()) as any;
      expect(vettedPackages.flatMap(({ packages }: any) => packages)).toEqual([]);
    }
  });

  it('the first use of the test token adds its package', () => {
    const alice = localnet.appUser.participant.allocateParty('alice');
    localnet.token.mint(alice, '1.0');
    expect(localnet.token.holdings(alice)).toHaveLength(1);
  });
});

const name = fc.stringMatching(/^[A-Z][a-z]{1,5}$/);
const fieldName = fc.stringMatching(/^[a-z]{1,6}$/);
const leaf: fc.Arbitrary<Type<any>> = fc.oneof(
  fc.constantFrom<Type<any>>(d.party, d.text, d.int64, d.bool, d.unit, d.date, d.timestamp, Shape),
  fc.integer({ min: 0, max: 37 }).map((scale) => d.numeric(scale)),
  fc.constant(d.contractId()),
);
const { type } = fc.letrec<{ type: Type<any> }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie('type').map((of) => d.optional(of)),
    tie('type').map((of) => d.list(of)),
    tie('type').map((of) => d.textMap(of)),
    fc.tuple(tie('type'), tie('type')).map(([key, value]) => d.genMap(key, value)),
    fc.tuple(tie('type'), tie('type')).map(([one, other]) => tuple2(one, other)),
  ),
}));
const fields = fc.dictionary(fieldName, type, { maxKeys: 5 }).map((each) => ({ ...each }));

const definition = fc.record({
  fields,
  key: fc.option(fc.constantFrom<Type<any>>(d.text, d.party, tuple2(d.text, d.int64))),
  choices: fc.dictionary(
    name,
    fc.record({ argument: fields, result: type, consuming: fc.boolean() }),
    {
      maxKeys: 3,
    },
  ),
});

const arbitraryPackage = fc
  .record({
    templates: fc.uniqueArray(fc.tuple(name, definition), {
      selector: ([each]) => each.toLowerCase(),
      minLength: 1,
      maxLength: 3,
    }),
    records: fc.dictionary(name, fields, { maxKeys: 3 }),
    variants: fc.dictionary(name, fc.dictionary(name, type, { minKeys: 1, maxKeys: 3 }), {
      maxKeys: 2,
    }),
  })
  .map(({ templates, records, variants }): PackageSpec => ({
    name: 'arbitrary',
    version: '1.0.0',
    // Each in a separate module, with choices named unlike fields, so that names do not collide.
    templates: templates.map(([entity, { fields: own, key, choices }]) =>
      defineTemplate({
        name: `T.${entity}:Contract`,
        fields: { ...own, signer: d.party },
        signatories: ({ signer }: any) => [signer],
        ...(key && { key: { type: key, of: () => '' as never, maintainers: () => [] } }),
        choices: (choice: any) =>
          Object.fromEntries(
            Object.entries(choices).map(([each, { argument, result, consuming }]) => [
              `Choose${each}`,
              choice({
                argument,
                result,
                consuming,
                controllers: () => [],
                run: () => null as never,
              }),
            ]),
          ),
      } as any),
    ),
    types: [
      ...Object.entries(records).map(([entity, own]) => d.record(`R.${entity}:Data`, own)),
      ...Object.entries(variants).map(([entity, own]) => d.variant(`V.${entity}:Sum`, own)),
    ],
  }));

it('a package that one network serves can be uploaded to another, which serves it again', async () => {
  await check(
    fc.asyncProperty(arbitraryPackage, async (spec) => {
      const defined = definePackage(spec);
      const one = createCanticle({ packages: [types, defined] });
      const other = createCanticle({ bare: true });
      expect(await upload(other, await darOf(one, defined))).toEqual({});
      expect(hashOf(await downloaded(other, defined.id))).toBe(defined.id);
      expect(declared(other, defined.id)).toEqual(declared(one, defined.id));
    }),
    { numRuns: 40 },
  );
});

describe('a definition that participants reject', () => {
  const holder = (name: string, more: object) =>
    defineTemplate({
      name,
      fields: { owner: d.party },
      signatories: ({ owner }: any) => [owner],
      ...more,
    } as any);
  const reject = { result: d.unit, controllers: () => [], run: () => ({}) };

  it.each<[string, Partial<PackageSpec>, RegExp]>([
    [
      'fields that differ only in case',
      { types: [d.record('Main:R', { owner: d.party, Owner: d.text })] },
      /field Main:R\.Owner and field Main:R\.owner differ only in case/,
    ],
    [
      'types that differ only in case',
      { types: [d.record('Main:Thing', {}), d.enum('Main:thing', ['A'])] },
      /type Main:thing and type Main:Thing/,
    ],
    [
      'a choice with the name of a field',
      { templates: [holder('Main:T', { choices: (choice: any) => ({ Owner: choice(reject) }) })] },
      /choice Main:T\.Owner and field Main:T\.owner/,
    ],
    [
      'modules that import each other',
      {
        templates: [
          holder('A:One', { fields: { owner: d.party, other: d.contractId('B:Two') } }),
          holder('B:Two', { fields: { owner: d.party, other: d.contractId('A:One') } }),
        ],
      },
      /refer to each other in a circle, which no participant takes: A, B, A\./,
    ],
  ])('is rejected by definePackage: %s', (_, spec, why) => {
    expect(() => definePackage({ name: 'wrong', version: '1.0.0', ...spec })).toThrow(why);
  });

  it('does not include constructors with fields', () => {
    const sum = d.variant('Main:Sum', { Left: { of: d.text }, Right: d.unit });
    expect(definePackage({ name: 'right', version: '1.0.0', types: [sum] }).dataTypes.size).toBe(2);
  });
});
