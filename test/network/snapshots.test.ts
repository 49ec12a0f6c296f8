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

it('reverts to any snapshot, any number of times', () => {
  const ids = [1, 2, 3].map(after);
  snapshots.revert(ids[1]!);
  expect(cell.value).toBe(2);
  unknown(ids[2]!);
  snapshots.revert(ids[1]!);
  snapshots.revert(ids[0]!);
  expect(cell.value).toBe(1);
  unknown(ids[1]!);
});

it('uses one id for the same state, so that repeated snapshots use no memory', () => {
  const id = after(1);
  expect([snapshots.take(), snapshots.take()]).toEqual([id, id]);
  cell.value = 2;
  snapshots.revert(id);
  expect(snapshots.take()).toBe(id);
});

it('uses different ids for different states', () => {
  const first = after(1);
  snapshots.reset();
  expect(after(2)).not.toBe(first);
  unknown(first);
});

it('resets to the latest start', () => {
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
