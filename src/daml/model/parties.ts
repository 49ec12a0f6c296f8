/** Sets of parties for transactions: sorted, without duplicates. */
import { scalaOrder, textHash } from '../errors/scala-order.js';
import type { Party } from './values.js';

export function parties(list: readonly Party[]): readonly Party[] {
  if (isSet(list)) return list.slice();
  return list.length <= FEW ? inserted(list) : [...new Set(list)].sort();
}

const FEW = 8;

/** Inserts each at its position; for few parties, this is much faster than a set and a sort. */
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

/** Whether it is sorted without duplicates, as most lists are. The list can then be used as it is. */
function isSet(list: readonly Party[]): boolean {
  for (let i = 1; i < list.length; i++) if (list[i - 1]! >= list[i]!) return false;
  return true;
}

/** Without duplicates, in the order of Scala's sets: for a few parties, the order of insertion. */
export function namedParties(list: readonly Party[]): readonly Party[] {
  return scalaOrder([...new Set(list)], textHash);
}

/** A tree node for lists with a common prefix. */
interface Branch {
  /** The set of the list that ends here. */
  set: readonly Party[] | undefined;
  /** The list in the order of {@link namedParties}. */
  named: readonly Party[] | undefined;
  more: Map<Party, Branch> | undefined;
}

/** The maximum number of cached sets and unions. More of them are probably from single use, for example by refused commands. */
const MAX_REMEMBERED = 2 ** 17;
/** The number of sets that stay cached between tests, because the next test starts from the same state. */
const MAX_REMEMBERED_OVER_TESTS = 2 ** 9;

const NOBODY: readonly Party[] = Object.freeze([]);

/**
 * Keeps one shared array for each set of parties, because a ledger has many contracts but few sets. The arrays must not be changed. After
 * {@link PartySets.forget}, two arrays of one set can exist, so that no code may rely on identity.
 */
export class PartySets {
  private root: Branch = newRoot();
  private remembered = 0;
  /** By the repeated set and its number. */
  private readonly lists = new Map<
    readonly Party[],
    (readonly (readonly Party[])[] | undefined)[]
  >();
  private readonly unions = new Map<readonly Party[], Map<readonly Party[], readonly Party[]>>();

  /** Clears the cache if it is large. A few sets stay, as they are probably used again. */
  forgetMany(): void {
    if (this.remembered > MAX_REMEMBERED_OVER_TESTS) this.forget();
  }

  /** Clears the cache. Arrays in use stay valid. */
  forget(): void {
    this.root = newRoot();
    this.remembered = 0;
    this.lists.clear();
    this.unions.clear();
  }

  of(list: readonly Party[]): readonly Party[] {
    if (this.remembered > MAX_REMEMBERED) this.forget();
    // Short lists repeat in the same order, so the cache has that order as well.
    if (list.length > FEW && !isSet(list)) return this.of(parties(list));
    let branch = this.root;
    for (let i = 0; i < list.length; i++) branch = this.next(branch, list[i]!);
    return (branch.set ??= isSet(list) ? Object.freeze(list.slice()) : this.of(parties(list)));
  }

  /** One array for each list of the same parties, in the order of {@link namedParties}. */
  named(list: readonly Party[]): readonly Party[] {
    if (list.length <= 1) return this.of(list);
    if (this.remembered > MAX_REMEMBERED) this.forget();
    let branch = this.root;
    for (let i = 0; i < list.length; i++) branch = this.next(branch, list[i]!);
    return (branch.named ??= Object.freeze(namedParties(list).slice()));
  }

  /**
   * A list that repeats one set.
   * @param set from this object
   */
  repeated(set: readonly Party[], times: number): readonly (readonly Party[])[] {
    if (times > FEW) return new Array<readonly Party[]>(times).fill(set);
    let known = this.lists.get(set);
    if (known === undefined) this.lists.set(set, (known = []));
    return (known[times] ??= new Array<readonly Party[]>(times).fill(set));
  }

  /** @param some a set from this object */
  union(some: readonly Party[], others: readonly Party[]): readonly Party[] {
    if (some.length === 0) return this.of(others);
    for (let i = 0; i < others.length; i++)
      if (!some.includes(others[i]!)) return this.joined(some, others);
    return some;
  }

  private joined(some: readonly Party[], others: readonly Party[]): readonly Party[] {
    // An array that is not frozen may still change, and cannot be a key of the cache.
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

  /**
   * The parties of the first set only.
   * @param some a set from this object
   */
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
