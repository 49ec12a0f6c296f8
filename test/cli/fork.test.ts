/** Simulation from a terminal: on a running sandbox, on a fork of it, on a saved world. Also a sandbox that is a fork. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startCanticle, type Canticle } from 'canticle';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { CommandHere, runHere } from './in-process.js';

const IOU = '#canticle-quickstart:Quickstart.Iou:Iou';
const folder = useTemporaryFolder();
let live: Canticle;
let [bank, other] = ['', ''];
let file = '';

beforeAll(async () => {
  live = await startCanticle({ seed: 3 });
  const { participant } = live;
  [bank, other] = [participant.allocateParty('bank'), participant.allocateParty('other')];
  const iou = { issuer: bank, owner: bank, currency: 'EUR', amount: '4.0', observers: [] };
  const contractId = participant.create(IOU, iou, { actAs: bank });
  const choice = { choice: 'Iou_Split', choiceArgument: { splitAmount: '1.0' } };
  const command = { ExerciseCommand: { templateId: IOU, contractId, ...choice } };
  file = join(folder(), 'split.json');
  writeFileSync(file, JSON.stringify({ commands: [command], actAs: [bank] }));
  live.save(join(folder(), 'live.world'));
});
afterAll(() => live.close());

const places = () => ({
  'a running sandbox': ['--url', live.url],
  'a fork of it': ['--fork', live.url, '--fork-cache', join(folder(), 'forks')],
  'a saved world': ['--load', join(folder(), 'live.world')],
});

it.each(['a running sandbox', 'a fork of it', 'a saved world'] as const)(
  'prints the effects of a simulation on %s, and changes nothing',
  async (name) => {
    const end = live.participant.ledgerEnd;
    const { status, stdout } = await runHere('simulate', file, ...places()[name]);
    expect(status).toBe(0);
    expect(stdout).toContain('creates   #canticle-quickstart:Quickstart.Iou:Iou');
    expect(stdout).toContain('seen by   bank (sandbox): 2 created, 1 exercised');
    expect(stdout).toContain('would be accepted');
    expect(live.participant.ledgerEnd).toBe(end);
  },
);

it('ends with 1 if the network would refuse the commands, and names the missing authority', async () => {
  const nobody = join(folder(), 'nobody.json');
  const iou = { issuer: bank, owner: bank, currency: 'EUR', amount: '4.0', observers: [] };
  const command = { CreateCommand: { templateId: IOU, createArguments: iou } };
  writeFileSync(nobody, JSON.stringify([command]));
  const { status, stdout } = await runHere(
    'simulate',
    nobody,
    '--url',
    live.url,
    '--act-as',
    other,
    '--json',
  );
  expect(status).toBe(1);
  expect(JSON.parse(stdout).steps[0].missing).toEqual([{ parties: [bank], node: 0 }]);
});

it.each([
  ['a missing file', ['none.json'], "failed to read 'none.json'"],
  ['a participant that does not answer', ['--fork', 'http://127.0.0.1:1'], 'cannot be reached'],
])('reports the fault of %s', async (_, flags, why) => {
  const args = flags.length === 1 ? flags : [file, ...flags];
  const { status, stderr } = await runHere('simulate', ...args);
  expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
});

it('saves the world of a running sandbox, with the same bytes as `dump`', async () => {
  const dumped = join(folder(), 'dumped.world');
  const { status } = await runHere('dump', dumped, '--url', live.url);
  expect(status).toBe(0);
  expect(Buffer.compare(readFileSync(dumped), live.dump())).toBe(0);
  const nowhere = await runHere('dump', join(folder(), 'none', 'x'), '--url', live.url);
  expect([nowhere.status, nowhere.stderr]).toEqual([1, expect.stringContaining('failed to write')]);
});

it("saves a participant's active contracts as Canton does, and continues from them", async () => {
  const dumped = join(folder(), 'dumped.acs');
  const flags = ['--url', live.url, '--acs', '--participant', 'sandbox', '--party', bank];
  expect((await runHere('dump', dumped, ...flags)).status).toBe(0);
  const bytes = live.dump({ format: 'acs', parties: [bank] });
  expect(Buffer.compare(readFileSync(dumped), bytes)).toBe(0);
  const { status, stdout } = await runHere('simulate', file, '--load', dumped);
  expect([status, stdout]).toEqual([0, expect.stringContaining('would be accepted')]);
  const whole = ['--load', join(folder(), 'live.world'), '--party', bank];
  const { stderr } = await runHere('simulate', file, ...whole);
  expect(stderr).toContain('load.parties needs a file of active contracts');
});

it('the active contracts of a new sandbox, of which there are none, can be loaded', async () => {
  const sandbox = new CommandHere('sandbox', '--json-api-port', '0');
  await sandbox.until('JSON Ledger API');
  const { 0: url = '' } = /http:\S+/.exec(sandbox.stdout) ?? [];
  const dumped = join(folder(), 'empty.acs');
  expect(await runHere('dump', dumped, '--url', url, '--acs')).toMatchObject({ status: 0 });
  sandbox.stop();
  await sandbox.ended();
  const loaded = new CommandHere('sandbox', '--json-api-port', '0', '--load', dumped);
  await loaded.until('JSON Ledger API');
  loaded.stop();
  expect(await loaded.ended()).toMatchObject({ status: 0, stderr: '' });
});

it('a sandbox starts from a fork, and reports its progress', async () => {
  const cache = ['--fork-cache', join(folder(), 'sandbox')];
  const sandbox = new CommandHere('sandbox', '--json-api-port', '0', '--fork', live.url, ...cache);
  await sandbox.until('JSON Ledger API');
  sandbox.stop();
  const { stderr } = await sandbox.ended();
  expect(stderr).toContain('fork: a participant of release 3.5.14');
  expect(stderr).toContain('fork: 2 contracts');
});

it('a fork of a Scan without Amulet is rejected with the reason', async () => {
  const of = ['--fork-scan', live.urls.scan, '--fork-cache', join(folder(), 'bare')];
  expect(await runHere('sandbox', '--json-api-port', '0', ...of)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'canticle: failed to fork: its Scan has no AmuletRules: /api/scan/v0/amulet-rules was answered with 500. Set up Amulet there first, or fork only the participant',
    ),
  });
});

it('one signal ends a sandbox that still reads a live participant', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const firstRequest = new Promise((resolve) => silent.once('request', resolve));
  const cache = ['--fork-cache', join(folder(), 'silent')];
  const fork = ['--fork', `http://127.0.0.1:${port}`, ...cache];
  const command = new CommandHere('sandbox', ...fork, '--json-api-port', '0');
  await firstRequest;
  command.stop();
  expect(await command.ended()).toEqual({ status: 0, stdout: '', stderr: '' });
  silent.closeAllConnections();
  silent.close();
});

it('removes control characters from texts of a live participant', async () => {
  const version = '9.0\u001b[2J\u001b]0;title\u0007\u009b31m';
  const liar = createServer((_, response) => response.end(JSON.stringify({ version })));
  await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
  const { port } = liar.address() as AddressInfo;
  const fork = ['--fork', `http://127.0.0.1:${port}`, '--fork-cache', join(folder(), 'liar')];
  const { status, stderr } = await runHere('sandbox', ...fork, '--json-api-port', '0');
  expect(status).toBe(1);
  expect(stderr).toBe(
    'canticle: failed to fork: its release is 9.0\\u001b[2J\\u001b]0;title\\u0007\\u009b31m, but Canticle can fork only 3.4, 3.5, 3.6, 3.7.\n',
  );
  const simulated = await runHere('simulate', file, '--url', `http://127.0.0.1:${port}`);
  expect(simulated.stdout + simulated.stderr).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
  liar.closeAllConnections();
  liar.close();
});

it('reports an invalid world file in one line', async () => {
  const broken = join(folder(), 'broken.world');
  const head = { format: 'canticle-world', version: 2, network: null };
  writeFileSync(broken, gzipSync(`${JSON.stringify(head)}\n`));
  const why = `canticle: failed to read the world '${broken}': it is damaged: in its head, /time is not a string.\n`;
  for (const argv of [
    ['sandbox', '--json-api-port', '0'],
    ['localnet', '--ports', 'auto'],
    ['simulate', file],
  ])
    expect(await runHere(...argv, '--load', broken)).toMatchObject({ status: 1, stderr: why });
});
