/** The corpus of `canticle fuzz` as a folder, and runs in several threads. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MAX_CORPUS_FILE_BYTES,
  MAX_CORPUS_FILES,
} from '../../../src/assembly/fuzzing/corpus-folder.js';
import { ensureBuilt } from '../../repository/built-package.js';
import { emptyHead } from '../../fuzzing/zoo/crashes.js';
import { vaultDar } from '../../fuzzing/guidance/vault.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';
import { RunningCommand } from '../running-sandbox.js';

const folder = useTemporaryFolder();

beforeAll(ensureBuilt, 60_000);

function file(name: string, content: Uint8Array | string): string {
  const path = join(folder(), name);
  writeFileSync(path, content);
  return path;
}
let test = 0;
beforeEach(() => void test++);
/** Another folder in each test. */
const corpus = () => join(folder(), `corpus-${test}`);
const fuzz = (dar: string, ...flags: readonly string[]) =>
  runHere('fuzz', dar, '--runs', '60', '--corpus', corpus(), ...flags);
const filesOf = (path: string) =>
  readdirSync(path)
    .filter((name) => name.endsWith('.json'))
    .sort();

it('keeps what reached something new, and the sequences of bugs', async () => {
  await fuzz(file('faulty.dar', buildDar(emptyHead(false))));
  expect(filesOf(corpus()).length).toBeGreaterThan(3);
  const [bug] = filesOf(join(corpus(), 'bugs'));
  const { steps } = JSON.parse(readFileSync(join(corpus(), 'bugs', bug!), 'utf8'));
  expect(steps.length).toBeGreaterThan(0);
});

it('tries earlier bugs first, and gives the same bytes for the same corpus', async () => {
  const dar = file('faulty.dar', buildDar(emptyHead(false)));
  await fuzz(dar, '--runs', '200');
  const before = filesOf(corpus()).map(
    (name) => [name, readFileSync(join(corpus(), name))] as const,
  );
  const bugs = filesOf(join(corpus(), 'bugs'));
  const { stdout, status } = await fuzz(dar, '--runs', '1');
  expect(stdout).toContain('in a stored sequence');
  expect(status).toBe(1);
  const copy = `${corpus()}-copy`;
  mkdirSync(join(copy, 'bugs'), { recursive: true });
  for (const [name, bytes] of before) writeFileSync(join(copy, name), bytes);
  for (const name of bugs)
    writeFileSync(join(copy, 'bugs', name), readFileSync(join(corpus(), 'bugs', name)));
  const again = await runHere('fuzz', dar, '--runs', '1', '--corpus', copy);
  expect(again.stdout).toBe(stdout);
});

it('continues from the corpus', async () => {
  const dar = file('vault.dar', vaultDar);
  const reached = async () => {
    const { stdout } = await fuzz(dar, '--runs', '40', '--json');
    return JSON.parse(stdout).coverage.branches.reached as number;
  };
  const first = await reached();
  for (let run = 0; run < 3; run++) await reached();
  expect(await reached()).toBeGreaterThan(first);
});

it('leaves out sequences that do not fit the model', async () => {
  await fuzz(file('vault.dar', vaultDar));
  const count = filesOf(corpus()).length;
  const { stdout } = await fuzz(file('faulty.dar', buildDar(emptyHead(false))));
  expect(stdout).toContain(`${count} stored sequences of another model left out`);
});

it.each([
  ['{"format":2}', 'is not a sequence of format 1.'],
  ['{', 'failed to read'],
  [' '.repeat(MAX_CORPUS_FILE_BYTES + 1), `the limit is ${MAX_CORPUS_FILE_BYTES}`],
  [' '.repeat(MAX_CORPUS_FILE_BYTES), 'failed to read'],
])('ends with 2 for the file %.20j', async (content, message) => {
  mkdirSync(corpus());
  writeFileSync(join(corpus(), 'a.json'), content);
  const { status, stderr } = await fuzz(file('vault.dar', vaultDar));
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});

it('reads as many files as the limit allows, and no more', async () => {
  expect([MAX_CORPUS_FILES, MAX_CORPUS_FILE_BYTES]).toEqual([4_000, 2 ** 20]);
  mkdirSync(corpus());
  const steps = JSON.stringify({ format: 1, steps: [] });
  for (let n = 0; n < MAX_CORPUS_FILES; n++) writeFileSync(join(corpus(), `${n}.json`), steps);
  const dar = file('vault.dar', vaultDar);
  expect((await fuzz(dar, '--runs', '1')).stderr).toBe('');
  // A run adds no files beyond the limit.
  expect(filesOf(corpus())).toHaveLength(MAX_CORPUS_FILES);
  writeFileSync(join(corpus(), 'more.json'), steps);
  const { stderr } = await fuzz(dar, '--runs', '1');
  expect(stderr).toContain(`the limit is ${MAX_CORPUS_FILES}`);
});

it('gives the same bytes in several threads, which share what they reach', async () => {
  const dar = file('vault.dar', vaultDar);
  const run = async (...flags: readonly string[]) => {
    const command = new RunningCommand('fuzz', dar, '--runs', '400', '--json', ...flags);
    const { stdout, stderr } = await command.ended();
    expect(stderr).toBe('');
    return stdout;
  };
  const two = await run('--workers', '2');
  expect(await run('--workers', '2')).toBe(two);
  const { sequences, coverage } = JSON.parse(two);
  expect(sequences).toBe(400);
  expect(coverage.branches.reached).toBeGreaterThan(4);
}, 60_000);
