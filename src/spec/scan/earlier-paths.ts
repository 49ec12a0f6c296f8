/**
 * Reward accounting at the paths that it had before Splice 0.6.5, without `/internal`. Clients built against the
 * older document still call them, so they are served in addition to the present ones.
 */
import type { Service } from '../api.js';
import type { OperationFacts } from '../schema.js';

const SUFFIX = 'Before065';

export function earlierPaths(
  services: Readonly<Record<string, Service>>,
): readonly OperationFacts[] {
  return services['reward-accounting']!.operations!.map((row) => ({
    ...row,
    operationId: row.operationId + SUFFIX,
    path: row.path.replace('/v0/internal/', '/v0/'),
    deprecated: true,
  }));
}
