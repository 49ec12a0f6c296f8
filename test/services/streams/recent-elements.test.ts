/** Elements that streams of one format share: how many are kept, and for how many formats. */
import { createCanticle } from 'canticle';
import { recentElements, RecentElements } from '../../../src/services/streams/recent-elements.js';

type Entry = Parameters<RecentElements<number>['get']>[0];
const entry = (offset: number) => ({ offset }) as unknown as Entry;

/** Whether an element is made again after `others` other elements. */
const isMadeAnew = (others: number): boolean => {
  const recent = new RecentElements<number>();
  const first = entry(0);
  let made = 0;
  const get = (of: Entry) =>
    recent.get(
      of,
      () => true,
      () => (made += 1),
    );
  get(first);
  for (let i = 1; i <= others; i += 1) get(entry(i));
  const before = made;
  get(first);
  return made > before;
};

it('stores 64 elements of a format, and removes the oldest first', () => {
  expect([isMadeAnew(63), isMadeAnew(64)]).toEqual([false, true]);
});

it('replaces an element that does not match', () => {
  const recent = new RecentElements<string>();
  const one = entry(1);
  const never = () => false;
  recent.get(one, never, () => 'first');
  expect(recent.get(one, never, () => 'second')).toBe('second');
  expect(
    recent.get(
      one,
      () => true,
      () => 'third',
    ),
  ).toBe('second');
});

it('stores 32 formats of a participant, and compares their maps', () => {
  const { engine } = createCanticle().participant;
  const format = (number: number) => ({ parties: new Map([[`party-${number}`, true]]) });
  const first = recentElements(engine, format(0));
  for (let i = 1; i < 32; i += 1) expect(recentElements(engine, format(i))).not.toBe(first);
  expect(recentElements(engine, format(0))).toBe(first);
  recentElements(engine, format(32));
  expect(recentElements(engine, format(0))).not.toBe(first);
});
