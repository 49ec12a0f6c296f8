/** Contracts that parties see without a stake, and contracts that a result depends on but its caller cannot see. */
import { PartySets } from '../../daml/model/parties.js';
import { witnessesOf } from '../../network/routing/visibility.js';
import type { Check } from '../model/finding.js';
import {
  actionsIn,
  choiceName,
  choicesAround,
  commandOf,
  isStakeholder,
  pathOf,
  Places,
  templateName,
} from './nodes.js';

const DIVULGED = 'divulged-payload';

export const divulgedPayload: Check = {
  name: DIVULGED,
  summary:
    'A contract whose payload a choice shows to a party without a stake in it. It is a note.',
  start() {
    const places = new Places();
    const sets = new PartySets();
    return {
      *afterStep({ submitted }) {
        for (const { submission, transaction, disclosed } of submitted) {
          if (transaction === undefined || transaction.nodes.length < 2) continue;
          const witnesses = witnessesOf(sets, transaction);
          for (const node of actionsIn(transaction)) {
            if (node.kind === 'queryByKey' || node.parent < 0) continue;
            const { contract } = node;
            // The submitters must have seen a contract that they disclose.
            const known = disclosed.includes(contract) ? submission.actAs : [];
            const seenBy = witnesses[node.nodeId]!.filter(
              (party) => !isStakeholder(contract, party) && !known.includes(party),
            );
            if (seenBy.length === 0) continue;
            const template = templateName(contract.templateId);
            const path = choicesAround(transaction, node);
            const place = `${choiceName(path[0]!)} shows ${template}`;
            if (!places.isNew(place)) continue;
            const message = `${seenBy.join(', ')} sees the payload of a ${template} without a stake in it: ${pathOf(path)}.`;
            const { templateId } = contract;
            yield { check: DIVULGED, place, templateId, message, isNote: true };
          }
        }
      },
    };
  },
};

const HIDDEN = 'needs-disclosure';

export const needsDisclosure: Check = {
  name: HIDDEN,
  summary: 'A choice whose result depends on a contract that its caller cannot see. It is a note.',
  start() {
    const places = new Places();
    return {
      *afterStep({ submitted }) {
        for (const { submission, transaction, disclosed } of submitted) {
          if (transaction === undefined || disclosed.length === 0) continue;
          for (const node of actionsIn(transaction)) {
            if (node.kind === 'queryByKey' || !disclosed.includes(node.contract)) continue;
            const command = commandOf(transaction, node);
            if (command.kind !== 'exercise') continue;
            const { signatories, observers, templateId } = node.contract;
            const [choice, template] = [choiceName(command), templateName(templateId)];
            const place = `${choice} needs ${template}`;
            if (!places.isNew(place)) continue;
            const message = `${choice} of ${submission.actAs.join(', ')} uses a ${template} that only ${[...signatories, ...observers].join(', ')} can see.`;
            const assertion = { kind: 'rejected' } as const;
            yield { check: HIDDEN, place, templateId, message, assertion, isNote: true };
          }
        }
      },
    };
  },
};
