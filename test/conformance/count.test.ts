/** The count of the official suites' cases: each is named once, and no name is made up. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const folder = useTemporaryFolder();

function counted(...args: string[]) {
  const script = join(__dirname, '../../scripts/conformance-count.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
  });
  return { status, table: stdout, faults: stderr.split('\n').filter((line) => line !== '') };
}

it('every case of a suite is reproduced, answered otherwise, not applicable or missing, once', () => {
  const { status, faults, table } = counted();
  expect(faults).toEqual([]);
  expect(table).toMatch(/^all +\d+ +\d+ +\d+ +\d+$/m);
  expect(status).toBe(0);
});

it('reports a case that is named twice, omitted, or unknown', () => {
  const calls = `conformanceSuite('DivulgenceIT', { notApplicable: { DivulgenceTx: 'no' } }, (reproduce, answerOtherwise) => {
    reproduce(['DivulgenceTx', 'DivulgenceTz'], 'as it is', () => undefined);
    answerOtherwise('DivulgenceAcs', 'as it is', () => undefined);
  });`;
  writeFileSync(join(folder(), 'some.test.ts'), calls);
  const { status, faults, table } = counted(folder());
  expect(faults).toEqual([
    'DivulgenceIT:DivulgenceTx is named twice',
    'DivulgenceIT:DivulgenceTz is no case of the tool',
    'DivulgenceIT:ImmediateDivulgenceTx is not named',
  ]);
  expect(table).toMatch(/^DivulgenceIT +0 +1 +1 +1$/m);
  expect(status).toBe(1);
});
