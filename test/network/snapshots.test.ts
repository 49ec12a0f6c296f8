/** Moments that can be gone back to, and what going back leaves of them. */
import { Journal, JournaledCell } from '../../src/network/journal/journal.js';
import { RequestNumbers } from '../../src/network/journal/request-numbers.js';
import { Snapshots } from '../../src/network/journal/snapshots.js';

let cell: JournaledCell<number>;
let requests: RequestNumbers;
let snapshots: Snapshots;
beforeEach(() => {
  const journal = new Journal();
  cell = new JournaledCell(journal, 'cell', 0);
  requests = new RequestNumbers(journal);
  snapshots = new Snapshots(journal, requests);
  snapshots.startHere();
});

/** A change, and the moment after it. */
const after = (value: number): string => {
  cell.value = value;
  return snapshots.take();
};
const unknown = (id: string) =>
  expect(() => snapshots.revert(id)).toThrow(`Unknown snapshot ${id}`);

it('returns to any of them, any number of times', () => {
  const ids = [1, 2, 3].map(after);
  snapshots.revert(ids[1]!);
  expect(cell.value).toBe(2);
  unknown(ids[2]!);
  snapshots.revert(ids[1]!);
  snapshots.revert(ids[0]!);
  expect(cell.value).toBe(1);
  unknown(ids[1]!);
});

it('knows one moment by one id, so that taking it again and again piles nothing up', () => {
  const id = after(1);
  expect([snapshots.take(), snapshots.take()]).toEqual([id, id]);
  cell.value = 2;
  snapshots.revert(id);
  expect(snapshots.take()).toBe(id);
});

it('gives no id twice to different moments', () => {
  const first = after(1);
  snapshots.reset();
  expect(after(2)).not.toBe(first);
  unknown(first);
});

it('resets to the start that was made last', () => {
  const early = after(1);
  after(2);
  snapshots.startHere();
  after(3);
  snapshots.reset();
  expect(cell.value).toBe(2);
  snapshots.revert(early);
  after(4);
  snapshots.reset();
  expect(cell.value).toBe(1);
});
