/** `canticle fuzz --invariant FILE`: invariants of a module, in all threads, and in the emitted tests. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, root } from '../../repository/built-package.js';
import { mintingSplit } from '../../fuzzing/zoo/value.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';
import { runHere } from '../in-process.js';
import { RunningCommand } from '../running-sandbox.js';

const folder = useTemporaryFolder();
const at = (name: string): string => join(folder(), name);

const SUPPLY = "conserved({ name: 'supply', template: 'Token', field: 'amount' })";
const OWN = "{ name: 'supply', summary: 'Own.', start: () => ({}) }";
const MODULES = {
  'named.mjs': `import { conserved } from 'canticle/node-test';
export const supply = ${SUPPLY};
export const unit = 1;`,
  'listed.mjs': `import { conserved, invariant } from 'canticle/node-test';
export default [invariant('true', () => true), ${SUPPLY}];`,
  'common.cjs': `const { conserved } = require('canticle/node-test');
exports.supply = ${SUPPLY};`,
  'one.cjs': `exports.one = ${OWN};`,
  'again.cjs': `exports.same = [${OWN}];`,
  'empty.cjs': 'exports.supply = () => true;',
  'named-wrongly.mjs': `import { conserved } from 'canticle/node-test';
export const supply = conserved({ template: 'Tokn', field: 'amount' });`,
  'broken.cjs': "throw new Error('it is broken');",
  'typed.ts': `import { conserved } from 'canticle/node-test';
const name: string = 'supply';
export const supply = conserved({ name, template: 'Token', field: 'amount' });`,
};

beforeAll(() => {
  ensureBuilt();
  mkdirSync(at('node_modules'));
  symlinkSync(root, at('node_modules/canticle'));
  for (const [name, text] of Object.entries(MODULES)) writeFileSync(at(name), text);
  writeFileSync(at('faulty.dar'), buildDar(mintingSplit(false)));
}, 60_000);

const argumentsOf = (flags: readonly string[]): readonly string[] => [
  ...['fuzz', at('faulty.dar'), '--runs', '40'],
  ...flags.map((each) => (each.includes('.') ? at(each) : each)),
];
const fuzz = (...flags: readonly string[]) => runHere(...argumentsOf(flags));
/** The built command, whose modules Node.js loads. */
const built = (...flags: readonly string[]) => new RunningCommand(...argumentsOf(flags)).ended();

it('finds what an exported invariant rejects, and imports it in the emitted test', async () => {
  const [named, common, none] = await Promise.all([
    built('--invariant', 'named.mjs', '--emit', 'of.named'),
    built('--invariant', 'common.cjs'),
    fuzz('--invariant', 'one.cjs'),
  ]);
  for (const { status, stdout, stderr } of [named, common]) {
    expect([status, stderr.replace(/canticle: wrote .*\n/g, '')]).toEqual([1, '']);
    expect(stdout).toContain('✗ supply at Main:Token.Split');
  }
  expect(none.status).toBe(0);
  const test = readFileSync(at('of.named/supply.test.js'), 'utf8');
  expect(test).toContain('import { supply } from "../named.mjs";\n');
  expect(test).toContain('    invariants: [supply],\n');
}, 60_000);

it('takes lists of invariants, in each thread', async () => {
  const [listed, again] = await Promise.all([
    built('--invariant', 'listed.mjs', '--workers', '2', '--emit', 'of.listed'),
    built('--invariant', 'listed.mjs', '--workers', '2'),
  ]);
  expect(listed.stdout).toContain('✗ supply at Main:Token.Split');
  expect(listed.stdout).toBe(again.stdout);
  const test = readFileSync(at('of.listed/supply.test.js'), 'utf8');
  expect(test).toContain('import invariants from "../listed.mjs";\n');
  expect(test).toContain('    invariants: [invariants[1]],\n');
}, 60_000);

it('refuses a module that is missing, fails, or has no invariant, and a name that occurs twice', async () => {
  const refusals = await Promise.all([
    fuzz('--invariant', 'missing.mjs'),
    fuzz('--invariant', 'broken.cjs'),
    fuzz('--invariant', 'empty.cjs'),
    fuzz('--invariant', 'one.cjs', '--invariant', 'again.cjs'),
  ]);
  for (const { status } of refusals) expect(status).toBe(2);
  const [missing, broken, empty, twice] = refusals.map(({ stderr }) =>
    stderr.replaceAll(`${folder()}/`, ''),
  );
  expect(missing).toContain("failed to load 'missing.mjs': Cannot find module");
  expect(broken).toContain("failed to load 'broken.cjs': it is broken");
  expect(empty).toContain('empty.cjs exports no invariants.');
  expect(twice).toContain("one.cjs and again.cjs both have an invariant 'supply'.");
}, 60_000);

it('says before the run that an invariant names a template that the packages do not have', async () => {
  const { status, stdout, stderr } = await built('--invariant', 'named-wrongly.mjs');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(
    /^canticle: failed to fuzz .*: There is no template or interface Tokn\. .*\n$/,
  );
}, 60_000);

it('loads TypeScript where Node.js can, and otherwise says what is missing', async () => {
  const { status, stdout, stderr } = await built('--invariant', 'typed.ts');
  if (status === 1) expect(stdout).toContain('✗ supply at Main:Token.Split');
  else {
    expect(status).toBe(2);
    expect(stderr).toContain('does not load TypeScript. Use Node.js 22.18 or later');
  }
}, 60_000);
