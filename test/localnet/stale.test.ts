/** Stale data of a LocalNet's client: a round from Scan and a registry's context, submitted after rounds advanced. */
import { useLocalnet } from '../../src/testing/jest.js';
import { describeWithDars } from '../support/foreign-files.js';
import { DSO_DARS } from '../support/splice/founded-world.js';

describeWithDars('choice contexts from before rounds advanced', DSO_DARS, () => {
  const localnet = useLocalnet({ seed: 6, clock: 'virtual' });
  const { appUser, sv } = localnet;
  let count = 0;
  const post = async (url: string, body: unknown, token = appUser.token()) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const exercise = (node: typeof sv, command: object, disclosedContracts: object[]) =>
    post(
      `${node.ledgerApi}/v2/commands/submit-and-wait`,
      {
        commands: [{ ExerciseCommand: command }],
        commandId: `stale-${(count += 1)}`,
        actAs: [node.party],
        disclosedContracts,
      },
      node.token(),
    );
  const disclosed = ({ template_id, contract_id, created_event_blob }: any) => ({
    templateId: template_id,
    contractId: contract_id,
    createdEventBlob: created_event_blob,
    synchronizerId: localnet.splice.network.synchronizers[0]!.id,
  });

  async function tap(isStale: boolean) {
    const { scan } = localnet.urls;
    const rules = (await post(`${scan}/v0/amulet-rules`, {})).body.amulet_rules_update.contract;
    const answer = await post(`${scan}/v0/open-and-issuing-mining-rounds`, {
      cached_open_mining_round_contract_ids: [],
      cached_issuing_round_contract_ids: [],
    });
    const [{ contract: round }] = Object.values(answer.body.open_mining_rounds) as any[];
    if (isStale) localnet.advanceTime({ minutes: 45 });
    const argument = { receiver: appUser.party, amount: '5.0', openRound: round.contract_id };
    const choice = 'AmuletRules_DevNet_Tap';
    const on = { templateId: rules.template_id, contractId: rules.contract_id };
    return exercise(appUser, { ...on, choice, choiceArgument: argument }, [
      disclosed(rules),
      disclosed(round),
    ]);
  }

  it('accepts a round while it is open, and rejects it as inactive after it has closed', async () => {
    expect((await tap(false)).status).toBe(200);
    const { status, body } = await tap(true);
    expect([status, body.code]).toEqual([404, 'LOCAL_VERDICT_INACTIVE_CONTRACTS']);
  });

  it('accepts an offer with its context of an hour ago, which contains no round', async () => {
    await post(`${appUser.wallet}/tap`, { amount: '1' }, appUser.token(appUser.walletUser));
    const { body: made } = await post(
      `${appUser.wallet}/token-standard/transfers`,
      {
        receiver_party_id: sv.party,
        amount: '10.0',
        description: '',
        expires_at: Number(localnet.splice.network.clock.now()) + 7_200_000_000,
        tracking_id: 'rent',
      },
      appUser.token(appUser.walletUser),
    );
    const id = made.output.transfer_instruction_cid as string;
    const url = `${localnet.urls.registry}/registry/transfer-instruction/v1/${id}/choice-contexts/accept`;
    const { body: context } = await post(url, {});
    localnet.advanceTime({ hours: 1 });
    const { choiceContextData, disclosedContracts } = context;
    const accept = () =>
      exercise(
        sv,
        {
          templateId:
            '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction',
          contractId: id,
          choice: 'TransferInstruction_Accept',
          choiceArgument: { extraArgs: { context: choiceContextData, meta: { values: {} } } },
        },
        disclosedContracts,
      );
    const answer = await accept();
    expect([answer.status, answer.body.code]).toEqual([200, undefined]);
    expect((await post(url, {})).body.error).toBe(`AmuletTransferInstruction '${id}' not found.`);
  });

  it('the factory of version 2 allocations accepts a configuration of an hour ago, but not of days ago', async () => {
    const { splice } = localnet;
    const { clock } = splice.network;
    const task = 'UpdateExternalPartyConfigState';
    splice.automation.pause(...splice.automation.names.filter((name) => name !== task));
    localnet.amulet.tap(appUser.party, '100.0');
    const at = (micros: bigint) => new Date(Number(micros / 1_000n)).toISOString();
    const account = (owner: string) => ({ owner, provider: null, id: '' });
    const meta = { values: {} };
    const given = () => ({
      settlement: { executors: [sv.party], id: 'trade', cid: null, meta },
      allocation: {
        admin: splice.dsoParty,
        authorizer: account(appUser.party),
        transferLegSides: [
          {
            ...{ transferLegId: 'rent', side: 'SenderSide', otherside: account(sv.party) },
            ...{ amount: '10.0', instrumentId: 'Amulet', meta },
          },
        ],
        settlementDeadline: at(clock.now() + 3_600_000_000n),
        ...{ nextIterationFunding: null, committed: false, meta },
      },
      requestedAt: at(clock.now() - 1_000n),
      inputHoldingCids: appUser.participant
        .activeContracts({ template: '#splice-amulet:Splice.Amulet:Amulet' })
        .map(({ contractId }) => contractId),
      actors: [appUser.party],
      extraArgs: { context: { values: {} }, meta },
    });
    const factory = async () => {
      const url = `${localnet.urls.registry}/registry/allocation-instruction/v2/allocation-factory`;
      return (await post(url, { choiceArguments: given() })).body;
    };
    const allocate = async ({ factoryId, choiceContext }: any) => {
      const context = choiceContext.choiceContextData;
      const answer = await exercise(
        appUser,
        {
          templateId:
            '#splice-api-token-allocation-instruction-v2:Splice.Api.Token.AllocationInstructionV2:AllocationFactory',
          ...{ contractId: factoryId, choice: 'AllocationFactory_Allocate' },
          choiceArgument: { ...given(), extraArgs: { context, meta } },
        },
        choiceContext.disclosedContracts,
      );
      return [answer.status, answer.body.code];
    };
    const early = await factory();
    localnet.advanceTime({ hours: 1 });
    expect(await allocate(early)).toEqual([200, undefined]);
    localnet.advanceTime({ days: 3 });
    expect(await allocate(early)).toEqual([404, 'LOCAL_VERDICT_INACTIVE_CONTRACTS']);
    expect(await allocate(await factory())).toEqual([200, undefined]);
  });
});
