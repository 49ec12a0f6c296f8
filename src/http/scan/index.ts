/** The handlers of Scan. */
import type { Handlers } from '../handler.js';
import { activeContractsHandlers } from './active-contracts.js';
import { amuletLookupHandlers } from './amulet-lookups.js';
import { backfillingHandlers } from './backfilling.js';
import { eventHandlers } from './events.js';
import { holdingsHandlers } from './holdings.js';
import { hostingHandlers } from './hosting.js';
import { nameHandlers } from './names.js';
import { nodeHandlers } from './node.js';
import { rewardAccountingHandlers } from './reward-accounting.js';
import { synchronizerHandlers } from './synchronizers.js';
import { rulesAndRoundsHandlers } from './rules-and-rounds.js';
import { svNodeHandlers } from './sv-nodes.js';
import { trafficHandlers } from './traffic.js';
import { transferCommandHandlers } from './transfer-commands.js';
import { updateHandlers } from './updates.js';
import { voteHandlers } from './votes.js';

export const handlers: Handlers<'scan'> = {
  ...activeContractsHandlers,
  ...amuletLookupHandlers,
  ...backfillingHandlers,
  ...eventHandlers,
  ...holdingsHandlers,
  ...hostingHandlers,
  ...nameHandlers,
  ...nodeHandlers,
  ...rewardAccountingHandlers,
  ...rulesAndRoundsHandlers,
  ...synchronizerHandlers,
  ...svNodeHandlers,
  ...trafficHandlers,
  ...transferCommandHandlers,
  ...updateHandlers,
  ...voteHandlers,
};
