/** A recording omits secrets by their names and shapes, in any position, and keeps public values unchanged. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { WebSocket, WebSocketServer } from 'ws';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { CommandHere } from '../in-process.js';

type Json = any;
type Answering = (request: IncomingMessage, response: ServerResponse) => void;

const folder = useTemporaryFolder();
let server: Server;
let answering: Answering = (_, response) => response.end();
let command: CommandHere;
let url = '';
let target = '';
const file = () => join(folder(), 'secrets.har');

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => answering(request, response));
  });
  new WebSocketServer({ server }).on('connection', (socket) =>
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  command = new CommandHere('record', '--sv', target, '--out', file());
  await command.until('Canticle records.');
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(command.stdout)![0];
});
afterAll(async () => {
  command.stop();
  await command.ended();
  server.closeAllConnections();
  server.close();
});

const entries = (): Json[] => JSON.parse(readFileSync(file(), 'utf8')).log.entries;

/** The exchange in the file. */
async function recorded(
  path: string,
  init: RequestInit = {},
  answer: Answering = (_, r) => r.end(),
) {
  answering = answer;
  const before = entries().length;
  await (await fetch(url + path, init)).arrayBuffer();
  while (entries().length === before) await new Promise(setImmediate);
  return entries().at(-1) as Json;
}

const sent = async (body: string, type = 'application/json') =>
  (await recorded('/x', { method: 'POST', body, headers: { 'content-type': type } })).request
    .postData.text as string;

it.each<[string, string, string]>([
  ['encoded_secret', '{"encoded_secret":"czNjcmV0"}', '{"encoded_secret":"(removed)"}'],
  ['token', '{ "token" : "s3cret", "a": 1.50 }', '{ "token" : "(removed)", "a": 1.50 }'],
  ['private_key_pem', '{"private_key_pem":"s3cret"}', '{"private_key_pem":"(removed)"}'],
  ['privateKeyBytes', '{"privateKeyBytes":"s3cret"}', '{"privateKeyBytes":"(removed)"}'],
  [
    'a secret with an escaped name',
    '{"pass\\u0077ord":"s3cret"}',
    '{"pass\\u0077ord":"(removed)"}',
  ],
  ['a list of secrets', '{"passwords":["s3cret","t"]}', '{"passwords":["(removed)","(removed)"]}'],
  ['a secret number', '{"password":12345,"size":5}', '{"password":"(removed)","size":5}'],
  [
    'the private key of a JWK',
    '{"keys":[{"d":"s3cret","kty":"EC","x":"open"},{"d":"open"}]}',
    '{"keys":[{"d":"(removed)","kty":"EC","x":"open"},{"d":"open"}]}',
  ],
  [
    'credentials',
    '{"credentials":[{"type":"password","value":"s3cret","temporary":false}],"value":"open"}',
    '{"credentials":[{"type":"password","value":"(removed)","temporary":false}],"value":"open"}',
  ],
  [
    'JSON inside a JSON text',
    '{"body":"{\\"api_key\\":\\"s3cret\\",\\"n\\":1}"}',
    '{"body":"{\\"api_key\\":\\"(removed)\\",\\"n\\":1}"}',
  ],
  [
    'secrets in a URL',
    '{"next":"https://me:s3cret@x.test/a?sig=s3cret&page=2#id_token=s3cret"}',
    '{"next":"https://x.test/a?sig=(removed)&page=2#id_token=(removed)"}',
  ],
  [
    'a secret that the text cuts off',
    '{"a":{"kty":"OKP","d":"s3cret',
    '{"a":{"kty":"OKP","d":"(removed)',
  ],
  [
    'secrets on several lines of JSON',
    '{"token":"a1"}\n{"token":"s3cret"}',
    '{"token":"(removed)"}\n{"token":"(removed)"}',
  ],
  [
    'an Authorization header inside a text',
    '{"curl":"-H \'Authorization: Bearer s3cret.opaque-1\'"}',
    '{"curl":"-H \'Authorization: Bearer (removed)\'"}',
  ],
])('removes %s from JSON, and keeps the remaining bytes', async (_, body, expected) => {
  expect(await sent(body)).toBe(expected);
});

it('leaves public data unchanged', async () => {
  const open = `{"nextPageToken":"abc","pageToken":"d","continuation_token":"e","token_type":"Bearer","token_endpoint":"http://x/token","d":"1","key":"k","code":"NOT_FOUND","signature":"c2ln","publicKey":"cA==","instrumentId":{"id":"Amulet"},"token":{"admin":"dso"},"lockedToken":"00${'ab'.repeat(34)}","tokens":["10.0"],"n":1.10,"text":"Bearer authentication is needed","client_secret_expires_at":0,"seed":7}`;
  expect(await sent(open)).toBe(open);
  const { request, response } = await recorded(
    '/v2/parties?pageToken=abc&filter=x',
    { headers: { 'x-page': 'y' } },
    (_, answer) => {
      answer.setHeader('www-authenticate', 'Bearer realm="x", error_description="no token"');
      answer.end();
    },
  );
  expect(request.url).toMatch(/pageToken=abc&filter=x$/);
  expect(response.headers).toContainEqual({
    name: 'www-authenticate',
    value: 'Bearer realm="x", error_description="no token"',
  });
});

it('removes opaque tokens from headers with URLs, and from the redirect of an answer', async () => {
  const link = (name: string) => `https://x.test/cb?state=open&${name}=s3cret`;
  const { request, response } = await recorded(
    '/v0/x?X-Amz-Signature=s3cret&X-Amz-Credential=s3cret&X-Amz-Date=1&sig=s3cret',
    { headers: { referer: link('access_token') }, redirect: 'manual' },
    (_, answer) => {
      answer.writeHead(302, {
        location: link('code'),
        link: `<${link('token')}>; rel="next"`,
        refresh: `5; url=${link('id_token')}`,
        'x-amz-security-token': 's3cret',
      });
      answer.end();
    },
  );
  const text = JSON.stringify({ request, response });
  expect(text).not.toContain('s3cret');
  expect(text.match(/state=open/g)).toHaveLength(5);
  expect(response.redirectURL).toBe('https://x.test/cb?state=open&code=(removed)');
  expect(request.url).toContain('X-Amz-Date=1&sig=(removed)');
  expect(request.queryString).toContainEqual({ name: 'X-Amz-Signature', value: '(removed)' });
});

it.each([
  ['alice@x.test', ' (removed, of alice@x.test)'],
  ['a'.repeat(128), ` (removed, of ${'a'.repeat(128)})`],
  ['a'.repeat(129), ' (removed)'],
  ['a) b', ' (removed)'],
  [7, ' (removed)'],
])('keeps the owner of the token of %s, if it is a name', async (sub, expected) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'HS256' })}.${part({ sub })}.c2ln`;
  const { request } = await recorded('/x', { headers: { authorization: `Bearer ${token}` } });
  expect(request.headers).toContainEqual({ name: 'authorization', value: `Bearer${expected}` });
});

it('removes passwords from urlencoded and multipart forms', async () => {
  const form =
    'user=alice&pass%77ord=s3cret&sig=s3cret&json=%7B%22token%22%3A%22s3cret%22%7D&b=a+b';
  expect(await sent(form, 'application/x-www-form-urlencoded')).toBe(
    `user=alice&pass%77ord=(removed)&sig=(removed)&json=${encodeURIComponent('{"token":"(removed)"}')}&b=a+b`,
  );
  const parts = (...bodies: [string, string][]) =>
    `${bodies.map(([name, body]) => `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${body}\r\n`).join('')}--B--\r\n`;
  const type = 'multipart/form-data; boundary=B';
  expect(await sent(parts(['user', 'alice'], ['password', 's3\ncret']), type)).toBe(
    parts(['user', 'alice'], ['password', '(removed)']),
  );
  // With bytes that are not text.
  const bytes = Buffer.concat([
    Buffer.from(parts(['client_secret', 's3cret']).replace('--B--\r\n', '')),
    Buffer.from('--B\r\nContent-Disposition: form-data; name="dar"\r\n\r\n'),
    Buffer.from([80, 75, 255, 0]),
    Buffer.from('\r\n--B--\r\n'),
  ]);
  const { request } = await recorded('/x', {
    method: 'POST',
    body: bytes,
    headers: { 'content-type': type },
  });
  const stored = Buffer.from(request.postData.text, 'base64');
  expect(request.postData._encoding).toBe('base64');
  expect(stored.toString('latin1')).not.toContain('s3cret');
  expect(stored.includes(Buffer.from([80, 75, 255, 0]))).toBe(true);
});

it.each([
  '/api/sv/v0/devnet/onboard/validator/prepare',
  '/api/sv/v0/admin/validator/onboarding/prepare',
])('removes the whole answer of %s', async (path) => {
  const storedText = async (status: number, text: string) => {
    const answer: Answering = (_, response) => response.writeHead(status).end(text);
    const { response } = await recorded(path, { method: 'POST' }, answer);
    return response.content.text;
  };
  expect([await storedText(200, 's3cret'), await storedText(399, 's3cret')]).toEqual([
    '(removed)',
    '(removed)',
  ]);
  expect([await storedText(400, 'nothing here'), await storedText(404, '')]).toEqual([
    'nothing here',
    '',
  ]);
});

it('removes a body whose encoding it cannot decode', async () => {
  const { response } = await recorded('/x', {}, (_, answer) => {
    answer.setHeader('content-encoding', 'made-up');
    answer.end(gzipSync('{"token":"s3cret"}'));
  });
  expect(response.content.text).toBeUndefined();
  expect(response.content.comment).toMatch(/bytes as made-up, which cannot be read: left out\.$/);
});

it('removes secrets from WebSocket messages, both text and bytes', async () => {
  const before = entries().length;
  const socket = new WebSocket(url.replace('http', 'ws'));
  await new Promise((resolve) => socket.once('open', resolve));
  const messages = ['{"token":"s3cret"}', Buffer.from('{"token":"s3cret","é":1}')];
  const jwt = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"sub":"s3cret"}').toString('base64url')}.c2ln`;
  const binary = Buffer.concat([Buffer.from([255, 0, 10]), Buffer.from(` ${jwt} `)]);
  for (const message of [...messages, binary]) {
    socket.send(message);
    await new Promise((resolve) => socket.once('message', resolve));
  }
  socket.close();
  while (entries().length === before) await new Promise(setImmediate);
  const frames = entries().at(-1)!._webSocketMessages as Json[];
  expect(frames).toHaveLength(6);
  const texts = frames.map(({ opcode, data }) =>
    opcode === 2 ? Buffer.from(data, 'base64').toString('latin1') : data,
  );
  expect(texts.join()).not.toMatch(/s3cret|eyJ/);
  expect(texts.filter((text) => text.includes('(removed)'))).toHaveLength(6);
  expect(Buffer.from(frames[2].data, 'base64').toString()).toBe('{"token":"(removed)","é":1}');
});
