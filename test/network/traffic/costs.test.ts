/**
 * The traffic costs of submissions, compared with those of a real participant: observed on 3.5.10, with names and packages of the
 * same lengths. Real costs vary by some bytes from run to run; Canticle's must be within 0.5% (B-TRF-001).
 */
import { d, definePackage, defineTemplate } from 'canticle';
import { create, exercise, startLedgerApi, type LedgerApi } from '../../support/ledger-api.js';
import {
  EXECUTE_FOR_TRANSACTION,
  execution,
  newKey,
  onboard,
  preparation,
  PREPARE,
  type Curve,
  type PreparedAnswer,
} from '../external/external-party.js';

const Item = defineTemplate({
  name: 'Tst:Item',
  fields: { owner: d.party, observers: d.list(d.party), text: d.text },
  signatories: (item) => [item.owner],
  observers: (item) => item.observers,
  choices: (choice) => ({
    Peek: choice({
      consuming: false,
      argument: { viewer: d.party },
      result: d.unit,
      controllers: (_item, { viewer }) => [viewer],
      run: () => ({}),
    }),
  }),
});
const items = definePackage({ name: 'tst-model', version: '1.0.0', templates: [Item] });
const TEMPLATE = '#tst-model:Tst:Item';
/** As long as the hints of the recorded parties. */
const hint = (name: string) => `${name}-rk4wzq81uadmtrafficordinary`;
const SHARE = 0.005;
/** Keys of external parties are random in each run, and other names compress differently. */
const SHARE_OF_DRAWN_KEYS = 0.01;

let ledger: LedgerApi;
afterEach(() => ledger.client.close());

async function start(protocolVersion: 34 | 35 = 35): Promise<LedgerApi> {
  ledger = await startLedgerApi({
    participants: ['sandbox'],
    synchronizers: ['synchronizer-1'],
    trafficControl: true,
    protocolVersion,
    packages: [items],
  });
  return ledger;
}

const allocate = (name: string): Promise<string> =>
  ledger
    .ok('/v2/parties', { partyIdHint: hint(name), identityProviderId: '' })
    .then(({ partyDetails }) => partyDetails.party);

let submissions = 0;
/** The cost that its update tells. */
async function paid(commands: readonly unknown[], actAs: readonly string[]): Promise<number> {
  submissions += 1;
  const number = String(submissions).padStart(2, '0');
  const { transaction } = await ledger.ok('/v2/commands/submit-and-wait-for-transaction', {
    commands: {
      commands,
      actAs,
      userId: 'participant_admin',
      commandId: `c${number}-rk4wzq81uadm-traffic-ordinary`,
    },
  });
  return transaction.paidTrafficCost;
}

function expectCost(cost: number, recorded: number, share = SHARE): void {
  expect(Math.abs(cost - recorded) / recorded).toBeLessThanOrEqual(share);
}

/** Text that cannot be compressed, in base 36. */
function noise(length: number): string {
  let seed = 1;
  let text = '';
  while (text.length < length) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    text += (seed % 1679616).toString(36).padStart(4, '0');
  }
  return text.slice(0, length);
}

describe('the cost of a request', () => {
  it('depends on the bytes of its envelopes, whose views are compressed', async () => {
    await start();
    const owner = await allocate('alice');
    const item = (text: string, observers: readonly string[] = []) =>
      create(TEMPLATE, { owner, observers, text });
    expectCost(await paid([item('a')], [owner]), 2722);
    expectCost(await paid([item('x'.repeat(1000))], [owner]), 2742);
    expectCost(await paid([item('x'.repeat(10_000))], [owner]), 2774);
    expectCost(await paid([item(noise(1000))], [owner]), 3475);
    expectCost(await paid([item(noise(10_000))], [owner]), 9294);
  });

  it('increases with informees and acting parties', async () => {
    await start();
    const parties: string[] = [];
    for (const name of ['alice', 'bobby', 'carol', 'david', 'erika', 'frank'])
      parties.push(await allocate(name));
    const [owner, ...others] = parties;
    const item = (observers: readonly string[]) =>
      create(TEMPLATE, { owner, observers, text: 'a' });
    expectCost(await paid([item(others.slice(0, 1))], [owner!]), 2846);
    expectCost(await paid([item(others)], [owner!]), 3339);
    expectCost(await paid([item([])], [owner!, others[0]!]), 2836);
    const two = item(others.slice(0, 2));
    // A party is named by its place among the informees, and the first place takes no bytes: the owner's name sorts first.
    expectCost(await paid([two, two], [owner!]), 3975, 0.0025);
  });

  it('includes one envelope for the views of all root actions since protocol version 35 (B-TRF-002)', async () => {
    await start();
    const owner = await allocate('alice');
    const item = () => create(TEMPLATE, { owner, observers: [], text: 'a' });
    const ten = Array.from({ length: 10 }, item);
    expectCost(await paid([item(), item()], [owner]), 3508);
    expectCost(await paid(ten, [owner]), 9605);
  });

  it('includes one envelope for each view before protocol version 35', async () => {
    await start(34);
    const owner = await allocate('alice');
    const item = () => create(TEMPLATE, { owner, observers: [], text: 'a' });
    const ten = Array.from({ length: 10 }, item);
    expectCost(await paid([item()], [owner]), 2714);
    expectCost(await paid(ten, [owner]), 21_188);
  });

  it('includes the contracts that the transaction uses', async () => {
    await start();
    const owner = await allocate('alice');
    const { transaction } = await ledger.ok('/v2/commands/submit-and-wait-for-transaction', {
      commands: {
        commands: [create(TEMPLATE, { owner, observers: [], text: noise(1000) })],
        actAs: [owner],
        userId: 'participant_admin',
        commandId: 'big',
      },
    });
    const { contractId } = transaction.events[0].CreatedEvent;
    const peek = exercise(TEMPLATE, contractId, 'Peek', { viewer: owner });
    expectCost(await paid([peek], [owner]), 3511);
  });

  it('is the same for the same seed and calls', async () => {
    const costs: number[] = [];
    for (let run = 0; run < 2; run += 1) {
      submissions = 0;
      await start();
      const owner = await allocate('alice');
      const item = create(TEMPLATE, { owner, observers: [], text: noise(300) });
      costs.push(await paid([item], [owner]));
      if (run === 0) ledger.client.close();
    }
    expect(costs[0]).toBe(costs[1]);
  });
});

describe('an estimate', () => {
  const estimate = async (name: string, curve: Curve | undefined, hints?: readonly string[]) => {
    const party =
      curve === undefined
        ? await allocate(name)
        : (await onboard(ledger, hint(name), newKey(curve))).party;
    const item = create(TEMPLATE, { owner: party, observers: [], text: 'a' });
    const { costEstimation } = await ledger.ok(
      PREPARE,
      preparation(item, party, {
        userId: 'participant_admin',
        commandId: 'x-rk4wzq81uadmtrafficexternal-000041',
        ...(hints && {
          estimateTrafficCost: {
            disabled: false,
            expectedSignatures: hints.map((each) => `SIGNING_ALGORITHM_SPEC_${each}`),
          },
        }),
      }),
    );
    return [
      costEstimation.confirmationRequestTrafficCostEstimation,
      costEstimation.confirmationResponseTrafficCostEstimation,
    ] as const;
  };
  const [ED25519, SHA_256, SHA_384] = ['ED25519', 'EC_DSA_SHA_256', 'EC_DSA_SHA_384'];

  it.each([
    ['of a party with an Ed25519 key', 'ann', 'ed25519', undefined, 3104],
    ['of a party with a P-384 key', 'pat', 'p384', undefined, 3172],
    ['with a hint of one signature', 'ann', 'ed25519', [ED25519], 3146],
    ['with hints of two signatures', 'ann', 'ed25519', [ED25519, ED25519], 3408],
    [
      'with hints of five signatures',
      'ann',
      'ed25519',
      [ED25519, SHA_256, SHA_384, ED25519, ED25519],
      4275,
    ],
  ] as const)(
    '%s includes the expected signatures (B-TRF-004, B-TRF-005)',
    async (_, name, curve, hints, recorded) => {
      await start();
      const [request, response] = await estimate(name, curve, hints as readonly string[]);
      expectCost(request, recorded, SHARE_OF_DRAWN_KEYS);
      expect(response).toBe(427);
    },
  );

  it('of a local party includes no signatures, but a workflow id', async () => {
    await start();
    const [request, response] = await estimate('bobby', undefined);
    expectCost(request, 2745, SHARE_OF_DRAWN_KEYS);
    expect(response).toBe(429);
  });

  // A latest record time takes 8 bytes or more, and a workflow id 36.
  const FEW_BYTES = 7;
  const A_SUBMISSION = '5c9e02d7-16ab-4f83-b7d4-0e8a3f61c259';

  it('is the cost of the execution, up to a few bytes', async () => {
    await start();
    const signer = await onboard(ledger, hint('ann'), newKey());
    const item = create(TEMPLATE, { owner: signer.party, observers: [], text: 'a' });
    const answer: PreparedAnswer = await ledger.ok(PREPARE, preparation(item, signer.party));
    const { transaction } = await ledger.ok(
      EXECUTE_FOR_TRANSACTION,
      execution(answer, signer, { submissionId: A_SUBMISSION }),
    );
    const { confirmationRequestTrafficCostEstimation: request } = answer.costEstimation!;
    expect(Math.abs(Number(request) - transaction.paidTrafficCost)).toBeLessThanOrEqual(FEW_BYTES);
  });

  it('of a local party is the cost of a submission with a workflow id, up to a few bytes', async () => {
    await start();
    const owner = await allocate('bobby');
    const item = create(TEMPLATE, { owner, observers: [], text: 'a' });
    const commands = preparation(item, owner);
    const { costEstimation } = await ledger.ok(PREPARE, commands);
    const { transaction } = await ledger.ok('/v2/commands/submit-and-wait-for-transaction', {
      commands: {
        ...commands,
        submissionId: A_SUBMISSION,
        workflowId: '0b3e5d17-58c2-4f6a-9d84-c1f7a2e6b935',
        deduplicationPeriod: { DeduplicationOffset: { value: 0 } },
      },
    });
    const { confirmationRequestTrafficCostEstimation: request } = costEstimation;
    expect(Math.abs(request - transaction.paidTrafficCost)).toBeLessThanOrEqual(FEW_BYTES);
  });
});
