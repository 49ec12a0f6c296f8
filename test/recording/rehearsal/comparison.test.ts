/** The comparison of two runs of a rehearsal: which calls belong together, and what an upgrade breaks. */
import { MAX_FINDING_PLACES, MAX_FINDINGS } from '../../../src/recording/limits.js';
import type { Run, RunCall, RunTest } from '../../../src/recording/rehearsal/calls.js';
import { compareRuns, isBreaking } from '../../../src/recording/rehearsal/findings.js';

const none = () => undefined;
const run = (calls: readonly Partial<RunCall>[], tests: readonly RunTest[] = []): Run => ({
  calls: calls.map((call, order) => ({ order, ...ANSWERED, ...call })),
  tests,
  releases: [],
  left: 0,
});
const ANSWERED = { method: 'GET', path: '/v2/users', status: 200, answer: '{}' } as const;
const json = JSON.stringify;

const rejected = (code: string, cause = 'no', more: object = {}): Partial<RunCall> => ({
  status: 400,
  error: code,
  answer: json({ code, cause, ...more }),
});

/** The findings about one call. */
const found = (before: Partial<RunCall>, after: Partial<RunCall>) =>
  compareRuns(run([before]), run([after]), none).findings.map(({ kind, detail }) => [kind, detail]);

describe('a call', () => {
  test('with an equal answer has no finding', () => {
    expect(found({}, {})).toEqual([]);
    expect(found(rejected('A'), rejected('A'))).toEqual([]);
    expect(found({ answer: 'plain' }, { answer: 'plain' })).toEqual([]);
  });

  test('that is disabled', () => {
    const code = 'DEPRECATED_API_DISABLED';
    expect(found({}, rejected(code))).toEqual([['disabled', code]]);
    expect(found(rejected('A'), rejected(code))).toEqual([['disabled', code]]);
  });

  test('that the release does not have', () => {
    const detail = 'the release does not have it';
    expect(found({}, { status: 404, isUnknown: true, answer: 'no' })).toEqual([
      ['removed', detail],
    ]);
    const unknown = { status: 404, isUnknown: true, answer: 'no' };
    expect(found(unknown, unknown)).toEqual([]);
    expect(found(rejected('A'), unknown)).toEqual([['removed', detail]]);
    const grpc = { method: 'GRPC', status: 0 };
    expect(found(grpc, { ...grpc, status: 12, isUnknown: true })).toEqual([['removed', detail]]);
  });

  test('that is rejected: with its code and its text, without ids', () => {
    expect(found({}, rejected('A', `no ${'ab'.repeat(20)}\n here`))).toEqual([
      ['rejected', '400 A: no … here'],
    ]);
    expect(found({}, { status: 503, answer: 'busy' })).toEqual([['rejected', '503: busy']]);
    const grpc = { method: 'GRPC', status: 0 };
    expect(found(grpc, { ...grpc, status: 3, error: 'A' })).toEqual([['rejected', 'A']]);
  });

  test('that is rejected: with at most 200 characters of its text', () => {
    const textOf = (length: number) => found({}, { status: 503, answer: '-'.repeat(length) });
    expect(textOf(200)).toEqual([['rejected', `503: ${'-'.repeat(200)}`]]);
    expect(textOf(201)).toEqual([['rejected', `503: ${'-'.repeat(200)}`]]);
  });

  test('whose answer was one message and is a stream now has no finding about its parts', () => {
    expect(found({ answer: 'a' }, { elements: ['a'], answer: 'a' })).toEqual([]);
  });

  test('that is no longer rejected', () => {
    expect(found(rejected('A'), {})).toEqual([['accepted', 'no longer rejected with A']]);
  });

  test('with another error', () => {
    expect(found(rejected('A'), rejected('B'))).toEqual([['error', 'A becomes B']]);
    expect(found({ status: 400 }, { status: 404 })).toEqual([['error', '400 becomes 404']]);
  });

  test('with another text, value or type', () => {
    const answer = (value: unknown) => ({ answer: json({ list: [{ a: value }] }) });
    expect(found(answer('x'), answer('y'))).toEqual([['text', '/list/*/a: "x" becomes "y"']]);
    expect(found(answer(1), answer(2))).toEqual([['value', '/list/*/a: 1 becomes 2']]);
    expect(found(answer(1), answer('1'))).toEqual([['shape', '/list/*/a: number becomes text']]);
    expect(found(answer(null), answer({}))).toEqual([['shape', '/list/*/a: null becomes object']]);
    expect(found(answer(true), answer([]))).toEqual([['shape', '/list/*/a: boolean becomes list']]);
    expect(found({ answer: 'x' }, { answer: 'y' })).toEqual([
      ['text', 'the answer: "x" becomes "y"'],
    ]);
  });

  test('with another text of its error', () => {
    expect(found(rejected('A', 'x'), rejected('A', 'y'))).toEqual([
      ['text', '/cause: "x" becomes "y"'],
    ]);
  });

  test('with a missing or a new member, or another number of elements', () => {
    const [long, short] = [{ answer: json({ a: 1, b: 2 }) }, { answer: json({ a: 1 }) }];
    expect(found(long, short)).toEqual([['missing', '/b is missing']]);
    expect(found(short, long)).toEqual([['added', '/b is new']]);
    expect(found({ answer: '[1]' }, { answer: '[]' })).toEqual([['value', '/* is missing']]);
    expect(found({ answer: '[]' }, { answer: '[1]' })).toEqual([['value', '/* is new']]);
  });

  test('has the same effect once, also if several elements show it', () => {
    const elements = (a: string) => ({ answer: json([{ a }, { a }]) });
    expect(found(elements('x'), elements('y'))).toEqual([['text', '/*/a: "x" becomes "y"']]);
  });

  test('may have other ids, times and offsets, and the version of its release', () => {
    const before = { id: `00${'ab'.repeat(40)}`, at: '2026-01-01T00:00:00Z', offset: 1 };
    const after = { id: `00${'cd'.repeat(40)}`, at: '2026-01-02T00:00:00Z', offset: 7 };
    expect(found({ answer: json(before) }, { answer: json(after) })).toEqual([]);
    // The same offset twice, and then two offsets.
    const offsets = (a: number, b: number) => ({ answer: json([{ offset: a }, { offset: b }]) });
    expect(found(offsets(1, 1), offsets(1, 2))).toEqual([]);
    const version = (text: string) => ({ answer: json({ version: text }) });
    expect(found(version('3.5.14'), version('3.6.1'))).toEqual([]);
  });
});

describe('a stream', () => {
  const stream = (...elements: object[]) => ({
    method: 'WS',
    status: 101,
    elements: elements.map((each) => json(each)),
  });

  test('is compared by its elements, as far as both have them, without checkpoints', () => {
    const checkpoint = { update: { OffsetCheckpoint: {} } };
    expect(found(stream({ a: 1 }, { b: 1 }), stream(checkpoint, { a: 1 }))).toEqual([]);
    expect(found(stream({ a: 1 }), stream({ a: 2 }))).toEqual([['value', '/a: 1 becomes 2']]);
  });

  test('is rejected by an error as its last element', () => {
    const error = { code: 'DEPRECATED_API_DISABLED', cause: 'x' };
    expect(found(stream({ a: 1 }), stream(error))).toEqual([['disabled', error.code]]);
    expect(found(stream(), stream({ code: 'A', cause: 'x' }))).toEqual([['rejected', '101 A: x']]);
  });

  test('with members of the same names is not rejected', () => {
    expect(found(stream({ code: 1, cause: 'x' }), stream({ code: 1, cause: 'x' }))).toEqual([]);
  });
});

describe('calls belong together', () => {
  const version = (text: string, more: Partial<RunCall> = {}) => ({
    answer: json({ text }),
    ...more,
  });
  const test1 = { file: 'a.test.ts', title: 'one' };
  const test2 = { file: 'a.test.ts', title: 'two' };

  test('by their order, not by their place in the file', () => {
    const before = run([version('a', { order: 2 }), version('b', { order: 1 })]);
    const after = run([version('b', { order: 1 }), version('a', { order: 2 })]);
    expect(compareRuns(before, after, none)).toMatchObject({ findings: [], compared: 2 });
  });

  test('by their test, and by their operation', () => {
    const other = { path: '/v2/parties' };
    const before = run([version('a', { test: test1 }), version('b', { test: test2 })]);
    const after = run([
      version('c', { test: test2, ...other }),
      version('b', { test: test2 }),
      version('a', { test: test1 }),
    ]);
    const joined = compareRuns(before, after, none);
    expect(joined).toMatchObject({ findings: [], compared: 2, additional: 1, notMade: 0 });
    const back = compareRuns(after, before, none);
    expect(back).toMatchObject({ compared: 2, additional: 0, notMade: 1 });
  });

  test('by the template of their path, or else by the path without its query', () => {
    const template = '/v2/users/{user-id}';
    const named = (path: string) => run([{ path, template }]);
    expect(compareRuns(named('/v2/users/a'), named('/v2/users/b'), none).compared).toBe(1);
    const plain = (path: string) => run([{ path }]);
    expect(compareRuns(plain('/x?a=1'), plain('/x?a=2'), none).compared).toBe(1);
    expect(compareRuns(plain('/x'), plain('/y'), none).compared).toBe(0);
  });
});

describe('a finding', () => {
  test('names its calls, its places and its replacement', () => {
    const deprecated = { group: 'endpoints-35', instead: 'POST /new' };
    const test = { file: 'a.test.ts', title: 'one' };
    const before = run([
      { deprecated, place: 'a.test.ts:2:1', test },
      { deprecated, place: 'a.test.ts:1:1', test },
      { test },
      {},
    ]);
    const after = run(before.calls.map((call) => ({ ...call, ...rejected('A') })));
    const { findings } = compareRuns(before, after, none);
    const places = [
      'a.test.ts, one',
      'a.test.ts:1:1, one',
      'a.test.ts:2:1, one',
      'outside of tests',
    ];
    expect(findings).toEqual([
      {
        kind: 'rejected',
        detail: '400 A: no',
        call: 'GET /v2/users',
        count: 4,
        places,
        ...deprecated,
      },
    ]);
  });

  test('gets the replacement of its operation, if the calls do not have it', () => {
    const part = { group: 'endpoints-34', instead: 'POST /new' };
    const of = (operation?: string) => (operation === 'old' ? part : undefined);
    const before = run([{ operation: 'old' }]);
    const removed = { status: 404, isUnknown: true };
    expect(compareRuns(before, run([removed]), of).findings).toMatchObject([part]);
    expect(compareRuns(run([{}]), run([removed]), of).findings[0]).not.toHaveProperty('instead');
    const changed = run([{ answer: '{"a":1}' }]);
    expect(compareRuns(before, changed, of).findings[0]).not.toHaveProperty('instead');
  });

  test('is listed by its severity, then by its call and its detail', () => {
    const calls = ['/b', '/a', '/c'].map((path) => ({ path }));
    const after = run([
      { path: '/b', answer: '{"x":1}' },
      { path: '/a', answer: '{"z":1,"y":1}' },
      { path: '/c', ...rejected('A') },
    ]);
    const { findings } = compareRuns(run(calls), after, none);
    expect(findings.map(({ call, detail }) => [call, detail])).toEqual([
      ['GET /c', '400 A: no'],
      ['GET /a', '/y is new'],
      ['GET /a', '/z is new'],
      ['GET /b', '/x is new'],
    ]);
    expect(findings.map(isBreaking)).toEqual([true, false, false, false]);
  });

  test('lists at most 20 places', () => {
    const calls = (n: number) =>
      run(Array.from({ length: n }, (_, i) => ({ place: `a.test.ts:${i}:1` })));
    const after = (n: number) => run(Array.from({ length: n }, () => rejected('A')));
    const places = (n: number) => compareRuns(calls(n), after(n), none).findings[0]!.places.length;
    expect(MAX_FINDING_PLACES).toBe(20);
    expect(places(20)).toBe(20);
    expect(places(21)).toBe(20);
  });

  test('beyond the limit is only counted', () => {
    const calls = (n: number, more: Partial<RunCall> = {}) =>
      run(Array.from({ length: n }, (_, i) => ({ path: `/${i}`, ...more })));
    const compared = (n: number) => compareRuns(calls(n), calls(n, rejected('A')), none);
    expect(MAX_FINDINGS).toBe(1000);
    expect(compared(1000)).toMatchObject({ moreFindings: 0 });
    expect(compared(1001)).toMatchObject({ moreFindings: 1 });
    expect(compared(1001).findings).toHaveLength(1000);
  });
});

test('tests that fail only in the second run are listed once, in order', () => {
  const outcome = (title: string, failed: boolean) => ({ file: 'a.test.ts', title, failed });
  const before = run([], [outcome('old', true), outcome('new', false), outcome('also', false)]);
  const after = run(
    [],
    [outcome('old', true), outcome('new', true), outcome('also', true), outcome('new', true)],
  );
  const { brokenTests } = compareRuns(before, after, none);
  expect(brokenTests.map(({ title }) => title)).toEqual(['also', 'new']);
});

test('calls beyond the limits of both runs are counted', () => {
  const of = (left: number) => ({ ...run([]), left });
  expect(compareRuns(of(2), of(3), none).left).toBe(5);
});
