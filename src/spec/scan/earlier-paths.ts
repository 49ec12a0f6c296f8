/**
 * Reward accounting at the paths that it had before Splice 0.6.5, without `/internal`. Clients built against the
 * older document still call them, so they are served beside the present ones.
 */
import type { OperationFacts } from '../schema.js';
import { operations as rewardAccounting } from './reward-accounting.js';

const SUFFIX = 'Before065';

export const operations: readonly OperationFacts[] = rewardAccounting.map((row) => ({
  ...row,
  operationId: row.operationId + SUFFIX,
  path: row.path.replace('/v0/internal/', '/v0/'),
  deprecated: true,
}));
