/** A trade of two legs, delivery against delivery: proposed, accepted, allocated by both, settled by the venue. */
import { amounts, connect, newParty, registryUrl, submit, tap, type Party } from './wallet.ts';

const APP = '#splice-token-test-trading-app:Splice.Testing.Apps.TradingApp';
const HOUR = 60 * 60 * 1000;

/** @param dar splice-token-test-trading-app, which a LocalNet does not include */
export default async function allocations(dar: Uint8Array, packageId: string) {
  const sdk = await connect();
  await sdk.ledger.dar.upload(dar, packageId);
  const [alice, bob, venue] = await Promise.all([
    newParty(sdk, 'trade-alice'),
    newParty(sdk, 'trade-bob'),
    newParty(sdk, 'trade-venue'),
  ]);
  await Promise.all([tap(sdk, alice, '2000'), tap(sdk, bob, '2000')]);

  const find = async (template: string, { partyId }: Party) => {
    const [found] = await sdk.ledger.acs.read({
      templateIds: [`${APP}:${template}`],
      parties: [partyId],
      filterByParty: true,
    });
    return found!.contractId;
  };
  const exercise = async (
    party: Party,
    [template, choice]: [string, string],
    choiceArgument: object,
    disclosed: unknown = [],
  ) => {
    const contractId = await find(template, party);
    const command = { templateId: `${APP}:${template}`, contractId, choice, choiceArgument };
    await submit(sdk, party, { ExerciseCommand: command }, disclosed);
  };

  const asset = await sdk.asset.find('Amulet', registryUrl);
  const instrumentId = { admin: asset.admin, id: 'Amulet' };
  const leg = (sender: Party, receiver: Party, amount: string) => ({
    sender: sender.partyId,
    receiver: receiver.partyId,
    amount,
    instrumentId,
    meta: { values: {} },
  });
  const proposal = {
    venue: venue.partyId,
    tradeCid: null,
    transferLegs: { leg0: leg(alice, bob, '100'), leg1: leg(bob, alice, '20') },
    approvers: [alice.partyId],
  };
  const templateId = `${APP}:OTCTradeProposal`;
  await submit(sdk, alice, { CreateCommand: { templateId, createArguments: proposal } });
  await exercise(bob, ['OTCTradeProposal', 'OTCTradeProposal_Accept'], { approver: bob.partyId });
  await exercise(venue, ['OTCTradeProposal', 'OTCTradeProposal_InitiateSettlement'], {
    prepareUntil: new Date(Date.now() + HOUR).toISOString(),
    settleBefore: new Date(Date.now() + 2 * HOUR).toISOString(),
  });

  // Each gets a request for its own leg, and reserves the amount.
  for (const party of [alice, bob]) {
    const [request] = await sdk.token.allocation.request.pending(party.partyId);
    const { settlement, transferLegs } = request!.interfaceViewValue;
    const [transferLegId, transferLeg] = Object.entries(transferLegs).find(
      ([, { sender }]) => sender === party.partyId,
    )!;
    const allocationSpecification = { settlement, transferLegId, transferLeg };
    const allocation = { allocationSpecification, asset };
    await submit(sdk, party, ...(await sdk.token.allocation.instruction.create(allocation)));
  }

  const pending = await sdk.token.allocation.pending(venue.partyId);
  const settled = await Promise.all(
    pending.map(async ({ contractId, interfaceViewValue }) => {
      const { choiceContextData, disclosedContracts } = await sdk.token.allocation.context.execute({
        allocationCid: contractId,
        registryUrl,
      });
      const context = { values: choiceContextData['values'] ?? {} };
      const extraArgs = { context, meta: { values: {} } };
      const legId = interfaceViewValue.allocation.transferLegId;
      return { argument: [legId, { _1: contractId, _2: extraArgs }], disclosedContracts };
    }),
  );
  const allocationsWithContext = Object.fromEntries(settled.map(({ argument }) => argument));
  const disclosed = new Map(
    settled.flatMap((each) => each.disclosedContracts.map((one) => [one.contractId, one])),
  );
  await exercise(venue, ['OTCTrade', 'OTCTrade_Settle'], { allocationsWithContext }, [
    ...disclosed.values(),
  ]);
  const total = async (party: Party) =>
    (await amounts(sdk, party)).reduce((sum, amount) => sum + amount, 0);
  return { alice: await total(alice), bob: await total(bob) };
}
