/** The files in which the processes of a test run count calls that use what the next release disables. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  CountFile,
  MAX_COUNT_FILE_AGE,
  takeCounts,
  takeCountsOfEnded,
} from '../../../src/testing/runner/count-files.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const home = useTemporaryFolder();
const newFolder = () => mkdtempSync(join(home(), 'run-'));

const change = (name: string) =>
  ({
    group: 'endpoints-35',
    api: `GET /v2/${name}`,
    instead: `POST /v2/${name}`,
    effect: 'disables',
    release: '3.6',
  }) as const;
const counts = (name: string, calls: number) => [{ change: change(name), calls }];
const alive = String(process.pid);
/** The id of a process that has ended. */
const dead = String(spawnSync(process.execPath, ['--version']).pid);

test('the counts of all processes are added, and the folder is removed', () => {
  const folder = join(newFolder(), 'not-yet-there');
  const [first, second] = [new CountFile(folder, `${alive}-0`), new CountFile(folder, `${dead}-0`)];
  first.add(counts('a', 1));
  first.add([...counts('a', 2), ...counts('b', 4)]);
  second.add(counts('b', 8));
  expect(takeCounts(folder).counts).toEqual([...counts('a', 3), ...counts('b', 12)]);
  expect(existsSync(folder)).toBe(false);
});

test('a process takes the counts only after all others have ended', () => {
  const folder = newFolder();
  const [first, second] = [
    new CountFile(folder, `${alive}-0`),
    new CountFile(folder, `${alive}-1`),
  ];
  first.add(counts('a', 1));
  first.end();
  expect(takeCountsOfEnded(folder)).toBeUndefined();
  second.add(counts('a', 2));
  expect(takeCountsOfEnded(folder)).toBeUndefined();
  second.end();
  expect(takeCountsOfEnded(folder)?.counts).toEqual(counts('a', 3));
  expect(takeCountsOfEnded(folder)).toBeUndefined();
  expect(readdirSync(home()).filter((name) => name.includes('taken'))).toEqual([]);
});

test('a process that was killed counts as ended, with its counts so far', () => {
  const folder = newFolder();
  new CountFile(folder, `${dead}-0`).add(counts('a', 5));
  appendFileSync(join(folder, `${dead}-0`), '[{"change":');
  new CountFile(folder, `${alive}-0`).end();
  expect(takeCountsOfEnded(folder)?.counts).toEqual(counts('a', 5));
});

test('a process without such calls adds nothing', () => {
  const folder = newFolder();
  new CountFile(folder, `${alive}-0`).end();
  expect(takeCountsOfEnded(folder)?.line).toBeUndefined();
});

test('a file older than a day belongs to another run', () => {
  expect(MAX_COUNT_FILE_AGE).toBe(86_400_000);
  const takenAt = (age: number) => {
    const folder = newFolder();
    const path = join(folder, `${dead}-0`);
    writeFileSync(path, `${JSON.stringify(counts('a', 1))}\n`);
    const seconds = (Date.now() - age) / 1000;
    utimesSync(path, seconds, seconds);
    return takeCounts(folder).counts;
  };
  // One minute for the test itself.
  expect(takenAt(MAX_COUNT_FILE_AGE - 60_000)).toEqual(counts('a', 1));
  expect(takenAt(MAX_COUNT_FILE_AGE + 1000)).toEqual([]);
});

test('an absent folder breaks nothing', () => {
  const folder = newFolder();
  const file = new CountFile(folder, `${alive}-0`);
  rmSync(folder, { recursive: true });
  file.add(counts('a', 1));
  file.end();
  expect(takeCountsOfEnded(folder)).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
  expect(takeCounts(folder).line).toBeUndefined();
});
