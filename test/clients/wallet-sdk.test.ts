/**
 * The official wallet SDK 1.4.0, unmodified, against a started instance: its own keys, its own tokens, its own order of calls
 * (W-BOOT-001, W-BOOT-003 to W-BOOT-008, W-BOOT-014 to W-BOOT-019).
 */
import { SDK } from '@canton-network/wallet-sdk';
import { startCanticle, startLocalnet, type Canticle } from 'canticle';
import { model, modelPackage } from '../support/daml/model-package.js';
import { auth, giveLaterNode, logAdapter } from '../support/wallet-sdk.js';

let canticle: Canticle;
beforeAll(async () => {
  // The SDK takes the global one, which Node has from 22 on.
  giveLaterNode();
  canticle = await startCanticle({ seed: 3, clock: 'wall', packages: [modelPackage] });
});
afterAll(() => canticle.close());

const registryUrl = () => new URL(canticle.url);
const connect = () =>
  SDK.create({
    auth,
    ledgerClientUrl: canticle.urls.ledgerApi,
    logAdapter,
    token: { auth, registries: [registryUrl()] },
  });
type Wallet = Awaited<ReturnType<typeof connect>>;

/** Without the SDK's wait of seconds for rights, which it needs for nothing here. */
async function newParty(sdk: Wallet, partyHint: string) {
  const keys = sdk.keys.generate();
  const { partyId } = await sdk.party.external
    .create(keys.publicKey, { partyHint })
    .sign(keys.privateKey)
    .execute({ grantUserRights: false });
  return { partyId, ...keys };
}
type Party = Awaited<ReturnType<typeof newParty>>;

async function submit(
  sdk: Wallet,
  { partyId, privateKey }: Party,
  commands: any,
  disclosedContracts: any[] = [],
) {
  return sdk.ledger
    .prepare({ partyId, commands, disclosedContracts })
    .sign(privateKey)
    .execute({ partyId });
}

it('connects, and reads the ledger end', async () => {
  const sdk = await connect();
  expect(await sdk.ledger.ledgerEnd()).toBe(canticle.participant.engine.log.end);
});

it('connects as an unknown user, as on a real participant without authorization', async () => {
  const stranger = { ...auth, credentials: { ...auth.credentials, clientId: 'stranger' } };
  await SDK.create({ auth: stranger, ledgerClientUrl: canticle.urls.ledgerApi, logAdapter });
});

it('creates an external party, checks its topology hash, and lists it', async () => {
  const sdk = await connect();
  const keys = sdk.keys.generate();
  const prepared = sdk.party.external.create(keys.publicKey, { partyHint: 'topology' });
  const { partyId, topologyTransactions, multiHash, publicKeyFingerprint } =
    await prepared.topology();
  expect(await sdk.utils.hash.topologyTransaction(topologyTransactions)).toBe(multiHash);
  expect(await sdk.keys.fingerprint(keys.publicKey)).toBe(publicKeyFingerprint);
  expect(partyId).toBe(`topology::${publicKeyFingerprint}`);
  await prepared.sign(keys.privateKey).execute({ grantUserRights: false });
  await sdk.user.rights.grant({ userRights: { actAs: [partyId] } });
  expect(await sdk.party.list()).toContain(partyId);
});

it('prepares, checks the hash in the SDK, signs and executes', async () => {
  const sdk = await connect();
  const alice = await newParty(sdk, 'signer');
  const command = {
    CreateCommand: { templateId: model('Dummy'), createArguments: { operator: alice.partyId } },
  };
  const prepared = sdk.ledger.prepare({ partyId: alice.partyId, commands: command });
  const { response } = await prepared.toJSON();
  const own = await sdk.utils.hash.preparedTransaction(await prepared.decode());
  expect(own.toBase64()).toBe(response.preparedTransactionHash);
  const { updateId } = await prepared.sign(alice.privateKey).execute({ partyId: alice.partyId });
  const update = canticle.network.updateById(updateId);
  expect(update).toMatchObject({ externalTransactionHash: own.toHex() });
  // Not its cached reader: that needs a later Node.
  const active = await sdk.ledger.acsReader.raw.read({
    parties: [alice.partyId],
    templateIds: [model('Dummy')],
    filterByParty: true,
  });
  expect(active).toMatchObject([
    {
      contractEntry: {
        JsActiveContract: { createdEvent: { createArgument: { operator: alice.partyId } } },
      },
    },
  ]);
});

it("receives the participant's error for a signature of another key", async () => {
  const sdk = await connect();
  const alice = await newParty(sdk, 'robbed');
  const thief = sdk.keys.generate();
  const command = {
    CreateCommand: { templateId: model('Dummy'), createArguments: { operator: alice.partyId } },
  };
  await expect(
    submit(sdk, { ...alice, privateKey: thief.privateKey }, command),
  ).rejects.toMatchObject({ code: 'FAILED_TO_EXECUTE_TRANSACTION' });
});

it('accepts an offer of the test token, lists holdings, and transfers them in two steps', async () => {
  const sdk = await connect();
  const [alice, bob] = [await newParty(sdk, 'alice'), await newParty(sdk, 'bob')];
  const { token } = canticle;
  token.transfer({
    from: token.admin,
    to: alice.partyId,
    amount: '10.0',
    inputs: [token.mint(token.admin, '10.0')],
  });

  const [offer] = await sdk.token.transfer.pending(alice.partyId);
  expect(offer!.interfaceViewValue.transfer).toMatchObject({
    amount: '10.0000000000',
    receiver: alice.partyId,
  });
  const [accept, disclosed] = await sdk.token.transfer.accept({
    transferInstructionCid: offer!.contractId,
    registryUrl: registryUrl(),
  });
  await submit(sdk, alice, accept, disclosed);
  const [holding] = await sdk.token.utxos.list({ partyId: alice.partyId });
  expect(holding!.interfaceViewValue).toMatchObject({
    owner: alice.partyId,
    amount: '10.0000000000',
  });

  const [transfer, context] = await sdk.token.transfer.create({
    sender: alice.partyId,
    recipient: bob.partyId,
    amount: '4',
    instrumentId: 'TestToken',
    registryUrl: registryUrl(),
    memo: 'lunch',
  });
  await submit(sdk, alice, transfer, context);
  const [pending] = await sdk.token.transfer.pending(bob.partyId);
  const [acceptance, more] = await sdk.token.transfer.accept({
    transferInstructionCid: pending!.contractId,
    registryUrl: registryUrl(),
  });
  await submit(sdk, bob, acceptance, more);
  const amounts = async ({ partyId }: Party) =>
    (await sdk.token.utxos.list({ partyId })).map(
      ({ interfaceViewValue }) => interfaceViewValue.amount,
    );
  expect([await amounts(alice), await amounts(bob)]).toEqual([['6.0000000000'], ['4.0000000000']]);
});

it('logs in with a client secret if a realm issues the tokens', async () => {
  const localnet = await startLocalnet({
    spliceDars: false,
    auth: 'oauth2',
    validators: ['app-user'],
  });
  try {
    const { ledgerApi, oauth2, user, party } = localnet.appUser;
    const { clientId, clientSecret, issuer } = oauth2!;
    const connectAs = (secret: string) =>
      SDK.create({
        auth: {
          method: 'client_credentials',
          configUrl: `${issuer}/.well-known/openid-configuration`,
          credentials: { clientId, clientSecret: secret, audience: '', scope: 'openid' },
        },
        ledgerClientUrl: ledgerApi,
        logAdapter,
      });
    const sdk = await connectAs(clientSecret);
    expect(await sdk.party.list()).toContain(party);
    const { users } = await sdk.user.list();
    expect(users!.map(({ id }) => id)).toContain(user);
    await expect(connectAs('wrong')).rejects.toBeDefined();
  } finally {
    await localnet.close();
  }
});

it('receives events and completions over WebSocket', async () => {
  const plain = await connect();
  const alice = await newParty(plain, 'watcher');
  const begin = await plain.ledger.ledgerEnd();
  const sdk = await plain.extend({
    events: { websocketURL: new URL(canticle.url.replace('http', 'ws')), auth },
  });
  const command = {
    CreateCommand: { templateId: model('Dummy'), createArguments: { operator: alice.partyId } },
  };
  const { updateId } = await submit(sdk, alice, command);
  const updates = sdk.events.updates({
    beginOffset: begin,
    partyId: alice.partyId,
    templateIds: [model('Dummy')],
  });
  const { value: seen } = await updates.next();
  expect(seen.update).toMatchObject({
    Transaction: { value: { updateId, events: [{ CreatedEvent: {} }] } },
  });
  await updates.return?.();
  const completions = sdk.events.completions({ beginOffset: begin, parties: [alice.partyId] });
  const { value: completed } = await completions.next();
  expect(completed.completionResponse).toMatchObject({
    Completion: { value: { updateId, status: { code: 0 } } },
  });
  await completions.return?.();
});
