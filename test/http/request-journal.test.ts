/** The request journal: held to a plain list by arbitrary calls, and bounded whatever is asked. */
import fc from 'fast-check';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { RequestJournal } from '../../src/services/request-journal.js';
import { check } from '../support/property.js';

const entry = (path: string) =>
  ({
    id: 0,
    at: '2026-01-01T00:00:00Z',
    method: 'GET',
    path,
    status: 200,
    validation: { ok: true },
    outcome: 'answered',
  }) as const;

it('stores the newest entries up to its limit, in order, with ids that never repeat', () => {
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

describe('errors of large requests', () => {
  const MEGABYTE = 1024 * 1024;

  it('are stored, and explained while the journal has space', async () => {
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

  it('have shortened texts', async () => {
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

describe('a full journal', () => {
  it('has headers, bodies and durations, and only the scheme of tokens', async () => {
    const canticle = await startCanticle({ journal: 'full' });
    try {
      const answer = await fetch(`${canticle.url}/v2/parties`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer secret.token' },
        body: '{"partyIdHint":"alice"}',
      });
      const body = await answer.text();
      await fetch(`${canticle.url}/nowhere`);
      const [first, second] = canticle.requests.list();
      expect(first).toMatchObject({
        operation: 'postV2Parties',
        status: 200,
        request: {
          headers: { authorization: 'Bearer …', 'content-type': 'application/json' },
          body: '{"partyIdHint":"alice"}',
        },
        answer: { headers: { 'content-type': 'application/json' }, body },
      });
      expect(first!.durationMs).toBeGreaterThan(0);
      expect(second).toMatchObject({ outcome: 'unmatched', answer: { body: expect.any(String) } });
      const listed = await fetch(`${canticle.url}/canticle/v1/requests`);
      expect(await listed.json()).toMatchObject({ requests: [first, second] });
    } finally {
      await canticle.close();
    }
  });

  it('shortens long bodies, records the size of binary ones, and works in-process', async () => {
    const canticle = createCanticle({ journal: 'full' });
    const long = 'x'.repeat(100_000);
    await canticle.handle({ method: 'POST', path: '/v2/parties', body: { partyIdHint: long } });
    await canticle.handle({
      method: 'POST',
      path: '/v2/packages',
      headers: { 'content-type': 'application/octet-stream' },
      body: Uint8Array.of(0xff, 0xfe, 0),
    });
    const [text, bytes] = canticle.requests.list();
    expect(text!.request!.body).toMatch(/x… \(\d{6} characters\)$/);
    expect(text!.request!.body!.length).toBeLessThan(70_000);
    expect(bytes!.request!.body).toBe('(3 bytes)');
  });

  it('are recorded only on request', async () => {
    const canticle = createCanticle();
    await canticle.handle({ path: '/v2/version' });
    const [entry] = canticle.requests.list();
    expect(Object.keys(entry!).sort()).toEqual(
      ['api', 'at', 'id', 'method', 'operation', 'outcome', 'path', 'status', 'validation'].sort(),
    );
  });
});

describe('the body of a request', () => {
  const entryOf = async (canticle: Canticle, body: string) => {
    await canticle.handle({ method: 'POST', path: '/v2/users', headers: json, body });
    return canticle.requests.list().at(-1)!;
  };
  const json = { 'content-type': 'application/json' };

  it('is recorded if it is rejected, at each level of the journal', async () => {
    const canticle = createCanticle({ seed: 1 });
    const wrong = '{"user":{"id":"not a user"}}';
    expect((await entryOf(canticle, wrong)).request).toEqual({ headers: {}, body: wrong });
    expect((await entryOf(canticle, '{"user":')).request).toEqual({
      headers: {},
      body: '{"user":',
    });
    const right = '{"user":{"id":"alice","isDeactivated":false}}';
    const answered = await entryOf(canticle, right);
    expect([answered.status, answered.request]).toEqual([200, undefined]);
  });

  it('is recorded up to 64 KiB', async () => {
    const canticle = createCanticle({ seed: 1 });
    const most = 64 * 1024;
    const of = (length: number) => `{"user":"${'x'.repeat(length - 11)}"}`;
    expect((await entryOf(canticle, of(most))).request?.body).toBe(of(most));
    const cut = (await entryOf(canticle, of(most + 1))).request?.body ?? '';
    expect(cut.startsWith(of(most + 1).slice(0, most))).toBe(true);
    expect(cut.slice(most)).not.toContain('}');
  });
});
