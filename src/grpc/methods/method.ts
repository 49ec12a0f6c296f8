/**
 * A method: an operation of the services, a function from the message to the operation's input, and a function from
 * its result to the message. Most methods need neither function, because the reader produces the services' own
 * shapes.
 */
import { missingField } from '../../daml/model/identifiers.js';
import { loggingOf, type LoggingContext } from '../../daml/errors/logging-context.js';
import { CLAIMS } from '../../services/authorization/claims.js';
import type { Row } from '../../services/authorization/gate.js';
import type { Requirement } from '../../services/authorization/requirements.js';
import type { LedgerContext } from '../../services/handler.js';
import { HANDLERS } from '../../services/handlers.js';
import type { StreamContext } from '../../services/ledger-api/channels.js';
import type { Unlisted } from '../../services/ledger-api/unlisted.js';
import type { ElementStream } from '../../services/streams/element-stream.js';
import type { StreamId } from '../../spec/channels.js';
import type { Disabled } from '../../spec/deprecated/deprecated-apis.js';
import type { DecodedInput } from '../../spec/decode.js';
import { memberOf } from '../messages/shapes.js';
import type { Input, Result } from '../../spec/operations.js';
import type { ServedIds } from '../../spec/served.js';

export interface Method {
  /** The operation's id in the journal; undefined if JSON has no such operation. */
  readonly operationId?: string;
  /** The rights that its caller needs. */
  readonly access: Row;
  /** Checks the message after the caller's rights. Missing fields have defaults. */
  readonly input: (message: never) => DecodedInput;
  /** The group of disabled parts that the method belongs to, if it does. */
  readonly disabled?: Disabled;
  /** @throws LedgerError for a request that is impossible in JSON */
  readonly check?: (message: never) => void;
  readonly handle: (context: LedgerContext, input: never) => unknown;
  /** The entries of the logging context that errors of this method carry. */
  readonly logging?: (context: LedgerContext, input: DecodedInput) => LoggingContext;
  readonly output: (result: never) => object;
  /** The method that the message selects, if it selects one. */
  readonly of?: (message: never) => Method;
  /** The elements of a stream: the present ones, then the new ones. */
  readonly open?: (context: StreamContext, body: never) => ElementStream;
}

type Id = ServedIds<'ledger'>;
type Ledger<I extends Id> = Input<'ledger', I>;

interface Ways<I extends Id, M> {
  readonly input?: (message: M) => Partial<Ledger<I>>;
  readonly output?: (result: Result<'ledger', I>) => object;
  readonly check?: (message: M) => void;
  readonly disabled?: Disabled;
  /** For messages that can express more than the JSON request. */
  readonly requires?: (input: Ledger<I>) => readonly Requirement[];
}

const filled = (input: object): DecodedInput => ({
  path: {},
  query: {},
  body: undefined,
  ...input,
});
const given = (result: unknown): object => result as object;

/** A method with one answer. By default, the message is the operation's body, and the result is the answer. */
export function unary<I extends Id, M = Ledger<I>['body']>(id: I, ways: Ways<I, M> = {}): Method {
  const { input = (message: M) => ({ body: message }), output = given } = ways;
  const { requires, check, disabled } = ways;
  return {
    operationId: id,
    access: (requires ?? CLAIMS[id]) as Row,
    input: (message: never) => filled(input(message)),
    check,
    disabled,
    handle: HANDLERS.ledger()[id] as Method['handle'],
    logging: loggingOf(HANDLERS.ledger()[id]) as Method['logging'],
    output: output as Method['output'],
  };
}

/** A method that streams the elements of an operation's list. */
export function streaming<I extends StreamId, M extends Ledger<I>['body']>(
  id: I,
  open: (context: StreamContext, body: M) => ElementStream,
): Method {
  return { ...unary(id), open, output: given };
}

/** A method of an operation that JSON does not have. */
export function unlisted<M, R>({ requires, handle }: Unlisted<M, R>): Method {
  return {
    access: ({ body }) => requires(body as M),
    input: (message: never) => filled({ body: message }),
    handle: (context, { body }: { body: M }) => handle(context, body),
    output: given,
  };
}

/** Selects one of two operations by the message. */
export function either<M>(isFirst: (message: M) => boolean, first: Method, other: Method): Method {
  return { ...other, of: (message: never) => (isFirst(message) ? first : other) };
}

/** @throws LedgerError MISSING_FIELD for the first missing message */
export const requires = (...fields: readonly string[]): ((message: object) => void) => {
  const members = fields.map((field) => [field, memberOf('', field)] as const);
  return (message) => {
    for (const [field, member] of members)
      if ((message as Readonly<Record<string, unknown>>)[member] === undefined)
        throw missingField(field === 'party_signatures' ? 'parties_signatures' : field);
  };
};

/** The methods of a service, by their names. */
export type Service = Readonly<Record<string, Method>>;
