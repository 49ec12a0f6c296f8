/** The request journal: held to a plain list by arbitrary calls, and bounded whatever is asked. */
import fc from 'fast-check';
import { createCanticle } from 'canticle';
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

describe('refusals of large requests', () => {
  const MEGABYTE = 1024 * 1024;

  it('are kept as entries, and explained as long as the journal has room', async () => {
    const canticle = createCanticle({ seed: 1 });
    const alice = canticle.participant.allocateParty('alice');
    const refuse = (id: string) =>
      canticle.handle({
        path: '/v2/commands/submit-and-wait',
        body: {
          commands: [
            { CreateCommand: { templateId: `#${'x'.repeat(MEGABYTE)}:A:B`, createArguments: {} } },
          ],
          commandId: id,
          actAs: [alice],
        },
      });
    const explain = async (id: number | 'latest') =>
      (await canticle.handle({ path: `/canticle/v1/requests/${id}/explanation/text` })).status;
    for (let n = 1; n <= 20; n += 1) expect((await refuse(`command-${n}`)).status).toBe(400);
    const entries = canticle.requests.list({ outcome: 'refused' });
    expect(entries).toHaveLength(20);
    expect(await Promise.all([explain(1), explain(20), explain('latest')])).toEqual([
      404, 200, 200,
    ]);
  });

  it('have their texts cut', async () => {
    const canticle = createCanticle({ seed: 1 });
    const hint = '!'.repeat(MEGABYTE);
    const path = `/v2/interactive-submission/execute?${'x'.repeat(1000)}`;
    const refused = await canticle.handle({ path, body: { preparedTransaction: hint } });
    expect(refused.status).toBe(400);
    const [entry] = canticle.requests.list();
    expect(entry!.path).toBe(path);
    expect(entry!.validation.reason).toMatch(
      /^The string is not a valid Base64: !{8000}.*… \(\d{7} characters\)$/,
    );
  });
});
