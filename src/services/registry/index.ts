/** The handlers of the token standard's registry. */
import type { Handlers } from '../handler.js';
import { allocationHandlers } from './allocation.js';
import { conditionalLockHandlers } from './conditional-lock.js';
import { metadataHandlers } from './metadata.js';
import { trafficPurchaseHandlers } from './traffic-purchase.js';
import { transferInstructionHandlers } from './transfer-instruction.js';

export const handlers: Handlers<'registry'> = {
  ...metadataHandlers,
  ...transferInstructionHandlers,
  ...allocationHandlers,
  ...trafficPurchaseHandlers,
  ...conditionalLockHandlers,
};
