/** The handlers of Scan. */
import type { Handlers } from '../handler.js';
import { activeContractsHandlers } from './active-contracts.js';
import { amuletLookupHandlers } from './amulet-lookups.js';
import { eventHandlers } from './events.js';
import { holdingsHandlers } from './holdings.js';
import { nameHandlers } from './names.js';
import { nodeHandlers } from './node.js';
import { rewardAccountingHandlers } from './reward-accounting.js';
import { synchronizerHandlers } from './synchronizers.js';
import { rulesAndRoundsHandlers } from './rules-and-rounds.js';
import { trafficHandlers } from './traffic.js';
import { updateHandlers } from './updates.js';

export const handlers: Handlers<'scan'> = {
  ...activeContractsHandlers,
  ...amuletLookupHandlers,
  ...eventHandlers,
  ...holdingsHandlers,
  ...nameHandlers,
  ...nodeHandlers,
  ...rewardAccountingHandlers,
  ...rulesAndRoundsHandlers,
  ...synchronizerHandlers,
  ...trafficHandlers,
  ...updateHandlers,
};
