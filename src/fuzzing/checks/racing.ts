/** Two submissions on the same state that both succeed. */
import type { ExerciseNode, Transaction } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import type { Check, Finding } from '../model/finding.js';
import type { Submitted } from '../model/outcome.js';
import { actionsIn, choiceName, isWithin, templateName } from './nodes.js';

const NAME = 'double-spending';

/** A contract that the exercise creates with the authority of others, without consuming anything for it. */
function gained(
  transaction: Transaction,
  root: ExerciseNode,
  actAs: readonly Party[],
): string | undefined {
  let created: string | undefined;
  for (const node of actionsIn(transaction)) {
    if (!isWithin(root, node)) continue;
    if (node.kind === 'exercise' && node.consuming) return undefined;
    if (node.kind === 'create' && node.contract.signatories.some((party) => !actAs.includes(party)))
      created ??= templateName(node.contract.templateId);
  }
  return created;
}

function* repeated(first: Submitted, second: Submitted): Generator<Finding> {
  const exercisesOf = ({ roots, nodes }: Transaction) =>
    roots.map((root) => nodes[root]!).filter((node) => node.kind === 'exercise');
  for (const one of exercisesOf(first.transaction!))
    for (const other of exercisesOf(second.transaction!)) {
      if (one.contract.contractId !== other.contract.contractId || one.choice !== other.choice)
        continue;
      const created = gained(first.transaction!, one, first.submission.actAs);
      const again = gained(second.transaction!, other, second.submission.actAs);
      if (created === undefined || again === undefined) continue;
      const place = choiceName(one);
      yield {
        check: NAME,
        place,
        templateId: one.templateId,
        choice: one.choice,
        message:
          `Two commands exercise ${place} on the same contract at the same time, and both create a ${created} of ` +
          `${one.contract.signatories.join(', ')} without archiving anything.`,
        assertion: { kind: 'rejected' },
        isNote: true,
      };
    }
}

/** Both looked a key up, and then created a contract with it. */
function* sameKeys(first: Transaction, second: Transaction): Generator<Finding> {
  const made = new Map<string, string>();
  for (const node of actionsIn(first))
    if (node.kind === 'create' && node.contract.key !== undefined)
      made.set(node.contract.key.hash, templateName(node.contract.templateId));
  if (made.size === 0) return;
  const unused = new Set<string>();
  for (const node of actionsIn(second)) {
    if (node.kind === 'queryByKey' && node.result.length === 0) unused.add(node.key.hash);
    const hash = node.kind === 'create' ? node.contract.key?.hash : undefined;
    const template = hash === undefined || !unused.has(hash) ? undefined : made.get(hash);
    if (template === undefined) continue;
    yield {
      check: NAME,
      place: `${template} with the same key`,
      message: `Two commands find no ${template} with a key at the same time, and both create one: two contracts have the key.`,
      assertion: { kind: 'rejected' },
    };
  }
}

export const doubleSpending: Check = {
  name: NAME,
  summary:
    'Racing commands that both create a contract with a key which both found unused. Both gaining from the same contract is a note.',
  start: () => ({
    *afterStep({ submitted }) {
      const [first, second] = submitted;
      if (first?.transaction === undefined || second?.transaction === undefined) return;
      if (submitted.length !== 2) return;
      yield* repeated(first, second);
      yield* sameKeys(first.transaction, second.transaction);
    },
  }),
};
