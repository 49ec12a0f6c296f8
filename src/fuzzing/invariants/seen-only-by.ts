/** Privacy: the parties that may see the contracts of a template. */
import { PartySets } from '../../daml/model/parties.js';
import { witnessesOf } from '../../network/routing/visibility.js';
import { actionsIn, choicesAround, pathOf, templateName } from '../checks/nodes.js';
import type { Check, Finding } from '../model/finding.js';
import { partiesIn } from './fields.js';
import { NamedContracts, type TemplateName } from './names.js';

/** The parties that may see the contracts of a template. */
export interface SeenOnlyBy {
  /** The name of the invariant; `seen-only-by` by default. */
  readonly name?: string;
  /** A template, or several. */
  readonly template: TemplateName | readonly TemplateName[];
  /** Fields of the payload: a party, or a list of parties. With dots for fields of inner records. */
  readonly parties: readonly string[];
}

/** Only the parties in some fields of a contract see it: as stakeholders, or as witnesses of a choice that uses it. */
export function seenOnlyBy({ name = 'seen-only-by', template, parties }: SeenOnlyBy): Check {
  const named = new NamedContracts(template);
  return {
    name,
    summary: `Only ${parties.join(' and ')} of a contract see it.`,
    start(state) {
      named.check(state.packages);
      const sets = new PartySets();
      return {
        *afterStep({ submitted }, state): Generator<Finding> {
          const { packages } = state;
          for (const { transaction } of submitted) {
            if (transaction === undefined) continue;
            const witnesses = witnessesOf(sets, transaction);
            for (const node of actionsIn(transaction)) {
              if (node.kind === 'queryByKey') continue;
              const { contract } = node;
              if (named.meaning(packages, contract) === undefined) continue;
              const allowed = parties.flatMap((field) => partiesIn(contract, field));
              const others = witnesses[node.nodeId]!.filter((party) => !allowed.includes(party));
              if (others.length === 0) continue;
              const template_ = templateName(contract.templateId);
              const path = pathOf(choicesAround(transaction, node));
              yield {
                check: name,
                place: [path, `${node.kind} ${template_}`].filter(Boolean).join(' → '),
                templateId: contract.templateId,
                message: `${others.join(', ')} sees a ${template_} of ${allowed.join(', ')}.`,
                ...(node.kind === 'create' &&
                  state.isActive(contract.contractId) && {
                    assertion: { kind: 'hidden', contract, from: others },
                  }),
              };
            }
          }
        },
      };
    },
  };
}
