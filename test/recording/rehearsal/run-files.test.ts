/** The files of a run: what a process writes of its calls, and what the comparison reads of them, up to their limits. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ExchangeFile,
  MAX_EXCHANGE_FILE_BYTES,
  writePlace,
  writeTest,
  type ExchangeLine,
} from '../../../src/assembly/rehearsal/exchange-file.js';
import { readRun } from '../../../src/bridge/read-run.js';
import { MAX_REHEARSED_CALLS, MAX_REHEARSED_CHARACTERS } from '../../../src/recording/limits.js';
import { useTemporaryFolder } from '../../support/temporary-folder.js';

const home = useTemporaryFolder();
const newFolder = () => mkdtempSync(join(home(), 'run-'));
const contentOf = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');

type Line<K extends ExchangeLine['kind']> = Extract<ExchangeLine, { kind: K }>;

const call = (order: number, more: Partial<Line<'call'>> = {}): ExchangeLine => ({
  ...{ kind: 'call', order, method: 'GET', path: '/v2/version', status: 200 },
  ...more,
});
const lineLength = (line: ExchangeLine) => JSON.stringify(line).length;

/** A folder with a file for each list of lines. */
function folderOf(...files: readonly (readonly ExchangeLine[])[]): string {
  const folder = newFolder();
  for (const lines of files) {
    const file = new ExchangeFile(folder);
    for (const line of lines) file.write(line);
  }
  return folder;
}

describe('a file', () => {
  // An umlaut has two bytes.
  const [first, second] = [call(1, { answer: '"ä"' }), call(2)];
  const text = [first, second].map((line) => `${JSON.stringify(line)}\n`).join('');
  const bytes = Buffer.byteLength(text);
  const full = `${JSON.stringify({ kind: 'full' })}\n`;

  test('contains the lines up to its limit of bytes', () => {
    expect(MAX_EXCHANGE_FILE_BYTES).toBe(268_435_456);
    const folder = newFolder();
    const file = new ExchangeFile(folder, bytes);
    file.write(first);
    file.write(second);
    expect(contentOf(folder)).toBe(text);
    file.write(call(3));
    expect(contentOf(folder)).toBe(text + full);
  });

  test('says at its end that a line is beyond the limit, and contains no later one', async () => {
    const folder = newFolder();
    const file = new ExchangeFile(folder, bytes - 1);
    for (const line of [first, second, call(3), { kind: 'place', place: 'a' } as const])
      file.write(line);
    expect(contentOf(folder)).toBe(`${JSON.stringify(first)}\n${full}`);
    const { calls, left } = await readRun(folder);
    expect([calls.length, left]).toEqual([1, 1]);
  });

  test('with all of its lines has no call beyond the limits', async () => {
    expect(await readRun(folderOf([first, second]))).toMatchObject({ left: 0 });
  });

  test('has another name than the files of its folder', () => {
    const folder = folderOf([], [], []);
    const [start] = readdirSync(folder)[0]!.split(/\d+\.jsonl$/);
    expect(readdirSync(folder).sort()).toEqual([1, 2, 3].map((n) => `${start}${n}.jsonl`));
  });

  test('has the outcomes of tests and the places of calls, as they come', () => {
    const folder = newFolder();
    const test = { file: 'a.test.ts', title: 'a' };
    writeTest(folder, test, true, 'b');
    writePlace(folder, 'c');
    writeTest(folder, test, false);
    const lines = contentOf(folder).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { kind: 'test', ...test, failed: true, why: 'b' },
      { kind: 'place', place: 'c' },
      { kind: 'test', ...test, failed: false },
    ]);
    const other = newFolder();
    writePlace(other, 'd');
    expect(contentOf(other)).toBe('{"kind":"place","place":"d"}\n');
  });

  test('numbers its calls', () => {
    const file = new ExchangeFile(newFolder());
    expect([file.next(), file.next()]).toEqual([1, 2]);
  });

  test('in a folder that does not exist is an error', () => {
    expect(() => new ExchangeFile(join(home(), 'absent'))).toThrow(/ENOENT/);
  });
});

describe('a run', () => {
  const orders = async (...args: Parameters<typeof readRun>) => {
    const { calls, left } = await readRun(...args);
    return { orders: calls.map(({ order }) => order), left };
  };

  test('has the calls of all files up to its limit of calls, and counts the others', async () => {
    expect(MAX_REHEARSED_CALLS).toBe(200_000);
    const folder = folderOf([call(1), call(2)], [call(3)]);
    expect(await orders(folder, { canton: '3.5' }, { maxCalls: 3 })).toEqual({
      orders: [1, 2, 3],
      left: 0,
    });
    expect(await orders(folder, { canton: '3.5' }, { maxCalls: 2 })).toEqual({
      orders: [1, 2],
      left: 1,
    });
  });

  test('leaves out a call beyond its limit of characters, and has a shorter one after it', async () => {
    expect(MAX_REHEARSED_CHARACTERS).toBe(268_435_456);
    const all = [call(1), call(2, { answer: 'x'.repeat(100) }), call(3)];
    const folder = folderOf(all.slice(0, 2), all.slice(2));
    const maxCharacters = all.reduce((sum, each) => sum + lineLength(each), 0);
    const upTo = (n: number) => orders(folder, { canton: '3.5' }, { maxCharacters: n });
    expect(await upTo(maxCharacters)).toEqual({ orders: [1, 2, 3], left: 0 });
    expect(await upTo(maxCharacters - 1)).toEqual({ orders: [1, 2], left: 1 });
    const short = lineLength(all[0]!) + lineLength(all[2]!);
    expect(await upTo(short)).toEqual({ orders: [1, 3], left: 1 });
    expect(await upTo(short - 1)).toEqual({ orders: [1], left: 2 });
  });

  test('does not count the calls of the control API', async () => {
    const folder = folderOf([call(1, { api: 'control' }), call(2)]);
    expect(await orders(folder, { canton: '3.5' }, { maxCalls: 1 })).toEqual({
      orders: [2],
      left: 0,
    });
  });

  test('gives a place to the calls since the last one, of the same file', async () => {
    const place = (name: string): ExchangeLine => ({ kind: 'place', place: name });
    const folder = folderOf(
      [call(1), call(2), place('a'), call(3), place('b'), call(4)],
      [call(5), place('c')],
    );
    const { calls } = await readRun(folder);
    expect(calls.map((each) => each.place)).toEqual(['a', 'a', 'b', undefined, 'c']);
  });

  test('has the releases of its instances once, in order, and names the calls by the current one', async () => {
    type Instance = Line<'instance'>;
    const instance = (canton: Instance['canton'], splice: Instance['splice']): Instance => ({
      ...{ kind: 'instance', canton, splice },
    });
    const vetting = call(1, { path: '/v2/package-vetting', method: 'POST', status: 404 });
    const folder = folderOf([
      instance('3.7', '0.9'),
      instance('3.7', '0.9'),
      instance('3.5', '0.7.4'),
      instance('3.7', '0.7.4'),
      vetting,
    ]);
    const run = await readRun(folder);
    expect(run).toMatchObject({
      canton: '3.7',
      releases: ['Canton 3.5', 'Canton 3.7', 'Splice 0.9'],
    });
    expect(run.calls[0]).toMatchObject({ isUnknown: true });
    expect(run.calls[0]).not.toHaveProperty('operation');
    const { calls } = await readRun(folder, { canton: '3.5' });
    expect(calls[0]).toMatchObject({
      isUnknown: true,
      operation: 'postV2Package-vetting',
      template: '/v2/package-vetting',
    });
  });

  test.each([
    ['a path without an operation', { status: 404 }, true],
    ['an operation that finds nothing', { status: 404, operation: 'a' }, undefined],
    ['another status', { status: 400 }, undefined],
    ['a method of gRPC', { method: 'GRPC', status: 12 }, true],
    ['a method that is disabled', { method: 'GRPC', status: 12, error: 'A' }, undefined],
    ['a method that fails', { method: 'GRPC', status: 5 }, undefined],
  ])('sees whether its release has %s', async (_, more, isUnknown) => {
    const { calls } = await readRun(folderOf([call(1, { path: '/other', ...more })]));
    expect(calls[0]!.isUnknown).toBe(isUnknown);
  });

  test('has tests with paths from here, and ignores a line that a process did not finish', async () => {
    const file = join(process.cwd(), 'test', 'a.test.ts');
    const folder = folderOf([
      { kind: 'test', file, title: 'a', failed: true, why: 'b' },
      { kind: 'test', file: '', title: 'c', failed: false },
      { ...call(1), test: { file, title: 'a' } } as ExchangeLine,
    ]);
    writeFileSync(join(folder, 'z.jsonl'), JSON.stringify(call(2)).slice(0, -1));
    expect(await readRun(folder)).toMatchObject({
      tests: [
        { file: 'test/a.test.ts', title: 'a', failed: true, why: 'b' },
        { file: '', title: 'c', failed: false },
      ],
      calls: [{ order: 1, test: { file: 'test/a.test.ts', title: 'a' } }],
    });
  });
});
