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
    'A contract whose view of an interface fails, so that readers of the interface do not see it. It is a note if all its signatories submit.',
  start: () => ({
    *afterStep({ submitted }, { packages }) {
      for (const { submission, transaction } of submitted) {
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
            // Signatories can create anything that they like.
            const ownFault = contract.signatories.every((each) => submission.actAs.includes(each));
            yield {
              check: NAME,
              place: `${name} as ${templateName(id)}${ownFault ? ' by its signatories' : ''}`,
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
