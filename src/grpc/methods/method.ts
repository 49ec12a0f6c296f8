/**
 * What a method is: an operation of the services, a way from the message to what the operation takes, and one from its result to
 * the message. Most need neither, as messages are read into the services' own shapes.
 */
import type { Api } from '../../spec/api.js';
import { operation, type Input, type Operation, type Result } from '../../spec/operations.js';
import type { ServedIds } from '../../spec/served.js';
import type { StreamContext } from '../../services/ledger-api/channels.js';
import type { ElementStream } from '../../services/streams/element-stream.js';
import type { StreamId } from '../../spec/channels.js';

export type LedgerInput = { path: object; query: object; body: unknown };

export interface Method {
  readonly operation: Operation;
  /** Of a stream: elements as they are there, and as they come. */
  readonly open?: (context: StreamContext, body: never) => ElementStream;
  readonly input: (message: never) => LedgerInput;
  readonly output: (result: never) => object;
}

type Id = ServedIds<'ledger'>;
type Ledger<I extends Id> = Input<'ledger', I>;

interface Ways<I extends Id, M> {
  readonly input?: (message: M) => Partial<Ledger<I>>;
  readonly output?: (result: Result<'ledger', I>) => object;
}

const API: Api = 'ledger';
const filled = (input: Partial<LedgerInput>): LedgerInput => ({
  path: {},
  query: {},
  body: undefined,
  ...input,
});

/** A method with one answer. Where nothing is said the message is the operation's body, and its result the answer. */
export function unary<I extends Id, M = Ledger<I>['body']>(id: I, ways: Ways<I, M> = {}): Method {
  const { input = (message: M) => ({ body: message }), output = (result) => result as object } =
    ways;
  return {
    operation: operation(API, id),
    input: (message: never) => filled(input(message) as Partial<LedgerInput>),
    output: output as Method['output'],
  };
}

/** A method that streams what the operation gives as a list. */
export function streaming<I extends StreamId, M extends Ledger<I>['body']>(
  id: I,
  open: (context: StreamContext, body: M) => ElementStream,
): Method {
  return {
    operation: operation(API, id),
    open,
    input: (message: never) => filled({ body: message }),
    output: (element) => element as object,
  };
}

/** The methods of a service, by their names. */
export type Service = Readonly<Record<string, Method>>;
