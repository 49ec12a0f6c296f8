/** When wallets look for rewards to mint and amulets to merge: together, at every fifth minute. */
import type { Timestamp } from '../../../daml/model/values.js';
import type { Splice } from '../../splice.js';

/** In microseconds. NOTE: a real wallet's polls are up to a quarter earlier or later. */
const INTERVAL = 300_000_000n;

/** The first one from `since` on. */
export function nextRewardPoll({ startedAt }: Splice, since: Timestamp): Timestamp {
  const polls = since <= startedAt ? 0n : (since - startedAt + INTERVAL - 1n) / INTERVAL;
  return startedAt + polls * INTERVAL;
}
