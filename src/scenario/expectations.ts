/** Every kind of expectation, by its first word. */
import { activeContracts, contractExpectation, sum } from './expectations/contract.js';
import { migration, rewardRound, time, updates } from './expectations/network.js';
import { partyExpectation } from './expectations/parties.js';

export const EXPECTATIONS = {
  contract: contractExpectation,
  party: partyExpectation,
  activeContracts,
  sum,
  updates,
  migration,
  rewardRound,
  time,
} as const;

export type ExpectationName = keyof typeof EXPECTATIONS;
