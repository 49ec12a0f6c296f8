/**
 * The same work again and again on one instance: what a round leaves behind, the reset takes back, and refusals leave nothing.
 * `npm run soak -- --runs 200` does more of it, and tells what memory was left.
 */
import fc from 'fast-check';
import { createCanticle } from 'canticle';
import { heldMegabytes, reportHeldMemory } from '../support/memory.js';
import { check } from '../support/property.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const REFUSED = { templateId: IOU, contractId: `00${'ab'.repeat(33)}`, choice: 'Archive' };
const CONTRACTS = 50;

it('a reset releases the memory of contracts, updates and refusals of earlier rounds', async () => {
  const canticle = createCanticle({ seed: 1 });
  const { participant } = canticle;
  const before = heldMegabytes();
  await check(
    fc.asyncProperty(fc.stringMatching(/^[a-z]{3,8}$/), async (hint) => {
      const [issuer, owner] = [`${hint}-bank`, hint].map((each) => participant.allocateParty(each));
      const options = { actAs: [issuer!, owner!] };
      for (let n = 0; n < CONTRACTS; n += 1) {
        const payload = { issuer, owner, currency: 'USD', amount: `${n + 1}.0`, observers: [] };
        const id = participant.create(IOU, payload, options);
        if (n % 2 === 0) participant.exercise(IOU, id, 'Archive', {}, options);
        const commands = [{ ExerciseCommand: { ...REFUSED, choiceArgument: {} } }];
        const body = { commands, commandId: `command-${n}`, ...options };
        const path = '/v2/commands/submit-and-wait';
        expect((await canticle.handle({ path, body })).status).toBeGreaterThanOrEqual(400);
      }
      expect(participant.activeContracts({ party: owner! })).toHaveLength(CONTRACTS / 2);
      canticle.reset();
      expect(participant.activeContracts({ template: IOU })).toHaveLength(0);
    }),
    { numRuns: 5 },
  );
  canticle.requests.clear();
  reportHeldMemory('soak', before);
});

it('pruning releases the memory of archived contracts, if the network may discard history', () => {
  const canticle = createCanticle({ seed: 1 });
  const { participant } = canticle;
  const issuer = participant.allocateParty('bank');
  const payload = { issuer, owner: issuer, currency: 'USD', amount: '1.0', observers: [] };
  const options = { actAs: issuer };
  const work = (count: number) => {
    for (let n = 0; n < count; n += 1)
      participant.archive(IOU, participant.create(IOU, payload, options), options);
  };
  work(3_000);
  participant.prune();
  // Garbage of earlier tests is collected by then.
  while (Math.abs(heldMegabytes() - heldMegabytes()) > 0.2);
  const full = heldMegabytes();
  participant.prune(undefined, { forgetHistory: true });
  // 1.1 KB for each that came and went.
  expect(full - heldMegabytes()).toBeGreaterThan(3);
});

it('a reset releases the memory of parties and contracts', () => {
  const canticle = createCanticle({ seed: 1 });
  const { participant } = canticle;
  const work = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const [issuer, owner] = ['bank', 'owner'].map((hint) =>
        participant.allocateParty(`${hint}-${n}`),
      );
      const payload = { issuer, owner, currency: 'USD', amount: '1.0', observers: [] };
      participant.create(IOU, payload, { actAs: [issuer!, owner!] });
    }
    const full = heldMegabytes();
    canticle.reset();
    return full;
  };
  work(500);
  const before = heldMegabytes();
  const full = work(2_000);
  // Code that was compiled meanwhile stays. Empty indexes and lists of each party, and the places of what was taken back, are 6.
  expect(full - before).toBeGreaterThan(8);
  expect(heldMegabytes() - before).toBeLessThan(3);
});
