/** An explanation shows the state at the refusal, even if it is computed later. */
import fc from 'fast-check';
import { LedgerError } from 'canticle';
import { IOU, iouWorld } from '../../support/ledger.js';
import { check } from '../../support/property.js';

const step = fc.record({
  verb: fc.constantFrom('issue', 'Iou_Transfer', 'Iou_Split', 'Archive'),
  actor: fc.nat({ max: 2 }),
  target: fc.nat({ max: 5 }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Refused submissions of a history, explained at once or at the end, when all of it was taken back. */
function explanations(steps: readonly Step[], atOnce: boolean): string[] {
  const { canticle, bank, alice, bob, issue } = iouWorld();
  const { participant } = canticle;
  const before = canticle.snapshot();
  const actors = [[bank, alice], [bob], [alice]];
  const [ious, found]: [string[], (() => string)[]] = [[issue()], []];
  for (const { verb, actor, target } of steps) {
    const actAs = actors[actor]!;
    const iou = ious[target % ious.length]!;
    const argument =
      verb === 'Iou_Split' ? { splitAmount: '60' } : verb === 'Archive' ? {} : { newOwner: bob };
    try {
      if (verb === 'issue') ious.push(issue());
      else {
        const { created } = participant.exercise(IOU, iou, verb, argument, { actAs });
        ious.push(...created.map(({ contractId }) => contractId));
      }
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      const text = atOnce ? error.explanation!.text() : undefined;
      found.push(() => text ?? error.explanation!.text());
    }
  }
  canticle.revert(before);
  return found.map((explain) => explain());
}

it('is the same directly and after everything was reverted', () => {
  let explained = 0;
  check(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const atOnce = explanations(steps, true);
      expect(explanations(steps, false)).toEqual(atOnce);
      for (const text of atOnce) expect(text).toMatch(/✗ exercise Quickstart\.Iou:Iou/);
      explained += atOnce.length;
    }),
    { numRuns: 40 },
  );
  expect(explained).toBeGreaterThan(10);
});
