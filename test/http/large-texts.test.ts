/**
 * Texts of some megabytes where small ones are expected: each is refused or taken like a small one. None overflows the stack, takes
 * the square of its length, or ends the connection without an answer.
 */
import { createCanticle, startCanticle } from 'canticle';
import { createHmac } from 'node:crypto';

const MEGABYTES = 4_473_908;
const canticle = createCanticle({ seed: 1 });
const alice = canticle.participant.allocateParty('alice');
const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';

/** The answer, which must be a refusal in the journal, not an internal error. */
async function refusal(path: string, body: unknown, method = 'POST'): Promise<string> {
  const answer = await canticle.handle({ method, path, body });
  const entry = canticle.requests.list().at(-1)!;
  expect(entry).toMatchObject({ path, status: answer.status, outcome: 'refused' });
  const text = answer.body.toString();
  return `${answer.status} ${text.startsWith('{') ? JSON.parse(text).code : text.slice(0, 60)}`;
}

const submit = (command: unknown, more: object = {}) =>
  refusal('/v2/commands/submit-and-wait', {
    commands: [command],
    commandId: 'command',
    actAs: [alice],
    ...more,
  });
const createIou = (templateId: string, createArguments: unknown = {}) => ({
  CreateCommand: { templateId, createArguments },
});
const base64 = 'A'.repeat(MEGABYTES);

it.each([
  [
    'a prepared transaction',
    '/v2/interactive-submission/execute',
    { preparedTransaction: base64 },
    'POST',
  ],
  [
    'key data',
    '/v2/parties/external/generate-topology',
    { synchronizer: '', partyHint: 'a', publicKey: { format: '', keyData: base64, keySpec: '' } },
    'POST',
  ],
  ['a page token', '/v2/package-vetting', { pageToken: base64 }, 'GET'],
])('decodes megabytes of base64 as %s', async (_, path, body, method) => {
  expect(await refusal(path, body, method)).toMatch(/^400 /);
});

it('decodes a blob of several megabytes', async () => {
  const disclosedContracts = [{ contractId: '', createdEventBlob: base64, synchronizerId: '' }];
  expect(await submit(createIou(IOU), { disclosedContracts })).toMatch(/^400 /);
});

it('explains an error with a long text', async () => {
  const id = `00${'ab'.repeat(MEGABYTES / 2)}`;
  const exercise = { templateId: IOU, contractId: id, choice: 'Archive', choiceArgument: {} };
  expect(await submit({ ExerciseCommand: exercise })).toMatch(/^400 /);
  expect(await submit(createIou('A'.repeat(MEGABYTES)))).toMatch(/^400 /);
  expect(await submit(createIou(`#${'a'.repeat(MEGABYTES)}:A:B`))).toMatch(/^400 /);
  const path = '/canticle/v1/requests/latest/explanation/text';
  expect((await canticle.handle({ path })).status).toBe(200);
});

it('rejects an identifier with a million colons', async () => {
  const colons = ':'.repeat(1_000_000);
  expect(await submit(createIou(`a${colons}b`))).toMatch(/^400 Invalid value for: body/);
});

it('rejects an integer with millions of digits', async () => {
  const observers = { issuer: alice, owner: alice, amount: '1'.repeat(MEGABYTES) };
  expect(await submit(createIou(IOU, observers))).toMatch(/^400 /);
});

it.each([
  ['a string', `{"commandId":"${'a'.repeat(8_000_000)}"`, 'exhausted input'],
  ['a string with escapes', `{"a":"${'\\u0041'.repeat(MEGABYTES / 6)}\\x`, 'illegal escape sequ'],
  ['lines', `${'\n'.repeat(MEGABYTES)}{"a"}`, 'expected : got '],
])('rejects JSON that ends inside %s of several megabytes', async (_, body, reason) => {
  const message = await refusal('/v2/commands/submit-and-wait', body);
  expect(message).toContain(`400 Invalid value for: body (${reason}`);
});

describe('an unexpected failure of a request', () => {
  const secret = 'secret';
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${encoded({ alg: 'HS256' })}.${encoded({ sub: 'alice', exp: 2e9 })}`;
  const token = `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
  const headers = { authorization: `Bearer ${token}` };

  it.each(['/v2/users', '/v2/updates'])(
    'is answered with status 500 at %s, and recorded',
    async (path) => {
      const broken = await startCanticle({
        seed: 7,
        auth: { services: [{ type: 'unsafe-jwt-hmac-256', secret }] } as never,
        realClock: () => {
          throw new Error('The clock stands still.');
        },
      });
      const upgrade = path === '/v2/updates' && {
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      };
      const { get } = await import('node:http');
      const status = await new Promise((resolve, reject) =>
        get(broken.url + path, { headers: { ...headers, ...upgrade } }, (response) =>
          resolve(response.resume().statusCode),
        ).on('error', reject),
      );
      expect(status).toBe(500);
      expect(broken.requests.list().at(-1)).toMatchObject({
        path,
        status: 500,
        outcome: 'failed',
        explanation: expect.stringMatching(
          /^Seed 7, offset \d+: Error: The clock stands still\.\n/,
        ),
      });
      await broken.close();
    },
  );
});
