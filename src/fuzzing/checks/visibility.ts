/** Contracts that parties see without a stake, and contracts that a result depends on but its caller cannot see. */
import { PartySets } from '../../daml/model/parties.js';
import { witnessesOf } from '../../network/routing/visibility.js';
import type { ContractInstance } from '../../daml/model/transaction.js';
import type { Check } from '../model/finding.js';
import { actionsIn, choicesAround, isStakeholder, pathOf, Places, templateName } from './nodes.js';
import { commandName } from './failures.js';

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
        for (const { transaction } of submitted) {
          if (transaction === undefined || transaction.nodes.length < 2) continue;
          const witnesses = witnessesOf(sets, transaction);
          for (const node of actionsIn(transaction)) {
            if (node.kind === 'queryByKey' || node.parent < 0) continue;
            const { contract } = node;
            const seenBy = witnesses[node.nodeId]!.filter(
              (party) => !isStakeholder(contract, party),
            );
            if (seenBy.length === 0) continue;
            const path = choicesAround(transaction, node);
            const template = templateName(contract.templateId);
            const place = `${pathOf(path)} → ${node.kind} ${template}`;
            if (places.isNew(place))
              yield {
                check: DIVULGED,
                place,
                templateId: contract.templateId,
                message: `${seenBy.join(', ')} sees the payload of a ${template} without a stake in it: ${place}.`,
                isNote: true,
              };
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
          const commands = submission.commands.map(commandName).join(', ');
          for (const contract of disclosed) {
            const template = templateName(contract.templateId);
            const place = `${commands} needs ${template}`;
            if (places.isNew(place))
              yield {
                check: HIDDEN,
                place,
                templateId: contract.templateId,
                message: `${commands} of ${submission.actAs.join(', ')} uses a ${template} that only ${holders(contract)} can see.`,
                assertion: { kind: 'rejected' },
                isNote: true,
              };
          }
        }
      },
    };
  },
};

const holders = ({ signatories, observers }: ContractInstance): string =>
  [...signatories, ...observers].join(', ');
