/** The handlers of the wallet's API. */
import type { Handlers } from '../handler.js';
import { allocationHandlers } from './allocations.js';
import { couponHandlers } from './coupons.js';
import { fundHandlers } from './funds.js';
import { historyHandlers } from './history.js';
import { holdingHandlers } from './holdings.js';
import { paymentHandlers } from './payments.js';
import { requestHandlers } from './requests.js';
import { statusHandlers } from './status.js';
import { transferHandlers } from './transfers.js';

export const handlers: Handlers<'wallet'> = {
  ...allocationHandlers,
  ...couponHandlers,
  ...fundHandlers,
  ...historyHandlers,
  ...holdingHandlers,
  ...paymentHandlers,
  ...requestHandlers,
  ...statusHandlers,
  ...transferHandlers,
};
