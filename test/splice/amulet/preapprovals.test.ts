/** Preapprovals of transfers, proposals for external parties, and transfer commands. */
import { instant } from '../../support/splice/amulet-client.js';
import { text, times, units } from '../../support/splice/amulet-fees.js';
import {
  AMULET_DAR,
  failure,
  requirement,
  UNAUTHORIZED,
} from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { DAY, T, inputAmulet, dsoWorld } from '../../support/splice/dso-world.js';
import { answer } from '../../support/daml/lf-probe.js';

describeWithDars('preapprovals and transfer commands', [AMULET_DAR], (bytes) => {
  const world = dsoWorld(bytes);
  const { canticle, amulet, participant, dso, alice, bob, app, now, contracts, payloads, payment } =
    world;

  describe('preapprovals', () => {
    const PREAPPROVAL = T('AmuletRules:TransferPreapproval');
    const create = (days: bigint, coin = amulet.tap(bob, '10.0'), actAs = [bob]) =>
      answer(() =>
        world.rules(
          'AmuletRules_CreateTransferPreapproval',
          {
            context: payment,
            inputs: [inputAmulet(coin)],
            receiver: bob,
            provider: bob,
            expiresAt: instant(now(days * DAY)),
            expectedDso: dso,
          },
          actAs,
        ),
      ) as any;
    const exercise = (id: string, choice: string, argument: object, actor: string) =>
      answer(() => world.exercise(PREAPPROVAL, id, choice, argument, [actor])) as any;

    test('cost a dollar for a year, charged by the day', () => {
      const { transferPreapprovalCid, amuletPaid, meta } = create(90n);
      expect(amuletPaid).toBe(text(times(units('90.0'), units('0.00274'))));
      expect(meta.values['splice.lfdecentralizedtrust.org/reason']).toBe(
        'create TransferPreapproval',
      );
      expect(participant.contract(transferPreapprovalCid)).toMatchObject({
        payload: { receiver: bob, provider: bob },
        signatories: [bob, dso].sort(),
      });
      expect(create(-1n)).toMatchObject(requirement('expiresAt is not in the past'));
      expect(create(90n, amulet.tap(bob, '0.1'))).toMatchObject(failure('ITR_InsufficientFunds'));
      expect(create(90n, amulet.tap(bob, '9.0'), [alice])).toMatchObject(UNAUTHORIZED);
    });

    test('allow transfers from any party until they expire', () => {
      const { transferPreapprovalCid: id } = create(1n);
      const send = (actor = alice) =>
        exercise(
          id,
          'TransferPreapproval_Send',
          {
            context: payment,
            inputs: [inputAmulet(amulet.tap(alice, '50.0'))],
            amount: '20.0',
            sender: alice,
            description: 'rent',
          },
          actor,
        );
      const before = canticle.snapshot();
      expect(send().meta.values).toMatchObject({
        'splice.lfdecentralizedtrust.org/reason': 'rent',
        'splice.lfdecentralizedtrust.org/tx-kind': 'transfer',
      });
      canticle.revert(before);
      expect(exercise(id, 'TransferPreapproval_Fetch', { p: alice }, alice)).toEqual(
        world.payload(id),
      );
      // The receiver's consent is in the contract; the sender's is not.
      expect(
        answer(() =>
          world.exercise(
            PREAPPROVAL,
            id,
            'TransferPreapproval_Send',
            { context: payment, inputs: [], amount: '20.0', sender: alice, description: null },
            [bob],
          ),
        ),
      ).toMatchObject(UNAUTHORIZED);
      expect(exercise(id, 'TransferPreapproval_Expire', {}, dso)).toMatchObject(
        requirement('Contract has expired'),
      );
      canticle.advanceTime({ days: 2 });
      expect(
        answer(() =>
          amulet.transfer({
            from: alice,
            to: bob,
            amount: '20.0',
            inputs: [amulet.tap(alice, '50.0')],
          }),
        ),
      ).toMatchObject(failure('TransferPreapproval.expiresAt'));
      expect(exercise(id, 'TransferPreapproval_Expire', {}, bob)).toMatchObject(UNAUTHORIZED);
      expect(exercise(id, 'TransferPreapproval_Expire', {}, dso)).toEqual({});
    });

    test('are renewed by the provider before they expire, and cancelled by either party', () => {
      const { transferPreapprovalCid: id } = create(2n);
      const { expiresAt } = world.payload(id);
      const renew = (newExpiresAt: string) =>
        exercise(
          id,
          'TransferPreapproval_Renew',
          { context: payment, inputs: [inputAmulet(amulet.tap(bob, '10.0'))], newExpiresAt },
          bob,
        );
      expect(renew(expiresAt)).toMatchObject(requirement('newExpiresAt is after expiresAt'));
      const before = canticle.snapshot();
      const later = instant(now(5n * DAY));
      const renewed = renew(later);
      expect(world.payload(renewed.transferPreapprovalCid)).toMatchObject({
        expiresAt: later,
        receiver: bob,
      });
      expect(world.payload(id)).toBeUndefined();
      canticle.revert(before);
      canticle.advanceTime({ days: 3 });
      expect(renew(later)).toMatchObject(requirement('Contract is not expired'));
      expect(exercise(id, 'TransferPreapproval_Cancel', { p: bob }, bob)).toMatchObject(
        failure('TransferPreapproval.expiresAt'),
      );
      canticle.revert(before);
      expect(exercise(id, 'TransferPreapproval_Cancel', { p: dso }, dso)).toMatchObject(
        failure('is either receiver or provider'),
      );
      expect(exercise(id, 'TransferPreapproval_Cancel', { p: bob }, bob)).toBe(
        'TransferPreapproval_CancelResult',
      );
    });

    test('for external parties are proposed, and accepted, rejected or withdrawn', () => {
      const PROPOSAL = T('AmuletRules:ExternalPartySetupProposal');
      const propose = () =>
        world.rules(
          'AmuletRules_CreateExternalPartySetupProposal',
          {
            context: payment,
            inputs: [inputAmulet(amulet.tap(app, '10.0'))],
            user: alice,
            validator: app,
            preapprovalExpiresAt: instant(now(30n * DAY)),
            expectedDso: dso,
          },
          [app],
        ).proposalCid as string;
      const answerIt = (
        id: string,
        choice: string,
        actor: string,
        argument: object = { reason: 'no' },
      ) =>
        answer(() =>
          world.exercise(PROPOSAL, id, `ExternalPartySetupProposal_${choice}`, argument, [actor]),
        ) as any;
      const [one, two, three] = [propose(), propose(), propose()];
      expect(answerIt(one, 'Accept', app, {})).toMatchObject(UNAUTHORIZED);
      const accepted = answerIt(one, 'Accept', alice, {});
      expect(world.payload(accepted.validatorRightCid)).toEqual({
        dso,
        user: alice,
        validator: app,
      });
      expect(answerIt(two, 'Reject', app)).toMatchObject(UNAUTHORIZED);
      expect(answerIt(two, 'Reject', alice)).toEqual({ dummyArg: {} });
      canticle.advanceTime({ days: 31 });
      expect(answerIt(three, 'Accept', alice, {})).toMatchObject(failure('preapprovalExpiresAt'));
      expect(answerIt(three, 'Withdraw', app)).toEqual({ dummyArg: {} });
    });
  });

  test('transfer commands are sent by their delegate in the order of their nonces', () => {
    const RULES = T('ExternalPartyAmuletRules:ExternalPartyAmuletRules');
    const COMMAND = T('ExternalPartyAmuletRules:TransferCommand');
    const delegate = participant.allocateParty('delegate');
    amulet.preapprove(bob, { provider: app });
    const preapproval = contracts('AmuletRules:TransferPreapproval').at(-1)!.contractId;
    const counter = participant.create(
      T('ExternalPartyAmuletRules:TransferCommandCounter'),
      { dso, sender: alice, nextNonce: '0' },
      { actAs: [dso] },
    );
    const command = (nonce: string, amount = '10.0') =>
      world.exercise(
        RULES,
        amulet.factory,
        'ExternalPartyAmuletRules_CreateTransferCommand',
        {
          sender: alice,
          receiver: bob,
          delegate,
          amount,
          expiresAt: instant(now(200n * DAY)),
          nonce,
          description: 'by command',
          expectedDso: dso,
        },
        [alice],
      ).transferCommandCid as string;
    const send = (cid: string, transferCounterCid: string, context: object = payment) =>
      answer(
        () =>
          // The delegate of the network sees what the DSO sees.
          participant.exercise(
            COMMAND,
            cid,
            'TransferCommand_Send',
            {
              context,
              inputs: [inputAmulet(amulet.tap(alice, '100.0'))],
              transferPreapprovalCidO: preapproval,
              transferCounterCid,
            },
            { actAs: [delegate], readAs: [dso, alice] },
          ).result,
      ) as any;
    expect(send(command('1'), counter)).toMatchObject(
      failure('Expected nonce 1 is bigger than current counter 0'),
    );
    // Since protocol version 35, a failure after inputs were consumed cannot be caught: effects do not roll back.
    expect(send(command('0', '500.0'), counter)).toMatchObject({
      refused: 'DAML_EFFECTFUL_ROLLBACK_ERROR',
    });
    expect(send(command('0'), counter).result).toMatchObject({
      tag: 'TransferCommandResultSuccess',
    });
    const next = contracts('ExternalPartyAmuletRules:TransferCommandCounter').at(-1)!;
    expect(next.payload).toMatchObject({ nextNonce: '1' });
    expect(send(command('0'), next.contractId).result).toMatchObject({
      tag: 'TransferCommandResultFailure',
    });
    // A deadline is not an exception, so it is not caught either. A failure before any effect is caught: the nonce is spent.
    const context = { ...payment.context, featuredAppRight: amulet.feature(delegate) };
    const failed = send(command('1'), next.contractId, { ...payment, context });
    expect(failed.result).toMatchObject({
      tag: 'TransferCommandResultFailure',
      value: { reason: { tag: 'ITR_Other' } },
    });
    expect(failed.result.value.reason.value.description).toContain(
      'Contract mismatch: expected FeaturedAppRight',
    );
    expect(payloads('ExternalPartyAmuletRules:TransferCommandCounter')).toMatchObject([
      { nextNonce: '2' },
    ]);
    canticle.advanceTime({ days: 100 });
    const last = contracts('ExternalPartyAmuletRules:TransferCommandCounter').at(-1)!;
    expect(send(command('2'), last.contractId)).toMatchObject(
      failure('TransferPreapproval.expiresAt'),
    );
    const withdraw = (actor: string) =>
      answer(() => world.exercise(COMMAND, command('2'), 'TransferCommand_Withdraw', {}, [actor]));
    expect(withdraw(delegate)).toMatchObject(UNAUTHORIZED);
    expect(withdraw(alice)).toEqual({ sender: alice, nonce: '2' });
    const expire = (cid: string, actor: string) =>
      answer(() => world.exercise(COMMAND, cid, 'TransferCommand_Expire', { p: actor }, [actor]));
    const left = command('3');
    expect(expire(left, delegate)).toMatchObject(failure('TransferCommand.expiresAt'));
    canticle.advanceTime({ days: 201 });
    expect(expire(left, delegate)).toEqual({ sender: alice, nonce: '3' });
  });
});
