/** Lookups of amulet contracts, by Scan and by the validator's proxy: what a wallet asks before it knows that there are none. */
import { addPackages } from '../../../src/network/index.js';
import { d, definePackage, defineTemplate } from '../../../src/daml/index.js';
import { SpliceWorld, TWO_SYNCHRONIZERS } from '../../support/splice/splice-world.js';

const FeaturedAppRight = defineTemplate({
  name: 'Splice.Amulet:FeaturedAppRight',
  fields: { dso: d.party, provider: d.party },
  signatories: ({ dso }) => [dso],
  observers: ({ provider }) => [provider],
});
const TransferPreapproval = defineTemplate({
  name: 'Splice.AmuletRules:TransferPreapproval',
  fields: {
    dso: d.party,
    receiver: d.party,
    provider: d.party,
    validFrom: d.timestamp,
    expiresAt: d.timestamp,
  },
  signatories: ({ dso, receiver, provider }) => [dso, receiver, provider],
});
const amulet = definePackage({
  name: 'splice-amulet',
  version: '0.1.14',
  templates: [FeaturedAppRight, TransferPreapproval],
});

function worldOf() {
  const world = new SpliceWorld({ network: { synchronizers: TWO_SYNCHRONIZERS } });
  addPackages(world.participant, [amulet]);
  const alice = world.participant.allocateParty('alice');
  const { dsoParty: dso } = world.splice;
  const preapprove = (validFrom: bigint) =>
    world.create([dso, alice], TransferPreapproval.id, {
      dso,
      receiver: alice,
      provider: alice,
      validFrom,
      expiresAt: 1n,
    });
  return { world, alice, dso, preapprove };
}

describe.each(['/api/scan/v0', '/api/validator/v0/scan-proxy'])('%s', (base) => {
  test('returns null for a party without a featured right (S-FEAT-001)', async () => {
    const { world, alice, dso } = worldOf();
    const getRight = () => world.get(`${base}/featured-apps/${encodeURIComponent(alice)}`);
    expect(await getRight()).toEqual({ status: 200, body: { featured_app_right: null } });
    const right = world.create([dso], FeaturedAppRight.id, { dso, provider: alice });
    expect(await getRight()).toMatchObject({
      status: 200,
      body: {
        featured_app_right: {
          contract_id: right,
          template_id: FeaturedAppRight.id,
          payload: { dso, provider: alice },
        },
      },
    });
    expect((await world.get(`${base}/featured-apps/${encodeURIComponent(dso)}`)).body).toEqual({
      featured_app_right: null,
    });
  });

  test('answers 404 with the text that wallets expect, for a party without a preapproval (S-PRE-003)', async () => {
    const { world, alice } = worldOf();
    expect(await world.get(`${base}/transfer-preapprovals/by-party/${alice}`)).toEqual({
      status: 404,
      body: { error: `No TransferPreapproval found for party: ${alice}` },
    });
  });

  test('returns the preapproval with the latest validFrom, expired or not (S-PRE-002)', async () => {
    const { world, alice, preapprove } = worldOf();
    preapprove(5n);
    const latest = preapprove(9n);
    preapprove(7n);
    const getPreapproval = async () =>
      (
        await world.get<{ transfer_preapproval: object }>(
          `${base}/transfer-preapprovals/by-party/${alice}`,
        )
      ).body;
    expect(await getPreapproval()).toMatchObject({
      transfer_preapproval: {
        contract: { contract_id: latest, payload: { validFrom: '1970-01-01T00:00:00.000009Z' } },
        domain_id: world.synchronizerId('global'),
      },
    });
  });
});

test.each([
  '/api/scan/v0/featured-apps/by-provider/alice',
  '/api/scan/v0/validators/validator-faucets?validator_ids=alice',
  ...['/api/scan/v0', '/api/validator/v0/scan-proxy'].flatMap((base) => [
    `${base}/featured-apps/alice`,
    `${base}/transfer-preapprovals/by-party/alice`,
    `${base}/transfer-command-counter/alice`,
  ]),
])('rejects an invalid party before the look-up (S-GEN-010): %s', async (path) => {
  expect(await worldOf().world.get(path)).toEqual({
    status: 400,
    body: { error: 'Invalid unique identifier `alice` with missing namespace.' },
  });
});

test('the validator reports its operator, and whether its app is featured (V-VAL-001)', async () => {
  const { world, dso } = worldOf();
  const getUser = async () => (await world.get('/api/validator/v0/validator-user')).body;
  const { id: party } = world.participant;
  expect(await getUser()).toEqual({
    party_id: party,
    user_name: 'participant_admin',
    featured: false,
  });
  world.create([dso], FeaturedAppRight.id, { dso, provider: party });
  expect(await getUser()).toMatchObject({ featured: true });
  for (const probe of ['readyz', 'livez'])
    expect((await world.get(`/api/validator/${probe}`)).status).toBe(200);
});
