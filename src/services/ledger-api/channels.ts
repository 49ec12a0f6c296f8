/** The streams. The spec lists them, and the service of each provides its elements. */
import { channels, type StreamId } from '../../spec/channels.js';
import type { Input, Operation } from '../../spec/operations.js';
import type { ApiVersion } from '../../spec/versions.js';
import type { LedgerContext } from '../handler.js';
import { commandCompletionStream, completionStream } from './commands/commands.js';
import { treeStream } from './legacy/legacy-updates.js';
import { activeContractStream } from './state/state.js';
import { updateStream } from './updates/updates.js';
import type { ElementStream } from '../streams/element-stream.js';

/** The context for opening a stream. */
export type StreamContext = Pick<LedgerContext, 'participant' | 'apiVersion' | 'userId' | 'values'>;

type OpenStream<Body> = (context: StreamContext, request: Body) => ElementStream;

/** By the operation that returns the same stream as a list. */
const OPEN_STREAM: { readonly [Id in StreamId]: OpenStream<Input<'ledger', Id>['body']> } = {
  postV2Updates: updateStream,
  postV2UpdatesFlats: updateStream,
  postV2UpdatesTrees: treeStream,
  'postV2StateActive-contracts': activeContractStream,
  postV2CommandsCompletions: completionStream,
  'postV2CommandsCommand-completions': commandCompletionStream,
};

/** Whether an operation also exists over a WebSocket. */
export function isStreamed(list: Operation, version: ApiVersion): boolean {
  return channels(version).some(({ operationId }) => operationId === list.operationId);
}

/** @param request decoded by the operation's schema */
export function openStream(
  list: Operation,
  context: StreamContext,
  request: unknown,
): ElementStream {
  const open = OPEN_STREAM[list.operationId as StreamId] as OpenStream<unknown>;
  return open(context, request);
}
