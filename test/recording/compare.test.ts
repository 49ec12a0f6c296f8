/** Differences between two answers. Ids of each network correspond one to one, and are not differences. */
import { compareJson } from '../../src/recording/compare.js';
import { Identities } from '../../src/recording/identities.js';
import { MAX_DIFFERENCES } from '../../src/recording/limits.js';

const hash = (digit: string) => `1220${digit.repeat(64)}`;
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(hash) as [string, string, string, string];
const compared = (recorded: unknown, now: unknown, identities = new Identities()) =>
  compareJson(recorded, now, identities);

it('reports different values as short texts', () => {
  expect(compared({ a: 1, b: [true, null, 'x'] }, { a: 1, b: [true, null, 'x'] })).toEqual([]);
  expect(
    compared({ a: 1, b: { c: 'x' }, 'd/e~': [1] }, { a: 2, b: { c: 'y' }, 'd/e~': {} }),
  ).toEqual([
    { at: '/a', recorded: '1', now: '2' },
    { at: '/b/c', recorded: '"x"', now: '"y"' },
    { at: '/d~1e~0', recorded: '[1]', now: '{}' },
  ]);
  expect(compared(undefined, 'x')).toEqual([{ at: '', recorded: 'nothing', now: '"x"' }]);
  // With its quotes a text is longer by two.
  const [whole, long] = ['w'.repeat(118), 'w'.repeat(119)];
  expect(compared([1, 2], [whole, long])).toMatchObject([
    { now: `"${whole}"` },
    { now: `"${long}…` },
  ]);
});

it('an empty list differs from an empty object', () => {
  expect(compared([[], {}], [{}, []])).toEqual([
    { at: '/0', recorded: '[]', now: '{}' },
    { at: '/1', recorded: '{}', now: '[]' },
  ]);
});

it('reports missing and additional values', () => {
  expect(compared({ a: [1, 2], b: 3 }, { a: [1], c: 4 })).toEqual([
    { at: '/a/1', recorded: '2', why: 'missing' },
    { at: '/b', recorded: '3', why: 'missing' },
    { at: '/c', now: '4', why: 'too much' },
  ]);
  expect(compared([1], [1, 2])).toEqual([{ at: '/1', now: '2', why: 'too much' }]);
});

it('reports at most 20 differences', () => {
  const list = (length: number) => Array.from({ length }, () => 1);
  expect(MAX_DIFFERENCES).toBe(20);
  expect(compared(list(20), [])).toHaveLength(20);
  expect(compared(list(21), [])).toHaveLength(20);
});

it('each recorded id corresponds to one new id, in both directions', () => {
  const differencesOf = (...pairs: readonly (readonly [string, string])[]) =>
    compared(
      pairs.map(([recorded]) => recorded),
      pairs.map(([, now]) => now),
    ).map(({ at, why }) => [at, why]);
  expect(differencesOf([A, B], [B, A], [A, B])).toEqual([]);
  expect(differencesOf([A, B], [A, C])).toEqual([['/1', `${A} already corresponds to ${B}`]]);
  expect(differencesOf([A, B], [C, B])).toEqual([['/1', `${B} already corresponds to ${A}`]]);
  expect(differencesOf([`of ${A}, ${B}`, `of ${C}, ${D}`], [A, C])).toEqual([]);
  expect(differencesOf([`of ${A}`, `to ${B}`])).toEqual([['/0', undefined]]);
  expect(differencesOf([A, '2026-01-01T00:00:00Z'])).toEqual([['/0', 'hash here, time now']]);
});

it('offsets and ids as member names correspond to each other, but other numbers do not', () => {
  expect(compared({ offset: 5, [A]: { x: 1 } }, { offset: 7, [B]: { x: 1 } })).toEqual([]);
  expect(compared([{ offset: 5 }, { offset: 5 }], [{ offset: 7 }, { offset: 8 }])).toMatchObject([
    { at: '/1/offset', why: '5 already corresponds to 7' },
  ]);
  expect(compared({ size: 5 }, { size: 7 })).toHaveLength(1);
  expect(compared({ a: A, [A]: 1 }, { a: B, [C]: 1 })).toMatchObject([
    { at: `/${A}`, why: 'missing' },
    { at: `/${C}`, why: 'too much' },
  ]);
});

it('compares lists of parties as sets', () => {
  const parties = (...texts: readonly string[]) => ({ signatories: texts });
  expect(compared(parties('a', A, 'b'), parties('b', 'a', C))).toEqual([]);
  expect(compared(parties('a', 'a', 'b'), parties('a', 'b', 'b'))).toHaveLength(1);
  expect(compared(parties('a', 'b'), parties('b', 'a', 'a'))).toHaveLength(3);
  expect(compared({ list: ['a', 'b'] }, { list: ['b', 'a'] })).toHaveLength(2);
  // A set that differs leaves no correspondences.
  const identities = new Identities();
  compared(parties(A, C, 'x'), parties(B, D, 'y'), identities);
  expect(compared({ a: A, c: C }, { a: D, c: B }, identities)).toEqual([
    { at: '/a', recorded: expect.any(String), now: expect.any(String), why: expect.any(String) },
    { at: '/c', recorded: expect.any(String), now: expect.any(String), why: expect.any(String) },
  ]);
  const others = new Identities();
  others.try(() => {
    compared([A, C], [B, D], others);
    return false;
  });
  expect(compared([A, C], [D, B], others)).toEqual([]);
  // A set that is equal leaves its correspondences.
  expect(compared(parties('x', A), parties(B, 'x'), others)).toHaveLength(2);
  const known = new Identities();
  compared(parties('x', A), parties(B, 'x'), known);
  expect(compared(A, C, known)).toMatchObject([{ why: `${A} already corresponds to ${B}` }]);
});

it('a repeated request has the ids of the network that receives it', () => {
  const identities = new Identities();
  compared(
    { id: A, time: '2026-01-01T00:00:00Z', offset: 5, later: '2026-03-01T00:00:00Z' },
    { id: B, time: '2026-02-01T00:00:00Z', offset: 9, later: '2027-03-01T00:00:00Z' },
    identities,
  );
  expect(
    identities.json({
      [A]: [`of ${A} and ${C}`, null, true, 3],
      offset: 5,
      endOffset: 6,
      time: '2026-01-01T00:00:10Z',
      later: '2026-02-28T23:00:00Z',
    }),
  ).toEqual({
    [B]: [`of ${B} and ${C}`, null, true, 3],
    offset: 9,
    endOffset: 6,
    time: '2026-02-01T00:00:10.000Z',
    later: '2027-02-28T23:00:00.000Z',
  });
  // Only offsets are offsets, and only times are times.
  expect(identities.json({ size: 5, offset: 5 })).toEqual({ size: 5, offset: 9 });
  const offsets = new Identities();
  compared({ offset: 5 }, { offset: 9 }, offsets);
  expect(offsets.json('2026-01-01T00:00:10Z')).toBe('2026-01-01T00:00:10Z');
  // Of two that are as near the first counts.
  const between = new Identities();
  compared(
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:20Z'],
    ['2026-01-02T00:00:00Z', '2026-01-03T00:00:20Z'],
    between,
  );
  expect(between.json('2026-01-01T00:00:10Z')).toBe('2026-01-02T00:00:10.000Z');
  expect([identities.isPlain, new Identities().isPlain]).toEqual([false, true]);
  const nested = (depth: number): unknown =>
    Array.from({ length: depth }).reduce(
      (inner, _, n) => (n % 2 === 0 ? [inner] : { in: inner }),
      A as unknown,
    );
  expect(JSON.stringify(identities.json(nested(200)))).toContain(B);
  expect(JSON.stringify(identities.json(nested(201)))).toContain(A);
});

it('treats equal times as equal, however they are written', () => {
  const recorded = { at: '2026-01-01T00:00:00Z', again: '2026-01-01T00:00:00.000Z' };
  expect(compared(recorded, { ...recorded, again: recorded.at })).toEqual([]);
  expect(compared(recorded, { ...recorded, again: '1767225600000000' })).toEqual([]);
  expect(compared(recorded, { ...recorded, again: '2026-01-01T01:00:00+01:00' })).toEqual([]);
  expect(compared(recorded, { ...recorded, again: '2026-01-01T00:00:00.000001Z' })).toEqual([
    expect.objectContaining({ at: '/again' }),
  ]);
  const identities = new Identities();
  compared(recorded, { at: '2026-01-01T00:00:00.000000Z', again: recorded.at }, identities);
  expect(identities.isPlain).toBe(true);
  compared(recorded, { at: '2026-01-01T00:00:00.000001Z' }, identities);
  const moved = new Identities();
  compared({ at: '1767225600000000' }, { at: '1767225601000000' }, moved);
  expect(moved.isPlain).toBe(false);
  expect(moved.text('2026-01-01T00:00:10Z')).toBe('2026-01-01T00:00:11.000Z');
});
