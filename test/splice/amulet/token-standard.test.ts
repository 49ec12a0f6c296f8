/** Amulet through the token standard, as a wallet uses it over HTTP: transfers in one step and in two, allocations. */
import { feesAt, outputFee, text, units } from '../../support/splice/amulet-fees.js';
import { AmuletClient, instant, type TreeEvent } from '../../support/splice/amulet-client.js';
import {
  AMULET_DAR,
  amuletWorld,
  failure,
  requirement,
  rewind,
  UNAUTHORIZED,
} from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';

const HOUR = 3_600_000_000n;
const BURNED = 'splice.lfdecentralizedtrust.org/burned';

/** A short form of a tree: each event with its template, indented by its depth. */
function shape(events: readonly TreeEvent[]): string[] {
  const open: number[] = [];
  return events.map(({ kind, nodeId, template, choice, interfaceId, lastDescendantNodeId }) => {
    while (open.length > 0 && open.at(-1)! < nodeId) open.pop();
    const indent = '  '.repeat(open.length);
    if (kind === 'exercised') open.push(lastDescendantNodeId!);
    return kind === 'created'
      ? `${indent}create ${template}`
      : `${indent}${template}.${interfaceId === undefined ? '' : `${interfaceId}.`}${choice}`;
  });
}

describeWithDars('Amulet through the token standard', [AMULET_DAR], (bytes) => {
  const world = amuletWorld(bytes);
  rewind(world);
  const { canticle, dso, alice, bob } = world;
  const { amulet, participant } = canticle;
  const app = participant.allocateParty('app');
  const client = new AmuletClient(world);
  const fees = feesAt('1.0');
  const spec = (receiver: string, amount: string, more: object = {}) => ({
    ...client.transferSpec(alice, receiver, amount, [amulet.tap(alice, '100.0')]),
    ...more,
  });

  describe('a transfer', () => {
    test('to the sender splits an amulet and completes at once', async () => {
      const { transferKind, result } = await client.transfer(spec(alice, '30.0'));
      expect(transferKind).toBe('self');
      expect(result.output.tag).toBe('TransferInstructionResult_Completed');
      // A new amulet for each part, none of it transferred.
      expect(result.meta.values).toEqual({ [BURNED]: '0.06' });
      expect(await client.amounts(alice)).toEqual(['30.0000000000', '69.9400000000']);
    });

    test('to a receiver with a preapproval completes at once, and its provider gets the rewards, more if featured', async () => {
      amulet.preapprove(bob, { provider: app });
      const coupons = () =>
        participant
          .activeContracts({ template: '#splice-amulet:Splice.Amulet:AppRewardCoupon' })
          .map(({ payload }) => payload);
      const before = coupons().length;
      const plain = await client.transfer(spec(bob, '30.0'));
      expect(plain.transferKind).toBe('direct');
      const fee = text(outputFee(fees, units('30.0'), false));
      expect(coupons().slice(before)).toMatchObject([
        { provider: app, featured: false, amount: fee },
      ]);
      expect(await client.amounts(bob)).toEqual(['30.0000000000']);
      amulet.feature(app);
      await client.transfer(spec(bob, '30.0'));
      // A dollar more for a featured app.
      const more = text(units(fee) + units('1.0'));
      expect(coupons().at(-1)).toMatchObject({ provider: app, featured: true, amount: more });
    });

    test('to another receiver is an offer, which reserves four times the fees, with the transaction tree of the Daml code', async () => {
      const { transferKind, result, events } = await client.transfer(spec(bob, '30.0'));
      expect(transferKind).toBe('offer');
      expect(result.output.tag).toBe('TransferInstructionResult_Pending');
      const reserve = outputFee(fees, units('30.0'), false) * 4n;
      const locked = units('30.0') + reserve;
      const lockFee = outputFee(fees, locked, true, 1);
      const [lockedHolding, unlocked] = await client.holdings(alice);
      expect(lockedHolding).toMatchObject({
        amount: text(locked),
        lock: { holders: [dso], context: `transfer to '${bob}'`, expiresAfter: null },
        meta: { values: { 'amulet.splice.lfdecentralizedtrust.org/created-in-round': '1' } },
      });
      expect(unlocked).toMatchObject({
        amount: text(units('100.0') - locked - lockFee - fees.create),
        lock: null,
      });
      expect(shape(events)).toEqual([
        'ExternalPartyAmuletRules.TransferFactory.TransferFactory_Transfer',
        '  AmuletRules.AmuletRules_ComputeFees',
        '  AmuletRules.AmuletRules_Transfer',
        '    Amulet.Archive',
        '    create ValidatorRewardCoupon',
        '    create AppRewardCoupon',
        '    create LockedAmulet',
        '    create Amulet',
        '  create AmuletTransferInstruction',
      ]);
    });

    test('accepts amulets with an expired lock as inputs', async () => {
      const { result } = await client.transfer(spec(bob, '10.0'));
      const [locked] = await client.holdings(alice);
      const again = () => client.transferSpec(alice, alice, '5.0', [locked!.contractId]);
      expect(await client.transfer(again())).toMatchObject({ refused: 'DAML_FAILURE' });
      canticle.advanceTime({ hours: 2 });
      expect((await client.transfer(again())).result.output.tag).toBe(
        'TransferInstructionResult_Completed',
      );
      // The offered holding is spent: the offer can be withdrawn, but not accepted.
      const id = result.output.value.transferInstructionCid;
      expect(await client.instruction('accept', id, bob)).toMatchObject({ refused: '404' });
      expect((await client.instruction('withdraw', id, alice)).result).toMatchObject({
        output: { tag: 'TransferInstructionResult_Failed' },
        senderChangeCids: [],
      });
    });

    test('is rejected if a field is wrong', async () => {
      const now = canticle.network.clock.now();
      const cases: [object, object][] = [
        [{ amount: '0.0' }, requirement('Amount must be positive')],
        [{ amount: '500.0' }, failure('ITR_InsufficientFunds')],
        [{ requestedAt: instant(now + HOUR) }, failure('Transfer.requestedAt')],
        [{ executeBefore: instant(now - HOUR) }, failure('Transfer.executeBefore')],
        [{ inputHoldingCids: [] }, requirement('At least one holding must be provided')],
        [{ instrumentId: { admin: bob, id: 'Amulet' } }, failure('matches actual instrumentId')],
        [{ inputHoldingCids: [amulet.tap(bob, '9.0')] }, { refused: 'CONTRACT_NOT_FOUND' }],
      ];
      for (const [more, refusal] of cases)
        expect(await client.transfer(spec(bob, '10.0', more))).toMatchObject(refusal);
      const other = { expectedAdmin: bob };
      expect(await client.transfer(spec(bob, '10.0'), other)).toMatchObject(
        failure('matches actual admin'),
      );
      expect(await client.transfer(spec(bob, '10.0'), { actAs: [bob] })).toMatchObject(
        UNAUTHORIZED,
      );
    });

    test('is rejected without the context of the registry', async () => {
      const spoiled = async (change: (context: any) => void) =>
        client.transfer(spec(bob, '10.0'), { change });
      for (const key of ['amulet-rules', 'open-round'])
        expect(
          await spoiled(({ choiceContextData: { values } }) => delete values[key]),
        ).toMatchObject(failure(`Missing context entry for: ${key}`));
      const wrong = { tag: 'AV_Text', value: 'a text' };
      expect(
        await spoiled(({ choiceContextData: { values } }) => (values['open-round'] = wrong)),
      ).toMatchObject(failure('expected contract id, got: AV_Text'));
      expect(await spoiled((context) => (context.disclosedContracts = []))).toMatchObject({
        refused: 'CONTRACT_NOT_FOUND',
      });
    });
  });

  describe('an offer', () => {
    const offered = async (amount = '30.0') => {
      const { result } = await client.transfer(spec(bob, amount));
      return result.output.value.transferInstructionCid as string;
    };

    test('is accepted by its receiver, and the sender gets the unused reserve', async () => {
      const id = await offered();
      expect(await client.instruction('accept', id, alice)).toMatchObject(UNAUTHORIZED);
      const { result, events } = await client.instruction('accept', id, bob);
      expect(result.output.tag).toBe('TransferInstructionResult_Completed');
      expect(await client.amounts(bob)).toEqual(['30.0000000000']);
      const [change, back] = await client.amounts(alice);
      const fee = outputFee(fees, units('30.0'), false);
      expect(back).toBe(text(fee * 3n - fees.create));
      expect(change).toBe('68.6150000000');
      expect(shape(events)).toEqual([
        'AmuletTransferInstruction.TransferInstruction.TransferInstruction_Accept',
        '  LockedAmulet.LockedAmulet_Unlock',
        '    create Amulet',
        '  AmuletRules.AmuletRules_Transfer',
        '    Amulet.Archive',
        '    create ValidatorRewardCoupon',
        '    create AppRewardCoupon',
        '    create Amulet',
        '    create Amulet',
      ]);
      expect(events[0]).toMatchObject({ consuming: true, actingParties: [bob] });
      expect(await client.instruction('accept', id, bob)).toMatchObject({
        refused: '404',
        cause: `AmuletTransferInstruction '${id}' not found.`,
      });
    });

    test.each([
      ['reject', bob, alice],
      ['withdraw', alice, bob],
    ] as const)('%s returns the amount to the sender', async (step, actor, other) => {
      const id = await offered();
      expect(await client.instruction(step, id, other)).toMatchObject(UNAUTHORIZED);
      const spoil = ({ choiceContextData: { values } }: any) => delete values['expire-lock'];
      expect(await client.instruction(step, id, actor, spoil)).toMatchObject(
        failure('Missing context entry for: expire-lock'),
      );
      const { result } = await client.instruction(step, id, actor);
      expect(result.output.tag).toBe('TransferInstructionResult_Failed');
      const reserve = units('30.0') + outputFee(fees, units('30.0'), false) * 4n;
      expect(await client.amounts(alice)).toEqual(['68.6150000000', text(reserve)]);
      expect(await client.amounts(bob)).toEqual([]);
    });

    test('cannot be accepted after its deadline, but can still be rejected', async () => {
      const id = await offered();
      canticle.advanceTime({ hours: 1, seconds: 1 });
      expect(await client.instruction('accept', id, bob)).toMatchObject(
        failure('Transfer.executeBefore'),
      );
      expect((await client.instruction('reject', id, bob)).result.senderChangeCids).toHaveLength(1);
    });

    test('cannot be withdrawn with the claim that its lock has expired, while it has not', async () => {
      const id = await offered();
      const lie = ({ choiceContextData: { values } }: any) =>
        (values['expire-lock'] = { tag: 'AV_Bool', value: false });
      expect(await client.instruction('withdraw', id, alice, lie)).toMatchObject(
        failure('Transfer.executeBefore'),
      );
    });

    test('is visible only to its two parties through the interface', async () => {
      const id = await offered();
      const seen = (party: string) =>
        participant.activeContracts({ party }).map(({ contractId }) => contractId);
      expect([seen(alice).includes(id), seen(bob).includes(id), seen(app).includes(id)]).toEqual([
        true,
        true,
        false,
      ]);
    });
  });

  describe('an allocation', () => {
    const allocationSpec = (more: object = {}, leg: object = {}) => {
      const now = canticle.network.clock.now();
      return {
        settlement: {
          executor: app,
          settlementRef: { id: 'trade-1', cid: null },
          requestedAt: instant(now - 1n),
          allocateBefore: instant(now + HOUR),
          settleBefore: instant(now + 2n * HOUR),
          meta: { values: {} },
          ...more,
        },
        transferLegId: 'leg-1',
        transferLeg: {
          sender: alice,
          receiver: bob,
          amount: '40.0',
          instrumentId: { admin: dso, id: 'Amulet' },
          meta: { values: {} },
          ...leg,
        },
      };
    };
    const allocated = async (spec_ = allocationSpec()) => {
      const { result, ...rest } = await client.allocate(spec_, [amulet.tap(alice, '100.0')]);
      return { ...rest, id: result?.output.value.allocationCid as string, result };
    };
    const everyone = [app, alice, bob];

    test('locks the amount and the fees for the executor, who also gets the rewards', async () => {
      const { id, result } = await allocated();
      expect(result.output.tag).toBe('AllocationInstructionResult_Completed');
      const [locked] = await client.holdings(alice);
      expect(locked!.lock.context).toBe(`allocation for transfer leg "leg-1" to '${bob}'`);
      amulet.feature(app);
      expect(await client.allocation('execute-transfer', id, [app])).toMatchObject(UNAUTHORIZED);
      const { result: done, events } = await client.allocation('execute-transfer', id, everyone);
      expect([done.senderHoldingCids.length, done.receiverHoldingCids.length]).toEqual([1, 1]);
      expect(await client.amounts(bob)).toEqual(['40.0000000000']);
      expect(events.find(({ choice }) => choice === 'Allocation_ExecuteTransfer')).toMatchObject({
        interfaceId: 'Allocation',
        actingParties: [...everyone].sort(),
      });
      const rewards = participant.activeContracts({
        template: '#splice-amulet:Splice.Amulet:AppRewardCoupon',
      });
      expect(rewards.at(-1)!.payload).toMatchObject({
        provider: app,
        featured: true,
        beneficiary: app,
      });
    });

    test('shares the rewards by the weights of the executor', async () => {
      const { id } = await allocated();
      amulet.feature(app);
      const prefix = 'amulet.splice.lfdecentralizedtrust.org/app-reward-';
      const shares = (weights: string) => ({
        values: {
          [`${prefix}beneficiaries`]: `${alice},${bob}`,
          [`${prefix}beneficiary-weights`]: weights,
        },
      });
      const execute = (meta: object) => client.allocation('execute-transfer', id, everyone, meta);
      expect(await execute(shares('0.5'))).toMatchObject(
        failure('Number of beneficiaries (2) does not match'),
      );
      expect(await execute(shares('0.5,0.6'))).toMatchObject(
        requirement('Beneficiary weights add up to 1.0'),
      );
      expect(await execute({ values: { [`${prefix}beneficiaries`]: alice } })).toMatchObject(
        failure('Expected both beneficiaries and weights to be present'),
      );
      expect(await execute(shares('0.25,0.75'))).toHaveProperty('result');
      const rewards = participant
        .activeContracts({ template: '#splice-amulet:Splice.Amulet:AppRewardCoupon' })
        .slice(-2)
        .map(({ payload }: any) => [payload.beneficiary, payload.amount]);
      const total = outputFee(fees, units('40.0'), false) + units('1.0');
      expect(rewards.sort()).toEqual(
        [
          [alice, text(total / 4n)],
          [bob, text((total * 3n) / 4n)],
        ].sort(),
      );
    });

    test('is withdrawn by its sender, cancelled by all parties, and settled only before its deadline', async () => {
      const { id } = await allocated();
      const before = canticle.snapshot();
      expect(await client.allocation('withdraw', id, [app])).toMatchObject(UNAUTHORIZED);
      expect(
        (await client.allocation('withdraw', id, [alice])).result.senderHoldingCids,
      ).toHaveLength(1);
      expect(await client.allocation('withdraw', id, [alice])).toMatchObject({
        refused: '404',
        cause: `AmuletAllocation '${id}' not found.`,
      });
      canticle.revert(before);
      expect(await client.allocation('cancel', id, [app, alice])).toMatchObject(UNAUTHORIZED);
      expect(
        (await client.allocation('cancel', id, everyone)).result.senderHoldingCids,
      ).toHaveLength(1);
      canticle.revert(before);
      canticle.advanceTime({ hours: 3 });
      expect(await client.allocation('execute-transfer', id, everyone)).toMatchObject(
        failure('allocation.settlement.settleBefore'),
      );
      // The owner takes the lock away; then there is nothing left to give back.
      const [locked] = await client.holdings(alice);
      await client.transfer(client.transferSpec(alice, alice, '1.0', [locked!.contractId]));
      expect((await client.allocation('withdraw', id, [alice])).result.senderHoldingCids).toEqual(
        [],
      );
    });

    test('is rejected if a field is wrong', async () => {
      const now = canticle.network.clock.now();
      const cases: [object, object, object][] = [
        [{}, { amount: '-1.0' }, requirement('Transfer amount must be positive')],
        [{}, { amount: '400.0' }, failure('ITR_InsufficientFunds')],
        [
          {},
          { instrumentId: { admin: dso, id: 'Gold' } },
          requirement('Instrument-id must match the factory'),
        ],
        [{ requestedAt: instant(now + HOUR) }, {}, failure('Allocation.settlement.requestedAt')],
        [
          { allocateBefore: instant(now - 1n) },
          {},
          failure('Allocation.settlement.allocateBefore'),
        ],
        [
          { settleBefore: instant(now + HOUR / 2n) },
          {},
          requirement('Allocation.settlement.allocateBefore <= Allocation.settlement.settleBefore'),
        ],
      ];
      for (const [more, leg, refusal] of cases)
        expect(await allocated(allocationSpec(more, leg))).toMatchObject(refusal);
      expect(await client.allocate(allocationSpec(), [])).toMatchObject(
        requirement('At least one input holding must be provided'),
      );
      const wrong = { expectedAdmin: alice };
      expect(
        await client.allocate(allocationSpec(), [amulet.tap(alice, '99.0')], wrong),
      ).toMatchObject(failure('matches actual admin'));
    });
  });
});
