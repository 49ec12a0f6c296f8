/**
 * The operations that participants of some release answer although that release's document does not list them:
 * health checks, before 3.5.
 */
import type { Service } from '../api.js';
import type { OperationFacts } from '../schema.js';

export function unlistedHealth({
  health,
}: Readonly<Record<string, Service>>): readonly OperationFacts[] {
  return health!.operations!.map(({ since, ...row }) => ({ ...row, until: since, unlisted: true }));
}
