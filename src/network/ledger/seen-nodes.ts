/**
 * The nodes of a transaction that a participant sees. It numbers only those, so that its node ids differ from others
 * (B-EVT-031).
 */
import type { Party } from '../../daml/model/values.js';
import type { Member } from './member.js';
import type { TransactionUpdate } from '../model/updates.js';

/**
 * The trees below the topmost nodes with an informee on the participant, and the rollbacks around these trees.
 * @returns ascending; undefined if the participant sees all nodes
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
    // A rollback gets its number before the first visible tree in it.
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

/** A participant that sees the roots sees all nodes, unless a root is a rollback, which has no informees. */
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
