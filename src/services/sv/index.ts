/** The handlers of an SV's app. For data that a real SV app requests from its Scan, the answers are those of Scan. */
import type { Handlers } from '../handler.js';
import { governanceHandlers } from './governance.js';
import { lookupHandlers } from './lookups.js';
import { nodeHandlers } from './node.js';
import { onboardingHandlers } from './onboarding.js';

export const handlers: Handlers<'sv'> = {
  ...nodeHandlers,
  ...onboardingHandlers,
  ...governanceHandlers,
  ...lookupHandlers,
};
