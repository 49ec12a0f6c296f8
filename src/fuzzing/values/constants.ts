/** The constants in the code of packages. Values equal or close to them take branches that other values miss. */
import { DarPackage } from '../../daml/dar/dar-package.js';
import { literalsIn } from '../../daml/lf/counting/literals.js';
import type { DamlPackage } from '../../daml/model/package.js';
import type { Numeric } from '../../daml/model/numeric.js';

/** The most constants of each kind. */
const MAX_CONSTANTS = 2_000;
/** Longer texts are messages, not values. */
const MAX_CONSTANT_TEXT = 100;

export interface Constants {
  readonly ints: readonly bigint[];
  readonly numerics: readonly Numeric[];
  readonly texts: readonly string[];
  readonly timestamps: readonly bigint[];
  readonly dates: readonly number[];
}

export const NO_CONSTANTS: Constants = {
  ints: [],
  numerics: [],
  texts: [],
  timestamps: [],
  dates: [],
};

/** Without duplicates, in the order of the archives. */
export function constantsOf(packages: Iterable<DamlPackage>): Constants {
  const ints = new Set<bigint>();
  const numerics = new Map<string, Numeric>();
  const texts = new Set<string>();
  const timestamps = new Set<bigint>();
  const dates = new Set<number>();
  for (const each of packages) {
    if (!(each instanceof DarPackage)) continue;
    for (const literal of literalsIn(each.lf)) {
      if (literal.type === 'Int64') add(ints, literal.value);
      else if (literal.type === 'Timestamp') add(timestamps, literal.value);
      else if (literal.type === 'Date') add(dates, literal.value);
      else if (literal.type === 'Numeric' && numerics.size < MAX_CONSTANTS)
        numerics.set(literal.value.toString(), literal.value);
      else if (literal.type === 'Text' && literal.value.length <= MAX_CONSTANT_TEXT)
        add(texts, literal.value);
    }
  }
  return {
    ints: [...ints],
    numerics: [...numerics.values()],
    texts: [...texts],
    timestamps: [...timestamps],
    dates: [...dates],
  };
}

function add<T>(set: Set<T>, value: T): void {
  if (set.size < MAX_CONSTANTS) set.add(value);
}
