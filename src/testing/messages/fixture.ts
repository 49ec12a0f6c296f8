/** A file of `fixtures/messages` for tests: a new copy each time, with bodies typed by the operation and bytes decoded. */
import { readFixture } from '../../assembly/fixture-files.js';
import { didYouMean } from '../../daml/codec/name-hints.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type { Api } from '../../spec/api.js';
import { APIS } from '../../spec/apis.js';
import type { Exchange, RecordedBody, RecordedStream } from '../../spec/message-fixture.js';
import type { OperationTypes } from '../../spec/operations.js';
import { SERVED, type ServedIds } from '../../spec/served.js';

/** The operations with fixtures, by their names in the documents of their APIs. */
export type FixtureId = { [A in Api]: ServedIds<A> }[Api];

/** The APIs that have an operation of this name. */
type ApiWith<Id extends FixtureId> = { [A in Api]: Id extends ServedIds<A> ? A : never }[Api];

/** The first of them, which is the default. */
type FirstApi<Id extends FixtureId> =
  Id extends ServedIds<'ledger'>
    ? 'ledger'
    : Id extends ServedIds<'scan'>
      ? 'scan'
      : Id extends ServedIds<'registry'>
        ? 'registry'
        : Id extends ServedIds<'validator'>
          ? 'validator'
          : Id extends ServedIds<'wallet'>
            ? 'wallet'
            : Id extends ServedIds<'names'>
              ? 'names'
              : Id extends ServedIds<'sv'>
                ? 'sv'
                : 'control';

type Of<A extends Api, Id, Part extends string> = Id extends keyof OperationTypes[A]
  ? OperationTypes[A][Id] extends Record<Part, infer T>
    ? T
    : never
  : never;

/** The request. */
export interface FixtureRequest<Body> {
  /** Upper case. */
  readonly method: string;
  /** With its query, from the root of the instance's port: `/api/scan/v0/dso-party-id`. */
  readonly path: string;
  /** `content-type`, if there is a body. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes if it is not JSON. */
  readonly body: Body;
}

/** A request of an operation, and its answers by status, as a ledger returned them. */
export interface Fixture<Body, Result> {
  /** Such as `ledger`. */
  readonly api: Api;
  /** Its name in the document of its API. */
  readonly operationId: string;
  /**
   * The statuses that have an answer, in ascending order. The Ledger API has two answers for 400: a text, and the error
   * under `default`.
   */
  readonly statuses: readonly number[];
  /** Elements of the WebSocket with the same path, if it exists, and the error for a rejected request. */
  readonly streams?: { readonly accepted: RecordedStream; readonly refused: RecordedStream };
  /**
   * The request with this answer; by default, the answer with status 200.
   * @param status `default` is that of the document: any error without a separate status
   * @throws Error for a status without an answer in the fixture
   */
  request(status?: number | 'default'): FixtureRequest<Body>;
  /** The body of the answer, of 200 by default: undefined if it has none, bytes if it is neither JSON nor text. */
  response(status?: 200): Result;
  response(status: number | 'default'): unknown;
}

/**
 * @param id such as `getV2StateLedger-end`
 * @param api the API, if several have an operation with this name. By default, the first of `ledger`, `scan`,
 * `registry`, `validator`, `wallet`, `names` and `sv`.
 * @throws Error for an unknown operation
 */
export function fixture<const Id extends FixtureId, A extends Api = FirstApi<Id>>(
  id: Id,
  api?: A & ApiWith<Id>,
): Fixture<Of<A, Id, 'body'>, Of<A, Id, 'result'>> {
  const apis: readonly Api[] = api === undefined ? (Object.keys(APIS) as Api[]) : [api];
  const named = apis.find((each) => (SERVED[each] as readonly string[]).includes(id));
  const found = named && readFixture(named, id);
  if (found === undefined)
    throw withCallerStack(
      new Error(
        `Failed to find the fixture '${id}': ${api ?? 'no API'} has ${api ? 'no' : 'a'} served operation with this id.${didYouMean(
          id,
          apis.flatMap((each) => SERVED[each] as readonly string[]),
        )}`,
      ),
    );
  const { exchanges, operationId, streams } = found;
  const statuses = Object.values(exchanges).map(({ response }) => response.status);
  const exchange = (status: number | 'default' = 200): Exchange => {
    const exact = exchanges[String(status)];
    const other = exchanges['default'];
    if (exact !== undefined) return exact;
    if (other?.response.status === status) return other;
    throw withCallerStack(
      new Error(
        `Failed to find the response ${status} of '${id}': its fixture has ${statuses.join(', ')}.`,
      ),
    );
  };
  return {
    api: found.api,
    operationId,
    statuses: [...new Set(statuses)].sort((left, right) => left - right),
    ...(streams && { streams }),
    request: (status) => {
      const { method, path, ...sent } = exchange(status).request;
      const headers: Record<string, string> =
        sent.contentType === undefined ? {} : { 'content-type': sent.contentType };
      return { method, path, headers, body: bodyOf(sent) } as never;
    },
    response: (status?: number | 'default') => bodyOf(exchange(status).response) as never,
  };
}

/** Returns a new value each time. */
function bodyOf({ body, bytes }: RecordedBody): unknown {
  if (bytes !== undefined) return new Uint8Array(Buffer.from(bytes, 'base64'));
  return body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);
}
