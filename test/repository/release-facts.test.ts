/** The list of facts about releases: the titles of tests decide which of them hold. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

function run(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('is up to date with the titles of all tests', () => {
  expect(run(['scripts/list-facts.mjs', '--check'])).toMatchObject({ status: 0, stderr: '' });
});

const script = `
import { idsIn, updated } from './scripts/list-facts.mjs';
const source = [
  '/** Not R-34-001. */',
  '  // nor R-34-002',
  "it('holds (R-34-003, R-36-004)');",
  "it.each([['R-34-005 to R-34-007', 1]])",
].join('\\n');
const facts = ['R-34-003', 'R-34-004', 'R-34-008', 'R-34-009'].map((id) => ({ id, topic: 'T', text: 'A text.', state: 'holds' }));
facts[2].note = 'Known.';
const after = updated({ facts }, new Set(['R-34-003']), new Map([['R-34-004', 'New.'], ['R-34-003', 'Unused.']]));
console.log(JSON.stringify([idsIn(source), after.map(({ state, note }) => [state, note])]));
`;

it('takes ids from titles and tables, not from comments; a test is stronger than a note', () => {
  const { stdout } = run(['--input-type=module', '-e', script]);
  expect(JSON.parse(stdout)).toEqual([
    ['R-34-003', 'R-36-004', 'R-34-005', 'R-34-006', 'R-34-007'],
    [
      ['holds', null],
      ['note', 'New.'],
      ['note', 'Known.'],
      ['open', null],
    ],
  ]);
});
