/**
 * A LocalNet in a test file: three validators with their parties, users, rights, tokens and URLs, rewound after each test (L-AUTH-001,
 * L-AUTH-002, L-USR-001 to L-USR-008, L-USR-010, L-TOP-001, L-TOP-002, L-TOP-004, L-ENV-002).
 */
import { quickstartPackage } from 'canticle';
import { lookAt, useLocalnet } from '../../src/testing/jest.js';

const localnet = useLocalnet({
  seed: 2,
  spliceDars: false,
  multiSync: true,
  packages: [quickstartPackage],
});
const { appUser, appProvider, sv } = localnet;
lookAt(localnet);

interface Answer {
  readonly status: number;
  readonly body: any;
}

async function request(url: string, token?: string, body?: unknown): Promise<Answer> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    'content-type': 'application/json',
  };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(url, { headers, ...init });
  return { status: answer.status, body: await answer.json() };
}

describe.each([
  [sv, 'sv::', 'sv'],
  [appProvider, 'app_provider_localnet-localparty-1::', 'participant'],
  [appUser, 'app_user_localnet-localparty-1::', 'participant'],
])('%#', (node, party, identifier) => {
  it('has a participant id, a party in its namespace, an administrator and a wallet user', async () => {
    const token = node.token();
    const { participantId } = (await request(`${node.ledgerApi}/v2/parties/participant-id`, token))
      .body;
    expect(participantId).toMatch(new RegExp(`^${identifier}::1220`));
    expect(node.party).toBe(party + participantId.split('::')[1]);

    const userOf = async (id: string) =>
      (await request(`${node.ledgerApi}/v2/users/${id}`, token)).body.user;
    const rightsOf = async (id: string) => {
      const { rights } = (await request(`${node.ledgerApi}/v2/users/${id}/rights`, token)).body;
      return rights.map(({ kind }: any) => {
        const [[name, { value }]] = Object.entries<any>(kind) as any;
        return value.party === undefined ? name : `${name} ${value.party}`;
      });
    };
    expect(await userOf('ledger-api-user')).toMatchObject({ primaryParty: node.party });
    const ofDso = node === sv ? [`CanActAs ${localnet.splice.dsoParty}`] : [];
    expect((await rightsOf('ledger-api-user')).sort()).toEqual(
      [`CanActAs ${node.party}`, 'ParticipantAdmin', ...ofDso].sort(),
    );
    expect(node.walletUser).toBe(node.name);
    expect(await userOf(node.walletUser)).toMatchObject({ primaryParty: node.party });
    expect(await rightsOf(node.walletUser)).toEqual([`CanActAs ${node.party}`]);
    expect(await rightsOf('participant_admin')).toEqual(['ParticipantAdmin']);
  });

  it('is connected to the same synchronizers as in a LocalNet', async () => {
    const { body } = await request(
      `${node.ledgerApi}/v2/state/connected-synchronizers`,
      node.token(),
    );
    const aliases = body.connectedSynchronizers.map((each: any) => each.synchronizerAlias);
    expect(aliases).toEqual(node === sv ? ['global'] : ['global', 'app-synchronizer']);
    expect(body.connectedSynchronizers[0].synchronizerId).toMatch(/^global-domain::1220/);
  });
});

it("stores data of the SV apps with the SV's user, on sv only (L-USR-004)", async () => {
  const [there, elsewhere] = await Promise.all(
    [sv, appUser].map(({ ledgerApi, user, token }) =>
      request(`${ledgerApi}/v2/users/${user}`, token()),
    ),
  );
  expect(there!.body.user.metadata.annotations).toEqual({
    'network.canton.global/sv1_initial_package_upload': 'true',
    'sv.app.network.canton.global/dso_party': localnet.splice.dsoParty,
    'sv.app.network.canton.global/initial_round': '0',
    'sv.app.network.canton.global/sv_name': 'sv',
  });
  expect(elsewhere!.body.user.metadata.annotations).toEqual({});
});

it('accepts tokens with the public secret, and no others', async () => {
  const url = `${appUser.ledgerApi}/v2/parties`;
  const foreign = appUser.token().replace(/[^.]+$/, 'AAAA');
  const statuses = [undefined, foreign, appUser.token('nobody'), appUser.token('app-user')].map(
    async (token) => (await request(url, token)).status,
  );
  expect(await Promise.all(statuses)).toEqual([401, 401, 403, 403]);
  expect((await request(url, appUser.token())).status).toBe(200);
});

it('returns the instance names of a LocalNet', async () => {
  expect((await request(`${localnet.urls.scan}/v0/splice-instance-names`)).body).toEqual({
    network_name: 'Splice',
    network_favicon_url: 'https://www.hyperledger.org/hubfs/hyperledgerfavicon.png',
    amulet_name: 'Amulet',
    amulet_name_acronym: 'AMT',
    name_service_name: 'Amulet Name Service',
    name_service_name_acronym: 'ANS',
  });
});

it('deduplicates commands for 30 seconds by default', () => {
  const alice = appUser.participant.allocateParty('alice');
  const iou = (commandId: string) => () =>
    appUser.participant.create(
      '#canticle-quickstart:Quickstart.Iou:Iou',
      { issuer: alice, owner: alice, currency: 'EUR', amount: '1.0', observers: [] },
      { actAs: [alice], commandId },
    );
  iou('once')();
  localnet.advanceTime({ seconds: 29 });
  expect(iou('once')).toBeCantonError('DUPLICATE_COMMAND');
  localnet.advanceTime({ seconds: 2 });
  expect(iou('once')).not.toThrow();
});

describe('between tests', () => {
  it.each([1, 2])('is reset: %i', async () => {
    const synchronizerId = localnet.network.synchronizers[0]!.id;
    const allocation = { partyIdHint: 'zoe', identityProviderId: '', synchronizerId };
    const { status } = await request(
      `${appUser.ledgerApi}/v2/parties`,
      appUser.token(),
      allocation,
    );
    expect(status).toBe(200);
    localnet.token.mint(appProvider.party, '5.0');
    expect(appProvider.party).toHold('5.0');
  });
});

it('returns environment variables for other tools', () => {
  const environment = localnet.environment('app-provider');
  expect(environment).toMatchObject({
    CANTON_LOCALNET_PROFILE: 'a-validator-1',
    CANTON_LOCALNET_A_VALIDATOR_1_JSON_API_URL: appProvider.ledgerApi,
    CANTON_LOCALNET_B_VALIDATOR_1_PARTY: appUser.party,
    CANTON_JSON_API_URL: appProvider.ledgerApi,
    CANTON_APP_USER_PARTY: appUser.party,
    CANTON_LOCALNET_SV_JWT: sv.token(),
    CANTON_LOCALNET_SCAN_URL: localnet.urls.scan.replace('/api/scan', ''),
  });
});

it('lists its nodes in the error about an unknown node', () => {
  expect(() => localnet.node('bank')).toThrow(
    "This LocalNet has no node 'bank'. Its nodes are sv, app-provider, app-user.",
  );
});
