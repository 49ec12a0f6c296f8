/**
 * `npm run mutate`: which changes it makes of a source, and what it says of those that tests notice and those that
 * they do not.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { useTemporaryFolder } from '../support/temporary-folder.js';

const root = join(__dirname, '..', '..');
// oxlint-disable-next-line typescript/no-require-imports -- a script, which jest's transform reads as CommonJS
const { mutantsOf, withMarks } = require('../../scripts/mutate/operators.cjs') as {
  mutantsOf(
    text: string,
    file: string,
  ): {
    start: number;
    end: number;
    replacement: string;
    before: string;
    after: string;
    reached: number;
  }[];
  withMarks(text: string, file: string): string;
};
// oxlint-disable-next-line typescript/no-require-imports -- as above
const { withSwitches } = require('../../scripts/mutate/switches.cjs') as {
  withSwitches(text: string, file: string, first: number): { text: string; unswitched: number[] };
};
const changes = (text: string) =>
  mutantsOf(text, 'x.ts').map(({ before, after }) => `${before} → ${after}`);

it.each([
  ['a < b', ['a < b → a <= b']],
  ['a === b || !c', ['a === b → a !== b', 'a === b || !c → a === b && !c', '!c → c']],
  ['for (;;) { if (a.isOver) break; }', ['if (a.isOver) → if (false)']],
  ['if (a) b(); else c();', ['if (a) → if (!(a))', 'b(); → ;', 'c(); → ;']],
  [
    'x = a ? true : 2n',
    [
      'a ? true : 2n → !(a) ? true : 2n',
      'a ? true : 2n → a ? false : 2n',
      'a ? true : 2n → a ? true : (2n + 1n)',
    ],
  ],
  [
    'x = list.filter(f).some(g)',
    ['list.filter(f).some(g) → list.filter(f).every(g)', 'list.filter(f) → list'],
  ],
  ['x = list.every(f).toString()', ['list.every(f) → list.some(f)']],
  [
    "import { a } from 'b'; type T = 1 | true; invariant(a > 1, 'a'); this.find(a)",
    ['this.find(a) → ;'],
  ],
])('%s', (text, expected) => {
  expect(changes(text).sort()).toEqual([...expected].sort());
});

it('marks each function, and names the function of each mutant', () => {
  const text = 'const f = (a) => a > 1; class C { m() { return (() => ({ a: !b }))(); } }';
  const reached: string[] = [];
  Object.assign(globalThis, {
    reachedByTests: (file: string, place: number) => reached.push(`${file} ${place}`),
  });
  new Function('b', `${withMarks(text, 'x.ts')}; f(1); new C().m();`)(false);
  Reflect.deleteProperty(globalThis, 'reachedByTests');
  expect(reached).toEqual(['x.ts 0', 'x.ts 1', 'x.ts 2']);
  expect(mutantsOf(text, 'x.ts').map(({ reached }) => reached)).toEqual([0, 0, 2]);
});

it('selects each mutant by its number, and lists code that it cannot mutate', () => {
  const text = `const f = (list, by = 1) => {
    if (!list || list.length > 2 - by) return list?.find((x) => x > by);
    if (list.length === 1) g(); else h();
    return list
      .filter((x) => x)
      .some((x) => x === 0) ? true : 7n;
  }; f(a)`;
  const inputs = [undefined, [], [1], [0, 1], [3, 4, 5]];
  const outcomes = (code: string, on?: number) =>
    inputs.map((a) => {
      const calls: string[] = [];
      const [g, h] = ['g', 'h'].map((name) => () => calls.push(name));
      const reached = (id: number) => id === on;
      const run = new Function(
        'a',
        'g',
        'h',
        'globalThis',
        `${code.replace('f(a)', 'return f(a)')}`,
      );
      try {
        return [run(a, g, h, { mutantAt: reached }), calls] as unknown;
      } catch (error) {
        return String(error);
      }
    });
  const switched = withSwitches(text, 'x.ts', 10);
  expect(outcomes(switched.text)).toEqual(outcomes(text));
  const mutants = mutantsOf(text, 'x.ts');
  expect(mutants.length).toBeGreaterThan(15);
  for (const [i, { start, end, replacement }] of mutants.entries())
    expect(outcomes(switched.text, 10 + i)).toEqual(
      outcomes(text.slice(0, start) + replacement + text.slice(end)),
    );
  expect(switched.unswitched).toEqual([]);
  expect(withSwitches('a?.filter(f).length', 'x.ts', 3).unswitched).toEqual([3]);
});

const RULE = `
export const isOpen = (now: number, from: number): boolean => now >= from;
export const isFull = (count: number, most: number): boolean => count > most;
export const isUnused = (): boolean => true;
const known = new Map<number, boolean>();
export const isKnown = (n: number): boolean => known.get(n) ?? known.set(n, !n).get(n)!;
export const once = (): void => { let again; do again = false; while (again); };
`;
const TESTS = `
import { isFull, isKnown, isOpen, once } from './rule.js';
test('opens', () => expect([1, 2, 3].map((now) => isOpen(now, 2))).toEqual([false, true, true]));
test('fills', () => expect([isFull(0, 2), isFull(3, 2)]).toEqual([false, true]));
test('ends', () => once());
test('knows', () => expect([0, 1].map(isKnown)).toEqual([true, false]));
`;

const folder = useTemporaryFolder();

/** Bytes: of the list of all mutants. */
const MOST_PRINTED = 16 * 1024 * 1024;

/** @returns the exit status and what was printed */
const mutate = (...flags: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts/mutate.mjs'), ...flags], {
    maxBuffer: MOST_PRINTED,
  }).then(
    ({ stdout }) => [0, stdout, ''] as const,
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) =>
      [code, stdout, stderr] as const,
  );

it('finds the files, suites and equivalent mutants of its rules', async () => {
  const [status, said] = await mutate('--list');
  expect(status).toBe(0);
  const counts = new Map<string, number>();
  // Rules may share a file: each lists its mutants.
  for (const rule of said.split(/\n(?=\S)/)) {
    const own = new Map<string, number>();
    for (const line of rule.split('\n')) {
      const text = line.replace(/:\d+: /, ': ');
      own.set(text, (own.get(text) ?? 0) + 1);
    }
    for (const [text, count] of own) counts.set(text, Math.max(count, counts.get(text) ?? 0));
  }
  const rows = JSON.parse(readFileSync(join(root, 'scripts/mutate/equivalent.json'), 'utf8')) as {
    file: string;
    before: string;
    after: string;
    nth?: number;
  }[];
  // A row is for one mutant: an index selects among mutants with equal text.
  const wrong = rows.filter(({ file, before, after, nth }) => {
    const alike = counts.get(`  ${file}: ${before}  →  ${after}`) ?? 0;
    return nth === undefined ? alike !== 1 : alike < 2 || nth > alike;
  });
  expect(wrong).toEqual([]);
});

it('stops before it mutates if a suite or a folder of suites is missing', async () => {
  const file = join(folder(), 'rule.ts');
  writeFileSync(file, RULE);
  for (const [tests, words] of [
    ['test/no-such-room', 'test/no-such-room does not exist'],
    ['test/support', 'test/support contains no *.test.ts'],
  ])
    expect(
      await mutate(`--files=${file}`, `--tests=test/repository/mutate.test.ts,${tests}`),
    ).toEqual([2, '', `Failed to mutate: ${words}.\n`]);
});

it('distinguishes killed, surviving and unreached mutants, and changes no file', async () => {
  const [file, tests, json] = ['rule.ts', 'rule.test.ts', 'told.json'].map((name) =>
    join(folder(), name),
  ) as [string, string, string];
  writeFileSync(file, RULE);
  writeFileSync(tests, TESTS);
  const run = (...more: string[]) =>
    mutate(`--files=${file}`, `--tests=${tests}`, `--json=${json}`, ...more);
  // Seconds of processor time: on a slow machine a run that ends takes more than one.
  const [status, said] = await run('--timeout=1.5');
  const records = JSON.parse(readFileSync(json, 'utf8')) as Record<string, string>[];
  expect(records.map(({ status, why, before, after }) => [status, why, before, after])).toEqual([
    ['killed', `${tests} › opens`, 'now >= from', 'now > from'],
    ['survived', '1 suites pass', 'count > most', 'count >= most'],
    ['survived', 'no suite of the rule reaches it', '(): boolean => true', '(): boolean => false'],
    // The state that it leaves in a module would kill its neighbours, too.
    ['killed', `${tests} › knows`, '!n', 'n'],
    ['killed', 'timed out', 'again = false', 'again = true'],
  ]);
  expect(status).toBe(1);
  expect(said).toContain('given: 3 killed (1 timed out), 2 survived, 0 equivalent: 60 %');
  expect(readFileSync(file, 'utf8')).toBe(RULE);
  // As many as are asked for, the same for the same seed.
  const [first, again] = [await run('--list', '--max=2'), await run('--list', '--max=2')];
  expect(first).toEqual(again);
  expect(first[1]).toContain('given: 2 of 5 mutants');
  // Or those of some lines alone.
  const [, of] = await run('--list', `--at=${file}:3,${file}:9`);
  expect(of.trim().split('\n').slice(1)).toEqual([`  ${file}:3: count > most  →  count >= most`]);
}, 60_000);
