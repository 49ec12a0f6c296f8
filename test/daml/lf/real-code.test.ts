/** Code of real DARs, where they are: Canton's ping workflow and Splice's Amulet run as their Daml sources say. */
import { createCanticle } from 'canticle';
import {
  AMULET_RULES,
  amuletWorld,
  realDar,
  type AmuletWorld,
} from '../../support/amulet-world.js';
import { answer } from '../../support/lf-probe.js';

const ping = realDar('canton-builtin-admin-workflow-ping.dar');
const amulet = realDar('splice-amulet-0.1.14.dar');

if (ping)
  test('a ping is answered, once', () => {
    const { participant } = createCanticle({ seed: 1 });
    participant.uploadDar(ping);
    const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
      string,
      string,
    ];
    const PING = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping';
    const payload = { id: 'x', initiator: alice, responder: bob };
    const contract = participant.create(PING, payload, { actAs: [alice] });
    const respond = () =>
      participant.exercise(PING, contract, 'Respond', {}, { actAs: [bob] }).result;
    expect(respond()).toEqual({});
    expect(answer(respond)).toMatchObject({ refused: 'CONTRACT_NOT_FOUND' });
  });

if (amulet)
  describe('Amulet', () => {
    const world = amuletWorld(amulet);

    const transfer = (
      { canticle, dso, alice, bob, rules, round }: AmuletWorld,
      input: string,
      amount: string,
    ) => {
      const outputs = [{ receiver: bob, receiverFeeRatio: '0.0', amount, lock: null }];
      const inputs = [{ tag: 'InputAmulet', value: input }];
      const right = canticle.participant.create(
        '#splice-amulet:Splice.Amulet:ValidatorRight',
        { dso, user: alice, validator: alice },
        { actAs: [dso, alice] },
      );
      const context = {
        openMiningRound: round,
        issuingMiningRounds: [],
        validatorRights: [[alice, right]],
        featuredAppRight: null,
      };
      const argument = {
        transfer: { sender: alice, provider: alice, inputs, outputs, beneficiaries: null },
        context,
        expectedDso: dso,
      };
      const submit = { actAs: [alice, bob], readAs: [dso] };
      return answer(
        () =>
          canticle.participant.exercise(
            AMULET_RULES,
            rules,
            'AmuletRules_Transfer',
            argument,
            submit,
          ).result,
      );
    };

    test('a transfer pays the fees of the configuration and gives change', () => {
      expect(transfer(world, world.tap('100.0'), '30.0')).toMatchObject({
        summary: {
          inputAmuletAmount: '100.0000000000',
          // One percent of 30, and the fee of a new amulet for the receiver; another one for the change.
          outputFees: ['0.3300000000'],
          senderChangeFee: '0.0300000000',
          senderChangeAmount: '69.6400000000',
        },
      });
    });

    test('more than there is cannot be sent', () => {
      expect(transfer(world, world.tap('100.0'), '300.0')).toMatchObject({
        refused: 'DAML_FAILURE',
        cause: expect.stringContaining('ITR_InsufficientFunds {missingAmount = 201.23}') as string,
        context: { error_id: 'UNHANDLED_EXCEPTION/Splice.AmuletRules:InvalidTransfer' },
      });
    });
  });

test('what is missing is said', () => {
  expect(realDar('no-such.dar')).toBeUndefined();
});
