/** `canticle verify` with a recording of participants of different releases: each answers by its own release. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCanticle } from 'canticle';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';

const folder = useTemporaryFolder();

const SCENARIO = `name: a rollout
participants:
  - name: usual
  - name: old
    canton: '3.4'
  - name: next
    canton: '3.6'
steps: []
`;

type Json = any;

/** The same requests to each participant, as HAR entries. */
async function recorded(scenario: string): Promise<Json[]> {
  const canticle = await startCanticle({ scenario, seed: 3 });
  const entries: Json[] = [];
  const send = async (method: string, path: string, body?: object) => {
    const text = body && JSON.stringify(body);
    const url = canticle.url + path;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method, headers, ...(text && { body: text }) });
    const ofAnswer = [...answer.headers].map(([name, value]) => ({ name, value }));
    entries.push({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 0,
      request: {
        method,
        url,
        headers: [{ name: 'content-type', value: 'application/json' }],
        ...(text && { postData: { mimeType: 'application/json', text } }),
      },
      response: {
        status: answer.status,
        headers: ofAnswer,
        content: { mimeType: 'application/json', text: await answer.text() },
      },
    });
  };
  for (const name of ['usual', 'old', 'next']) {
    const at = `/participants/${name}/v2`;
    await send('GET', `${at}/version`);
    await send('GET', `${at}/users/nobody`);
    await send('GET', `${at}/state/ledger-end`);
    await send('GET', `${at}/package-vetting`);
    // The answer to an unknown path names the port.
    if (name !== 'old')
      await send('POST', `${at}/updates/get-updates-page`, { beginOffsetExclusive: 0 });
    await send('POST', `${at}/parties`, { partyIdHint: `of-${name}` });
  }
  await canticle.close();
  return entries;
}

/** @param more flags */
async function ran(entries: readonly Json[], scenario: string, ...more: string[]) {
  const file = join(folder(), 'rollout.har');
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }));
  return runHere('verify', ...[file, '--scenario', scenario, '--seed', '8', '--json'], ...more);
}

async function verified(...of: Parameters<typeof ran>): Promise<Json> {
  const { stdout } = await ran(...of);
  return JSON.parse(stdout)[0];
}

const exchangesIn = ({ operations }: Json): Json[] =>
  operations.flatMap(({ exchanges }: Json) => exchanges);

it('sends each request to its participant, and checks the answer by the release of it', async () => {
  const scenario = join(folder(), 'rollout.yaml');
  writeFileSync(scenario, SCENARIO);
  const entries = await recorded(scenario);
  const same = await verified(entries, scenario);
  expect(exchangesIn(same).filter(({ differences }) => differences)).toEqual([]);
  expect(same.operations.flatMap(({ unfitting }: Json) => unfitting)).toEqual([]);
  expect(same.equal).toBe(entries.length);

  const changed = structuredClone(entries);
  const version = (name: string): Json =>
    changed.find(({ request }) => request.url.endsWith(`/${name}/v2/version`));
  const { content } = version('old').response;
  content.text = content.text.replace('3.4.12', '3.5.14');
  // Release 3.6 must send it.
  const end = changed.find(({ request }) => request.url.endsWith('/next/v2/state/ledger-end'));
  const { synchronizerTimes: _, ...rest } = JSON.parse(end.response.content.text);
  end.response.content.text = JSON.stringify(rest);
  const other = await verified(changed, scenario);
  const different = exchangesIn(other).filter(({ differences }) => differences);
  expect(different.map(({ request }) => request)).toEqual([
    'GET /participants/old/v2/version',
    'GET /participants/next/v2/state/ledger-end',
  ]);
});

it('a participant that the network lacks has no own release', async () => {
  const scenario = join(folder(), 'rollout.yaml');
  writeFileSync(scenario, SCENARIO);
  const [first] = await recorded(scenario);
  const url = first.request.url.replace('/usual/', '/other/');
  const report = await verified([{ ...first, request: { ...first.request, url } }], scenario);
  expect([report.equal, report.different]).toEqual([1, 0]);
});

describe('a recording with an address for each participant', () => {
  const ADDRESSES: Readonly<Record<string, string>> = {
    usual: 'http://localhost:2975',
    old: 'https://old.example',
    next: 'http://gateway.example/api/next',
  };
  const flags = (...names: string[]): string[] =>
    names.flatMap((name) => ['--participant', `${name}=${ADDRESSES[name]}`]);

  /** As if each participant had its own address. */
  async function separate(scenario: string): Promise<Json[]> {
    const entries = await recorded(scenario);
    for (const { request } of entries) {
      const [, name = '', path = ''] = /\/participants\/(\w+)(\/.*)$/.exec(request.url) ?? [];
      request.url = ADDRESSES[name]! + path;
    }
    return entries;
  }

  let scenario = '';
  beforeEach(() => {
    scenario = join(folder(), 'rollout.yaml');
    writeFileSync(scenario, SCENARIO);
  });

  it('is sent to the participants that --participant names', async () => {
    const entries = await separate(scenario);
    const same = await verified(entries, scenario, ...flags('usual', 'old', 'next'));
    expect(exchangesIn(same).filter(({ differences }) => differences)).toEqual([]);
    expect(same.equal).toBe(entries.length);
    const other = await verified(entries, scenario, ...flags('usual', 'next'));
    expect(exchangesIn(other).some(({ differences }) => differences)).toBe(true);
  });

  it('counts only addresses below a whole part of a path, and a name in the path first', async () => {
    const [first] = await separate(scenario);
    const versionAt = async (url: string, ...names: string[]): Promise<number> => {
      const entry = { ...first, request: { ...first.request, url: `${url}/v2/version` } };
      return (await verified([entry], scenario, ...flags(...names))).equal;
    };
    expect(await versionAt('http://old.example', 'old')).toBe(0);
    expect(await versionAt('https://old.example:8443', 'old')).toBe(1);
    expect(await versionAt('http://gateway.example/api/next', 'next')).toBe(0);
    expect(await versionAt('http://gateway.example/api/next-one', 'next')).toBe(1);
    expect(await versionAt('http://gateway.example/api', 'next')).toBe(1);
    expect(await versionAt('https://old.example/participants/usual', 'old')).toBe(1);
  });

  test.each([
    [
      'of an unknown participant',
      ['other=http://localhost:1'],
      "there is no participant 'other' in this world: there are usual, old, next",
    ],
    ['without a name', ['=http://localhost:1'], 'Expected a name and a URL'],
    ['without a URL', ['usual'], 'Expected a name and a URL'],
    ['with another scheme', ['usual=ftp://localhost:1'], 'Expected a URL'],
    [
      'of a live system',
      ['usual=http://localhost:1', '--against', 'http://localhost:2'],
      "cannot be used with option '--against",
    ],
  ])('is refused if one is %s', async (_what, given, text) => {
    const { status, stderr } = await ran([], scenario, '--participant', ...given);
    expect(status).not.toBe(0);
    expect(stderr).toContain(text);
  });
});
