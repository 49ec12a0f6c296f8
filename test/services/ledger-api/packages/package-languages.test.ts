/** Which versions of Daml-LF a participant takes (B-PKG-027), and how it ends where it has never heard of one (B-PKG-017). */
import { createCanticle, type CanticleOptions } from 'canticle';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e } from '../../../support/daml/lf-code.js';
import { encodePackage, type PackageSpec } from '../../../support/daml/lf-encoder.js';
import { t } from '../../../support/daml/lf-types.js';

interface Vetted {
  vettedPackages: [{ packages: { packageName: string }[] }];
}
type Language = NonNullable<PackageSpec['lf']>;
const MODULES = { Main: { types: { Note: { record: { text: t.text } } } } };
const packageOf = (lf: Language, name = 'notes') =>
  encodePackage({ name, version: '1.0.0', modules: MODULES, lf });

async function upload(
  options: CanticleOptions,
  dar: Uint8Array,
  path = '/v2/dars',
): Promise<Record<string, unknown>> {
  const { status, json } = await createCanticle(options).handle({ path, body: dar });
  return { status, ...(json() as object) };
}

const refusedIn = (expected: string, printed: string, packageId: string) => ({
  status: 400,
  code: 'ALLOWED_LANGUAGE_VERSIONS',
  cause: `Disallowed language version in package ${packageId}: Expected ${expected} but got 2.dev`,
  errorCategory: 8,
  context: expect.objectContaining({
    packageId,
    languageVersion: '2.dev',
    allowedLanguageVersions: printed,
  }),
});
const IN_35 = ['version range is List(2.1, 2.2, 2.3)', 'List(2.1, 2.2, 2.3)'] as const;
const IN_36 = ['version range is List(2.1, 2.2, 2.3, 2.4)', 'List(2.1, 2.2, 2.3, 2.4)'] as const;

test.each<[string, CanticleOptions, string, string]>([
  ['3.5', {}, ...IN_35],
  ['3.5, on protocol version 34', { protocolVersion: 34 }, ...IN_35],
  ['3.6', { apiVersion: '3.6' }, ...IN_36],
  ['3.4', { apiVersion: '3.4' }, 'version between 2.1 and 2.2', 'VersionRange(2.1,2.2)'],
])(
  'a participant of %s rejects Daml-LF 2.dev (R-34-077, R-34-078)',
  async (_what, options, expected, printed) => {
    const dev = packageOf('dev');
    for (const path of ['/v2/dars', '/v2/dars/validate'])
      expect(await upload(options, buildDar(dev), path)).toMatchObject(
        refusedIn(expected, printed, dev.id),
      );
  },
);

test('accepts Daml-LF 2.dev with alphaVersionSupport, also after its world was saved and loaded', async () => {
  const options = { alphaVersionSupport: true };
  const dar = buildDar(packageOf('dev'));
  expect((await upload(options, dar)).status).toBe(200);
  const world = createCanticle(options).dump();
  expect((await upload({ load: world }, dar)).status).toBe(200);
  expect((await upload({ load: createCanticle().dump() }, dar)).status).toBe(400);
});

test.each<[34 | 35 | 36, number]>([
  [34, 400],
  [35, 200],
  [36, 200],
])('transactions of protocol version %i that use Daml-LF 2.dev get %i', async (version, status) => {
  const owner = e.list(t.party, [e.field(t.con('Main:Paper'), 'owner', e.var('this'))]);
  const Paper = { fields: { owner: t.party }, signatories: owner };
  const modules = { Main: { templates: { Paper } } };
  const dar = buildDar(encodePackage({ name: 'papers', version: '1.0.0', modules, lf: 'dev' }));
  const canticle = createCanticle({
    canton: '3.6',
    protocolVersion: version,
    alphaVersionSupport: true,
    dars: [dar],
  });
  const alice = canticle.participant.allocateParty('alice');
  const createArguments = { owner: alice };
  const commands = [{ CreateCommand: { templateId: '#papers:Main:Paper', createArguments } }];
  const body = { commands, commandId: 'c', userId: 'u', actAs: [alice] };
  const answer = await canticle.handle({ path: '/v2/commands/submit-and-wait', body });
  expect(answer.status).toBe(status);
  if (status === 400)
    expect(answer.json()).toMatchObject({
      code: 'ALLOWED_LANGUAGE_VERSIONS',
      cause: expect.stringContaining('but got 2.dev'),
    });
});

test('rejects it in the DARs of the options as well', () => {
  const dars = [buildDar(packageOf('dev'))];
  expect(() => createCanticle({ dars })).toThrow(/ALLOWED_LANGUAGE_VERSIONS/);
  expect(() => createCanticle({ dars, alphaVersionSupport: true })).not.toThrow();
});

test.each<[number, string, CanticleOptions]>([
  [200, '3', {}],
  [200, '3', { apiVersion: '3.6' }],
  [500, '4', {}],
  [400, '4', { apiVersion: '3.4' }],
  [200, '4', { apiVersion: '3.6' }],
])('returns %d for Daml-LF 2.%s with %j (R-36-073)', async (status, lf, options) => {
  expect((await upload(options, buildDar(packageOf(lf as Language)))).status).toBe(status);
});

test('the error names the first of several packages, and of five or more the first by the hash of its id', async () => {
  const of = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `dep-${index}`);
    const dependencies = names.map((name) => packageOf('dev', name));
    const { context } = await upload({}, buildDar(packageOf('3'), ...dependencies));
    const packageId = (context as Record<string, string>)['packageId'];
    return names[dependencies.findIndex(({ id }) => id === packageId)];
  };
  // With the main package they are four, and five.
  expect([await of(3), await of(4)]).toEqual(['dep-0', 'dep-2']);
});

test('checks the version before it checks for unused packages', async () => {
  const dar = buildDar(packageOf('dev'), packageOf('3', 'extra'));
  expect(await upload({}, dar)).toMatchObject({ code: 'ALLOWED_LANGUAGE_VERSIONS' });
  const { code } = await upload({ alphaVersionSupport: true }, dar);
  expect(code).toBe('DAR_DEPENDENCIES_NOT_VALID');
});

test('an unknown version is an unexpected error without ids (R-34-079)', async () => {
  expect(await upload({}, buildDar(packageOf('4')))).toEqual({
    status: 500,
    code: 'NA',
    cause: 'A security-sensitive error has been received',
    correlationId: null,
    traceId: null,
    context: {},
    resources: [],
    errorCategory: -1,
    grpcCodeValue: 13,
    retryInfo: null,
    definiteAnswer: null,
  });
});

test('five packages of an upload are vetted in the order of a Scala set, and four in that of the DAR (B-VET-023)', async () => {
  const names = ['main', 'one', 'two', 'three', 'four'];
  const vetted = async (count: number) => {
    const canticle = createCanticle();
    const dar = buildDar(...(names.slice(0, count).map((name) => packageOf('1', name)) as [never]));
    await canticle.handle({ path: '/v2/dars', body: dar });
    const packageMetadataFilter = { packageIds: [], packageNamePrefixes: names };
    const { json } = await canticle.handle({
      path: '/v2/package-vetting/list',
      body: { packageMetadataFilter },
    });
    const [{ packages }] = (json() as Vetted).vettedPackages;
    return packages.map(({ packageName }) => packageName);
  };
  expect(await vetted(4)).toEqual(names.slice(0, 4));
  expect(await vetted(5)).toEqual(['four', 'one', 'main', 'three', 'two']);
});
