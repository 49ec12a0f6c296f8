/** Interface views of new contracts. */
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { interfaceView, viewRefusal } from '../../daml/interpreter/interface-view.js';
import { template } from '../../daml/model/package.js';
import type { Check } from '../model/finding.js';
import { messageIn } from './failures.js';
import { actionsIn, templateName } from './nodes.js';

const NAME = 'failing-view';

export const failingView: Check = {
  name: NAME,
  summary:
    'A contract whose view of an interface fails, so that readers of the interface do not see it. It is a note if a command creates it.',
  start: () => ({
    *afterStep({ submitted }, { packages }) {
      for (const { transaction } of submitted) {
        if (transaction === undefined) continue;
        for (const node of actionsIn(transaction)) {
          if (node.kind !== 'create') continue;
          const { contract } = node;
          for (const id of template(packages, contract.templateId)?.implementations.keys() ?? []) {
            let error: LedgerError | undefined;
            try {
              interfaceView(packages, id, contract);
            } catch (thrown) {
              error = viewRefusal(packages, thrown);
            }
            if (error === undefined) continue;
            const name = templateName(contract.templateId);
            // A command that creates the contract has the authority of all its signatories.
            const ownFault = node.parent < 0;
            yield {
              check: NAME,
              place: `${name} as ${templateName(id)}${ownFault ? ' by a command' : ''}`,
              templateId: contract.templateId,
              message: `The view of a ${name} as ${templateName(id)} fails: ${messageIn(error.details.cause)}`,
              ...(ownFault && { isNote: true as const }),
            };
          }
        }
      }
    },
  }),
};
