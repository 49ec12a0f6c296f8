/** The handlers of the validator and its Scan proxy. What it proxies of the registry is the registry itself. */
import type { Handlers } from '../handler.js';
import { nodeHandlers } from './node.js';
import { proxyHandlers } from './proxy.js';
import { userHandlers } from './users.js';

export const handlers: Handlers<'validator'> = {
  ...nodeHandlers,
  ...userHandlers,
  ...proxyHandlers,
};
