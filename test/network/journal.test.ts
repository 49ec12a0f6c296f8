/** The containers behind all state: whatever is done to them, a revert to an earlier position leaves no trace. */
import fc from 'fast-check';
import {
  Journal,
  JournaledCell,
  JournaledList,
  JournaledMap,
} from '../../src/network/journal/journal.js';
import {
  JournaledIndex,
  mergeAscending,
  OrderedIndex,
} from '../../src/network/journal/ordered-index.js';
import { check } from '../support/property.js';

interface Item {
  readonly sequence: number;
}

class World {
  readonly journal = new Journal();
  readonly cell = new JournaledCell(this.journal, 'cell', 0);
  readonly map = new JournaledMap<string, number>(this.journal, 'map');
  readonly list = new JournaledList<number>(this.journal, 'list');
  readonly index = new JournaledIndex<Item>(this.journal, 'index');
  private readonly items = new Map<number, Item>();

  /** Everything that can be read. */
  state(): unknown {
    const keys = this.map.sortedKeys();
    return {
      cell: this.cell.value,
      map: keys.map((key) => [key, this.map.get(key)]),
      list: Array.from({ length: this.list.length }, (_, i) => this.list.at(i)),
      index: [...this.index.after(0)].map(({ sequence }) => sequence),
      size: this.index.size,
    };
  }

  act(action: Action): void {
    const { what, n } = action;
    if (what === 'cell') this.cell.value = n;
    else if (what === 'set') this.map.set(`k${n % 7}`, n);
    else if (what === 'delete') this.map.delete(`k${n % 7}`);
    else if (what === 'push') this.list.push(n);
    else if (this.items.has(n) && [...this.index.after(n - 1)][0]?.sequence === n)
      this.index.remove(this.items.get(n)!);
    else {
      const item = this.items.get(n) ?? { sequence: n };
      this.items.set(n, item);
      this.index.insert(item);
    }
  }
}

interface Action {
  readonly what: 'cell' | 'set' | 'delete' | 'push' | 'toggle';
  readonly n: number;
}

const action: fc.Arbitrary<Action> = fc.record({
  what: fc.constantFrom(
    'cell' as const,
    'set' as const,
    'delete' as const,
    'push' as const,
    'toggle' as const,
  ),
  n: fc.integer({ min: 1, max: 40 }),
});

describe('the journal', () => {
  it('a revert restores the state, and the same actions then produce the same state', () => {
    check(
      fc.property(fc.array(action), fc.array(action), fc.boolean(), (before, after, forgets) => {
        const world = new World();
        before.forEach((each) => world.act(each));
        const { position } = world.journal;
        if (forgets) world.journal.forget();
        const state = world.state();
        after.forEach((each) => world.act(each));
        const later = world.state();
        world.journal.revertTo(position);
        expect(world.state()).toEqual(state);
        after.forEach((each) => world.act(each));
        expect(world.state()).toEqual(later);
      }),
    );
  });

  it('undoes a change that throws, atomically', () => {
    const world = new World();
    world.cell.value = 1;
    expect(() =>
      world.journal.atomically(() => {
        world.cell.value = 2;
        world.list.push(2);
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(world.state()).toMatchObject({ cell: 1, list: [] });
  });
});

describe('an ordered index', () => {
  it('is a sorted list from any position, across chunks', () => {
    check(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { minLength: 1500, maxLength: 2500 }),
        fc.nat(5000),
        (numbers, from) => {
          const index = new OrderedIndex<Item>();
          const items = numbers.map((sequence) => ({ sequence }));
          items.forEach((item) => index.insert(item));
          const removed = items.filter((_, i) => i % 3 === 0);
          removed.forEach((item) => index.remove(item));
          const expected = items
            .filter((item) => !removed.includes(item) && item.sequence > from)
            .map(({ sequence }) => sequence)
            .sort((a, b) => a - b);
          expect([...index.after(from)].map(({ sequence }) => sequence)).toEqual(expected);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('merges ascending sources without repeats', () => {
    const sources = [[1, 4, 6], [], [1, 2, 6, 9]].map((list) =>
      list.map((sequence) => ({ sequence })).values(),
    );
    expect([...mergeAscending(sources)].map(({ sequence }) => sequence)).toEqual([1, 2, 4, 6, 9]);
  });
});
