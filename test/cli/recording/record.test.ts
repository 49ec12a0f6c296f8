/** `canticle record`, before a Canticle that requires tokens: it passes requests unchanged, and records them without secrets. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startCanticle, type Canticle } from '../../../src/index.js';
import { requestAsPage, openAsPage } from '../../support/page-requests.js';
import { refusedUpgrade, StreamClient } from '../../support/stream-client.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { CommandHere, runHere } from '../in-process.js';

const folder = useTemporaryFolder();
const ISSUER = '/canticle/v1/issuer';
let canticle: Canticle;
let token: string;

beforeAll(async () => {
  canticle = await startCanticle({ auth: { services: [{ type: 'built-in-issuer' }] } });
  token = await canticle.accessToken({ sub: 'participant_admin' });
});
afterAll(() => canticle.close());

/** Records what is done, and gives what is in the file. @param use gets the proxy's address in place of the system's */
async function recorded(
  use: (url: string) => Promise<void>,
  target = canticle.urls.ledgerApi,
  flags: readonly string[] = [],
) {
  const file = join(folder(), 'recorded.har');
  const command = new CommandHere('record', '--ledger-api', target, '--out', file, ...flags);
  await command.until('Canticle records.');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(command.stdout)![0];
  await use(url);
  command.stop();
  const ended = await command.ended();
  const text = readFileSync(file, 'utf8');
  const { log } = JSON.parse(text);
  return { ...ended, text, log, entries: log.entries };
}

const headersOf = (answer: Response) =>
  [...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));

it('passes on the answer of a participant that rejects an upload after its headers, and closes the connection', async () => {
  const text = 'The body is too large.';
  // As a server does: it answers, and reads no more of what comes.
  const live = createServer((socket) => {
    socket.once('data', () => {
      const head = [
        'HTTP/1.1 413 Content Too Large',
        `Content-Length: ${text.length}`,
        'Connection: close',
      ];
      socket.pause();
      socket.end([...head, '', text].join('\r\n'), () => socket.destroy());
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => live.listen(0, '127.0.0.1', resolve));
  const { port } = live.address() as AddressInfo;
  const { entries } = await recorded(async (url) => {
    for (let n = 0; n < 5; n += 1) {
      const body = Buffer.alloc(20_000_000);
      const answer = await fetch(`${url}/v2/dars`, { method: 'POST', body });
      expect([answer.status, await answer.text()]).toEqual([413, text]);
    }
  }, `http://127.0.0.1:${port}`);
  expect(entries.map(({ response }: any) => response.status)).toEqual([413, 413, 413, 413, 413]);
  await new Promise((resolve) => live.close(resolve));
});

it('passes requests and answers unchanged, and records them without tokens', async () => {
  const request = (root: string, path: string, init: RequestInit = {}) =>
    fetch(root + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const requests: [string, RequestInit?][] = [
    ['/v2/version'],
    ['/v2/users?pageSize=3&pageToken='],
    ['/v2/users', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    ['/v2/users/nobody%20there'],
    ['/v2/parties', { headers: { authorization: 'Bearer no-token' } }],
    ['/v2/nothing', { method: 'DELETE' }],
    ['/v2/dars', { method: 'POST', body: Buffer.from([80, 75, 255, 0]) }],
  ];
  const { entries, text, log, stdout, status } = await recorded(async (url) => {
    for (const [path, init] of requests) {
      const [here, there] = [
        await request(url, path, init),
        await request(canticle.urls.ledgerApi, path, init),
      ];
      expect([path, here.status, headersOf(here)]).toEqual([path, there.status, headersOf(there)]);
      const [mine, its] = [await here.text(), await there.text()];
      const plain = (body: string) => body.replace(/"(correlationId|traceId|tid)":"\w*"/g, '');
      expect(plain(mine)).toBe(plain(its));
    }
  });
  expect(status).toBe(0);
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'canticle' } });
  expect(entries.map(({ request, response }: any) => [request.url, response.status])).toEqual([
    ...requests.map(([path], index) => [
      canticle.urls.ledgerApi + path,
      [200, 200, 400, 400, 401, 404, 400][index],
    ]),
  ]);
  expect(entries[1].request.queryString).toContainEqual({ name: 'pageSize', value: '3' });
  expect(JSON.parse(entries[0].response.content.text)).toHaveProperty('version');
  expect(entries[2].request.postData).toEqual({ mimeType: 'application/json', text: '{' });
  expect(entries[6].request.postData).toMatchObject({ text: 'UEv/AA==', _encoding: 'base64' });
  expect(text).not.toContain(token.split('.')[2]);
  expect(text).toContain('Bearer (removed, of participant_admin)');
  expect(text).toContain('"Bearer (removed)"');
  expect(log.comment).toBe('Removed: 7 × header authorization');
  expect(stdout).toMatch(/recorded\.har: 7 exchanges\. Removed: 7 × header authorization\.\n$/);
});

it('records the messages of WebSockets in both directions, without the tokens of the handshake', async () => {
  canticle.participant.allocateParty('alice');
  const request = { beginExclusive: 0, endInclusive: 1, verbose: false };
  const protocols = [`jwt.token.${token}`, 'daml.ws.auth'];
  const sent = {
    ...request,
    updateFormat: { includeTopologyEvents: { includeParticipantAuthorizationEvents: {} } },
  };
  let received: unknown[] = [];
  let refusal: unknown;
  const { entries, text, log } = await recorded(async (url) => {
    const stream = new StreamClient(`${url}/v2/updates`, { protocols });
    await stream.send(sent);
    received = await stream.all();
    expect(stream.socket.protocol).toBe('daml.ws.auth');
    expect(await stream.closed).toBe(1000);
    refusal = await refusedUpgrade(`${url}/v2/nothing`);
  });
  expect(refusal).toMatchObject({ status: expect.any(Number) });
  expect(received.length).toBeGreaterThan(0);
  const [stream, refused] = entries;
  expect(stream).toMatchObject({ _resourceType: 'websocket', response: { status: 101 } });
  expect(stream.request.url).toMatch(/^ws:.*\/v2\/updates$/);
  const messages = stream._webSocketMessages;
  expect(messages.map(({ type, opcode }: any) => [type, opcode])).toEqual([
    ['send', 1],
    ...received.map(() => ['receive', 1]),
  ]);
  expect(messages.map(({ data }: any) => JSON.parse(data))).toEqual([sent, ...received]);
  expect(refused.response.status).toBe((refusal as any).status);
  expect(refused.response.content.text.length).toBeGreaterThan(0);
  expect(text).not.toContain(token.split('.')[1]);
  expect(log.comment).toContain('subprotocol jwt.token');
});

it('removes passwords, tokens and keys from recorded requests and answers', async () => {
  const form = 'grant_type=client_credentials&client_id=me&client_secret=sesame+open&scope=a%20b';
  const pem = '-----BEGIN PRIVATE KEY-----\\nMIIEvQ\\n-----END PRIVATE KEY-----';
  const { entries, text } = await recorded(async (url) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: 'session=s3' };
    const answer = await fetch(`${url}${ISSUER}/token?code=c0de`, {
      method: 'POST',
      headers,
      body: form,
    });
    expect(await answer.json()).toMatchObject({ access_token: expect.stringMatching(/^eyJ/) });
    const body = `{ "id": "x", "privateKey" : "k\\"opened", "note":"${pem}", "token":"${token}" }`;
    await fetch(`${url}/v2/users`, {
      method: 'POST',
      body,
      headers: { 'x-api-key': 'k1', ...headers },
    });
  });
  expect(entries[0].request.postData.text).toBe(
    'grant_type=client_credentials&client_id=me&client_secret=(removed)&scope=a%20b',
  );
  expect(entries[0].request.url).toMatch(/token\?code=\(removed\)$/);
  expect(JSON.parse(entries[0].response.content.text)).toMatchObject({
    access_token: '(removed)',
    token_type: 'Bearer',
  });
  expect(entries[1].request.postData.text).toBe(
    '{ "id": "x", "privateKey" : "(removed)", "note":"(removed)", "token":"(removed)" }',
  );
  for (const secret of ['sesame', 'c0de', 's3"', '"k1"', 'MIIEvQ', 'opened"', 'eyJ'])
    expect(text).not.toContain(secret);
});

it('rejects requests from other origins, and requests with foreign host names', async () => {
  const page = 'https://page.example';
  const refusal = `canticle: Pages from '${page}' may not ask this. Allow them: --allow-origin ${page}, or the option allowOrigins.\n`;
  const { entries } = await recorded(async (url) => {
    const version = `${url}/v2/version`;
    expect(await requestAsPage(version, { origin: page })).toEqual({ status: 403, text: refusal });
    expect(await requestAsPage(version, { host: 'page.example' })).toMatchObject({
      status: 403,
      text: expect.stringContaining("The host 'page.example' is not one of this machine."),
    });
    for (const [name, value] of [
      ['origin', page],
      ['host', 'page.example'],
    ] as const)
      expect(await openAsPage(`${url}/v2/updates`, { [name]: value })).toMatchObject({
        status: 403,
      });
  });
  expect(entries).toEqual([]);
});

it('continues if a page resets the connection after its refusal', async () => {
  await recorded(async (url) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const head = ['GET /v2/updates HTTP/1.1', `host: ${new URL(url).host}`, 'connection: upgrade'];
    socket.write(
      [...head, 'upgrade: websocket', 'origin: https://page.example', '', ''].join('\r\n'),
    );
    await once(socket, 'data');
    socket.resetAndDestroy();
    expect(await requestAsPage(`${url}/v2/version`, {})).toMatchObject({ status: 200 });
  });
});

it('passes requests from pages on this machine, and from allowed origins', async () => {
  const statusesWith = async (headers: Record<string, string>, flags: readonly string[] = []) => {
    let statuses: number[] = [];
    const { entries } = await recorded(
      async (url) => {
        const [plain, stream] = [
          await requestAsPage(`${url}/v2/version`, headers),
          await openAsPage(`${url}/v2/updates`, headers),
        ];
        statuses = [plain.status, stream.status];
      },
      canticle.urls.ledgerApi,
      flags,
    );
    expect(entries).toHaveLength(2);
    return statuses;
  };
  const local = { origin: 'http://localhost:3000', authorization: `Bearer ${token}` };
  expect(await statusesWith(local)).toEqual([200, 101]);
  const page = { origin: 'https://page.example', host: 'page.example' };
  // The system itself refuses the WebSocket of the page; the proxy passes its refusal.
  expect(await statusesWith(page, ['--allow-origin', page.origin])).toEqual([200, 403]);
});

describe('with a faulty system', () => {
  /** A system that answers with these bytes to whatever comes, and closes. */
  async function answering(bytes: Uint8Array | string, use: (url: string) => Promise<void>) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      return await recorded(use, `http://127.0.0.1:${port}`);
    } finally {
      server.close();
    }
  }

  it('decodes compressed answers for the recording, and passes them on compressed', async () => {
    const body = gzipSync('{"a":1}');
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const { entries } = await answering(Buffer.concat([Buffer.from(head), body]), async (url) => {
      expect(await (await fetch(url)).json()).toEqual({ a: 1 });
    });
    expect(entries[0].response.content).toMatchObject({ text: '{"a":1}', size: 7 });
    expect(entries[0].response.bodySize).toBe(body.length);
  });

  it('aborts its answer and reports it if the system aborts', async () => {
    const { entries } = await answering(
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf',
      async (url) => {
        await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
      },
    );
    expect(entries[0]).toMatchObject({
      comment: 'Broken off before its end.',
      response: { status: 200, content: { text: 'half' } },
    });
  });

  it('answers 502 if the system is not reachable', async () => {
    const { entries } = await recorded(async (url) => {
      const answer = await fetch(`${url}/v2/version`);
      expect([answer.status, await answer.text()]).toEqual([
        502,
        expect.stringContaining('no answer from http://127.0.0.1:1'),
      ]);
      await expect(new StreamClient(`${url}/v2/updates`).opened()).rejects.toThrow('502');
    }, 'http://127.0.0.1:1');
    expect(entries).toHaveLength(2);
    for (const entry of entries)
      expect(entry).toMatchObject({
        response: { status: 0 },
        comment: expect.stringContaining('ECONNREFUSED'),
      });
  });
});

it('keeps the file complete at any time, and reports invalid flags', async () => {
  const file = join(folder(), 'open.har');
  const command = new CommandHere('record', '--scan', canticle.urls.scan, '--out', file);
  await command.until('Canticle records.');
  expect(command.stdout).toMatch(/^Scan {13}http:\/\/127\.0\.0\.1:\d+\/api\/scan {2}to http/);
  const entries = () => JSON.parse(readFileSync(file, 'utf8')).log.entries.length;
  expect(entries()).toBe(0);
  const url = /http:\S+/.exec(command.stdout)![0];
  await (await fetch(`${url}/v0/dso-party-id`)).text();
  while (entries() === 0) await new Promise(setImmediate);
  expect(entries()).toBe(1);
  command.stop();
  await command.ended();
  const nothing = await runHere('record', '--out', file);
  expect(nothing.stderr).toContain('no system to record. Pass one, such as --ledger-api');
  const folderless = join(folder(), 'no', 'x.har');
  const unwritable = await runHere('record', '--scan', 'http://localhost', '--out', folderless);
  expect(unwritable.stderr).toMatch(/^canticle: failed to write '.*x\.har': /);
  const bad = await runHere('record', '--scan', 'localhost:5', '--out', file);
  expect(bad.stderr).toContain('Expected a URL, such as http://localhost:2975.');
  rmSync(file);
  expect(existsSync(file)).toBe(false);
});
