/** Valid and invalid bodies: each invalid body gets a refusal, and never causes a crash or a partial command. */
import { connect } from 'node:net';
import fc from 'fast-check';
import { MAX_BODY_BYTES } from '../../src/services/limits.js';
import { createCanticle } from 'canticle';
import { arbitraryText } from '../support/daml/arbitrary-daml.js';
import { startClient, type TestClient } from '../support/client.js';
import { check } from '../support/property.js';

let client: TestClient;
beforeAll(async () => {
  client = await startClient();
});
afterAll(() => client.close());

const post = (body: string | Uint8Array, contentType = 'application/json') =>
  client.ledger('POST', '/v2/parties', body, { headers: { 'content-type': contentType } });

it('parses JSON with any content type, as a participant does', async () => {
  for (const [index, contentType] of [
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'x/y',
  ].entries())
    expect((await post(`{"partyIdHint":"content-${index}"}`, contentType)).status).toBe(200);
});

it('decodes UTF-8 with any charset in the content type (B-GEN-053)', async () => {
  const text = '{"partyIdHint":"utf8"}';
  const { status, body } = await post(text, 'application/json; charset="utf-16le"');
  expect([status, body.partyDetails?.party]).toEqual([200, expect.stringMatching(/^utf8::/)]);
});

it.each([
  ['', 'exhausted input'],
  ['{', 'exhausted input'],
  ['{"partyIdHint":', 'exhausted input'],
  ['{"a":1} x', "expected whitespace or eof got 'x' (line 1, column 9)"],
  ['nope', "expected null got 'nope' (line 1, column 1)"],
])('rejects %j in plain text, as a participant does (B-GEN-021)', async (text, reason) => {
  const { status, headers, body } = await post(text);
  expect([status, headers['content-type']]).toEqual([400, 'text/plain; charset=UTF-8']);
  expect(body).toBe(`Invalid value for: body (${reason})`);
});

it.each([
  ['[]', 'commands'],
  ['"x"', 'commands'],
  ['{"commandId":7,"commands":[],"actAs":[]}', 'commandId'],
  ['{"commandId":"c","commands":[{}],"actAs":[]}', 'commands[0]'],
])(
  'rejects %s, which is JSON of another shape, and the journal has its path',
  async (text, path) => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await client.ledger('POST', '/v2/commands/submit-and-wait', text, {
      headers,
    });
    expect([status, body]).toEqual([400, expect.stringContaining('Invalid value for: body (')]);
    const entry = client.canticle.requests.list().at(-1);
    expect(entry).toMatchObject({ outcome: 'refused', validation: { ok: false, path } });
    expect(body).toContain(entry!.validation.reason);
  },
);

it('rejects a body that is not JSON in plain text in other APIs, but not in the controls (V-GEN-018)', async () => {
  const refusalOf = async (path: string) => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await client.call('POST', path, '{', { headers });
    expect(status).toBe(400);
    return body;
  };
  for (const path of [
    '/api/scan/v2/updates',
    '/registry/transfer-instruction/v2/transfer-factory',
    '/api/validator/v0/admin/users',
  ])
    expect(await refusalOf(path)).toMatch(/^The request content was malformed:\n/);
  expect(await refusalOf('/canticle/v1/time/advance')).toMatchObject({
    error: expect.any(String) as string,
  });
});

it('reads the body of a GET only if its document declares one (B-GEN-041)', async () => {
  const { status } = await client.ledger('GET', '/v2/version', '{{{', {
    headers: { 'content-type': 'application/json' },
  });
  expect(status).toBe(200);
});

const filled = (size: number) => `{"partyIdHint":"${'x'.repeat(size - 18)}"}`;

it('rejects a body above the limit with 413, and accepts one below it (B-GEN-045)', async () => {
  const tooLarge = await post(filled(MAX_BODY_BYTES + 1));
  expect(tooLarge.status).toBe(413);
  expect(tooLarge.body).toContain(`${MAX_BODY_BYTES} bytes`);
  const justFits = await post(filled(MAX_BODY_BYTES));
  expect([justFits.status, justFits.body.code]).toEqual([400, 'INVALID_ARGUMENT']);
});

it('limits a body to 10 MiB in release 3.6, also without a port (JsonMaxInboundMessageSizeTest, R-36-027)', async () => {
  const canticle = createCanticle({ apiVersion: '3.6' });
  const allocate = (size: number) =>
    canticle.handle({ path: '/v2/parties', body: filled(size) }).then(({ status, body }) => ({
      status,
      text: body.toString(),
    }));
  const limit = 10 * 1024 * 1024;
  const tooLarge = await allocate(limit + 1);
  expect(tooLarge.status).toBe(413);
  expect(tooLarge.text).toContain(`exceeded size limit (${limit} bytes)`);
  expect((await allocate(limit)).status).toBe(400);
});

it('a DAR above the limit fails with an unexpected error (B-GEN-045, B-ERR-006)', async () => {
  const dar = Buffer.alloc(MAX_BODY_BYTES + 1);
  expect(await client.send('POST', '/v2/dars', dar)).toMatchObject({
    status: 500,
    body: {
      code: 'LEDGER_API_INTERNAL_ERROR',
      grpcCodeValue: 13,
      cause: expect.stringContaining(
        `incoming entity size (${dar.length}) exceeded size limit (${MAX_BODY_BYTES} bytes)!`,
      ),
      context: {
        throwableO: expect.stringContaining(
          'Some(java.io.IOException: EntityStreamSizeException: ',
        ),
      },
    },
  });
  expect((await client.ledger('POST', '/v2/dars', dar.subarray(1))).body.code).toBe('INVALID_DAR');
});

describe('nesting', () => {
  const nested = (depth: number, open = '[', close = ']') =>
    `{"x":${open.repeat(depth - 1)}${close.repeat(depth - 1)}}`;

  it('has no limit (B-GEN-054)', async () => {
    for (const depth of [1000, 100_000])
      for (const text of [nested(depth), nested(depth, '{"a":', '}').replace('}}}', '1}}}')])
        expect((await post(text)).status).toBe(200);
    const { status, body } = await post('['.repeat(5000) + ']'.repeat(5000));
    expect([status, body]).toEqual([
      400,
      "Invalid value for: body (Missing required field at 'partyIdHint')",
    ]);
  });

  it('in place of a scalar Daml value is rejected as the wrong kind', async () => {
    const canticle = createCanticle();
    const alice = canticle.participant.allocateParty('alice');
    const commands = (createArguments: string) =>
      `{"commandId":"c","actAs":["${alice}"],"commands":[{"CreateCommand":{"templateId":"#canticle-quickstart:Quickstart.Iou:Iou","createArguments":${createArguments}}}]}`;
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const argument of [
      deep,
      `{"issuer":${deep},"owner":"","amount":"1","currency":"","observers":[]}`,
    ]) {
      const path = '/v2/commands/submit-and-wait';
      const { status, json } = await canticle.handle({ path, body: commands(argument) });
      expect([status, (json() as { cause: string }).cause]).toEqual([
        500,
        expect.stringContaining('(data: [...])'),
      ]);
    }
  });

  it('of a generic Daml value may have 110 levels in release 3.6 (R-36-028)', async () => {
    const canticle = createCanticle({ apiVersion: '3.6' });
    const alice = canticle.participant.allocateParty('alice');
    const submit = async (depth: number, command: (argument: unknown) => object) => {
      let argument: unknown = 1;
      for (let level = 1; level < depth; level++) argument = [argument];
      const commands = { commandId: 'c', actAs: [alice], commands: [command(argument)] };
      const path = '/v2/commands/submit-and-wait';
      const { status, json } = await canticle.handle({ path, body: commands });
      return [status, (json() as { cause: string }).cause];
    };
    const templateId = '#canticle-quickstart:Quickstart.Iou:Iou';
    const create = (createArguments: unknown) => ({
      CreateCommand: { templateId, createArguments },
    });
    const exercise = (choiceArgument: unknown) => ({
      ExerciseCommand: { templateId, contractId: '00', choice: 'Archive', choiceArgument },
    });
    const tooDeep =
      'The submitted request has invalid arguments: JSON nesting exceeds the maximum allowed depth of 110';
    for (const command of [create, exercise]) {
      expect(await submit(111, command)).toEqual([400, tooDeep]);
      expect(await submit(110, command)).not.toContain(tooDeep);
    }
  });

  it('is not counted inside texts', async () => {
    const text = JSON.stringify({ partyIdHint: `${'[{'.repeat(2000)}\\"` });
    expect((await post(text)).body).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('hostile members', () => {
  it('ignores __proto__, constructor and similar names', async () => {
    const hostile =
      '{"__proto__":{"partyIdHint":"evil","polluted":1},"constructor":{"prototype":{"polluted":1}},"partyIdHint":"good"}';
    const { body } = await post(hostile);
    expect(body.partyDetails.party).toMatch(/^good::/);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('accepts such names as keys of a map', async () => {
    const user =
      '{"user":{"id":"keys","primaryParty":"","isDeactivated":false,"identityProviderId":"","metadata":{"resourceVersion":"","annotations":{"__proto__":"x"}}}}';
    const { status, body } = await client.ledger('POST', '/v2/users', user, {
      headers: { 'content-type': 'application/json' },
    });
    // A key of an annotation must be a name of Kubernetes' kind, which this is not.
    expect([status, body.code]).toEqual([400, 'INVALID_ARGUMENT']);
  });

  it('replaces invalid UTF-8, and rejects or keeps lone surrogates', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"partyIdHint":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    expect((await post(bytes)).body).toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect((await post('{"partyIdHint":"\\ud800"}')).body).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});

it('any bytes have an answer with status 200 or 400', async () => {
  const served = [
    '/v2/parties',
    '/v2/commands/submit-and-wait',
    '/v2/state/active-contracts',
    '/api/scan/v2/updates',
    '/canticle/v1/time/advance',
  ];
  await check(
    fc.asyncProperty(
      fc.constantFrom(...served),
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }),
        fc.json().map(Buffer.from),
        arbitraryText.map(Buffer.from),
      ),
      async (path, bytes) => {
        const { status } = await client.call('POST', path, bytes, {
          headers: { 'content-type': 'application/json' },
        });
        expect([200, 400]).toContain(status);
      },
    ),
    { numRuns: 150, seed: 1 },
  );
});

it('a request that breaks off leaves no entry in the journal', async () => {
  const before = client.canticle.requests.list().length;
  await new Promise<void>((resolve) => {
    const socket = connect(client.canticle.port, '127.0.0.1', () => {
      socket.write(
        'POST /v2/parties HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"partyIdHint"',
        () => socket.destroy(),
      );
    });
    socket.on('close', () => resolve());
  });
  expect((await client.ledger('GET', '/v2/version')).status).toBe(200);
  expect(client.canticle.requests.list()).toHaveLength(before + 1);
});
