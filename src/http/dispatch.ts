/**
 * Handles one request from its target to its answer: finds the operation, checks whether a page may call it, and
 * adds the common headers. Operations are called through services/calls. It does not use sockets: server.ts feeds
 * it from the network, `handle` of a Canticle from the same process.
 */
import type { Api } from '../spec/api.js';
import type { Operation } from '../spec/operations.js';
import { documentAnswer, unmatchedAnswer, withHeaders, type WireAnswer } from './answers.js';
import type { Admission } from '../services/authorization/gate.js';
import { Calls } from '../services/calls/calls.js';
import { Unanswerable, type Called, type Note } from '../services/calls/call.js';
import { ISSUER_PATH } from './issuer.js';
import type { Exchange, RequestContext, World } from './contexts.js';
import { corsHeaders, preflightHeaders, preflightRefusal } from './pages/cors.js';
import { documentAt, isDocument } from '../services/documents.js';
import { nearestOperation } from './routing/nearest-operation.js';
import { pageAnswer, sharedAnswer } from './page-answers.js';
import type { Match, Router, Routing } from './routing/router.js';
import { isHeld } from './routing/service.js';
import { barredPage, httpTransport, invalidTimeout, RequestReading } from './transport.js';
import { givenTrace, refusalTrace } from '../services/trace.js';
import { isStreamed } from '../services/ledger-api/channels.js';

/** The journal's note for a path that only another port serves. */
const ELSEWHERE: Note = {
  outcome: 'unmatched',
  explanation: 'Another service serves that, on another port.',
};

export class Dispatcher {
  readonly calls: Calls<Exchange, RequestContext, WireAnswer>;

  constructor(
    private readonly world: World,
    private readonly router: Router,
  ) {
    this.calls = new Calls(world, httpTransport(world));
  }

  /** The operation whose elements a WebSocket at the path sends; undefined without a stream. */
  streamAt(target: string): Operation | undefined {
    const match = this.router.match('POST', target.replace(/\?.*$/, ''));
    const { apiVersion } = this.router;
    return match.kind === 'operation' && isStreamed(match.operation, apiVersion)
      ? match.operation
      : undefined;
  }

  /** The stream at the path and its caller; undefined if there is no stream, or none for this caller. */
  async streamFor(
    exchange: Exchange,
  ): Promise<{ list: Operation; admission: Admission } | undefined> {
    const list = this.streamAt(exchange.target);
    if (!isHeld(exchange) || this.world.pages.streamRefusal(exchange.header)) return undefined;
    if (invalidTimeout(exchange, this.router.apiVersion, 'ledger') !== undefined) return undefined;
    const entry = list && (await this.calls.admit(exchange, list));
    return entry === undefined || 'refusal' in entry ? undefined : { list: list!, ...entry };
  }

  /**
   * Every failure becomes an answer, too. Rejects if the body cannot be read from its connection, because no answer
   * is possible then.
   */
  answer(exchange: Exchange): Promise<WireAnswer> {
    return this.calls.journal.record(exchange, this.answerAtOnce);
  }

  private readonly answerAtOnce = (exchange: Exchange): Promise<WireAnswer> => {
    try {
      return this.route(exchange).catch((error: unknown) => this.broken(exchange, error));
    } catch (error) {
      return Promise.resolve(this.broken(exchange, error));
    }
  };

  /** The answer for a bug. The journal records the full error. @throws of a body that cannot be read, why */
  broken(exchange: Exchange, error: unknown): WireAnswer {
    if (error instanceof Unanswerable) throw error.cause;
    return this.calls.failed(
      exchange,
      calledAt(this.router.match(exchange.method, exchange.target)),
      error,
    );
  }

  private route(exchange: Exchange): Promise<WireAnswer> {
    const { method, target, header } = exchange;
    const mark = target.indexOf('?');
    const pathname = mark < 0 ? target : target.slice(0, mark);
    if (pathname.startsWith(`${ISSUER_PATH}/`)) return this.issued(exchange);
    if (!isHeld(exchange)) return Promise.resolve(this.absent(exchange, exchange.service!.api));
    const match = this.router.match(method, target);
    const barred = exchange.isRemote ? this.world.pages.refusal(match.api, header) : undefined;
    if (barred !== undefined) return Promise.resolve(this.barred(exchange, match, barred));
    const invalid = invalidTimeout(exchange, this.router.apiVersion, match.api);
    if (invalid !== undefined)
      return Promise.resolve(this.calls.refuse(exchange, calledAt(match), invalid));
    if (match.kind !== 'operation') return this.otherwise(exchange, pathname, match);
    const answer = this.perform(exchange, match, mark < 0 ? '' : target.slice(mark + 1));
    if (match.api === 'ledger' || match.api === 'control') {
      if (header('origin') === undefined) return answer;
      return answer.then((bare) => sharedAnswer(this.world.pages, match.api, header, bare));
    }
    // Splice's apps return the trace of a request to its caller (V-GEN-019).
    const { traceparent } = givenTrace(header) ?? refusalTrace(this.world.network);
    const more = { ...corsHeaders(this.world.pages, match.api, header), traceparent };
    return answer.then((bare) => withHeaders(bare, more));
  }

  private async perform(exchange: Exchange, match: Match, query: string): Promise<WireAnswer> {
    const reading = new RequestReading(this.world, exchange, match, query);
    return this.calls.perform(exchange, match.operation, reading);
  }

  /** Answers a path that no operation of this port's service has. */
  private absent(exchange: Exchange, api: Api): WireAnswer {
    const answer = unmatchedAnswer(exchange, { kind: 'unknown', api }, this.router.apiVersion);
    return this.calls.note(exchange, { api }, answer, ELSEWHERE);
  }

  /** The answer to a page that may not send the request. */
  private barred(exchange: Exchange, routing: Routing, explanation: string): WireAnswer {
    return this.calls.refuse(exchange, calledAt(routing), barredPage(routing.api, explanation));
  }

  /** Answers a path without an operation. */
  private async otherwise(
    exchange: Exchange,
    pathname: string,
    routing: Exclude<Routing, Match>,
  ): Promise<WireAnswer> {
    const { method, target, header } = exchange;
    const list = method === 'GET' || method === 'HEAD' ? this.streamAt(target) : undefined;
    if (list === undefined) return this.unmatched(exchange, pathname, routing);
    const barred = header('sec-websocket-key') && this.world.pages.streamRefusal(header);
    if (barred) return this.barred(exchange, routing, barred);
    // For a stream's path, the token is checked before the upgrade; a plain GET of it finds no operation.
    const entry = await this.calls.admit(exchange, list);
    if ('refusal' in entry) return this.calls.refuse(exchange, list, entry);
    return this.unmatched(exchange, pathname, { kind: 'unknown', api: list.api });
  }

  /** A token allows more than a control, so pages that may not use controls cannot get one. */
  private async issued(exchange: Exchange): Promise<WireAnswer> {
    const { pages } = this.world;
    const { isRemote, method, header } = exchange;
    const barred = isRemote ? pages.refusal('control', header) : undefined;
    if (barred !== undefined)
      return this.barred(exchange, { kind: 'unknown', api: 'control' }, barred);
    const preflight = preflightHeaders(pages, 'control', method, header);
    if (preflight !== undefined) return { status: 200, headers: preflight };
    const bare = await this.world.issuer.answer(exchange);
    const answer = sharedAnswer(pages, 'control', header, bare);
    const outcome = this.calls.outcomeOf(answer);
    return this.calls.note(exchange, { api: 'control' }, answer, { outcome });
  }

  private async unmatched(
    exchange: Exchange,
    pathname: string,
    routing: Exclude<Routing, Match>,
  ): Promise<WireAnswer> {
    const { method, header } = exchange;
    const { api } = routing;
    const { pages } = this.world;
    const preflight = preflightHeaders(pages, api, method, header);
    if (preflight !== undefined) return { status: 200, headers: preflight };
    const local = this.router.withoutPrefix(api, pathname);
    // A slash at the end does not count (B-GEN-055).
    const place = local?.replace(/(?<=.)\/+$/, '');
    const isRead = method === 'GET' || method === 'HEAD';
    const document =
      place !== undefined && isRead
        ? documentAt(place, this.router.spoken, this.world.readFixture)
        : undefined;
    const page =
      document === undefined
        ? await pageAnswer(this.world, this.router, exchange, pathname)
        : undefined;
    if (page !== undefined) return page;
    const isOther = place !== undefined && !isRead && isDocument(place);
    const answer =
      document !== undefined
        ? documentAnswer(document)
        : unmatchedAnswer(
            exchange,
            isOther ? { kind: 'wrongMethod', api, allowed: ['GET'] } : routing,
            this.router.apiVersion,
          );
    const whole = sharedAnswer(pages, api, header, answer);
    if (document !== undefined) return whole;
    const explanation =
      preflightRefusal(pages, api, method, header) ??
      nearestOperation(api, method, local ?? pathname, this.router.spoken);
    return this.calls.note(exchange, { api }, whole, { outcome: 'unmatched', explanation });
  }
}

/** The operation at a target, for the journal. */
function calledAt(routing: Routing): Called {
  return routing.kind === 'operation' ? routing.operation : { api: routing.api };
}
