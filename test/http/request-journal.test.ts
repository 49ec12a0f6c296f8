/** The ring of the request journal, held to a plain list by arbitrary calls. */
import fc from 'fast-check';
import { RequestJournal } from '../../src/services/request-journal.js';
import { check } from '../support/property.js';

const entry = (path: string) =>
  ({
    at: '2026-01-01T00:00:00Z',
    method: 'GET',
    path,
    status: 200,
    validation: { ok: true },
    outcome: 'answered',
  }) as const;

it('keeps the newest entries up to its limit, in order, with ids that never repeat', () => {
  check(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.constantFrom('add', 'clear'), { maxLength: 40 }),
      (limit, calls) => {
        const journal = new RequestJournal(limit);
        let model: string[] = [];
        let count = 0;
        for (const call of calls) {
          if (call === 'add') {
            journal.add(entry(`/${++count}`));
            model = [...model, `/${count}`].slice(-limit);
          } else {
            expect(journal.clear()).toBe(model.length);
            model = [];
          }
          expect(journal.list().map(({ path }) => path)).toEqual(model);
          expect(journal.list().map(({ id }) => `/${id}`)).toEqual(model);
        }
      },
    ),
  );
});
