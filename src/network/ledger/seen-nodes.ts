/** Which nodes of a transaction a participant sees. It numbers those, and no others, so that its node ids are its own (B-EVT-031). */
import type { Party } from '../../daml/model/values.js';
import type { Member } from './member.js';
import type { TransactionUpdate } from '../updates.js';

/**
 * The trees below the topmost nodes of which the participant hosts an informee, and the rollbacks in which these trees are.
 * @returns ascending; undefined where it sees all
 */
export function seenNodes(
  member: Member,
  { transaction: { nodes, roots }, witnesses }: TransactionUpdate,
): readonly number[] | undefined {
  if (seesRoots(member, nodes, roots, witnesses)) return undefined;
  const seen: number[] = [];
  const isSeen: boolean[] = [];
  for (let node = 0; node < nodes.length; node++) {
    if (!member.hostsAny(witnesses[node]!)) continue;
    // A rollback is numbered before the first tree within it that is seen.
    const opened: number[] = [];
    for (
      let above = nodes[node]!.parent;
      above >= 0 && !isSeen[above];
      above = nodes[above]!.parent
    )
      if (nodes[above]!.kind === 'rollback') opened.push(above);
    for (const each of [...opened.reverse(), node]) {
      isSeen[each] = true;
      seen.push(each);
    }
  }
  return seen.length === nodes.length ? undefined : seen;
}

/** Whoever sees the roots sees all, unless a root is a rollback, of which nobody is an informee. */
function seesRoots(
  member: Member,
  nodes: TransactionUpdate['transaction']['nodes'],
  roots: readonly number[],
  witnesses: readonly (readonly Party[])[],
): boolean {
  for (let i = 0; i < roots.length; i++) {
    const root = roots[i]!;
    if (nodes[root]!.kind === 'rollback' || !member.hostsAny(witnesses[root]!)) return false;
  }
  return true;
}
