/**
 * Compares two traces: of a prepared and an executed transaction, of two runs, or of two package versions. Contracts are compared by their
 * order of appearance, because ids depend on the run; templates by their package names.
 */
import type { TraceNode, TransactionTrace } from './trace-types.js';

/** The number of siblings up to which they are matched by content; beyond it, by index. */
const MAX_MATCHED = 1_000;
const CONTRACT_ID = /00[0-9a-f]{64,}/g;

const FIELDS = [
  'outcome',
  'template',
  'interface',
  'consuming',
  'contractId',
  'key',
  'found',
  'argument',
  'result',
  'payload',
  'authority',
  'signatories',
  'observers',
  'actors',
  'choiceObservers',
  'witnesses',
  'messages',
] as const;

/** A difference of a node that both traces have. */
export interface TraceFieldChange {
  /** Its name in {@link TraceNode}. */
  readonly field: string;
  /** The value in the first trace; absent if it has none. */
  readonly before?: unknown;
  /** The value in the second trace. */
  readonly after?: unknown;
}

/** A different node. */
export interface TraceChange {
  /** `removed`: only the first trace has it. */
  readonly change: 'added' | 'removed' | 'changed';
  /** Its `id` in the first trace. */
  readonly before?: number;
  /** Its `id` in the second. */
  readonly after?: number;
  /** For `changed`: the changed fields. */
  readonly fields: readonly TraceFieldChange[];
}

/** In the order of the second trace, with removed nodes at their old positions; empty if both are equal. */
export function diffTraces(
  first: TransactionTrace,
  second: TransactionTrace,
): readonly TraceChange[] {
  const changes: TraceChange[] = [];
  const [before, after] = [new Side(first), new Side(second)];
  const walk = (left: readonly TraceNode[], right: readonly TraceNode[]): void => {
    for (const [one, other] of matched(left, right)) {
      if (one === undefined) changes.push({ change: 'added', after: other!.id, fields: [] });
      else if (other === undefined) changes.push({ change: 'removed', before: one.id, fields: [] });
      else {
        const fields = FIELDS.flatMap((field): TraceFieldChange[] => {
          if (before.text(one, field) === after.text(other, field)) return [];
          return [{ field, before: one[field], after: other[field] }];
        });
        if (fields.length > 0)
          changes.push({ change: 'changed', before: one.id, after: other.id, fields });
      }
      walk(before.below(one?.id, one !== undefined), after.below(other?.id, other !== undefined));
    }
  };
  walk(before.below(undefined, true), after.below(undefined, true));
  return changes;
}

class Side {
  private readonly children = new Map<number | undefined, TraceNode[]>();
  private readonly contracts = new Map<string, number>();

  constructor({ nodes }: TransactionTrace) {
    for (const node of nodes) {
      const siblings = this.children.get(node.parent);
      if (siblings === undefined) this.children.set(node.parent, [node]);
      else siblings.push(node);
      if (node.contractId !== undefined && !this.contracts.has(node.contractId))
        this.contracts.set(node.contractId, this.contracts.size);
    }
  }

  below(id: number | undefined, isThere: boolean): readonly TraceNode[] {
    return (isThere ? this.children.get(id) : undefined) ?? [];
  }

  text(node: TraceNode, field: (typeof FIELDS)[number]): string {
    const json = JSON.stringify(node[field]) ?? '';
    return json.replace(CONTRACT_ID, (id) => `contract ${this.contracts.get(id) ?? id}`);
  }
}

const kindOf = ({ kind, template, interface: through, choice }: TraceNode): string =>
  JSON.stringify([kind, through ?? template, choice]);

type Pair = readonly [TraceNode | undefined, TraceNode | undefined];

/** Pairs the nodes of the longest common sequence. */
function matched(left: readonly TraceNode[], right: readonly TraceNode[]): readonly Pair[] {
  const most = Math.max(left.length, right.length);
  if (most > MAX_MATCHED)
    return Array.from({ length: most }, (_, at): Pair => [left[at], right[at]]);
  const [ours, theirs] = [left.map(kindOf), right.map(kindOf)];
  const longest = Array.from({ length: left.length + 1 }, () =>
    new Array<number>(right.length + 1).fill(0),
  );
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      longest[i]![j] =
        ours[i] === theirs[j]
          ? longest[i + 1]![j + 1]! + 1
          : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && ours[i] === theirs[j])
      pairs.push([left[i++], right[j++]]);
    else if (j >= right.length || (i < left.length && longest[i + 1]![j]! >= longest[i]![j + 1]!))
      pairs.push([left[i++], undefined]);
    else pairs.push([undefined, right[j++]]);
  }
  return pairs;
}
