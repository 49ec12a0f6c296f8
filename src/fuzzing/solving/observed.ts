/** The comparisons of a step, as functions of the numbers in the steps: found by changes of one number at a time. */
import { Numeric } from '../../daml/model/numeric.js';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, MAX_DATE, MIN_DATE } from '../../daml/model/time.js';
import type { DamlType } from '../../daml/model/types.js';
import type { DamlValue } from '../../daml/model/values.js';
import type { Probes } from '../../daml/lf/probing/probes.js';
import type { FuzzLedger, FuzzMark } from '../ledger/fuzz-ledger.js';
import type { Step } from '../model/step.js';
import type { Leaves } from '../values/leaves.js';
import type { LinearForm, Unknown } from './conditions.js';

/** A comparison that ran, with its operands: numbers as integers in the unit of their last digit. */
export interface Seen {
  readonly number: number;
  readonly left: bigint | string;
  readonly right: bigint | string;
}

/** A leaf of the steps whose value can change. */
export interface Leaf {
  /** Its place among all leaves of the steps. */
  readonly index: number;
  readonly type: DamlType;
  readonly value: DamlValue;
}

/** The most leaves of the steps that are changed, the last ones first. */
const MAX_LEAVES = 24;
const MAX_INT64 = 2n ** 63n - 1n;

export class Observer {
  private readonly start: FuzzMark;

  constructor(
    private readonly ledger: FuzzLedger,
    private readonly probes: Probes,
    private readonly leaves: Leaves,
  ) {
    this.start = ledger.mark();
  }

  /** The comparisons of the last step, in their order. */
  comparisons(steps: readonly Step[]): readonly Seen[] {
    const { ledger, probes } = this;
    const seen: Seen[] = [];
    try {
      for (const step of steps) {
        probes.operands.take(() => undefined);
        ledger.run(step);
      }
    } finally {
      ledger.revert(this.start);
    }
    probes.operands.take((number, left, right) => {
      const [one, other] = [operand(left), operand(right)];
      if (one !== undefined && other !== undefined) seen.push({ number, left: one, right: other });
    });
    return seen;
  }

  /** The leaves that can change. */
  leavesOf(steps: readonly Step[]): readonly Leaf[] {
    const all: Leaf[] = [];
    let index = 0;
    this.leaves.changed(steps, (type, value) => {
      if (type.kind !== 'party') all.push({ index, type, value });
      index += 1;
      return value;
    });
    return all.slice(-MAX_LEAVES);
  }

  /** The steps with other values of leaves, by their index. */
  with(steps: readonly Step[], values: ReadonlyMap<number, DamlValue>): readonly Step[] {
    let index = 0;
    return this.leaves.changed(steps, (_, value) => values.get(index++) ?? value);
  }
}

/** An integer, or a text; undefined for an operand of another kind. */
function operand(value: unknown): bigint | string | undefined {
  if (typeof value === 'bigint' || typeof value === 'string') return value;
  if (typeof value === 'number') return BigInt(value);
  return value instanceof Numeric ? value.unscaled : undefined;
}

/** A number as an integer; undefined for a text. */
export function unitsOf({ type, value }: Leaf): bigint | undefined {
  switch (type.kind) {
    case 'int64':
    case 'timestamp':
      return value as bigint;
    case 'date':
      return BigInt(value as number);
    case 'numeric':
      return (value as Numeric).unscaled;
    default:
      return undefined;
  }
}

export function valueOf({ type }: Leaf, units: bigint): DamlValue {
  switch (type.kind) {
    case 'date':
      return Number(units);
    case 'numeric':
      return Numeric.fromUnscaled(units, type.scale);
    default:
      return units;
  }
}

/** The bounds of a number's type. */
export function boundsOf({ type }: Leaf): Unknown {
  switch (type.kind) {
    case 'timestamp':
      return { least: MIN_TIMESTAMP, most: MAX_TIMESTAMP };
    case 'date':
      return { least: BigInt(MIN_DATE), most: BigInt(MAX_DATE) };
    case 'numeric':
      return { least: 1n - 10n ** 38n, most: 10n ** 38n - 1n };
    default:
      return { least: -MAX_INT64 - 1n, most: MAX_INT64 };
  }
}

/** A change that shows how an operand depends on a number: one whole unit of a decimal. */
export const deltaOf = ({ type }: Leaf): bigint =>
  type.kind === 'numeric' ? 10n ** BigInt(type.scale) : 1n;

/** How an operand changes with a leaf: by `change` for each `delta`. */
export interface Slope {
  readonly leaf: number;
  readonly change: bigint;
  readonly delta: bigint;
}

/** The linear form of an operand with this value where the leaves have these values. */
export function formOf(value: bigint, slopes: readonly Slope[], at: readonly bigint[]): LinearForm {
  const divisor = slopes.reduce((product, { delta }) => lcm(product, delta), 1n);
  const terms = new Map<number, bigint>();
  let constant = value * divisor;
  for (const { leaf, change, delta } of slopes) {
    const factor = (change * divisor) / delta;
    terms.set(leaf, factor);
    constant -= factor * at[leaf]!;
  }
  return { constant, terms, divisor };
}

function lcm(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b !== 0n) [a, b] = [b, a % b];
  return (one / a) * other;
}
