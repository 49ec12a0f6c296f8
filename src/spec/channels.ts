/**
 * The WebSocket channels of the Ledger API. Each streams the elements that an operation with the same path returns
 * as a list. A row names only that operation: request and element are its messages (B-WS-001, B-WS-002).
 */
import { cantonFactsOf } from './ledger-api/facts.js';
import { servedOperations, type Operation } from './operations.js';
import type { ServedIds } from './served.js';
import { DEFAULT_API_VERSION, type ApiVersion } from './versions.js';

/** The operation that returns a stream as a list. */
export type StreamId = Extract<
  ServedIds<'ledger'>,
  | 'postV2CommandsCompletions'
  | 'postV2CommandsCommand-completions'
  | 'postV2StateActive-contracts'
  | 'postV2Updates'
  | 'postV2UpdatesFlats'
  | 'postV2UpdatesTrees'
>;

/** The channels of a release that are newer than its AsyncAPI document: 3.5.7 added this one (R-34-036). */
const NEWER: Readonly<Partial<Record<ApiVersion, readonly string[]>>> = {
  '3.5': ['/v2/commands/command-completions'],
};

const STREAMED = new Map<ApiVersion, readonly Operation[]>();

/** The operations whose elements a WebSocket at the same path sends one by one. */
export function channels(version: ApiVersion = DEFAULT_API_VERSION): readonly Operation[] {
  let found = STREAMED.get(version);
  if (found === undefined) STREAMED.set(version, (found = channelsIn(version)));
  return found;
}

function channelsIn(version: ApiVersion): readonly Operation[] {
  const paths = new Set([...cantonFactsOf(version).channels.paths, ...(NEWER[version] ?? [])]);
  return servedOperations('ledger', version).filter(
    ({ method, path }) => method === 'post' && paths.has(path),
  );
}
