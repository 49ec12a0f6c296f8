/** The test token as an archive of Daml-LF: other participants accept it together with the real token standard. */
import { createCanticle, type Canticle } from 'canticle';
import { testTokenPackage } from '../../src/token/package.js';
import { encodeArchive } from '../support/daml/lf-encoder.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { describeWithDars } from '../support/foreign-files.js';

const STANDARD = [
  'splice-api-token-metadata-v1-1.0.0.dar',
  'splice-api-token-holding-v1-1.0.0.dar',
  'splice-api-token-holding-v2-1.0.0.dar',
  'splice-api-token-transfer-instruction-v1-1.0.0.dar',
  'splice-api-token-transfer-instruction-v2-1.0.0.dar',
  'splice-api-token-transfer-events-v2-1.0.0.dar',
  'splice-api-token-allocation-v1-1.0.0.dar',
  'splice-api-token-allocation-v2-1.0.0.dar',
  'splice-api-token-allocation-instruction-v1-1.0.0.dar',
  'splice-api-token-allocation-instruction-v2-1.0.0.dar',
];

const served = async (canticle: Canticle): Promise<readonly string[]> =>
  ((await canticle.handle({ path: '/v2/packages' })).json() as any).packageIds;

it('has the recorded id, which is the hash of its archive', () => {
  expect(testTokenPackage.archive).toBeDefined();
});

it('is not served without the archives of the token standard', async () => {
  const canticle = createCanticle();
  expect(await served(canticle)).not.toContain(testTokenPackage.id);
  const path = `/v2/packages/${testTokenPackage.id}`;
  const { status } = await canticle.handle({ path });
  expect(status).toBe(404);
  const { packageStatus } = (await canticle.handle({ path: `${path}/status` })).json() as any;
  expect(packageStatus).toBe('PACKAGE_STATUS_REGISTERED');
});

describeWithDars('with the real token standard', STANDARD, (...dars) => {
  it('is served, and another participant accepts it with its dependencies', async () => {
    const one = createCanticle({ dars });
    expect(await served(one)).toContain(testTokenPackage.id);
    const { packages } = one.network.participants[0]!;
    const needed = new Set([testTokenPackage.id]);
    for (const id of needed) packages.package(id)!.dependencies.forEach((each) => needed.add(each));
    const encoded = [...needed].map((id) => {
      const { name, version, archive } = packages.served(id)!;
      return { id, name, version, payload: archive, dalf: encodeArchive(archive) };
    });
    const other = createCanticle({ bare: true });
    const body = buildDar(encoded[0]!, ...encoded.slice(1));
    const answer = await other.handle({ path: '/v2/dars', method: 'POST', body });
    expect(answer.json()).toEqual({});
    expect(await served(other)).toEqual(expect.arrayContaining([...needed]));
    one.token.mint(one.participant.allocateParty('alice'), '1.0');
  });
});
