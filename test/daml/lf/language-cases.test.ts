/** The count of the language's own cases: each group is shown by tests that exist, does not apply for a reason, or is missing. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const folder = useTemporaryFolder();

function counted(...args: string[]) {
  const script = join(__dirname, '../../../scripts/language-count.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
  });
  return { status, table: stdout, faults: stderr.split('\n').filter((line) => line !== '') };
}

it('every case that is said to be shown names a test that is there', () => {
  const { status, faults, table } = counted();
  expect(faults).toEqual([]);
  expect(table).toMatch(/^all +\d+ +\d+ +\d+$/m);
  expect(status).toBe(0);
});

it('tells of tests that are not there, and of groups that say nothing', () => {
  const file = join(folder(), 'cases.json');
  const here = 'test/daml/lf/language-cases.test.ts';
  const groups = [
    {
      of: 'here',
      cases: 2,
      shownBy: { [here]: [['no', 'such', 'test'].join(' '), 'group-that-is-here'] },
    },
    { of: 'nowhere', cases: 1, shownBy: { 'test/none.test.ts': ['a test'] } },
    { of: 'nothing', cases: 1 },
    { of: 'left', cases: 3, missing: 'time' },
  ];
  writeFileSync(file, JSON.stringify({ Suite: groups }));
  const { status, faults, table } = counted(file);
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'Suite, here',
    'Suite, nowhere',
    'Suite, nothing',
  ]);
  expect(table).toMatch(/^Suite +3 +0 +3$/m);
  expect(status).toBe(1);
});
