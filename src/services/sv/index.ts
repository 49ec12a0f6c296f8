/** The handlers of an SV's app. What it asks its Scan for, it answers as Scan does. */
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
