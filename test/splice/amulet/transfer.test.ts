/** Splice's Amulet, moved by its rules: the faucet, transfers with their fees and change, locks, merges. */
import type { TraceNode, TransactionTrace } from 'canticle';
import fc from 'fast-check';
import { check } from '../../support/property.js';
import { feesAt, outputFee, text, units } from '../../support/splice/amulet-fees.js';
import {
  AMULET_DAR,
  amuletWorld,
  failure,
  LOCKED_AMULET,
  requirement,
  rewind,
  UNAUTHORIZED,
  WITH_FEES,
} from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { refusalOf } from '../../network/explanation/explained.js';
import { answer } from '../../support/daml/lf-probe.js';

const HOUR = 3_600_000_000n;

describeWithDars('Amulet', [AMULET_DAR], (bytes) => {
  const world = amuletWorld(bytes);
  rewind(world);
  const { canticle, dso, alice, bob } = world;
  const { participant, amulet } = canticle;
  const carol = participant.allocateParty('carol');
  const fees = feesAt('1.0');
  const to = (receiver: string, amount: string, more: object = {}) => ({
    receiver,
    amount,
    ...more,
  });
  const now = (later = 0n) => canticle.network.clock.now() + later;
  const lockUntil = (holders: string[], micros: bigint) => ({
    holders,
    expiresAt: new Date(Number(micros / 1000n)).toISOString(),
    optContext: 'a test',
  });

  const lastTrace = () => {
    const { updates } = canticle.network;
    return canticle.trace(updates.at(updates.length - 1)!.updateId);
  };

  describe('the faucet', () => {
    test('mints the requested amount in the open round', () => {
      const { amuletSum, meta } = world.rules(
        'AmuletRules_DevNet_Tap',
        { receiver: alice, amount: '12.5', openRound: amulet.round },
        [alice],
      );
      expect(amuletSum).toMatchObject({ amuletPrice: '1.0000000000', round: { number: '1' } });
      expect(meta.values).toEqual({
        'splice.lfdecentralizedtrust.org/reason': 'tapped faucet',
        'splice.lfdecentralizedtrust.org/tx-kind': 'mint',
      });
      expect(participant.contract(amuletSum.amulet)).toMatchObject({
        payload: {
          dso,
          owner: alice,
          amount: {
            initialAmount: '12.5000000000',
            createdAt: { number: '1' },
            ratePerRound: { rate: '0.0000190259' },
          },
        },
        signatories: [dso, alice].sort(),
        observers: [],
      });
    });

    test('rejects other submitters, an amount of zero, and networks other than DevNet', () => {
      const argument = { receiver: alice, amount: '1.0', openRound: amulet.round };
      expect(answer(() => world.rules('AmuletRules_DevNet_Tap', argument, [bob]))).toMatchObject(
        UNAUTHORIZED,
      );
      expect(answer(() => amulet.tap(alice, '0.0'))).toMatchObject({
        refused: 'DAML_FAILURE',
        context: {
          error_id: 'UNHANDLED_EXCEPTION/DA.Exception.PreconditionFailed:PreconditionFailed',
        },
      });
      const main = amuletWorld(bytes, { isDevNet: false });
      expect(answer(() => main.canticle.amulet.tap(main.alice, '1.0'))).toMatchObject(
        requirement('isDevNet flag is true'),
      );
    });
  });

  describe('a transfer', () => {
    test('charges the fees of its outputs and of the change, and rewards the app and the validator', () => {
      const coin = amulet.tap(alice, '5000.0');
      const { summary, createdAmulets, senderChangeAmulet, meta, round } = world.transfer({
        sender: alice,
        inputs: [coin],
        outputs: [to(bob, '1500.0'), to(carol, '7.25'), to(alice, '100.0')],
      });
      const charged = [
        outputFee(fees, units('1500.0'), false),
        outputFee(fees, units('7.25'), false),
        outputFee(fees, units('100.0'), true),
      ];
      const total = charged.reduce((a, b) => a + b);
      const change = units('5000.0') - units('1607.25') - total - fees.create;
      expect(summary).toMatchObject({
        inputAmuletAmount: '5000.0000000000',
        outputFees: charged.map(text),
        senderChangeFee: text(fees.create),
        senderChangeAmount: text(change),
        holdingFees: '0.0000000000',
        amuletPrice: '1.0000000000',
      });
      // 1 % of the first 100, 0.1 % of the next 900, 0.01 % of the rest; and the fee of each new amulet.
      expect(charged.map(text)).toEqual(['1.9800000000', '0.1025000000', '0.0300000000']);
      expect(round).toEqual({ number: '1' });
      expect(meta.values).toEqual({
        'splice.lfdecentralizedtrust.org/tx-kind': 'transfer',
        'splice.lfdecentralizedtrust.org/sender': alice,
        'splice.lfdecentralizedtrust.org/burned': '2.1425',
      });
      const created = createdAmulets.map(({ value }: { value: string }) => world.payload(value));
      expect(created.map((each: any) => [each.owner, each.amount.initialAmount])).toEqual([
        [bob, '1500.0000000000'],
        [carol, '7.2500000000'],
        [alice, '100.0000000000'],
      ]);
      expect(world.payload(senderChangeAmulet).amount.initialAmount).toBe(text(change));
      expect(participant.contract(coin)).toBeUndefined();
      const coupons = ['ValidatorRewardCoupon', 'AppRewardCoupon'].map((name) =>
        participant.activeContracts({ template: `#splice-amulet:Splice.Amulet:${name}` }),
      );
      expect(coupons.map((each) => each.map(({ payload }) => payload))).toEqual([
        [{ dso, user: alice, amount: text(total), round: { number: '1' } }],
        [
          {
            dso,
            provider: alice,
            featured: false,
            amount: text(total),
            round: { number: '1' },
            beneficiary: alice,
          },
        ],
      ]);
    });

    test('the receiver may pay a part of the fee', () => {
      const { summary, createdAmulets } = world.transfer({
        sender: alice,
        inputs: [amulet.tap(alice, '100.0')],
        outputs: [to(bob, '30.0', { receiverFeeRatio: '0.25' })],
      });
      expect(summary.outputFees).toEqual(['0.3300000000']);
      expect(world.payload(createdAmulets[0].value).amount.initialAmount).toBe('29.9175000000');
      expect(summary.senderChangeAmount).toBe('69.7225000000');
    });

    test('a change that is smaller than its fee is burnt', () => {
      const { summary, senderChangeAmulet } = world.transfer({
        sender: alice,
        inputs: [amulet.tap(alice, '30.34')],
        outputs: [to(bob, '30.0')],
      });
      expect(summary).toMatchObject({
        senderChangeFee: '0.0100000000',
        senderChangeAmount: '0.0000000000',
      });
      expect(senderChangeAmulet).toBeNull();
    });

    test('its fees equal those of the Daml code, for any amounts and price', () => {
      const prices = ['1.0', '0.005', '3.7'];
      const worlds = new Map(
        prices.map((price) => [price, amuletWorld(bytes, { ...WITH_FEES, price })]),
      );
      const amounts = fc.bigInt({ min: 1n, max: units('3000000.0') }).map((value) => text(value));
      check(
        fc.property(
          fc.constantFrom(...prices),
          fc.array(amounts, { minLength: 1, maxLength: 3 }),
          (price, given) => {
            const priced = worlds.get(price)!;
            const { canticle: own, alice: sender, bob: receiver } = priced;
            const before = own.snapshot();
            const funds = units('10000000.0');
            const { summary } = priced.transfer({
              sender,
              inputs: [own.amulet.tap(sender, text(funds))],
              outputs: given.map((amount) => to(receiver, amount)),
            });
            const scaled = feesAt(price);
            const charged = given.map((amount) => outputFee(scaled, units(amount), false));
            const spent = [...charged, ...given.map(units)].reduce((a, b) => a + b);
            expect(summary.outputFees).toEqual(charged.map(text));
            expect(summary.senderChangeAmount).toBe(text(funds - spent - scaled.create));
            own.revert(before);
          },
        ),
        { numRuns: 25 },
      );
    });

    test('requires funds, authority, an open round and the right DSO', () => {
      const coin = amulet.tap(alice, '100.0');
      const send = (more: object) =>
        answer(() =>
          world.transfer({ sender: alice, inputs: [coin], outputs: [to(bob, '10.0')], ...more }),
        );
      expect(send({ outputs: [to(bob, '300.0')] })).toMatchObject({
        ...failure('ITR_InsufficientFunds {missingAmount = 201.23}'),
        context: { error_id: 'UNHANDLED_EXCEPTION/Splice.AmuletRules:InvalidTransfer' },
      });
      const { explanation } = refusalOf(() =>
        world.transfer({ sender: alice, inputs: [coin], outputs: [to(bob, '300.0')] }),
      );
      const [fetched, spent] = explanation!.toJSON().actions[0]!.actions.slice(1);
      const rules = { module: 'Splice.AmuletRules' };
      expect([fetched, spent]).toMatchObject([
        { kind: 'fetch', contractId: coin, at: { module: 'Splice.Util', line: 72 } },
        {
          kind: 'exercise',
          contractId: coin,
          choice: 'Archive',
          at: { module: 'Splice.Util', line: 95 },
        },
      ]);
      expect(explanation!.toJSON().stack).toContainEqual({ ...rules, line: 728, column: 17 });
      // The code that failed, past Daml's own library, and what it had before it.
      expect(explanation!.body()).toMatch(
        / got \{ dso: DSO, [^]*\nfailed at {3}Splice\.AmuletRules:728:17/,
      );
      // The receiver is a controller of the choice, too.
      expect(send({ actAs: [alice] })).toMatchObject(UNAUTHORIZED);
      expect(send({ sender: bob, actAs: [alice, bob] })).toMatchObject(
        failure('Contract group identifier mismatch'),
      );
      expect(send({ outputs: [to(bob, '0.1', { receiverFeeRatio: '1.5' })] })).toMatchObject(
        failure('Receiver fee ratio 1.5 is not between 0.0 and 1.0'),
      );
      expect(send({ outputs: [to(bob, '0.01', { receiverFeeRatio: '1.0' })] })).toMatchObject(
        requirement('Amount is larger than receiver output fee'),
      );
      const [, , future] = participant.activeContracts({
        template: '#splice-amulet:Splice.Round:OpenMiningRound',
      });
      expect(
        answer(() =>
          world.exercise(
            '#splice-amulet:Splice.AmuletRules:AmuletRules',
            amulet.rules,
            'AmuletRules_Transfer',
            {
              transfer: {
                sender: alice,
                provider: alice,
                inputs: [],
                outputs: [],
                beneficiaries: null,
              },
              context: { ...amulet.context().payment.context, openMiningRound: future!.contractId },
              expectedDso: dso,
            },
            [alice],
          ),
        ),
      ).toMatchObject(failure('openRound.opensAt'));
      const stranger = {
        expectedDso: bob,
        transfer: { sender: alice, provider: alice, inputs: [], outputs: [], beneficiaries: null },
        context: amulet.context().payment.context,
      };
      expect(answer(() => world.rules('AmuletRules_Transfer', stranger, [alice]))).toMatchObject(
        failure('does not match actual DSO party'),
      );
      const unsaid = { ...stranger, expectedDso: null };
      expect(answer(() => world.rules('AmuletRules_Transfer', unsaid, [alice]))).toMatchObject(
        failure('Expected DSO party not set by caller.'),
      );
      // The transfer had no effect.
      expect(participant.contract(coin)).toBeDefined();
    });

    test('accepts at most a hundred inputs, each only once', () => {
      const coins = Array.from({ length: 101 }, () => amulet.tap(alice, '1.0'));
      const merge = (inputs: string[]) =>
        answer(() => world.transfer({ sender: alice, inputs, outputs: [] }));
      expect(merge(coins)).toMatchObject(failure('More than the maximum number of inputs'));
      expect(merge([coins[0]!, coins[0]!])).toMatchObject({ refused: 'CONTRACT_NOT_ACTIVE' });
      expect(merge(coins.slice(1))).toMatchObject({
        summary: { inputAmuletAmount: '100.0000000000', senderChangeAmount: '99.9700000000' },
      });
    });

    test('merges the amulets of the sender, and charges the predicted fees', () => {
      const coins = ['1.5', '2.5', '3.0'].map((amount) => amulet.tap(alice, amount));
      const { summary, meta, senderChangeAmulet } = world.transfer({
        sender: alice,
        inputs: coins,
        outputs: [],
      });
      expect(summary.senderChangeAmount).toBe('6.9700000000');
      expect(meta.values['splice.lfdecentralizedtrust.org/tx-kind']).toBe('merge-split');
      expect(amulet.holdings(alice).map(({ contractId }) => contractId)).toEqual([
        senderChangeAmulet,
      ]);
      const outputs = [to(bob, '12.0'), to(alice, '3.0')].map((each) => ({
        receiverFeeRatio: '0.0',
        lock: null,
        ...each,
      }));
      const { context } = amulet.context().payment;
      const compute = (sender: string, actor: string) =>
        answer(() =>
          world.rules('AmuletRules_ComputeFees', { context, sender, outputs, expectedDso: dso }, [
            actor,
          ]),
        );
      expect(compute(alice, alice)).toEqual({ fees: ['0.1500000000', '0.0300000000'] });
      expect(compute(alice, bob)).toMatchObject(UNAUTHORIZED);
    });
  });

  describe('a lock', () => {
    const lock = (holders: string[], until: bigint, amount = '10.0') => {
      const { createdAmulets, summary } = world.transfer({
        sender: alice,
        inputs: [amulet.tap(alice, '100.0')],
        outputs: [to(alice, amount, { lock: lockUntil(holders, until) })],
      });
      return { locked: createdAmulets[0].value as string, summary };
    };
    const release = (locked: string, choice: string, actAs: string[]) =>
      answer(() =>
        world.exercise(LOCKED_AMULET, locked, choice, { openRoundCid: amulet.round }, actAs),
      );

    test('has a fee for each holder except the receiver, and the holders sign it', () => {
      const { locked, summary } = lock([bob, carol, bob, alice], now(HOUR));
      expect(summary.outputFees).toEqual([text(outputFee(fees, units('10.0'), true, 2))]);
      expect(participant.contract(locked)).toMatchObject({
        payload: {
          amulet: { owner: alice },
          lock: { holders: [bob, carol].sort(), optContext: 'a test' },
        },
        signatories: [dso, alice, bob, carol].sort(),
      });
    });

    test('is released by the owner and the holders together, at any time', () => {
      const { locked } = lock([bob], now(HOUR));
      expect(release(locked, 'LockedAmulet_Unlock', [alice])).toMatchObject(UNAUTHORIZED);
      expect(release(locked, 'LockedAmulet_Unlock', [bob])).toMatchObject(UNAUTHORIZED);
      const { amuletSum, meta } = release(locked, 'LockedAmulet_Unlock', [alice, bob]) as any;
      expect(meta.values['splice.lfdecentralizedtrust.org/reason']).toBe('holders released lock');
      expect(world.payload(amuletSum.amulet)).toMatchObject({
        owner: alice,
        amount: { initialAmount: '10.0000000000' },
      });
      expect(release(locked, 'LockedAmulet_Unlock', [alice, bob])).toMatchObject({
        refused: 'CONTRACT_NOT_FOUND',
      });
    });

    test('is released by the owner alone after it expires', () => {
      const { locked } = lock([bob], now(HOUR));
      expect(release(locked, 'LockedAmulet_OwnerExpireLock', [alice])).toMatchObject({
        refused: 'DAML_FAILURE',
      });
      canticle.advanceTime({ hours: 1, seconds: 1 });
      expect(release(locked, 'LockedAmulet_OwnerExpireLock', [bob])).toMatchObject(UNAUTHORIZED);
      const { amuletSum, meta } = release(locked, 'LockedAmulet_OwnerExpireLock', [alice]) as any;
      expect(meta.values['splice.lfdecentralizedtrust.org/reason']).toBe('lock expired');
      expect(world.payload(amuletSum.amulet).owner).toBe(alice);
    });

    test('cannot expire in the past or after the amulet, and cannot have too many holders', () => {
      expect(answer(() => lock([bob], now(-HOUR)))).toMatchObject({ refused: 'DAML_FAILURE' });
      // 0.001 is eaten up by the holding fee after 53 rounds of ten minutes.
      expect(answer(() => lock([bob], now(10n * HOUR), '0.001'))).toMatchObject(
        requirement('lock expires before amulet'),
      );
      const crowd = Array.from({ length: 51 }, (_, i) => participant.allocateParty(`holder-${i}`));
      expect(answer(() => lock(crowd, now(HOUR)))).toMatchObject(
        requirement('Fewer than the allowed number of lock holders'),
      );
    });

    test('makes an amulet invalid as an input', () => {
      const { locked } = lock([bob], now(HOUR));
      const spend = () => world.transfer({ sender: alice, inputs: [locked], outputs: [] });
      expect(answer(spend)).toMatchObject({ refused: 'WRONGLY_TYPED_CONTRACT' });
    });
  });

  test('the trace of a transfer shows every node with its location, and the witnesses of the update', () => {
    world.transfer({
      sender: alice,
      inputs: [
        world.rules(
          'AmuletRules_DevNet_Tap',
          { receiver: alice, amount: '50.0', openRound: amulet.round },
          [alice],
        ).amuletSum.amulet,
      ],
      outputs: [to(bob, '10.0')],
    });
    const { updates } = canticle.network;
    const update = updates.at(updates.length - 1)!;
    const trace = canticle.trace(update.updateId);
    if (update.kind !== 'transaction') throw new Error('The last update is a transaction.');
    expect(trace.retraced).toBe(true);
    expect(trace.nodes.map(({ nodeId }) => nodeId)).toEqual(
      update.transaction.nodes.map(({ nodeId }) => nodeId),
    );
    expect(trace.nodes.map(({ witnesses }) => witnesses.map(({ party }) => party))).toEqual(
      update.witnesses,
    );
    expect(trace.nodes.slice(1).map(({ placed }) => placed)).not.toContain('choice');
  });

  test('a trace shows the location of the statement in the Daml source of the DAR, and its callers', async () => {
    world.rules(
      'AmuletRules_DevNet_Tap',
      { receiver: alice, amount: '50.0', openRound: amulet.round },
      [alice],
    );
    const tap = lastTrace();
    const [coin] = tap.nodes.slice(-1);
    world.transfer({ sender: alice, inputs: [coin!.contractId!], outputs: [to(bob, '10.0')] });
    const { updates } = canticle.network;
    const bootstrap = Array.from({ length: updates.length }, (_, index) => updates.at(index)!)
      .map(({ updateId }) => canticle.trace(updateId))
      .find(({ nodes }) => nodes[0]?.choice === 'AmuletRules_Bootstrap_Rounds');
    const [packageId] = coin!.templateId!.split(':');
    const linesOf = async (module: string): Promise<readonly string[]> => {
      const { body } = await canticle.handle({
        path: `/canticle/v1/inspection/packages/${packageId}/sources/${module}`,
      });
      return (JSON.parse(body.toString()) as { text?: string }).text?.split('\n') ?? [];
    };
    const statement = async ({ at, placed }: Pick<TraceNode, 'at' | 'placed'>) => {
      if (at === undefined || !('module' in at)) return 'nowhere';
      const text = (await linesOf(at.module))[at.line - 1]?.slice(at.column - 1).trim();
      return `${placed ?? 'code'}: ${text ?? `${at.module}:${at.line}`}`;
    };
    const statementsOf = async ({ nodes }: TransactionTrace) => {
      const statements: string[] = [];
      for (const { at, placed, calls = [] } of nodes.slice(1)) {
        const places = [{ at, placed } as Pick<TraceNode, 'at' | 'placed'>, ...calls.slice(1)];
        statements.push((await Promise.all(places.map(statement))).join(' < '));
      }
      return statements;
    };
    const open = 'name: create OpenMiningRound with';
    expect(await statementsOf(bootstrap!)).toEqual([open, open, open]);
    expect(await statementsOf(tap)).toEqual([
      'name: AmuletRules_Mint with ..',
      'code: Splice.Util:72 < name: fetchReferenceData (ForDso with dso) openRound',
      'name: create Amulet with',
    ]);
    const transfer = 'name: executeTransfer rewardsConfig context dso transfer';
    const inputs = 'code: fetchAndArchive forOwner amuletCid < code: sender t.inputs';
    expect(await statementsOf(lastTrace())).toEqual([
      `code: Splice.Util:72 < code: fetchReferenceData (ForDso with dso) context.openMiningRound < code: summarizeAndValidateContext context dso t < ${transfer}`,
      `code: Splice.Util:72 < code: Splice.Util:94 < ${inputs} < ${transfer}`,
      `code: Splice.Util:95 < ${inputs} < ${transfer}`,
      // The archive has the places of the whole `when` and of the whole loop.
      `name: create ValidatorRewardCoupon with < code: beneficiaries summary < ${transfer}`,
      `name: create AppRewardCoupon with < code: beneficiaries summary < ${transfer}`,
      // Two statements of the function create an Amulet: it stays with the place that the archive has.
      `code: mapA createOutput preprocessedOutputs < code: sender summary osum < ${transfer}`,
      `code: createSenderChange < code: sender summary osum < ${transfer}`,
    ]);
  });
});
