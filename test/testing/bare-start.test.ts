/** A Canticle that begins like Canton's own sandbox (B-ID-031): its initial state, and the time when the DSO's world appears. */
import { createCanticle, startCanticle, type Canticle } from 'canticle';

const QUICKSTART = 'canticle-quickstart';

const get = async (canticle: Canticle, path: string): Promise<any> =>
  (await canticle.fetch(new Request(`${canticle.url}${path}`))).json();
const post = async (canticle: Canticle, path: string, body: object): Promise<any> =>
  (
    await canticle.fetch(
      new Request(`${canticle.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  ).json();

async function beginning(canticle: Canticle) {
  const { users } = await get(canticle, '/v2/users');
  const { partyDetails } = await get(canticle, '/v2/parties');
  const { connectedSynchronizers } = await get(canticle, '/v2/state/connected-synchronizers');
  const { vettedPackages } = await post(canticle, '/v2/package-vetting/list', {
    packageMetadataFilter: {
      packageIds: [],
      packageNamePrefixes: ['canticle', 'splice', 'canton'],
    },
  });
  const hint = (id: string) => id.slice(0, id.indexOf('::'));
  return {
    users: users.map(({ id }: any) => id),
    parties: partyDetails.map(({ party }: any) => hint(party)),
    synchronizers: connectedSynchronizers.map((each: any) => [
      each.synchronizerAlias,
      hint(each.synchronizerId),
    ]),
    packages: (vettedPackages ?? []).flatMap(({ packages }: any) =>
      packages.map(({ packageName }: any) => packageName),
    ),
  };
}

const LIKE_CANTON = {
  users: ['participant_admin'],
  parties: ['sandbox'],
  synchronizers: [['synchronizer-1', 'synchronizer-1']],
  packages: ['canton-builtin-admin-workflow-ping'],
};

const started: Canticle[] = [];
async function bare(options = {}): Promise<Canticle> {
  const canticle = await startCanticle({ bare: true, ...options });
  started.push(canticle);
  return canticle;
}
afterEach(() => Promise.all(started.splice(0).map((each) => each.close())));

it('has only the user, the party, the synchronizer and the packages of a new sandbox', async () => {
  expect(await beginning(await bare())).toEqual(LIKE_CANTON);
});

it('uses the values of options instead of the defaults', async () => {
  const canticle = await bare({ additionalAdminUser: 'boss', synchronizers: ['one', 'two'] });
  const { users, synchronizers } = await beginning(canticle);
  expect(users).toEqual(['boss', 'participant_admin']);
  expect(synchronizers.map(([alias]: any) => alias)).toEqual(['one', 'two']);
});

it.each([
  ['Scan', '/api/scan/v0/dso-party-id'],
  ['the registry', '/registry/metadata/v1/instruments'],
])('creates the world of the DSO for the first request to %s', async (_what, path) => {
  const canticle = await bare();
  await get(canticle, '/canticle/v1/automation');
  expect((await beginning(canticle)).parties).toEqual(['sandbox']);
  await get(canticle, path);
  const { parties, packages } = await beginning(canticle);
  expect(parties).toEqual(['DSO', 'sandbox']);
  expect(packages).toEqual(expect.arrayContaining([QUICKSTART, 'canticle-test-token']));
});

it('creates the world of the DSO for a mint of the test token, after a reset too', async () => {
  const canticle = await bare();
  const { participant } = canticle;
  for (let time = 0; time < 2; time++) {
    const alice = participant.allocateParty('alice');
    expect(canticle.token.mint(alice, '5')).toMatch(/^00/);
    canticle.reset();
    expect(await beginning(canticle)).toEqual(LIKE_CANTON);
  }
});

it('saves in its world file that the world of the DSO is still to be created', async () => {
  const saved = createCanticle({ bare: true }).dump();
  const loaded = await startCanticle({ load: saved });
  started.push(loaded);
  expect(await beginning(loaded)).toEqual(LIKE_CANTON);
  await get(loaded, '/api/scan/v0/dso-party-id');
  expect((await beginning(loaded)).parties).toEqual(['DSO', 'sandbox']);
});

describe('traffic control', () => {
  const IOU = `#${QUICKSTART}:Quickstart.Iou:Iou`;

  async function costs(canticle: Canticle) {
    const bank = canticle.participant.allocateParty('bank');
    const createArguments = {
      issuer: bank,
      owner: bank,
      currency: 'CHF',
      amount: '1.0',
      observers: [],
    };
    const commands = [{ CreateCommand: { templateId: IOU, createArguments } }];
    const { transaction } = await post(canticle, '/v2/commands/submit-and-wait-for-transaction', {
      commands: { commands, commandId: 'c', userId: 'participant_admin', actAs: [bank] },
    });
    const [{ completionResponse }] = await post(canticle, '/v2/commands/completions?limit=1', {
      beginExclusive: 0,
      userId: 'participant_admin',
      parties: [bank],
    });
    const { synchronizerId } = transaction;
    const prepared = await post(canticle, '/v2/interactive-submission/prepare', {
      commands,
      commandId: 'p',
      userId: 'participant_admin',
      actAs: [bank],
      synchronizerId,
      packageIdSelectionPreference: [],
      estimateTrafficCost: { disabled: false, expectedSignatures: [] },
    });
    const { costEstimation: estimate } = prepared;
    return [
      transaction.paidTrafficCost,
      completionResponse.Completion.value.paidTrafficCost,
      estimate.confirmationRequestTrafficCostEstimation,
      estimate.confirmationResponseTrafficCostEstimation,
      estimate.totalTrafficCostEstimation,
    ];
  }

  it('is off: the paid and the estimated cost are 0 (B-TRF-006)', async () => {
    const canticle = await bare();
    await get(canticle, '/api/scan/v0/dso-party-id');
    expect(await costs(canticle)).toEqual([0, 0, 0, 0, 0]);
    expect(await costs(await bare({ bare: false }))).toEqual([0, 0, 0, 0, 0]);
  });

  it('is on if the option requests it', async () => {
    const explicit = await bare({ trafficControl: true });
    await get(explicit, '/api/scan/v0/dso-party-id');
    for (const canticle of [explicit, await bare({ bare: false, trafficControl: true })])
      for (const cost of await costs(canticle)) expect(cost).toBeGreaterThan(0);
  });

  it('remains on in a world that is saved and loaded', async () => {
    const saved = createCanticle({ trafficControl: true }).dump();
    const loaded = await startCanticle({ load: saved });
    started.push(loaded);
    for (const cost of await costs(loaded)) expect(cost).toBeGreaterThan(0);
  });
});
