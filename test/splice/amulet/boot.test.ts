/** Amulet starts from the user's own copy of Splice's DAR, or reports the missing file. */
import { createCanticle } from 'canticle';
import { complaint, scenarioFile } from '../../scenario/scenario-files.js';
import { AMULET_DAR, failure } from '../../support/splice/amulet-world.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { answer } from '../../support/daml/lf-probe.js';

const folder = process.env['CANTICLE_DARS'];
afterEach(() => {
  if (folder === undefined) delete process.env['CANTICLE_DARS'];
  else process.env['CANTICLE_DARS'] = folder;
});

describe('without the DAR', () => {
  test('the error lists the folders that were searched for the DAR', () => {
    process.env['CANTICLE_DARS'] = '/nowhere/dars';
    const message =
      /^Failed to read the DAR file 'splice-amulet.dar': no 'splice-amulet.dar' in .* or \/nowhere\/dars\. Put your copy/;
    expect(() => createCanticle({ amulet: 'splice-amulet.dar' })).toThrow(message);
    expect(() => createCanticle({ amulet: { dar: 'splice-amulet.dar', price: '1.0' } })).toThrow(
      message,
    );
    const file = scenarioFile('steps:\n  - { amulet: splice-amulet.dar }\n');
    expect(complaint(() => createCanticle({ scenario: file }))).toMatch(
      /FILE:2:15: step 1 \(amulet\): .*no 'splice-amulet.dar' in .* or \/nowhere\/dars/,
    );
    expect(() => createCanticle({ dars: ['/nowhere/else.dar'] })).toThrow(
      /Failed to read the DAR file '\/nowhere\/else.dar'/,
    );
  });

  test('Amulet is missing, and errors explain how to start it', () => {
    const { amulet, participant } = createCanticle();
    const alice = participant.allocateParty('alice');
    expect(amulet.isRunning).toBe(false);
    expect(amulet.holdings(alice)).toEqual([]);
    const message = /^Amulet does not run here\. Start it with createCanticle\(\{ amulet:/;
    expect(() => amulet.tap(alice, '1.0')).toThrow(message);
    expect(() => amulet.feature(alice)).toThrow(message);
    expect(() => amulet.advanceRounds()).toThrow(/Three open mining rounds are needed/);
    expect(() => amulet.boot()).toThrow(/^The package splice-amulet is missing\. Upload your copy/);
    const send = { from: alice, to: alice, amount: '1.0' };
    expect(answer(() => amulet.transfer(send))).toMatchObject({
      refused: 'INVALID_ARGUMENT',
      cause:
        'The submitted request has invalid arguments: No active ExternalPartyAmuletRules contract',
    });
  });
});

describeWithDars('with the DAR', [AMULET_DAR], (bytes) => {
  const canticle = createCanticle({ dars: [bytes], time: '2026-03-01T00:00:00Z' });
  const { amulet, participant, network } = canticle;
  const before = canticle.snapshot();
  afterEach(() => canticle.revert(before));

  test('creates rules, rules for external parties, and three rounds of which two are open', () => {
    amulet.boot();
    const payloads = (template: string) =>
      participant
        .activeContracts({ party: amulet.admin, template: `#splice-amulet:Splice.${template}` })
        .map(({ payload }) => payload as any);
    const [rules, ...others] = payloads('AmuletRules:AmuletRules');
    expect(others).toEqual([]);
    const global = network.synchronizer('global')!.id;
    expect(rules).toMatchObject({
      dso: amulet.admin,
      isDevNet: true,
      configSchedule: {
        futureValues: [],
        initialValue: {
          // Transfers cost nothing since CIP-78; holding does (S-RUL-007).
          transferConfig: {
            createFee: { fee: '0.0000000000' },
            transferFee: { initialRate: '0.0000000000', steps: [] },
            holdingFee: { rate: '0.0000190259' },
          },
          decentralizedSynchronizer: {
            activeSynchronizer: global,
            requiredSynchronizers: { map: [[global, {}]] },
            fees: { extraTrafficPrice: '16.6700000000', minTopupAmount: '200000' },
          },
          tickDuration: { microseconds: '600000000' },
        },
      },
    });
    expect(payloads('ExternalPartyAmuletRules:ExternalPartyAmuletRules')).toEqual([
      { dso: amulet.admin },
    ]);
    const alice = participant.allocateParty('alice');
    for (const factory of [
      '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferFactory',
      '#splice-api-token-allocation-instruction-v1:Splice.Api.Token.AllocationInstructionV1:AllocationFactory',
    ]) {
      const actor = amulet.admin;
      const fetch = (expectedAdmin: string) =>
        participant.exercise(
          factory,
          amulet.factory,
          `${factory.split(':')[2]}_PublicFetch`,
          { expectedAdmin, actor },
          { actAs: [actor] },
        ).result;
      expect(fetch(amulet.admin)).toEqual({ admin: amulet.admin, meta: { values: {} } });
      expect(answer(() => fetch(alice))).toMatchObject(failure(`matches actual admin '${actor}'`));
    }
    const rounds = payloads('Round:OpenMiningRound');
    expect(
      rounds.map(({ round, amuletPrice, opensAt, targetClosesAt }) => [
        round.number,
        amuletPrice,
        opensAt.slice(11, 16),
        targetClosesAt.slice(11, 16),
      ]),
    ).toEqual([
      ['0', '0.0050000000', '00:00', '00:10'],
      ['1', '0.0050000000', '00:00', '00:20'],
      ['2', '0.0050000000', '00:10', '00:30'],
    ]);
  });

  test('options change the configuration, and the Daml code rejects invalid values', () => {
    const config = {
      transferConfig: { maxNumInputs: '7' },
      tickDuration: { microseconds: '1000000' },
    };
    amulet.boot({ price: '2.5', initialRound: 40, config });
    const { configSchedule } = participant.contract(amulet.rules)!.payload as any;
    expect(configSchedule.initialValue.transferConfig).toMatchObject({
      maxNumInputs: '7',
      maxNumOutputs: '100',
    });
    expect(participant.contract(amulet.round)!.payload).toMatchObject({
      round: { number: '41' },
      amuletPrice: '2.5000000000',
      tickDuration: { microseconds: '1000000' },
    });
    expect(() => amulet.boot()).toThrow('Amulet runs already.');
    canticle.revert(before);
    expect(amulet.isRunning).toBe(false);
    const invalid = { tickDuration: { microseconds: '0' } };
    expect(answer(() => amulet.boot({ config: invalid }))).toMatchObject({
      refused: 'DAML_FAILURE',
    });
  });

  test('each step of a wallet test is one call: tap, transfer, preapproval', () => {
    amulet.boot();
    const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
      string,
      string,
    ];
    amulet.tap(alice, '100.0');
    const { status, instruction } = amulet.transfer({ from: alice, to: bob, amount: '30.0' });
    expect(status).toBe('pending');
    amulet.accept(instruction!, bob);
    amulet.preapprove(bob);
    expect(amulet.transfer({ from: alice, to: bob, amount: '5.0' }).status).toBe('completed');
    const held = (party: string) =>
      amulet.holdings(party).map(({ payload }) => (payload as any).amount.initialAmount);
    expect([held(alice), held(bob)]).toEqual([
      ['65.0000000000'],
      ['30.0000000000', '5.0000000000'],
    ]);
  });

  test('works for parties of several participants', () => {
    const nodes = [{ name: 'sv' }, { name: 'app' }];
    const { amulet, participants } = createCanticle({ amulet: bytes, participants: nodes });
    const alice = participants[1]!.allocateParty('alice');
    const bob = participants[1]!.allocateParty('bob');
    amulet.tap(alice, '10.0');
    amulet.preapprove(bob);
    amulet.transfer({ from: alice, to: bob, amount: '4.0' });
    expect(amulet.holdings(bob)).toHaveLength(1);
    const { instruction } = amulet.transfer({ from: bob, to: alice, amount: '1.0' });
    amulet.accept(instruction!, alice);
    expect(amulet.holdings(alice)).toHaveLength(2);
  });
});
