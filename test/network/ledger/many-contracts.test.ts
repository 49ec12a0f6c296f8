/** Contracts are found by their ids, however many come and go. */
import fc from 'fast-check';
import { createCanticle } from 'canticle';
import { check } from '../../support/property.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

const batches = fc.array(fc.record({ created: fc.nat(120), isTakenBack: fc.boolean() }), {
  minLength: 3,
  maxLength: 8,
});

it('finds each contract by its id, and after a revert the remaining contracts only', () =>
  check(
    fc.property(batches, (given) => {
      const canticle = createCanticle({ seed: 1 });
      const { participant } = canticle;
      const bank = participant.allocateParty('bank');
      const payload = { issuer: bank, owner: bank, currency: 'EUR', amount: '1.0', observers: [] };
      const there: string[] = [];
      const gone: string[] = [];
      for (const { created, isTakenBack } of given) {
        const before = canticle.snapshot();
        const ids = Array.from({ length: created }, () =>
          participant.create(IOU, payload, { actAs: bank }),
        );
        if (isTakenBack) canticle.revert(before);
        (isTakenBack ? gone : there).push(...ids);
        expect(there.filter((id) => participant.contract(id)?.contractId !== id)).toEqual([]);
      }
      expect(new Set(there).size).toBe(there.length);
      // Contracts after a revert may have the ids of those that it removed.
      const lost = gone.filter((id) => !there.includes(id));
      expect(lost.filter((id) => participant.contract(id) !== undefined)).toEqual([]);
    }),
    { numRuns: 20 },
  ));
