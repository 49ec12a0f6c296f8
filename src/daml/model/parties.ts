/** Sets of parties as transactions have them: sorted, each once. */
import { scalaOrder, textHash } from '../errors/scala-order.js';
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

/** Each once, in the order of Scala's sets: that in which they were named, for a few. */
export function namedParties(list: readonly Party[]): readonly Party[] {
  return scalaOrder([...new Set(list)], textHash);
}

/** Lists that begin with the same parties. */
interface Branch {
  /** The set of the list that ends here. */
  set: readonly Party[] | undefined;
  /** The same, not sorted, but as {@link namedParties} has it. */
  named: readonly Party[] | undefined;
  more: Map<Party, Branch> | undefined;
}

/** Sets and unions that are kept: what would be more is most likely some that were asked for once, as by commands that are refused. */
const MAX_REMEMBERED = 2 ** 17;
/** As many as a test asks for, and the next one, too, which begins where it did. */
const MAX_REMEMBERED_OVER_TESTS = 2 ** 9;

const NOBODY: readonly Party[] = Object.freeze([]);

/**
 * Keeps one array for each set, which all that has this set of parties shares: a ledger of many contracts has few. What comes of
 * it must never be changed. Two arrays of one set may still meet, behind a {@link PartySets.forget}: nothing rests on there being one.
 */
export class PartySets {
  private root: Branch = newRoot();
  private remembered = 0;
  /** By the set that is repeated, and how often. */
  private readonly lists = new Map<
    readonly Party[],
    (readonly (readonly Party[])[] | undefined)[]
  >();
  private readonly unions = new Map<readonly Party[], Map<readonly Party[], readonly Party[]>>();

  /** For when its sets may all be of the past: those of a test or two stay, as they most likely come again. */
  forgetMany(): void {
    if (this.remembered > MAX_REMEMBERED_OVER_TESTS) this.forget();
  }

  /** What is remembered, not what has been handed out. */
  forget(): void {
    this.root = newRoot();
    this.remembered = 0;
    this.lists.clear();
    this.unions.clear();
  }

  of(list: readonly Party[]): readonly Party[] {
    if (this.remembered > MAX_REMEMBERED) this.forget();
    // Lists of a few come again and again in the same order: that order is remembered with the set.
    if (list.length > FEW && !isSet(list)) return this.of(parties(list));
    let branch = this.root;
    for (let i = 0; i < list.length; i++) branch = this.next(branch, list[i]!);
    return (branch.set ??= isSet(list) ? Object.freeze(list.slice()) : this.of(parties(list)));
  }

  /** One array for each list of the same parties, as {@link namedParties} has them. */
  named(list: readonly Party[]): readonly Party[] {
    if (list.length <= 1) return this.of(list);
    if (this.remembered > MAX_REMEMBERED) this.forget();
    let branch = this.root;
    for (let i = 0; i < list.length; i++) branch = this.next(branch, list[i]!);
    return (branch.named ??= Object.freeze(namedParties(list).slice()));
  }

  /** The list of a set and nothing else. @param set that came from here */
  repeated(set: readonly Party[], times: number): readonly (readonly Party[])[] {
    if (times > FEW) return new Array<readonly Party[]>(times).fill(set);
    let known = this.lists.get(set);
    if (known === undefined) this.lists.set(set, (known = []));
    return (known[times] ??= new Array<readonly Party[]>(times).fill(set));
  }

  /** @param some a set that came from here */
  union(some: readonly Party[], others: readonly Party[]): readonly Party[] {
    if (some.length === 0) return this.of(others);
    for (let i = 0; i < others.length; i++)
      if (!some.includes(others[i]!)) return this.joined(some, others);
    return some;
  }

  private joined(some: readonly Party[], others: readonly Party[]): readonly Party[] {
    // An array that may still change, or will not come again, stands for nothing.
    if (!Object.isFrozen(others)) return this.of([...some, ...others]);
    let known = this.unions.get(some);
    if (known === undefined) this.unions.set(some, (known = new Map()));
    let union = known.get(others);
    if (union === undefined) {
      known.set(others, (union = this.of([...some, ...others])));
      this.remembered += 1;
    }
    return union;
  }

  /** What only the first has. @param some a set that came from here */
  difference(some: readonly Party[], others: readonly Party[]): readonly Party[] {
    for (let i = 0; i < some.length; i++)
      if (others.includes(some[i]!)) return this.of(some.filter((each) => !others.includes(each)));
    return some;
  }

  private next(branch: Branch, party: Party): Branch {
    const more = (branch.more ??= new Map());
    let found = more.get(party);
    if (found !== undefined) return found;
    more.set(party, (found = { set: undefined, named: undefined, more: undefined }));
    this.remembered += 1;
    return found;
  }
}

const newRoot = (): Branch => ({ set: NOBODY, named: NOBODY, more: undefined });
