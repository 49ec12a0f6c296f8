/** The handlers of the validator and its Scan proxy. The registry endpoints of the proxy are the registry's own handlers. */
import type { Handlers } from '../handler.js';
import { balanceHandlers } from './balance.js';
import { externalPartyHandlers } from './external-parties.js';
import { nodeHandlers } from './node.js';
import { participantHandlers } from './participant.js';
import { preapprovalHandlers } from './preapprovals.js';
import { proxyHandlers } from './proxy.js';
import { setupProposalHandlers } from './setup-proposals.js';
import { userHandlers } from './users.js';

export const handlers: Handlers<'validator'> = {
  ...nodeHandlers,
  ...userHandlers,
  ...participantHandlers,
  ...externalPartyHandlers,
  ...setupProposalHandlers,
  ...preapprovalHandlers,
  ...balanceHandlers,
  ...proxyHandlers,
};
