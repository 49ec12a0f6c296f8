/** Scripts against a JSON Ledger API: what they do there, and what they cannot. */
import { startCanticle, type Canticle } from 'canticle';
import { readDar } from '../../src/daml/index.js';
import { scriptNamed } from '../../src/script/find-scripts.js';
import { ScriptPackages } from '../../src/script/packages.js';
import type { Send } from '../../src/script/remote/json-api.js';
import { runScriptRemotely } from '../../src/script/run-remotely.js';
import { dar } from './world-scripts.js';

const { main, packages } = readDar(dar);
const all = new ScriptPackages(packages);
let canticle: Canticle;
let commands = 0;

beforeAll(async () => {
  canticle = await startCanticle({ dars: [dar] });
});
afterAll(() => canticle.close());

const send: Send = async (method, path, body) => {
  const answer = await fetch(canticle.url + path, {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return { status: answer.status, body: await answer.json() };
};

let slept = 0n;
const run = (name: string, argument?: unknown) =>
  runScriptRemotely(all, scriptNamed(main, `Main:${name}`), {
    send,
    now: () => 1_000_000n + slept,
    wait: (micros) => {
      slept += micros;
      return Promise.resolve();
    },
    newCommandId: () => `command-${commands++}`,
    userId: 'daml-script',
    argument,
  });

it('do what they do on a network in this process', async () => {
  const start = canticle.snapshot();
  const party = await run('setup');
  const byApi = canticle.participant.activeContracts();
  canticle.revert(start);
  expect(canticle.runScript('Main:setup')).toBe(party);
  const byNetwork = canticle.participant.activeContracts();
  // Ids follow from how many requests there were.
  const what = (contracts: typeof byApi) =>
    contracts.map(({ templateId, payload, signatories }) => ({ templateId, payload, signatories }));
  expect(what(byApi)).toEqual(what(byNetwork));
  canticle.revert(start);
});

it('query, exercise, and query again', async () => {
  const start = canticle.snapshot();
  expect(await run('renames')).toBe('renamed');
  canticle.revert(start);
  expect(canticle.runScript('Main:renames')).toBe('renamed');
  canticle.revert(start);
});

it('create users and find them', async () => {
  await run('user');
  const { participant } = canticle;
  expect(participant.engine.users.get('amy').primaryParty).toMatch(/^alice::/);
  expect(participant.engine.users.rights('amy')).toMatchObject([{ kind: 'CanActAs' }]);
});

it('take the time of the clock, and sleep by it', async () => {
  expect(await run('sleeps')).toBe('1970-01-01T00:01:01Z');
});

it('fail with what the ledger refuses', async () => {
  canticle.reset();
  await expect(run('refused')).rejects.toThrow(
    /^Script Main:refused failed: Submit failed: DAML_FAILURE: [^]*No, never[^]*\n {2}in main at Main:7:3/,
  );
});
