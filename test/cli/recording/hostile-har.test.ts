/** Invalid and malicious HAR files: one clear line states the fault, and no file ends a process. */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestAsPage } from '../../support/page-requests.js';
import { StreamClient } from '../../support/stream-client.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { CommandHere, runHere } from '../in-process.js';

type Json = any;

const folder = useTemporaryFolder();
const file = () => join(folder(), 'bad.har');
const write = (...entries: unknown[]) =>
  writeFileSync(file(), JSON.stringify({ log: { version: '1.2', entries } }));

const exchange = (): Json => ({
  startedDateTime: '2026-01-01T00:00:00Z',
  time: 1,
  request: {
    method: 'POST',
    url: 'http://127.0.0.1/v2/parties?pageSize=1',
    headers: [{ name: 'accept', value: '*/*' }],
    queryString: [{ name: 'pageSize', value: '1' }],
    cookies: [],
    postData: { mimeType: 'application/json', text: '{"a":1}', params: [] },
  },
  response: {
    status: 200,
    statusText: 'OK',
    headers: [{ name: 'content-type', value: 'application/json' }],
    cookies: [],
    redirectURL: '',
    content: { size: 2, mimeType: 'application/json', text: '{}', encoding: '' },
  },
  _webSocketMessages: [{ type: 'send', time: 1, opcode: 1, data: '{}' }],
});

/** The messages of both commands that read a file, without the file's name. */
async function said(): Promise<readonly string[]> {
  const verified = await runHere('verify', file());
  const replaying = new CommandHere('replay', file());
  const isRead = replaying.until('Canticle replays.').then(() => replaying.stop());
  const replayed = await replaying.ended();
  void isRead.catch(() => undefined);
  return [verified, replayed].map(({ stderr }) => stderr.replaceAll(file(), 'FILE'));
}

const refused = (why: string) => [
  `canticle: failed to verify 'FILE': ${why}\n`,
  `canticle: failed to read 'FILE': ${why}\n`,
];

it.each<[string, (entry: Json) => unknown, string]>([
  [
    'a list in place of an object',
    () => [1],
    'exchange 1 is not a valid HAR entry: it is not an object.',
  ],
  ['no request', (entry) => ({ ...entry, request: null }), '/request is not an object'],
  [
    'a relative URL',
    (entry) => ((entry.request.url = '/v2'), entry),
    '/request/url is not an absolute URL',
  ],
  [
    'a status that is not a number',
    (entry) => ((entry.response.status = 'ok'), entry),
    '/response/status',
  ],
  ['a status of 1e9', (entry) => ((entry.response.status = 1e9), entry), '/response/status'],
  ['a status of 99', (entry) => ((entry.response.status = 99), entry), '/response/status'],
  ['a body that is a number', (entry) => ((entry.request.postData.text = 5), entry), '/text is no'],
  ['a list as its answer', (entry) => ((entry.response.content = []), entry), '/content is no'],
  [
    'an answer whose text is a number',
    (entry) => ((entry.response.content.text = 5), entry),
    '/text is no',
  ],
  ['messages that are null', (entry) => ((entry._webSocketMessages = [null]), entry), '/0 is no'],
])('reports the fault of an entry with %s', async (_, change, why) => {
  write(change(exchange()));
  expect(await said()).toEqual([expect.stringContaining(why), expect.stringContaining(why)]);
  for (const text of await said()) expect(text.trimEnd()).not.toContain('\n');
});

it('accepts null for fields that a tool omits', async () => {
  const entry = exchange();
  entry.response = { ...entry.response, statusText: null, redirectURL: null, headers: null };
  entry.response.content.mimeType = null;
  entry.request = { ...entry.request, cookies: null, queryString: [null, 7], headers: 'x' };
  delete entry._webSocketMessages;
  write(entry);
  expect((await said())[1]).not.toContain('failed');
});

it('refuses a file of 3 GiB of zeros at once', async () => {
  writeFileSync(file(), '');
  truncateSync(file(), 3 * 1024 ** 3);
  const why = 'it is not a HAR file: it has no log with entries.';
  expect(await said()).toEqual(refused(why));
});

it('accepts bodies with 200,000 nested lists, without a stack overflow', async () => {
  const entry = exchange();
  delete entry._webSocketMessages;
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  entry.request.postData.text = deep;
  entry.response.content.text = deep;
  write(entry);
  expect(await said()).toEqual(['', '']);
});

it('continues to serve after an entry with invalid headers, reasons and addresses', async () => {
  const entry = exchange();
  delete entry._webSocketMessages;
  entry.request = { method: 'GET', url: 'http://127.0.0.1/odd' };
  entry.response.statusText = 'a\nb';
  entry.response.headers.push({ name: 'x y', value: '1' }, { name: 'x', value: 'a\r\nb: c' });
  const early = exchange();
  delete early._webSocketMessages;
  early.request = { method: 'GET', url: 'http://127.0.0.1/early' };
  early.response.status = 103;
  write(entry, early);
  const command = new CommandHere('replay', file());
  await command.until('Canticle replays.');
  const url = /http:\S+/.exec(command.stdout)![0];
  expect(await requestAsPage(`${url}/odd`, {})).toEqual({ status: 200, text: '{}' });
  expect(await requestAsPage(`${url}/early`, {})).toMatchObject({
    status: 501,
    text: expect.stringContaining('its status 103 cannot end an exchange'),
  });
  // Still there.
  expect(await requestAsPage(`${url}/odd`, {})).toMatchObject({ status: 200 });
  command.stop();
  expect(await command.ended()).toMatchObject({ status: 0 });
  // Such a request cannot be sent to a live system, which verify also reports.
  entry.request.method = 'GE T';
  write(entry);
  const verified = await runHere('verify', file(), '--json');
  expect(verified.stderr).not.toMatch(/\n\s+at /);
});

it('escapes control characters of the file in its output', async () => {
  const entry = exchange();
  entry.request = { method: '\u001b[31mGET', url: 'http://127.0.0.1/v2/version' };
  delete entry._webSocketMessages;
  entry.response.content.text = '{"version":"\u001b[2J"}';
  write(entry);
  for (const argv of [
    ['verify', file()],
    ['verify', file(), '--json'],
  ]) {
    const { stdout, stderr } = await runHere(...argv);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stdout + stderr).toContain('\\u001b[31mGET');
  }
  const replay = new CommandHere('replay', file());
  await replay.until('Canticle replays.');
  replay.stop();
  const { stdout, stderr } = await replay.ended();
  expect(stdout + stderr).not.toContain('\u001b');
});

it('closes a WebSocket whose recording is invalid, and continues', async () => {
  const entry = exchange();
  entry.request = { method: 'GET', url: 'ws://127.0.0.1/v2/updates' };
  entry.response.status = 101;
  entry._webSocketMessages = [
    { type: 'send', opcode: 1, data: '{}' },
    { type: 'receive', opcode: 1, data: '{"a":1}' },
  ];
  write(entry);
  const command = new CommandHere('replay', file());
  await command.until('Canticle replays.');
  const url = /http:\S+/.exec(command.stdout)![0];
  const stream = new StreamClient(`${url}/v2/updates`);
  await stream.send({});
  await stream.until(() => stream.frames.length === 1);
  stream.socket.close();
  command.stop();
  expect(await command.ended()).toMatchObject({ status: 0 });
});
