/** `canticle replay` and `useRecording`: they answer from the recording, and report missing exchanges with the nearest one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useRecording } from '../../../src/testing/jest.js';
import { requestAsPage, openAsPage } from '../../support/page-requests.js';
import { StreamClient } from '../../support/stream-client.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { CommandHere, runHere } from '../in-process.js';
import { DRAWN, recordSession, SCENARIO } from './recorded-session.js';

const folder = useTemporaryFolder();
const file = () => join(folder(), 'session.har');
type Json = any;
let entries: Json[];

beforeAll(async () => {
  await recordSession(file(), { seed: 3 });
  entries = JSON.parse(readFileSync(file(), 'utf8')).log.entries;
});

const json = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const entryOf = (path: string, words = '') =>
  entries.find(
    ({ request }) => request.url.endsWith(path) && (request.postData?.text ?? '').includes(words),
  );
const SUBMIT = '/v2/commands/submit-and-wait-for-transaction';

async function replayed(use: (url: string) => Promise<void>, ...flags: string[]) {
  const command = new CommandHere('replay', file(), ...flags);
  await command.until('Canticle replays.');
  await use(/http:\S+/.exec(command.stdout)![0]);
  command.stop();
  return command.ended();
}

it('answers pages on this machine, and pages from allowed origins', async () => {
  const page = { origin: 'https://page.example', host: 'page.example' };
  const statuses = async (headers: Record<string, string>, ...flags: string[]) => {
    let seen: number[] = [];
    await replayed(
      async (url) => {
        const plain = await requestAsPage(`${url}/v2/version`, headers);
        const stream = await openAsPage(`${url}/v2/updates`, headers);
        seen = [plain.status, stream.status];
      },
      ...flags,
    );
    return seen;
  };
  const answered = await statuses({});
  expect(answered).not.toContain(403);
  expect(await statuses({ origin: 'http://localhost:3000' })).toEqual(answered);
  expect(await statuses(page)).toEqual([403, 403]);
  expect(await statuses(page, '--allow-origin', page.origin)).toEqual(answered);
});

it('answers each request with the recorded bytes', async () => {
  const { status, stdout } = await replayed(async (url) => {
    for (const { request, response, _webSocketMessages } of entries) {
      const { pathname, search } = new URL(request.url);
      if (_webSocketMessages !== undefined) {
        const stream = new StreamClient(`${url}${pathname}`);
        await stream.send(_webSocketMessages[0].data);
        const received = _webSocketMessages.slice(1).map(({ data }: Json) => JSON.parse(data));
        expect(await stream.all()).toEqual(received);
        continue;
      }
      const headers = { 'content-type': request.postData?.mimeType };
      const sent = request.postData && { body: request.postData.text, headers };
      const answer = await fetch(url + pathname + search, { method: request.method, ...sent });
      expect([answer.status, await answer.text()]).toEqual([
        response.status,
        response.content.text ?? '',
      ]);
    }
  });
  expect(status).toBe(0);
  expect(stdout).toMatch(/session\.har: 0 not used, 0 not found\.\n$/);
});

it('reports a request without a recorded answer, and names the nearest recorded request', async () => {
  const { status, stdout, stderr } = await replayed(async (url) => {
    const answer = await fetch(`${url}/v2/state/ledger-ends`);
    expect([answer.status, await answer.text()]).toEqual([
      501,
      expect.stringMatching(
        /^canticle replay: nothing is recorded for GET \/v2\/state\/ledger-ends\./,
      ),
    ]);
    const body = JSON.parse(entryOf(SUBMIT, '"c-3"').request.postData.text);
    body.commands.commands[0].ExerciseCommand.choice = 'Transfer';
    await fetch(url + SUBMIT, json(body));
    const stream = new StreamClient(`${url}/v2/updates`);
    await stream.send({ beginExclusive: 99 });
    expect(await stream.closed).toBe(1011);
  });
  expect(status).toBe(1);
  const number =
    entries.findIndex(({ request }) => request.url.endsWith('/v2/state/ledger-end')) + 1;
  expect(stderr).toContain(
    `Nearest is exchange ${number}, GET /v2/state/ledger-end: its path is /v2/state/ledger-end.`,
  );
  expect(stderr).toContain('/commands/commands/0/ExerciseCommand');
  expect(stderr).toContain('nothing is recorded for WS /v2/updates');
  expect(stdout).toContain(`not used: exchange ${number}, GET /v2/state/ledger-end\n`);
  expect(stdout).toMatch(/ not used, 3 not found\.\n$/);
});

it('replays the requests in the order of the file, with --ordered', async () => {
  const { status, stderr } = await replayed(async (url) => {
    expect((await fetch(`${url}/v2/parties`)).status).toBe(200);
    expect((await fetch(`${url}/v2/parties`)).status).toBe(501);
    expect((await fetch(`${url}/v2/state/connected-synchronizers`)).status).toBe(200);
  }, '--in-order');
  expect(status).toBe(1);
  expect(stderr).toContain('Next is exchange 2, GET /v2/state/connected-synchronizers');
});

it('answers other requests from the world of a scenario', async () => {
  const { status, stderr } = await replayed(
    async (url) => {
      const recorded = JSON.parse(entryOf('/v0/dso-party-id').response.content.text);
      expect(await (await fetch(`${url}/api/scan/v0/dso-party-id`)).json()).toEqual(recorded);
      expect(await (await fetch(`${url}/v2/users/alice`)).json()).toMatchObject({
        code: 'USER_NOT_FOUND',
      });
      const stream = new StreamClient(`${url}/v2/state/active-contracts`);
      await stream.send({ filter: {}, activeAtOffset: 1 });
      expect(await stream.all()).toMatchObject([{ code: expect.any(String) }]);
    },
    '--scenario',
    SCENARIO,
  );
  expect([status, stderr]).toEqual([0, '']);
});

it('reports an invalid file', async () => {
  const torn = join(folder(), 'torn.har');
  writeFileSync(torn, readFileSync(file()).subarray(0, 9_000));
  const { status, stderr } = await runHere('replay', torn);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^canticle: failed to read '.*torn\.har': it is truncated: it ends after/,
    ),
  ]);
});

describe('useRecording with an answer that its schema does not allow', () => {
  const wrong = () => join(folder(), 'wrong.har');
  beforeAll(() => {
    const { log } = JSON.parse(readFileSync(file(), 'utf8'));
    log.entries = [structuredClone(entryOf('/v2/state/ledger-end'))];
    log.entries[0].response.content.text = '{"offset":"ten"}';
    writeFileSync(wrong(), JSON.stringify({ log }));
  });
  const recording = useRecording(wrong());

  it('names the exchange and the error', () => {
    expect(recording.unfitting).toEqual([
      expect.stringMatching(/^exchange 1, GET http\S+\/v2\/state\/ledger-end: .*offset/),
    ]);
  });
});

describe('useRecording', () => {
  const recording = useRecording(file());

  it('answers requests with other ids, and replaces the ids in its answers', async () => {
    const { request, response } = entryOf('/v2/users', DRAWN);
    const drawn = 'e1a9b3de-0000-4000-8000-000000000001';
    const body = request.postData.text.replace(DRAWN, drawn);
    const answer = await fetch(`${recording.url}/v2/users`, json(JSON.parse(body)));
    const text = response.content.text.replace(DRAWN, drawn);
    expect(text).toContain(drawn);
    expect(await answer.json()).toEqual(JSON.parse(text));
    expect(recording.unused).toHaveLength(entries.length - 2);
    expect(recording.unfitting).toEqual([]);
  });

  it('restarts the recording for each test, and lists missed requests', async () => {
    expect((await fetch(`${recording.url}/v2/nothing`)).status).toBe(501);
    expect(recording.missed).toEqual([
      expect.stringContaining('nothing is recorded for GET /v2/nothing. Nearest is exchange'),
    ]);
    recording.forgetMissed();
  });
});
