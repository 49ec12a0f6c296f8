/** DARs and packages over HTTP (B-PKG-001 to B-PKG-013), with archives that the test makes. */
import { createHash } from 'node:crypto';
import { startClient, type TestClient } from '../support/client.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { t } from '../support/daml/lf-types.js';
import { encodePackage, type EncodedPackage, type Fields } from '../support/daml/lf-encoder.js';

let client: TestClient;
let wide: TestClient | undefined;
beforeEach(async () => {
  client = await startClient({ seed: 1 });
});
afterEach(async () => {
  await Promise.all([client.close(), wide?.close()]);
  wide = undefined;
});

/** A Canticle whose participant is connected to two synchronizers. */
async function startWide(): Promise<TestClient> {
  return (wide = await startClient({ synchronizers: [{ alias: 'global' }, { alias: 'app' }] }));
}

/** A package with one template, whose field sets it apart from others of its name and version. */
function templatePackage(name: string, version: string, field = 'owner'): EncodedPackage {
  const fields: Fields = { [field]: t.party };
  return encodePackage({ name, version, modules: { Main: { templates: { Asset: { fields } } } } });
}

const packageIds = async (): Promise<string[]> =>
  (await client.ledger('GET', '/v2/packages')).body.packageIds;
const status = async (id: string): Promise<string> =>
  (await client.ledger('GET', `/v2/packages/${id}/status`)).body.packageStatus;

it('has packages at the start (B-PKG-007)', async () => {
  expect((await packageIds()).length).toBeGreaterThanOrEqual(3);
});

it('lists packages in the order of their hashes (B-PKG-024)', async () => {
  const ids = await packageIds();
  expect(ids).toHaveLength(new Set(ids).size);
  expect(ids).not.toEqual([...ids].sort());
});

it.each(['/v2/dars', '/v2/packages'])(
  'POST %s adds the packages of a DAR, only once (B-PKG-001, B-PKG-002, B-LEG-014)',
  async (path) => {
    const main = templatePackage('assets', '1.0.0');
    const dar = buildDar(main);
    const before = await packageIds();
    expect(await status(main.id)).toBe('PACKAGE_STATUS_UNSPECIFIED');
    expect(await client.ledger('POST', path, dar)).toMatchObject({ status: 200, body: {} });
    expect(await client.ledger('POST', path, dar)).toMatchObject({ status: 200, body: {} });
    expect((await packageIds()).sort()).toEqual([...before, main.id].sort());
    expect(await status(main.id)).toBe('PACKAGE_STATUS_REGISTERED');
  },
);

it('GET /v2/packages/{id} returns the payload of the archive and its hash (B-PKG-008)', async () => {
  const main = templatePackage('assets', '1.0.0');
  const dar = buildDar(main);
  await client.ledger('POST', '/v2/dars', dar);
  const { headers, body } = await client.ledger('GET', `/v2/packages/${main.id}`);
  expect(headers['content-type']).toBe('application/octet-stream');
  expect(headers['canton-package-hash']).toBe(main.id);
  expect(createHash('sha256').update(body).digest('hex')).toBe(main.id);
  expect(body.length).toBeLessThan(dar.length);
});

it('rejects invalid package ids, and returns 404 for missing packages (B-PKG-009 to B-PKG-011)', async () => {
  const missing = {
    status: 404,
    body: { code: 'PACKAGE_NOT_FOUND', resources: [['ErrorResource(PACKAGE)', 'ab']] },
  };
  expect(await client.ledger('GET', '/v2/packages/ab')).toMatchObject(missing);
  for (const path of ['/v2/packages/a.b', '/v2/packages/a.b/status'])
    expect(await client.ledger('GET', path)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENT' },
    });
});

it.each([
  ['nothing', new Uint8Array()],
  ['not a zip archive', Buffer.from('not a DAR')],
])('rejects a DAR that is %s (B-PKG-003)', async (_what, bytes) => {
  for (const path of ['/v2/dars', '/v2/packages', '/v2/dars/validate'])
    expect(await client.ledger('POST', path, bytes)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_DAR' },
    });
});

it('does not vet another package with a vetted name and version, but stores the upload (B-PKG-012)', async () => {
  await client.ledger('POST', '/v2/dars', buildDar(templatePackage('assets', '1.0.0')));
  const other = buildDar(templatePackage('assets', '1.0.0', 'holder'));
  const before = await packageIds();
  const refusal = { status: 400, body: { code: 'KNOWN_PACKAGE_VERSION' } };
  const validation = await client.ledger('POST', '/v2/dars/validate', other);
  expect(validation).toMatchObject(refusal);
  expect(await packageIds()).toEqual(before);
  const upload = await client.ledger('POST', '/v2/dars', other);
  expect(upload).toMatchObject(refusal);
  expect(await packageIds()).toHaveLength(before.length + 1);
  // Only an upload says that it was about to vet (B-ERR-041).
  expect(upload.body.context).toMatchObject({ action: 'package-vetting' });
  expect(validation.body.context).not.toHaveProperty('action');
});

it("the error about a DAR has the participant's name for it (B-PKG-018)", async () => {
  const nameIn = async (path: string) => {
    const { body } = await client.ledger('POST', path, Buffer.from('no dar'));
    return /DAR: ([\w-]+)/.exec(body.context.throwable)?.[1];
  };
  expect(await nameIn('/v2/dars')).toBe('uploaded-via-ledger-api');
  expect(await nameIn('/v2/dars/validate')).toBe('defaultDarName');
});

it('POST /v2/dars/validate returns an empty body for a valid DAR, and stores nothing (B-PKG-012)', async () => {
  const main = templatePackage('assets', '1.0.0');
  const { status: code, body } = await client.ledger('POST', '/v2/dars/validate', buildDar(main));
  expect([code, body]).toEqual([200, '']);
  expect(await status(main.id)).toBe('PACKAGE_STATUS_UNSPECIFIED');
});

describe('vetting', () => {
  const vettedOn = (on: TestClient, alias: string, id: string): boolean => {
    const { network } = on.canticle;
    const [participant] = network.participants;
    return network.topology
      .vetting(participant!.id, network.synchronizer(alias)!.id)
      .packages.has(id);
  };

  it('requires a synchronizer if several exist, unless the request does not vet (B-PKG-004 to B-PKG-006, B-VET-019)', async () => {
    const twofold = await startWide();
    const main = templatePackage('assets', '1.0.0');
    const upload = (query: string) => twofold.ledger('POST', `/v2/dars${query}`, buildDar(main));
    expect(await upload('')).toMatchObject({
      status: 400,
      body: { code: 'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER' },
    });
    expect((await upload('?vetAllPackages=false')).status).toBe(200);
    expect(vettedOn(twofold, 'app', main.id)).toBe(false);
    const { id } = twofold.canticle.network.synchronizer('app')!;
    expect((await upload(`?synchronizerId=${encodeURIComponent(id)}`)).status).toBe(200);
    expect([vettedOn(twofold, 'app', main.id), vettedOn(twofold, 'global', main.id)]).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['an invalid id', 'app', 'PROTO_DESERIALIZATION_FAILURE'],
    [
      'a synchronizer that is not connected',
      `x::1220${'00'.repeat(32)}`,
      'PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER',
    ],
  ])('rejects %s', async (_what, id, code) => {
    const path = `/v2/dars?synchronizerId=${encodeURIComponent(id)}`;
    const dar = buildDar(templatePackage('assets', '1.0.0'));
    expect(await client.ledger('POST', path, dar)).toMatchObject({ status: 400, body: { code } });
  });
});
