/**
 * Faults from a scenario, from a file and over the control API. Each entry point applies them: nock's mount, Express, a TLS port. They
 * are the same each time, byte for byte.
 */
import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { request as overTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { createCanticle, startCanticle, type Canticle } from 'canticle';
import { canticleRouter } from '../../src/express.js';
import { AUTHORITY, SERVER_CERT, SERVER_KEY } from '../support/certificates.js';
import { useCanticle } from '../../src/testing/jest.js';
import { mountCanticle } from '../../src/testing/nock.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const canticle = useCanticle({ seed: 2, listen: false });
const folder = useTemporaryFolder();
const CONTROL = '/canticle/v1/faults';
const version = () => canticle.handle({ path: '/v2/version' }).then(({ status }) => status);
const request = async (method: string, path: string, body?: unknown) => {
  const answer = await canticle.handle({ method, path: CONTROL + path, body });
  return { status: answer.status, body: answer.json() as any };
};

it('controls add, list, release and remove faults', async () => {
  const rule = { on: 'getV2Version', when: { nth: 2 }, do: { refuse: 503 } };
  const { status, body } = await request('POST', '', rule);
  expect([status, body]).toMatchObject([200, { id: 'f1', ...rule, seen: 0, hits: 0 }]);
  expect([await version(), await version()]).toEqual([200, 503]);
  const held = await request('POST', '', { on: ['getV2Version'], do: { hold: 'request' } });
  const pending = version();
  await new Promise(setImmediate);
  expect((await request('GET', '')).body).toMatchObject({
    faults: [
      { id: 'f1', seen: 3, hits: 1 },
      { id: 'f2', hits: 1 },
    ],
    held: [{ fault: 'f2', operation: 'getV2Version' }],
  });
  expect((await request('POST', `/${held.body.id}/release`)).body).toEqual({ released: 1 });
  expect(await pending).toBe(200);
  expect((await request('DELETE', '/f2')).body).toMatchObject({ id: 'f2', hits: 1 });
  expect((await request('DELETE', '/f2')).status).toBe(404);
  expect((await request('DELETE', '')).body).toEqual({ cleared: 1 });
  const wrong = await request('POST', '', { on: 'getV2Version', do: { lose: 'all' } });
  expect([wrong.status, wrong.body.error]).toEqual([
    400,
    expect.stringContaining(`'do.lose' cannot be "all". There are: request, answer.`),
  ]);
});

it('a scenario step adds a fault', async () => {
  const id = canticle.scenario.fault('getV2Version', { when: { nth: 1 }, do: { refuse: 429 } });
  expect(canticle.faults.list()).toMatchObject([{ id, rule: { on: ['getV2Version'] } }]);
  expect([await version(), await version()]).toEqual([429, 200]);
  expect(() => canticle.scenario.fault('getNoVersion', { do: { refuse: 429 } })).toThrow(
    /Invalid fault rule: 'on' cannot be "getNoVersion": there is no operation 'getNoVersion'\. Did you mean/,
  );
});

it('faults of a file apply from the start, and remain after a reset', async () => {
  const file = join(folder(), 'faults.yaml');
  writeFileSync(
    file,
    [
      'steps:',
      '  - fault: getV2Version',
      '    do: { refuse: 503 }',
      '  - on: getV2Parties',
      '    do: { refuse: 429 }',
    ].join('\n'),
  );
  const other = createCanticle({ faults: file });
  other.reset();
  for (const [path, status] of Object.entries({ '/v2/version': 503, '/v2/parties': 429 }))
    expect((await other.handle({ path })).status).toBe(status);
  writeFileSync(file, 'nothing');
  expect(() => createCanticle({ faults: file })).toThrow('expected a list of { on, when, do }');
  await other.close();
});

it('a file with a wrong rule is rejected, and the error names the file, the rule and its member', () => {
  const file = join(folder(), 'wrong.yaml');
  writeFileSync(
    file,
    '- { on: getV2Version, do: { refuse: 503 } }\n- { on: "*", do: { pause: globl } }',
  );
  expect(() => createCanticle({ faults: file })).toThrow(
    expect.objectContaining({
      message: `Failed to read the faults '${file}': rule 2: Invalid fault rule: 'do.pause' cannot be "globl". Did you mean 'global'?`,
    }),
  );
  const rule = { on: '*', do: { pause: 'globl' } } as const;
  expect(() => createCanticle({ faults: [rule] })).toThrow(
    `INVALID_ARGUMENT: Invalid fault rule: 'do.pause' cannot be "globl". Did you mean 'global'?`,
  );
});

it('a condition on the participant applies to its calls only', async () => {
  const two = await startCanticle({ participants: ['one', 'two'] });
  const when = { participant: 'two' };
  two.faults.add({ on: 'getV2Version', when, do: { refuse: 503 } });
  const statuses = ['one', 'two'].map(async (name) => {
    const { status } = await fetch(`${two.ledgerApis[name]}/v2/version`);
    return status;
  });
  expect(await Promise.all(statuses)).toEqual([200, 503]);
  await two.close();
});

it('a file of faults may have up to 1 MiB', () => {
  const file = join(folder(), 'long.yaml');
  const ofLength = (bytes: number) => {
    writeFileSync(file, `[] #${'x'.repeat(bytes - 4)}`);
    return () => createCanticle({ faults: file });
  };
  expect(ofLength(1024 * 1024)).not.toThrow();
  expect(ofLength(1024 * 1024 + 1)).toThrow('it has 1048577 bytes, and the limit is 1048576');
});

it("faults apply to nock's mount", async () => {
  const mount = mountCanticle(canticle, 'https://participant.example');
  const url = 'https://participant.example/v2/version';
  canticle.faults.add({ on: 'getV2Version', when: { nth: 1 }, do: { lose: 'answer' } });
  canticle.faults.add({ on: 'getV2Version', when: { nth: 2 }, do: { lose: 'answer', as: 502 } });
  await expect(fetch(url)).rejects.toThrow();
  expect((await fetch(url)).status).toBe(502);
  expect((await fetch(url)).status).toBe(200);
  mount.remove();
});

/** The error code that a client gets for a broken connection. */
const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => 'answered',
    ({ cause, code }: { cause?: { code?: string }; code?: string }) => cause?.code ?? code,
  );
const BROKEN = /ECONNRESET|UND_ERR_SOCKET/;

it.each(['under a path of an application', 'after its own middleware'])(
  'faults apply to Express, %s',
  async (where) => {
    const host = await startCanticle();
    let server: Server | undefined;
    let url = host.url;
    if (where === 'after its own middleware') host.app.use((_request, _response, next) => next());
    else {
      const app = express().use('/ledger', canticleRouter(host));
      server = app.listen(0, '127.0.0.1');
      await new Promise((resolve) => server!.once('listening', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ledger`;
    }
    host.faults.add({ on: 'getV2Version', when: { nth: 1 }, do: { lose: 'answer' } });
    host.faults.add({ on: 'getV2Version', when: { nth: 2 }, do: { truncate: 0.5 } });
    host.faults.add({ on: 'getV2Version', when: { nth: 3 }, do: { lose: 'answer', as: 502 } });
    const getVersion = () => fetch(`${url}/v2/version`);
    expect(await codeOf(getVersion())).toMatch(BROKEN);
    await expect(getVersion().then((answer) => answer.text())).rejects.toThrow();
    expect([(await getVersion()).status, (await getVersion()).status]).toEqual([502, 200]);
    expect(host.faults.list().map(({ hits }) => hits)).toEqual([1, 1, 1]);
    server?.closeAllConnections();
    server?.close();
    await host.close();
  },
);

it('faults apply to a TLS port', async () => {
  const encrypted = await startCanticle({ tls: { cert: SERVER_CERT, key: SERVER_KEY } });
  const getVersion = () =>
    new Promise<{ status?: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
      const url = `${encrypted.url}/v2/version`;
      const sent = overTls(url, { ca: AUTHORITY, agent: false }, (answer) => {
        const { statusCode: status, headers } = answer;
        answer
          .on('error', reject)
          .on('end', () => resolve({ status, headers }))
          .resume();
      });
      sent.on('error', reject).end();
    });
  encrypted.faults.add({ on: 'getV2Version', when: { nth: 1 }, do: { lose: 'answer' } });
  encrypted.faults.add({ on: 'getV2Version', when: { nth: 2 }, do: { truncate: 0.5 } });
  encrypted.faults.add({ on: 'getV2Version', when: { nth: 3 }, do: { refuse: 429 } });
  expect([await codeOf(getVersion()), await codeOf(getVersion())]).toEqual([
    'ECONNRESET',
    'ECONNRESET',
  ]);
  const { status, headers } = await getVersion();
  expect([status, headers['retry-after']]).toEqual([429, '1']);
  await encrypted.close();
});

it('the same seed and rules produce the same bytes in the same order, over HTTP', async () => {
  // Other faults count the calls in the order of the seed.
  const faults = [
    { on: '*' as const, do: { shuffle: 4 } },
    {
      on: '*' as const,
      when: { probability: 0.4 },
      do: { lose: 'answer' as const, as: 502 as const },
    },
    { on: '*' as const, when: { nth: [3, 9] }, do: { reject: 'SEQUENCER_BACKPRESSURE' as const } },
    { on: '*' as const, when: { nth: 5 }, do: { refuse: 'SUBMISSION_ALREADY_IN_FLIGHT' as const } },
    { on: '*' as const, when: { nth: 7 }, do: { advance: 'PT1M' } },
  ];
  const runOnce = async (): Promise<[string[], Canticle['requests']]> => {
    const each = await startCanticle({ seed: 12, faults });
    const alice = each.participant.allocateParty('alice');
    const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
    const iou = { issuer: alice, owner: alice, currency: 'CHF', amount: '1.0', observers: [] };
    const commands = [{ CreateCommand: { templateId: IOU, createArguments: iou } }];
    const answers: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const pending = [0, 1, 2, 3].map(async (call) => {
        const commandId = `c${round}-${call}`;
        const body = JSON.stringify({ commands, commandId, userId: 'u', actAs: [alice] });
        const answer = await fetch(`${each.url}/v2/commands/submit-and-wait`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', traceparent: TRACE },
          body,
        });
        return `${commandId} ${answer.status} ${await answer.text()}`;
      });
      answers.push(...(await Promise.all(pending)));
    }
    await each.close();
    return [answers, each.requests];
  };
  const [[first, requests], [second, others]] = [await runOnce(), await runOnce()];
  expect(second).toEqual(first);
  expect(others.list()).toEqual(requests.list());
  expect(new Set(first.map((text) => text.split(' ')[1])).size).toBeGreaterThan(2);
});

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
