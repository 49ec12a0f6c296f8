/** Sets of parties as transactions have them: sorted, each once. */
import type { Party } from './values.js';

export function parties(list: readonly Party[]): readonly Party[] {
  if (isSet(list)) return list.slice();
  return list.length <= FEW ? inserted(list) : [...new Set(list)].sort();
}

const FEW = 8;

/** Each put where it belongs: for a few, that is much cheaper than a set and a sort. */
function inserted(list: readonly Party[]): readonly Party[] {
  const set: Party[] = [];
  for (let i = 0; i < list.length; i++) {
    const party = list[i]!;
    if (set.includes(party)) continue;
    let place = set.push(party) - 1;
    for (; place > 0 && set[place - 1]! > party; place--) set[place] = set[place - 1]!;
    set[place] = party;
  }
  return set;
}

/** Whether it is sorted and without repeats: most lists are, and then nothing has to be built. */
function isSet(list: readonly Party[]): boolean {
  for (let i = 1; i < list.length; i++) if (list[i - 1]! >= list[i]!) return false;
  return true;
}

/** Sets that begin with the same parties. */
interface Branch {
  set: readonly Party[] | undefined;
  more: Map<Party, Branch> | undefined;
}

const NOBODY: readonly Party[] = Object.freeze([]);

/**
 * Keeps one array for each set, which all that has this set of parties shares: a ledger of many contracts has few. What comes of
 * it must never be changed.
 */
export class PartySets {
  private readonly root: Branch = { set: NOBODY, more: undefined };
  private readonly lists = new Map<readonly Party[], readonly (readonly Party[])[]>();

  of(list: readonly Party[]): readonly Party[] {
    const sorted = isSet(list) ? list : parties(list);
    let branch = this.root;
    for (let i = 0; i < sorted.length; i++) branch = next(branch, sorted[i]!);
    return (branch.set ??= Object.freeze(sorted.slice()));
  }

  /** The list of this set alone. @param set that came from here */
  alone(set: readonly Party[]): readonly (readonly Party[])[] {
    let list = this.lists.get(set);
    if (list === undefined) this.lists.set(set, (list = [set]));
    return list;
  }

  /** @param some a set that came from here */
  union(some: readonly Party[], others: readonly Party[]): readonly Party[] {
    if (some.length === 0) return this.of(others);
    for (let i = 0; i < others.length; i++)
      if (!some.includes(others[i]!)) return this.of([...some, ...others]);
    return some;
  }

  /** What only the first has. @param some a set that came from here */
  difference(some: readonly Party[], others: readonly Party[]): readonly Party[] {
    return some.some((party) => others.includes(party))
      ? this.of(some.filter((party) => !others.includes(party)))
      : some;
  }
}

function next(branch: Branch, party: Party): Branch {
  const more = (branch.more ??= new Map());
  let found = more.get(party);
  if (found === undefined) more.set(party, (found = { set: undefined, more: undefined }));
  return found;
}
