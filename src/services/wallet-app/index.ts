/** The handlers of the wallet's API. */
import type { Handlers } from '../handler.js';
import { couponHandlers } from './coupons.js';
import { historyHandlers } from './history.js';
import { holdingHandlers } from './holdings.js';
import { paymentHandlers } from './payments.js';
import { requestHandlers } from './requests.js';
import { statusHandlers } from './status.js';

export const handlers: Handlers<'wallet'> = {
  ...couponHandlers,
  ...historyHandlers,
  ...holdingHandlers,
  ...paymentHandlers,
  ...requestHandlers,
  ...statusHandlers,
};
