/** HTTP as a transport of calls: reads requests and writes their results. */
import { httpToken } from '../services/authorization/bearer.js';
import type { Access } from '../services/authorization/splice-access.js';
import {
  Unanswerable,
  type Called,
  type ReadCall,
  type Reading,
  type SentBody,
  type Transport,
  type Unread,
} from '../services/calls/call.js';
import { HANDLERS } from '../services/handlers.js';
import { enterJsonLayer } from '../services/ledger-api/json-layer.js';
import { MAX_BODY_BYTES } from '../services/limits.js';
import type { ApiName } from '../spec/generated/control.js';
import type { Api } from '../spec/api.js';
import {
  decodeParameters,
  withoutIdentifier,
  type DecodedInput,
  type Refusal,
} from '../spec/decode.js';
import type { Operation } from '../spec/operations.js';
import { disabledOperation } from '../services/ledger-api/disabled-apis.js';
import { releaseOf, type ApiVersion } from '../spec/versions.js';
import { isAcceptable } from './acceptable.js';
import {
  callerRefusedAnswer,
  failureAnswer,
  lateAnswer,
  notAcceptableAnswer,
  operationFailedAnswer,
  refusedAnswer,
  resultAnswer,
  tooLargeAnswer,
  unreadAnswer,
  type WireAnswer,
} from './answers.js';
import type { AnswerOrigin } from './errors.js';
import { BodyTooLarge, decodedBody, sizeOf } from './body.js';
import { RequestContext, type Exchange, type World } from './contexts.js';
import {
  alteredAnswer,
  deliveredAnswer,
  givenAnswer,
  lostAnswer,
  turnedAwayAnswer,
} from './faults/fault-answers.js';
import { DISGUISED, isDisguised } from './pages/disguised-body.js';
import { clientTimeout, OVER_CLIENT_TIMEOUT, requestTimeoutOf } from './request-timeout.js';
import { parseQuery } from './routing/query.js';
import type { Match } from './routing/router.js';

const HEALTH: readonly (string | undefined)[] = ['getLivez', 'getReadyz'];

type AnyHandler = (context: RequestContext, input: unknown) => unknown;

export function httpTransport(world: World): Transport<Exchange, RequestContext, WireAnswer> {
  const { apiVersion, requestTimeout } = world;
  const ofTokenCheck = (origin: AnswerOrigin): AnswerOrigin => ({
    ...origin,
    isTokenRefused: true,
    ...(!releaseOf(apiVersion).tracesTokenErrors && { traceId: undefined }),
  });
  return {
    hostHeader: 'host',
    isMessage: false,
    timeoutOf: (exchange, api) =>
      ownTimeout(exchange, apiVersion, api) ?? requestTimeoutOf(api, requestTimeout),
    context: (exchange, admission) => new RequestContext(world, exchange, admission),
    tokenOf: ({ header }) => httpToken(header, apiVersion),
    isOpen: ({ operationId }) =>
      HEALTH.includes(operationId) && !releaseOf(apiVersion).healthTakesTokens,
    malformedToken: ({ api }, text) => refusedAnswer(api as Api, { status: 400, text, path: '' }),
    callerRefused: callerRefusedAnswer,
    failed: (_, called, error, { origin }, isTokenRefused = false) =>
      isOperation(called)
        ? operationFailedAnswer(called, error, isTokenRefused ? ofTokenCheck(origin) : origin)
        : failureAnswer(called.api as Api, error, origin),
    late: (exchange, { api }) =>
      ownTimeout(exchange, apiVersion, api) === undefined
        ? lateAnswer(api as Api, exchange)
        : OVER_CLIENT_TIMEOUT,
    lost: (_, as) => lostAnswer(as),
    turnedAway: (_, { api }, status, retryAfter) => turnedAwayAnswer(status, retryAfter, api),
    given: (_, __, answer) => givenAnswer(answer),
    delivered: (_, answer, delivery) => deliveredAnswer(answer, delivery),
    altered: (answer, values) => alteredAnswer(answer, values),
  };
}

/** The time limit in milliseconds that a client set; undefined for an API or a release without it. */
function ownTimeout(
  { header }: Exchange,
  apiVersion: ApiVersion,
  api: ApiName,
): number | undefined {
  if (api !== 'ledger' || releaseOf(apiVersion).takesTimeouts !== true) return undefined;
  const timeout = clientTimeout(header);
  return typeof timeout === 'number' ? timeout : undefined;
}

/** The rejection of a request with an invalid time limit (B-GEN-070). */
export function invalidTimeout(
  { header }: Exchange,
  apiVersion: ApiVersion,
  api: ApiName,
): Unread<WireAnswer> | undefined {
  if (api !== 'ledger' || releaseOf(apiVersion).takesTimeouts !== true) return undefined;
  const timeout = clientTimeout(header);
  if (typeof timeout !== 'object') return undefined;
  const refusal = refusedAnswer(api as Api, { status: 400, text: timeout.error, path: '' });
  return {
    refusal,
    note: { outcome: 'refused', validation: { ok: false, reason: timeout.error } },
  };
}

const isOperation = (called: Called): called is Operation => 'path' in called;

/** A request of a page that may not make it. @param status of the answer */
export function barredPage(api: ApiName, explanation: string, status = 403): Unread<WireAnswer> {
  const refusal = refusedAnswer(api as Api, { status, text: explanation, path: '' });
  return { refusal, note: { outcome: 'refused', explanation } };
}

/** The steps in which a request is read. */
export class RequestReading implements Reading<RequestContext, WireAnswer> {
  private parameters!: DecodedInput;

  constructor(
    private readonly world: World,
    private readonly exchange: Exchange,
    private readonly match: Match,
    readonly query: string,
  ) {}

  get access(): Access | undefined {
    return this.match.access;
  }

  head(): Unread<WireAnswer> | undefined {
    const { operation, path } = this.match;
    const decoded = decodeParameters(operation, { path, query: parseQuery(this.query) });
    if (!decoded.ok) return this.unreadable(decoded);
    this.parameters = decoded.input;
    return undefined;
  }

  body(): ReturnType<Reading<RequestContext, WireAnswer>['body']> {
    const { operation } = this.match;
    const disabled = disabledOperation(this.world, operation, operation.method.toUpperCase());
    if (disabled !== undefined) throw disabled;
    // Only these have a body to read, some GETs among them (B-GEN-041).
    if (operation.request === undefined) return this.read(undefined);
    return this.readSent();
  }

  private async readSent(): Promise<ReadCall<RequestContext, WireAnswer> | Unread<WireAnswer>> {
    let sent: SentBody;
    try {
      sent = this.exchange.sent = await this.exchange.readBody(this.bodyLimit);
    } catch (error) {
      return this.bodyNotRead(error);
    }
    return this.read(sent);
  }

  private get bodyLimit(): number {
    const isOfLedger = this.match.operation.api === 'ledger';
    return isOfLedger ? releaseOf(this.world.apiVersion).maxBodyBytes : MAX_BODY_BYTES;
  }

  private read(
    sent: SentBody | undefined,
  ): ReadCall<RequestContext, WireAnswer> | Unread<WireAnswer> {
    const { exchange, parameters } = this;
    const { operation } = this.match;
    if (exchange.isRemote && isDisguised(exchange.header, operation, sent))
      return barredPage(operation.api, DISGUISED, 415);
    const decoded = decodedBody(operation, parameters, sent);
    if (!decoded.ok) return this.unreadable(decoded);
    if (!isAcceptable(operation, exchange.header('accept')))
      return { refusal: notAcceptableAnswer(), note: { outcome: 'refused' } };
    return new ReadRequest(
      this.world,
      operation,
      decoded.input,
      sent === undefined ? 0 : sizeOf(sent),
    );
  }

  private unreadable(refusal: Refusal): Unread<WireAnswer> {
    const { path, reason } = refusal;
    const validation = { ok: false, path, reason };
    const { hidesIdentifierErrors } = releaseOf(this.world.apiVersion);
    const sent = hidesIdentifierErrors ? withoutIdentifier(refusal) : refusal;
    const answer = unreadAnswer(this.exchange, this.match.operation, sent);
    return { refusal: answer, note: { outcome: 'refused', validation } };
  }

  private bodyNotRead(error: unknown): Unread<WireAnswer> {
    if (!(error instanceof BodyTooLarge)) throw new Unanswerable('', { cause: error });
    const validation = { ok: false, reason: error.message };
    const { origin } = new RequestContext(this.world, this.exchange);
    const refusal = tooLargeAnswer(this.match.operation, error, origin);
    return { refusal, note: { outcome: 'refused', validation } };
  }
}

class ReadRequest implements ReadCall<RequestContext, WireAnswer> {
  constructor(
    private readonly world: World,
    readonly called: Operation,
    readonly input: DecodedInput,
    readonly size: number,
  ) {}

  get requires(): Operation {
    return this.called;
  }

  enter(context: RequestContext): void {
    enterJsonLayer(this.called, context, this.input);
  }

  begin(): void {
    const { api } = this.called;
    if (api !== 'ledger' && api !== 'control') this.world.splice.begin();
  }

  handle(context: RequestContext): unknown {
    const { api, operationId } = this.called;
    const handlers = HANDLERS[api]() as Readonly<Record<string, AnyHandler>>;
    return handlers[operationId]!(context, this.input);
  }

  answer(result: unknown): WireAnswer {
    return resultAnswer(this.called, result);
  }
}
