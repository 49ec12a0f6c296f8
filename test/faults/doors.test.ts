/** Where faults are said: in a scenario, in a file, over the controls; and that nock's mount and a port of TLS have them as well. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle } from 'canticle';
import { useCanticle } from '../../src/testing/jest.js';
import { mountCanticle } from '../../src/testing/nock.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const canticle = useCanticle({ seed: 2, listen: false });
const folder = useTemporaryFolder();
const CONTROL = '/canticle/v1/faults';
const version = () => canticle.handle({ path: '/v2/version' }).then(({ status }) => status);
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await canticle.handle({ method, path: CONTROL + path, body });
  return { status: answer.status, body: answer.json() as any };
};

it('controls add, list, release and remove them', async () => {
  const rule = { on: 'getV2Version', when: { nth: 2 }, do: { refuse: 503 } };
  const { status, body } = await ask('POST', '', rule);
  expect([status, body]).toMatchObject([200, { id: 'f1', ...rule, seen: 0, hits: 0 }]);
  expect([await version(), await version()]).toEqual([200, 503]);
  const held = await ask('POST', '', { on: ['getV2Version'], do: { hold: 'request' } });
  const asked = version();
  await new Promise(setImmediate);
  expect((await ask('GET', '')).body).toMatchObject({
    faults: [
      { id: 'f1', seen: 3, hits: 1 },
      { id: 'f2', hits: 1 },
    ],
    held: [{ fault: 'f2', operation: 'getV2Version' }],
  });
  expect((await ask('POST', `/${held.body.id}/release`)).body).toEqual({ released: 1 });
  expect(await asked).toBe(200);
  expect((await ask('DELETE', '/f2')).body).toMatchObject({ id: 'f2', hits: 1 });
  expect((await ask('DELETE', '/f2')).status).toBe(404);
  expect((await ask('DELETE', '')).body).toEqual({ cleared: 1 });
  const wrong = await ask('POST', '', { on: 'getV2Version', do: { lose: 'all' } });
  expect([wrong.status, wrong.body.error]).toEqual([
    400,
    expect.stringContaining("'do' cannot be"),
  ]);
});

it('a step of a scenario adds one', async () => {
  const id = canticle.scenario.fault('getV2Version', { when: { nth: 1 }, do: { refuse: 429 } });
  expect(canticle.faults.list()).toMatchObject([{ id, rule: { on: ['getV2Version'] } }]);
  expect([await version(), await version()]).toEqual([429, 200]);
  expect(() => canticle.scenario.fault('getNoVersion', { do: { refuse: 429 } })).toThrow(
    "no operation 'getNoVersion'",
  );
});

it('a file of them holds from the start on, and a reset leaves them', async () => {
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
  expect(() => createCanticle({ faults: file })).toThrow('it is a list of { on, when, do }');
  await other.close();
});

it("nock's mount has them", async () => {
  const mount = mountCanticle(canticle, 'https://participant.example');
  const url = 'https://participant.example/v2/version';
  canticle.faults.add({ on: 'getV2Version', when: { nth: 1 }, do: { lose: 'answer' } });
  canticle.faults.add({ on: 'getV2Version', when: { nth: 2 }, do: { lose: 'answer', as: 502 } });
  await expect(fetch(url)).rejects.toThrow();
  expect((await fetch(url)).status).toBe(502);
  expect((await fetch(url)).status).toBe(200);
  mount.remove();
});
