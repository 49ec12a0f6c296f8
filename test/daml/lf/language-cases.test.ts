/** The count of the language's own cases. Each group has existing tests, a reason why it does not apply, or is missing. */
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

it('each case names existing tests and rows', () => {
  const { status, faults, table } = counted();
  expect(faults).toEqual([]);
  expect(table).toMatch(/^all +\d+ +\d+ +0$/m);
  expect(status).toBe(0);
});

it('reports missing tests and rows, and incomplete groups', () => {
  const file = join(folder(), 'cases.json');
  const maps = 'test/daml/lf/builtins/maps.test.ts';
  const size = '%s > SIZE returns the number of entries';
  const shown = (of: string, cases: number, title: string, rows: string[] = [], more = {}) => ({
    of,
    cases,
    shownBy: { [maps]: { [title]: rows } },
    ...more,
  });
  const groups = [
    shown('a test', 1, size),
    shown('a row', 1, size, ['TEXTMAP']),
    shown('two rows', 2, size, ['TEXTMAP', 'GENMAP']),
    shown('fewer names', 2, size, ['TEXTMAP'], { how: 'for a reason' }),
    shown('half a title', 1, 'SIZE returns the number of entries'),
    shown('a name that is no title', 1, 'KINDS'),
    shown('the row of another test', 1, size, ['TEXTMAP_TO_LIST']),
    shown('too few names', 3, size, ['TEXTMAP', 'GENMAP']),
    shown('enough names', 1, size, [], { how: 'for a reason' }),
    { of: 'nowhere', cases: 1, shownBy: { 'test/none.test.ts': { 'a test': [] } } },
    { of: 'nothing', cases: 1 },
    { of: 'both', cases: 1, missing: 'time', notApplicable: 'here' },
    { of: 'no reason', cases: 1, notApplicable: '' },
    { of: 'no case', cases: 0, notApplicable: 'here' },
    { of: 'left', cases: 3, missing: 'time' },
  ];
  writeFileSync(file, JSON.stringify({ Suite: groups }));
  const { status, faults, table } = counted(file);
  expect(faults).toEqual([
    `Suite, half a title: ${maps} has no test 'SIZE returns the number of entries'`,
    `Suite, a name that is no title: ${maps} has no test 'KINDS'`,
    `Suite, the row of another test: '${size}' of ${maps} says nothing of 'TEXTMAP_TO_LIST'`,
    'Suite, too few names: names 2 of 3 cases, and not how they are all shown',
    'Suite, enough names: needs no `how`',
    "Suite, nowhere: test/none.test.ts has no test 'a test'",
    'Suite, nothing: is none or more than one of shownBy,notApplicable,missing',
    'Suite, both: is none or more than one of shownBy,notApplicable,missing',
    'Suite, no reason: says no reason',
    'Suite, no case: has no cases',
  ]);
  expect(table).toMatch(/^Suite +14 +2 +4$/m);
  expect(status).toBe(1);
});
