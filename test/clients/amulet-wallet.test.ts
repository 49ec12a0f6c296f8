/**
 * The official wallet SDK 1.4.0, unmodified, with Splice's own Amulet code behind Scan, registry and validator: what it does on
 * DevNet it does here (W-BOOT-002, W-BOOT-009 to W-BOOT-020, W-BOOT-025, W-BOOT-026; W-QRK-001, W-QRK-002,
 * W-QRK-004, W-QRK-006, W-QRK-007, W-QRK-009).
 */
import { SDK } from '@canton-network/wallet-sdk';
import { startCanticle, type Canticle } from 'canticle';
import { AMULET_DAR } from '../support/splice/amulet-world.js';
import { describeWithDars } from '../support/foreign-files.js';
import { auth, giveLaterNode, logAdapter } from '../support/wallet-sdk.js';

const DARS = [AMULET_DAR, 'splice-wallet-0.1.14.dar'] as const;

describeWithDars('the wallet SDK', DARS, (amulet, wallet) => {
  let canticle: Canticle;
  let sdk: Awaited<ReturnType<typeof connect>>;

  // The clock is that of this machine: the SDK compares rounds with it.
  const connect = () => {
    const { ledgerApi, scan, validator } = canticle.urls;
    return SDK.create({
      auth,
      ledgerClientUrl: ledgerApi,
      logAdapter,
      token: { auth, registries: [new URL(canticle.url)] },
      amulet: {
        auth,
        validatorUrl: validator,
        scanApiUrl: scan,
        registryUrl: new URL(canticle.url),
      },
    } as never) as Promise<any>;
  };

  beforeAll(async () => {
    giveLaterNode();
    canticle = await startCanticle({ seed: 3, clock: 'wall', amulet, dars: [wallet] });
    sdk = await connect();
  });
  afterAll(() => canticle.close());

  async function newParty(partyHint: string) {
    const keys = sdk.keys.generate();
    const { partyId } = await sdk.party.external
      .create(keys.publicKey, { partyHint })
      .sign(keys.privateKey)
      .execute({ grantUserRights: false });
    return { partyId, ...keys };
  }
  type Party = Awaited<ReturnType<typeof newParty>>;

  const submit = ({ partyId, privateKey }: Party, [commands, disclosedContracts = []]: any[]) =>
    sdk.ledger
      .prepare({ partyId, commands, disclosedContracts })
      .sign(privateKey)
      .execute({ partyId });

  const amounts = async ({ partyId }: Party): Promise<string[]> =>
    (await sdk.token.utxos.list({ partyId })).map((each: any) => each.interfaceViewValue.amount);

  const transfer = (from: Party, to: Party, amount: string) =>
    sdk.token.transfer.create({
      sender: from.partyId,
      recipient: to.partyId,
      amount,
      instrumentId: 'Amulet',
      registryUrl: new URL(canticle.url),
      memo: 'lunch',
    });

  test('taps, offers and accepts, and transfers at once with a preapproval', async () => {
    const [alice, bob] = [await newParty('alice'), await newParty('bob')];
    await submit(alice, await sdk.amulet.tap(alice.partyId, '2000'));
    expect(await amounts(alice)).toEqual(['2000.0000000000']);

    await submit(alice, await transfer(alice, bob, '100'));
    const [offer] = await sdk.token.transfer.pending(bob.partyId);
    expect(offer.interfaceViewValue.transfer).toMatchObject({
      sender: alice.partyId,
      receiver: bob.partyId,
      amount: '100.0000000000',
      instrumentId: { admin: canticle.amulet.admin, id: 'Amulet' },
    });
    const registryUrl = new URL(canticle.url);
    const accept = { transferInstructionCid: offer.contractId, registryUrl };
    await submit(bob, await sdk.token.transfer.accept(accept));
    expect([await amounts(alice), await amounts(bob)]).toEqual([
      ['1900.0000000000'],
      ['100.0000000000'],
    ]);

    // Another offer comes back.
    await submit(alice, await transfer(alice, bob, '7'));
    const [second] = await sdk.token.transfer.pending(bob.partyId);
    const reject = { transferInstructionCid: second.contractId, registryUrl };
    await submit(bob, await sdk.token.transfer.reject(reject));
    expect((await amounts(alice)).sort()).toEqual(['1893.0000000000', '7.0000000000']);

    canticle.amulet.preapprove(bob.partyId);
    expect((await sdk.amulet.preapproval.fetchQuick(bob.partyId)).contract.payload).toMatchObject({
      receiver: bob.partyId,
    });
    await submit(alice, await transfer(alice, bob, '50'));
    expect(await sdk.token.transfer.pending(bob.partyId)).toEqual([]);
    expect((await amounts(bob)).sort()).toEqual(['100.0000000000', '50.0000000000']);
  });

  test('lists the rights of featured apps, and buys traffic', async () => {
    const { party: validatorParty } = canticle.splice.validator;
    canticle.amulet.feature(validatorParty);
    const right = await sdk.amulet.featuredApp.grant();
    expect(right.payload).toMatchObject({ provider: validatorParty });

    const dave = await newParty('dave');
    // The SDK selects as many amulets as bytes are bought.
    await submit(dave, await sdk.amulet.tap(dave.partyId, '300000'));
    const traffic = { buyer: dave.partyId, ccAmount: 200_000, inputUtxos: [] };
    await submit(dave, await sdk.amulet.traffic.buy(traffic));
    const [bought] = canticle.participant.activeContracts({
      template: '#splice-amulet:Splice.DecentralizedSynchronizer:MemberTraffic',
    });
    // 0.2 MB at 16.67 dollars each, at half a cent for an amulet.
    expect(bought!.payload).toMatchObject({
      memberId: `PAR::${canticle.participant.id}`,
      totalPurchased: '200000',
      amuletSpent: '666.8000000000',
      usdSpent: '3.3340000000',
    });
    expect((await sdk.amulet.traffic.status()).traffic_status).toMatchObject({
      target: { total_purchased: 200_000 },
    });
  });
});
