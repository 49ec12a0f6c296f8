/** The handlers of Scan. */
import type { Handlers } from '../handler.js';
import { activeContractsHandlers } from './contracts/active-contracts.js';
import { amuletLookupHandlers } from './rounds-and-rules/amulet-lookups.js';
import { backfillingHandlers } from './history/backfilling.js';
import { eventHandlers } from './history/events.js';
import { holdingsHandlers } from './contracts/holdings.js';
import { hostingHandlers } from './hosting.js';
import { nameHandlers } from './names/names.js';
import { nodeHandlers } from './node.js';
import { rewardAccountingHandlers } from './rewards/reward-accounting.js';
import { synchronizerHandlers } from './synchronizers.js';
import { rulesAndRoundsHandlers } from './rounds-and-rules/rules-and-rounds.js';
import { svNodeHandlers } from './rounds-and-rules/sv-nodes.js';
import { trafficHandlers } from './rounds-and-rules/traffic.js';
import { transferCommandHandlers } from './rounds-and-rules/transfer-commands.js';
import { updateHandlers } from './history/updates.js';
import { voteHandlers } from './rounds-and-rules/votes.js';

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
