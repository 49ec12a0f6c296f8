/** The journal of requests: list it, forget it. */
import type { SomeHandlers } from '../handler.js';

export const requests: SomeHandlers<'control', 'listRequests' | 'clearRequests'> = {
  listRequests: (context, { query }) => ({ requests: context.requests.list(query) }),
  clearRequests: (context) => ({ cleared: context.requests.clear() }),
};
