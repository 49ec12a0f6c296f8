/** Preferred package versions (B-INT-031 to B-INT-034, B-LEG-016). */
import { startLedgerApi, type LedgerApi, type JsonAnswer } from '../../../support/ledger-api.js';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { encodePackage, type Fields } from '../../../support/daml/lf-encoder.js';
import { t } from '../../../support/daml/lf-types.js';
import { modelPackage } from '../../../support/daml/model-package.js';

const PATH = '/v2/interactive-submission/preferred-packages';
const VETTING = '/v2/package-vetting/update';

const asset = (version: string, fields: Fields = { owner: t.party }) =>
  encodePackage({
    name: 'assets',
    version,
    modules: { Main: { templates: { Asset: { fields } } } },
  });
const V1 = asset('1.0.0');
const V2 = asset('2.0.0');
const reference = ({ id, name, version }: { id: string; name: string; version: string }) => ({
  packageId: id,
  packageName: name,
  packageVersion: version,
});

let api: LedgerApi;
let alice: string;
let bob: string;
/** The second participant, which hosts bob, has not vetted version 2. */
beforeEach(async () => {
  api = await startLedgerApi({
    participants: [{ name: 'sandbox' }, { name: 'other' }],
    dars: [buildDar(V1)],
  });
  [alice] = await api.parties('alice');
  bob = api.canticle.participants[1]!.allocateParty('bob');
  await api.ok('/v2/dars', buildDar(V2));
});
afterEach(() => api.client.close());

const needs = (...requirements: [string, ...string[]][]) => ({
  packageVettingRequirements: requirements.map(([packageName, ...parties]) => ({
    packageName,
    parties,
  })),
});

it('is the highest version that all parties have vetted, in the order of the request (B-INT-031)', async () => {
  const synchronizerId = api.canticle.network.synchronizers[0]!.id;
  const model = reference(modelPackage);
  expect(await api.ok(PATH, needs(['assets', alice]))).toEqual({
    packageReferences: [reference(V2)],
    synchronizerId,
  });
  expect(await api.ok(PATH, needs(['assets', alice, bob], ['model-tests', bob]))).toEqual({
    packageReferences: [reference(V1), model],
    synchronizerId,
  });
});

it('of five or more names has the order of the hashes of its references (B-INT-031)', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  for (const name of names)
    await api.ok('/v2/dars', buildDar(encodePackage({ name, modules: { Main: {} } })));
  const chosen = async (wanted: readonly string[]) => {
    const all = wanted.map((name): [string, string] => [name, alice]);
    const { packageReferences } = await api.ok(PATH, needs(...all));
    return packageReferences.map((one: { packageName: string }) => one.packageName);
  };
  const four = names.slice(0, 4).reverse();
  expect(await chosen(four)).toEqual(four);
  const order = await chosen(names);
  expect(order).toEqual(await chosen([...names].reverse()));
  expect(order).toEqual(['e', 'd', 'b', 'c', 'a']);
});

it('uses the packages that are vetted at the requested time (B-INT-031)', async () => {
  const change = {
    packages: [{ packageId: V2.id }],
    newValidUntilExclusive: '2030-01-01T00:00:00Z',
  };
  await api.ok(VETTING, { changes: [{ operation: { Vet: { value: change } } }] });
  const at = async (vettingValidAt: string) =>
    (await api.ok(PATH, { ...needs(['assets', alice]), vettingValidAt })).packageReferences[0]
      .packageVersion;
  expect([await at('2029-12-31T23:59:59Z'), await at('2030-01-01T00:00:00Z')]).toEqual([
    '2.0.0',
    '1.0.0',
  ]);
  const late = await api.post(PATH, {
    ...needs(['assets', alice]),
    vettingValidAt: '+10000-01-01T00:00:00Z',
  });
  expect([late.status, late.body.cause]).toEqual([
    400,
    'The submitted command has a field with invalid value: Invalid field vetting_valid_at/vettingValidAt: cannot convert instant +10000-01-01T00:00:00Z into Timestamp:out of bound Timestamp 253402300800000000',
  ]);
});

it('selects a version only if its dependencies are also selected', async () => {
  const lib = (version: string) =>
    encodePackage({
      name: 'lib',
      version,
      modules: { Lib: { types: { Id: { record: { text: t.text } } } } },
    });
  const [old, current] = [lib('1.0.0'), lib('2.0.0')];
  const using = (version: string, { id }: { id: string }) =>
    encodePackage({
      name: 'user',
      version,
      modules: {
        Main: { templates: { Use: { fields: { owner: t.party, id: t.con(`${id}:Lib:Id`) } } } },
      },
    });
  const [first, second] = [using('1.0.0', old), using('2.0.0', current)];
  await api.ok('/v2/dars', buildDar(first, old));
  await api.ok('/v2/dars', buildDar(second, current));
  const unvet = { operation: { Unvet: { value: { packages: [{ packageId: current.id }] } } } };
  await api.ok(VETTING, { changes: [unvet] });
  const preferred = async (...names: string[]) => {
    const { packageReferences } = await api.ok(
      PATH,
      needs(...names.map((name): [string, string] => [name, alice])),
    );
    return packageReferences.map(({ packageVersion }: JsonAnswer) => packageVersion);
  };
  expect(await preferred('user')).toEqual(['2.0.0']);
  expect(await preferred('user', 'lib')).toEqual(['1.0.0', '1.0.0']);
});

it('finds none if the requirements conflict (B-INT-033)', async () => {
  await api.client.close();
  api = await startLedgerApi();
  [alice] = await api.parties('alice');
  await api.ok('/v2/dars?vetAllPackages=false', buildDar(V1));
  expect(await api.refusal(PATH, needs(['assets', alice]))).toBe('NO_PREFERRED_PACKAGES_FOUND');
  const { body } = await version({ 'package-name': 'assets', parties: alice });
  expect(body).toEqual({ packagePreference: null });
});

const OTHER = `x::1220${'0'.repeat(64)}`;
it.each<[string, (party: string) => object, string]>([
  ['an empty list of requirements', () => needs(), 'MISSING_FIELD'],
  ['an empty list of parties', () => needs(['assets']), 'MISSING_FIELD'],
  ['a missing package name', (party) => needs(['', party]), 'MISSING_FIELD'],
  ['an invalid name', (party) => needs(['a b', party]), 'INVALID_FIELD'],
  ['an unknown name', (party) => needs(['unknown', party]), 'PACKAGE_NAMES_NOT_FOUND'],
  [
    'an unknown party',
    () => needs(['assets', `nobody::1220${'0'.repeat(64)}`]),
    'UNKNOWN_INFORMEES',
  ],
  ['a party without a namespace', () => needs(['assets', 'nobody']), 'UNKNOWN_INFORMEES'],
  [
    'a malformed synchronizer',
    (party) => ({ ...needs(['assets', party]), synchronizerId: 'x' }),
    'INVALID_FIELD',
  ],
  [
    'an unknown synchronizer',
    (party) => ({ ...needs(['assets', party]), synchronizerId: OTHER }),
    'INVALID_PRESCRIBED_SYNCHRONIZER_ID',
  ],
])('rejects %s (B-INT-032)', async (_what, request, code) => {
  expect(await api.refusal(PATH, request(alice))).toBe(code);
});

const version = (query: Record<string, string | string[]>) => {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return api.client.ledger(
    'GET',
    `/v2/interactive-submission/preferred-package-version?${new URLSearchParams(pairs)}`,
  );
};

it('the older request accepts one name in its query (B-INT-034, B-LEG-016)', async () => {
  const { body } = await version({ 'package-name': 'assets', parties: [alice, bob] });
  const synchronizerId = api.canticle.network.synchronizers[0]!.id;
  expect(body).toEqual({ packagePreference: { packageReference: reference(V1), synchronizerId } });
  const named = await version({
    'package-name': 'assets',
    parties: alice,
    'synchronizer-id': synchronizerId,
  });
  expect(named.body.packagePreference.packageReference).toEqual(reference(V2));
  const before = {
    'package-name': 'assets',
    parties: alice,
    vetting_valid_at: '2020-01-01T00:00:00Z',
  };
  expect((await version(before)).body.packagePreference.packageReference).toEqual(reference(V2));
  expect(await version({ parties: alice })).toMatchObject({ status: 400, body: /package-name/ });
});
