/** A file of `fixtures/messages` as tests hold it: bodies typed by the operation, bytes decoded, each time a copy of their own. */
import { readFixture } from '../../assembly/fixture-files.js';
import { didYouMean } from '../../daml/codec/name-hints.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type { Api } from '../../spec/api.js';
import { APIS } from '../../spec/apis.js';
import type { Exchange, RecordedBody, RecordedStream } from '../../spec/message-fixture.js';
import type { OperationTypes } from '../../spec/operations.js';
import { SERVED, type ServedIds } from '../../spec/served.js';

/** The operations that there are fixtures of, as their APIs' documents name them. */
export type FixtureId = { [A in Api]: ServedIds<A> }[Api];

/** The APIs that have an operation of this name. */
type ApiWith<Id extends FixtureId> = { [A in Api]: Id extends ServedIds<A> ? A : never }[Api];

/** The first of them, which is meant where none is named. */
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

/** What is sent. */
export interface FixtureRequest<Body> {
  /** Upper case. */
  readonly method: string;
  /** With its query, from the root of the one port: `/api/scan/v0/dso-party-id`. */
  readonly path: string;
  /** `content-type`, where there is a body. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes where it is no JSON. */
  readonly body: Body;
}

/** A request of an operation, and its answers by status, as a ledger gave them. */
export interface Fixture<Body, Result> {
  /** Such as `ledger`. */
  readonly api: Api;
  /** As its API's document names it. */
  readonly operationId: string;
  /** What there are answers with, the least first. The Ledger API's 400 may be two: a text, and the refusal under `default`. */
  readonly statuses: readonly number[];
  /** Elements of the WebSocket of the same path, where there is one, and how a request is refused there. */
  readonly streams?: { readonly accepted: RecordedStream; readonly refused: RecordedStream };
  /**
   * What was asked when it was answered so: 200 where none is named.
   * @param status `default` is that of the document: any refusal that has no status of its own there
   * @throws Error for a status that the fixture has no answer with
   */
  request(status?: number | 'default'): FixtureRequest<Body>;
  /** The body of the answer: of 200 where none is named; undefined where it has none, bytes where it is neither JSON nor text. */
  response(status?: 200): Result;
  response(status: number | 'default'): unknown;
}

/**
 * @param id such as `getV2StateLedger-end`
 * @param api where several have an operation of that name: the first of `ledger`, `scan`, `registry`, `validator`, `wallet`, `names` and `sv` by default
 * @throws Error for what is no operation
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

/** A value of its own each time. */
function bodyOf({ body, bytes }: RecordedBody): unknown {
  if (bytes !== undefined) return new Uint8Array(Buffer.from(bytes, 'base64'));
  return body === undefined ? undefined : (JSON.parse(JSON.stringify(body)) as unknown);
}
