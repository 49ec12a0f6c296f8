/** The mutants of the process of a user's test: which code they change, and what a run records. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeWithMutants, type MutantFile } from '../../src/assembly/cache/mutants-here.js';
import { CheckedPackages } from '../../src/daml/dar/checked-packages.js';
import { readDar } from '../../src/daml/index.js';
import { scriptNamed } from '../../src/script/find-scripts.js';
import { ScriptPackages } from '../../src/script/packages.js';
import { testScript } from '../../src/script/test-script.js';
import { useTemporaryFolder } from '../support/temporary-folder.js';
import { offersDar } from './tested-offers.js';

const folder = useTemporaryFolder();
let files = 0;

/** Runs a script with the mutants of a file. @returns why it fails */
function run(script: string, more: Partial<MutantFile>): string | undefined {
  const { id } = readDar(offersDar()).main;
  const path = join(folder(), `mutants-${files++}.json`);
  writeFileSync(path, JSON.stringify({ packages: [id], affected: [id], ...more }));
  const checked = new CheckedPackages(undefined, '', codeWithMutants(path, undefined));
  const { main, packages } = readDar(offersDar(), undefined, { checked });
  const all = new ScriptPackages(packages);
  return testScript(all, scriptNamed(main as never, `Main:${script}`), { seed: 0 }).failure
    ?.message;
}

const OBSERVERS = 'Main:Offer observers#0';
const ENSURE = 'Main:Offer precondition#0';

it('run the code with one of them', () => {
  expect(run('refusesFree', { only: OBSERVERS })).toBeUndefined();
  expect(run('refusesFree', { only: ENSURE })).toBeDefined();
  expect(run('offers', { only: ENSURE })).toBeUndefined();
});

it('leave packages that the file does not name as they are', () => {
  expect(run('refusesFree', { packages: [], only: ENSURE })).toBeUndefined();
});

it('have the operators that the file names', () => {
  expect(run('refusesFree', { operators: ['drop-observer'], only: ENSURE })).toBeUndefined();
  expect(run('refusesFree', { operators: ['drop-ensure'], only: ENSURE })).toBeDefined();
});

it('are recorded once with their test file, without those in scripts', () => {
  const record = join(folder(), `record-${files++}`);
  mkdirSync(record);
  expect(run('offers', { record })).toBeUndefined();
  const [file, ...others] = readdirSync(record);
  expect(others).toEqual([]);
  const lines = readFileSync(join(record, file!), 'utf8').trimEnd().split('\n');
  expect(new Set(lines).size).toBe(lines.length);
  const read = lines.map((line) => JSON.parse(line) as Record<string, string>);
  expect(new Set(read.map(({ test }) => test))).toEqual(new Set([expect.getState().testPath]));
  const keys = (wanted: string) =>
    read.filter(({ kind }) => kind === wanted).map(({ key }) => key!);
  expect(keys('reached')).toContain(OBSERVERS);
  expect(keys('reached').filter((key) => !key.startsWith('Main:Offer '))).toEqual([]);
  // A price of 5 is above the limit with and without each change of the comparison.
  expect(keys('differs')).not.toContain(ENSURE);
});
