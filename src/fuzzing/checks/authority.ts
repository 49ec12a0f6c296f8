/** Rights: choices of strangers, and authority that a choice lends to its caller. */
import type { Action, ExerciseNode, Transaction } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import type { Check, Finding } from '../model/finding.js';
import type { Submitted } from '../model/outcome.js';
import {
  actionsIn,
  choiceName,
  choicesAround,
  haveStake,
  isWithin,
  mentions,
  pathOf,
  Places,
  templateName,
} from './nodes.js';

const ANYONE = 'anyone-may-exercise';

/** The exercise consumes a contract in which no submitter has a stake, and which it did not create itself. */
function takenBy(
  transaction: Transaction,
  root: ExerciseNode,
  actAs: readonly Party[],
): ExerciseNode | undefined {
  const made = new Set<string>();
  for (const node of actionsIn(transaction)) {
    if (!isWithin(root, node)) continue;
    if (node.kind === 'create') made.add(node.contract.contractId);
    else if (node.kind === 'exercise' && node.consuming)
      if (!made.has(node.contract.contractId) && !haveStake(node.contract, actAs)) return node;
  }
  return undefined;
}

function* strangersIn({ submission: { actAs }, transaction }: Submitted): Generator<Finding> {
  for (const root of transaction?.roots ?? []) {
    const node = transaction!.nodes[root]!;
    if (node.kind !== 'exercise' || haveStake(node.contract, actAs)) continue;
    if (node.actingParties.some((party) => mentions(node.contract.payload, party))) continue;
    const taken = takenBy(transaction!, node, actAs);
    const [place, { templateId, choice }] = [choiceName(node), node];
    const effect =
      taken === undefined
        ? 'This is right for a service that everybody may use.'
        : `It archives a ${templateName(taken.templateId)} of ${taken.contract.signatories.join(', ')}.`;
    yield {
      check: ANYONE,
      place: taken === undefined ? `${place} as a service` : place,
      templateId,
      choice,
      message: `${node.actingParties.join(', ')} exercises ${place}, and is not a stakeholder of the contract. ${effect}`,
      assertion: { kind: 'rejected' },
      ...(taken === undefined && { isNote: true as const }),
    };
  }
}

export const anyoneMayExercise: Check = {
  name: ANYONE,
  summary:
    'A choice with which a stranger archives a contract of others. A choice without such an effect is a note.',
  start: () => ({
    *afterStep({ submitted }) {
      for (const each of submitted) if (each.transaction !== undefined) yield* strangersIn(each);
    },
  }),
};

const DELEGATED = 'delegated-authority';

/** The parties whose authority an action needs. */
function needed(node: Action): readonly Party[] {
  if (node.kind === 'create') return node.contract.signatories;
  return node.kind === 'exercise' ? node.actingParties : [];
}

export const delegatedAuthority: Check = {
  name: DELEGATED,
  summary:
    'An action with the authority of a party that does not submit it, with its path. It is a note.',
  start() {
    const places = new Places();
    return {
      *afterStep({ submitted }) {
        for (const { submission, transaction } of submitted) {
          if (transaction === undefined) continue;
          const { actAs } = submission;
          for (const node of actionsIn(transaction)) {
            if (node.parent < 0) continue;
            const absent = needed(node).filter((party) => !actAs.includes(party));
            if (absent.length === 0) continue;
            const path = choicesAround(transaction, node);
            const place = `${choiceName(path[0]!)} → ${effectOf(node)}`;
            if (places.isNew(place))
              yield {
                check: DELEGATED,
                place,
                templateId: path[0]!.templateId,
                choice: path[0]!.choice,
                message: `${actAs.join(', ')} acts with the authority of ${absent.join(', ')}: ${pathOf(path)} → ${effectOf(node)}.`,
                assertion: { kind: 'rejected' },
                isNote: true,
              };
          }
        }
      },
    };
  },
};

function effectOf(node: Action): string {
  if (node.kind === 'exercise') return choiceName(node);
  return node.kind === 'create' ? `create ${templateName(node.contract.templateId)}` : node.kind;
}
