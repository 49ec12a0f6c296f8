/** What a participant of some release answers although that release's document does not list it: health checks, before 3.5. */
import type { OperationFacts } from '../schema.js';
import { operations as health } from './health.js';

export const operations: readonly OperationFacts[] = health.map(({ since, ...row }) => ({
  ...row,
  until: since,
  unlisted: true,
}));
