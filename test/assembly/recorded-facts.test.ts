/** Facts of all instances of a process, in the folders that the environment names. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanticle } from 'canticle';
import { readCosts, readFacts, writeCost } from '../../src/assembly/recorded/fact-files.js';
import { Asset, trades } from '../support/daml/privacy-model.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const all = useTemporaryFolder();
let count = 0;
/** The folder of the running test. */
let folder: string;
beforeEach(() => {
  folder = join(all(), String((count += 1)));
  mkdirSync(folder);
});
afterEach(() => {
  delete process.env['CANTICLE_PRIVACY'];
  delete process.env['CANTICLE_TRAFFIC'];
});

function issue(): void {
  const { participant } = createCanticle({ packages: [trades] });
  const [issuer, owner] = ['issuer', 'owner'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  participant.create(Asset, { issuer, owner, amount: '1' }, { actAs: [issuer] });
}

it('writes what parties learn, with the test', () => {
  process.env['CANTICLE_PRIVACY'] = folder;
  issue();
  issue();
  delete process.env['CANTICLE_PRIVACY'];
  issue();
  expect(readdirSync(folder)).toHaveLength(1);
  const { facts } = readFacts(folder);
  expect(facts.map(({ who, why }) => [who, why])).toEqual([
    ['issuer', 'signatory'],
    ['owner', 'observer'],
  ]);
  expect(facts[0]!.first).toMatchObject({
    test: expect.stringContaining('writes what parties learn, with the test'),
    path: ['create Trade:Asset'],
  });
});

it('writes what commands cost', () => {
  process.env['CANTICLE_TRAFFIC'] = folder;
  issue();
  const { costs } = readCosts(folder);
  expect(costs.map(({ what }) => what)).toEqual(['create #trades:Trade:Asset']);
  writeCost({ ...costs[0]!, what: 'flow issue', bytes: 7 }, folder);
  expect(readCosts(folder).costs.map(({ what, bytes }) => [what, bytes])).toEqual([
    ['create #trades:Trade:Asset', costs[0]!.bytes],
    ['flow issue', 7],
  ]);
});

it('leaves out a line that a process did not finish, and files of others', () => {
  process.env['CANTICLE_PRIVACY'] = folder;
  issue();
  writeFileSync(join(folder, '1-0-1.jsonl'), '{"template":"#a:B:C","what":"pay');
  writeFileSync(join(folder, 'note.txt'), '{"template":"#a:B:C"}');
  expect(readFacts(folder).facts).toHaveLength(2);
});

it('writes its own file if the name is taken', () => {
  process.env['CANTICLE_PRIVACY'] = folder;
  const taken = `${process.pid}-0-1.jsonl`;
  writeFileSync(join(folder, taken), '');
  issue();
  expect(readdirSync(folder).sort()).toEqual([taken, `${process.pid}-0-2.jsonl`]);
});

it('fails with the error of the system if the folder is missing', () => {
  process.env['CANTICLE_PRIVACY'] = join(folder, 'missing');
  expect(issue).toThrow('ENOENT');
});
