/**
 * The WebSocket channels of the Ledger API. Each streams the elements that an operation with the same path returns
 * as a list. A row names only that operation: request and element are its messages (B-WS-001, B-WS-002).
 */
import { servedOperations, type Operation } from './operations.js';
import type { ServedIds } from './served.js';
import type { ApiVersion } from './versions.js';

const STREAMED = [
  'postV2CommandsCompletions',
  'postV2CommandsCommand-completions',
  'postV2StateActive-contracts',
  'postV2Updates',
  'postV2UpdatesFlats',
  'postV2UpdatesTrees',
] as const;

/** The operation that returns a stream as a list. */
export type StreamId = Extract<ServedIds<'ledger'>, (typeof STREAMED)[number]>;

/** The operations whose elements a WebSocket at the same path sends one by one. */
export function channels(version?: ApiVersion): readonly Operation[] {
  const streamed = new Set<string>(STREAMED);
  return servedOperations('ledger', version).filter(({ operationId }) => streamed.has(operationId));
}
