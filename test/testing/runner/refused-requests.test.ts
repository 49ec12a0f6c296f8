/** The output of a failed test about its rejected requests. */
import { createCanticle, type Canticle } from 'canticle';
import { refusedText } from '../../../src/testing/runner/refused-requests.js';

const MAX_SHOWN_REQUESTS = 5;
const MAX_SHOWN_REASON = 4000;
/** Characters by which one more command makes a reason longer, and more. */
const LINE = 40;

describe('the printed requests', () => {
  const printedAfter = async (count: number): Promise<readonly string[]> => {
    const canticle = createCanticle({ seed: 1 });
    for (let n = 0; n < count; n += 1) await canticle.handle({ path: `/v2/unknown-${n}` });
    return (refusedText(canticle, 0) ?? '').split('\n');
  };
  const named = (lines: readonly string[]) => lines.filter((line) => line.includes('/v2/unknown-'));

  test('are empty if nothing was rejected', async () => {
    expect(await printedAfter(0)).toEqual(['']);
  });

  test('are complete up to the limit', async () => {
    const lines = await printedAfter(MAX_SHOWN_REQUESTS);
    expect(lines[0]).toBe('Rejected requests of this test:');
    expect(named(lines)).toHaveLength(MAX_SHOWN_REQUESTS);
  });

  test('are the last ones above the limit', async () => {
    const lines = await printedAfter(MAX_SHOWN_REQUESTS + 1);
    expect(lines[0]).toBe('The last 5 of 6 rejected requests of this test:');
    expect(named(lines)).toHaveLength(MAX_SHOWN_REQUESTS);
    expect(named(lines)[0]).toContain('/v2/unknown-1:');
  });
});

test('a request is printed with its status, its code, and its fault', async () => {
  const canticle = createCanticle({ seed: 1 });
  const headers = { 'content-type': 'application/json' };
  const post = (path: string, body: unknown) =>
    canticle.handle({ method: 'POST', path, headers, body: JSON.stringify(body) });
  await canticle.handle({ path: '/v2/unknown' });
  await canticle.handle({ path: '/v2/users/nobody' });
  await post('/v2/users', { user: { id: 5 } });
  await post('/v2/users', 'text');
  await canticle.handle({ method: 'POST', path: '/v2/users', headers, body: '{' });
  await post('/canticle/v1/time/advance', { duration: 'soon' });
  expect(refusedText(canticle, 0)?.split('\n')).toEqual([
    'Rejected requests of this test:',
    '  GET /v2/unknown: 404',
    '      Did you mean GET /v2/version?',
    '  GET /v2/users/nobody: 404 USER_NOT_FOUND',
    '      getting user failed for unknown user "nobody"',
    '  POST /v2/users: 400',
    "      id: Got value '5' with wrong type, expecting string",
    '  POST /v2/users: 400',
    '      user: Missing required field',
    '  POST /v2/users: 400',
    '      exhausted input',
  ]);
});

test('a request without a reason is printed in one line', async () => {
  const canticle = createCanticle({ seed: 1 });
  canticle.faults.add({ on: 'getV2Version', when: { times: 1 }, do: { answer: { status: 503 } } });
  await canticle.handle({ path: '/v2/version' });
  expect(refusedText(canticle, 0)?.split('\n')).toEqual([
    'Rejected requests of this test:',
    '  GET /v2/version: 503',
  ]);
});

describe('the reason of a request', () => {
  let canticle: Canticle;
  let party: string;
  beforeEach(() => {
    canticle = createCanticle({ seed: 1 });
    party = canticle.participant.allocateParty('alice');
  });

  /** @returns the whole reason for the rejection of commands with an unknown package */
  async function reject(commands: number, entity: string): Promise<string> {
    const create = (name: string) => ({
      CreateCommand: { templateId: `#unknown:A:${name}`, createArguments: {} },
    });
    const all = [...Array<string>(commands).fill('B'), entity].map(create);
    await canticle.handle({
      method: 'POST',
      path: '/v2/commands/submit-and-wait',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ commands: all, commandId: 'c', actAs: [party] }),
    });
    return canticle.requests.explain(canticle.requests.list().at(-1)!.id)!.text();
  }

  /** @returns the whole reason, and what is printed of it */
  async function rejectWithReason(length: number): Promise<readonly [whole: string, text: string]> {
    let commands = 1;
    let shortest = await reject(commands, 'B');
    while (length - shortest.length >= LINE) {
      commands += 1;
      shortest = await reject(commands, 'B');
    }
    const since = canticle.requests.list().at(-1)!.id + 1;
    const whole = await reject(commands, 'B'.repeat(length - shortest.length + 1));
    expect(whole).toHaveLength(length);
    return [whole, refusedText(canticle, since)!];
  }
  const withoutIndentation = (text: string) =>
    text
      .split('\n')
      .slice(2)
      .map((line) => line.slice(6))
      .join('\n');

  test('is printed in full up to the limit', async () => {
    const [whole, text] = await rejectWithReason(MAX_SHOWN_REASON);
    expect(withoutIndentation(text)).toBe(whole);
  });

  test('is truncated above the limit', async () => {
    const [whole, text] = await rejectWithReason(MAX_SHOWN_REASON + 1);
    expect(withoutIndentation(text)).toBe(`${whole.slice(0, MAX_SHOWN_REASON)}…`);
  });
});
