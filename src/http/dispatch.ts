/**
 * One request, from its bytes to its answer: route, decode, call the handler, print the result, write the journal. Knows no
 * socket: server.ts feeds it from the network, `handle` of a Canticle from the same process.
 */
import { formatInstant } from '../daml/model/time.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import type { Api } from '../spec/api.js';
import { decodeParameters, type DecodedInput, type Refusal } from '../spec/decode.js';
import type { Operation } from '../spec/operations.js';
import { isAcceptable } from './acceptable.js';
import {
  documentAnswer,
  failureAnswer,
  notAcceptableAnswer,
  operationFailedAnswer,
  lateAnswer,
  refusedAnswer,
  resultAnswer,
  tooLargeAnswer,
  unmatchedAnswer,
  unreadAnswer,
  withHeaders,
  type WireAnswer,
} from './answers.js';
import type { Admission } from '../services/authorization/gate.js';
import { ISSUER_PATH } from './issuer.js';
import { BodyTooLarge, decodedBody } from './body.js';
import { RequestContext, type Exchange, type World } from './contexts.js';
import { faultyAnswer, NO_ANSWER } from './faults/faulty-answer.js';
import { corsHeaders, preflightHeaders, preflightRefusal } from './pages/cors.js';
import { DISGUISED, isDisguised } from './pages/disguised-body.js';
import { documentAt, isDocument } from '../services/documents.js';
import { ParticipantRestarted } from '../network/faults/faults.js';
import { AppRefusal } from '../splice/app-refusal.js';
import { HANDLERS } from '../services/handlers.js';
import { MAX_BODY_BYTES } from '../services/limits.js';
import { releaseOf } from '../spec/versions.js';
import { nearestOperation } from './routing/nearest-operation.js';
import type { Explained, JournalEntry } from '../services/request-journal.js';
import { bugNote, completionOf, ELSEWHERE, explainedBy, refusalNote, type Note } from './notes.js';
import { pageAnswer, sharedAnswer } from './page-answers.js';
import { admitted } from './access/admission.js';
import { enterApi } from './access/api-entry.js';
import { spliceEntry } from './access/splice-entry.js';
import type { Noted } from './access/token-refused.js';
import { inTime, RequestTimedOut } from './request-timeout.js';
import { parseQuery } from './routing/query.js';
import type { Match, Router, Routing } from './routing/router.js';
import { isHeld } from './routing/service.js';
import { givenTrace, refusalTrace } from '../services/trace.js';
import { sentBody, WholeExchanges } from './journal/whole-exchanges.js';
import { isStreamed } from '../services/ledger-api/channels.js';
import { isPromise } from '../daml/errors/realms.js';

/** Whoever can answer at once does: each wait costs a turn of the loop's queue, and a command takes not many times that. */
type Answered<T> = T | Promise<T>;
type AnyHandler = (context: RequestContext, input: unknown) => unknown;

/** Its cause is for whoever stands before the ledger. */
class BodyUnreadable extends Error {}

/** As far as it is known here; only what went wrong on purpose is added later. */
type JournalEntryTold = Omit<JournalEntry, 'id'> & { faults?: JournalEntry['faults'] };

const VALID = { ok: true };

export class Dispatcher {
  /** Where the journal keeps requests and answers whole. */
  private readonly whole?: WholeExchanges;

  constructor(
    private readonly world: World,
    private readonly router: Router,
  ) {
    if (world.journal === 'full') this.whole = new WholeExchanges(world.requests);
  }

  /** The operation whose elements a WebSocket at the path gives; undefined where there is no stream. */
  streamAt(target: string): Operation | undefined {
    const match = this.router.match('POST', target.replace(/\?.*$/, ''));
    return match.kind === 'operation' && isStreamed(match.operation) ? match.operation : undefined;
  }

  /** The stream at the path and who asks for it; undefined where there is none, or none for this caller. */
  async streamFor(
    exchange: Exchange,
  ): Promise<{ list: Operation; admission: Admission } | undefined> {
    const list = this.streamAt(exchange.target);
    if (!isHeld(exchange) || this.world.pages.streamRefusal(exchange.header)) return undefined;
    const asked = list && (await admitted(this.world, exchange, list));
    return asked === undefined || 'refusal' in asked ? undefined : { list: list!, ...asked };
  }

  /** Whatever goes wrong is an answer too. Rejects for a body that cannot be read from its connection, where none can be given. */
  answer(exchange: Exchange): Promise<WireAnswer> {
    if (this.whole === undefined) return this.answerAtOnce(exchange);
    return this.whole.keep(exchange, (watched) => this.answerAtOnce(watched));
  }

  private answerAtOnce(exchange: Exchange): Promise<WireAnswer> {
    try {
      return this.route(exchange).catch((error: unknown) => this.broken(exchange, error));
    } catch (error) {
      return Promise.resolve(this.broken(exchange, error));
    }
  }

  /** What a client is told of a bug, which the journal tells whole. @throws of a body that cannot be read, why */
  broken(exchange: Exchange, error: unknown): WireAnswer {
    if (error instanceof BodyUnreadable) throw error.cause;
    const match = this.router.match(exchange.method, exchange.target);
    const { api } = match;
    const operation = match.kind === 'operation' ? match.operation.operationId : undefined;
    const answer = failureAnswer(api, error, new RequestContext(this.world, exchange).origin);
    const note = bugNote(this.world, error);
    this.record(exchange, { api, operation, status: answer.status, ...note });
    return answer;
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
    if (match.kind !== 'operation') return this.otherwise(exchange, pathname, match);
    const answer = this.perform(exchange, match, mark < 0 ? '' : target.slice(mark + 1));
    if (match.api === 'ledger' || match.api === 'control') {
      if (header('origin') === undefined) return answer;
      return answer.then((bare) => sharedAnswer(this.world.pages, match.api, header, bare));
    }
    // Apps of Splice tell each caller what its request is traced by (V-GEN-019).
    const { traceparent } = givenTrace(header) ?? refusalTrace(this.world.network);
    const more = { ...corsHeaders(this.world.pages, match.api, header), traceparent };
    return answer.then((bare) => withHeaders(bare, more));
  }

  /** Where nothing is at all, as this is a port of another service. */
  private absent(exchange: Exchange, api: Api): WireAnswer {
    const answer = unmatchedAnswer(exchange, { kind: 'unknown', api });
    this.record(exchange, { api, status: answer.status, ...ELSEWHERE });
    return answer;
  }

  /** What a page asks that may not. */
  private barred(
    exchange: Exchange,
    routing: Routing,
    explanation: string,
    status = 403,
  ): WireAnswer {
    const { api } = routing;
    const operation = routing.kind === 'operation' ? routing.operation.operationId : undefined;
    const answer = refusedAnswer(api, { status, text: explanation, path: '' });
    this.record(exchange, { api, operation, status, outcome: 'refused', explanation });
    return answer;
  }

  /** Where no operation is. */
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
    // Where a WebSocket stands, the token is looked at before it is asked for; a plain GET of it finds nothing.
    const asked = await admitted(this.world, exchange, list);
    if ('refusal' in asked) return this.noted(exchange, list, asked.refusal);
    return this.unmatched(exchange, pathname, { kind: 'unknown', api: list.api });
  }

  private async perform(exchange: Exchange, match: Match, query: string): Promise<WireAnswer> {
    const { operation } = match;
    const entered = match.access && (await spliceEntry(this.world, exchange, match, query));
    if (entered !== undefined && 'refusal' in entered)
      return this.noted(exchange, operation, entered.refusal);
    // Before the token (B-GEN-026): a participant's server reads all of a request but its body first.
    const parameters = decodeParameters(operation, { path: match.path, query: parseQuery(query) });
    if (!parameters.ok) return this.unreadable(exchange, operation, parameters);
    const pending = entered ?? admitted(this.world, exchange, operation);
    const asked = isPromise(pending) ? await pending : pending;
    if ('refusal' in asked) return this.noted(exchange, operation, asked.refusal);
    let bytes: Buffer | undefined;
    try {
      // Only these have a body to read, some GETs among them (B-GEN-041).
      if (operation.request !== undefined)
        bytes = exchange.sent = await exchange.readBody(this.bodyLimit(operation));
    } catch (error) {
      if (!(error instanceof BodyTooLarge)) throw new BodyUnreadable('', { cause: error });
      return this.tooLarge(exchange, operation, error);
    }
    if (exchange.isRemote && isDisguised(exchange.header, operation, bytes))
      return this.barred(exchange, match, DISGUISED, 415);
    const decoded = decodedBody(operation, parameters.input, bytes);
    if (!decoded.ok) return this.unreadable(exchange, operation, decoded);
    if (!isAcceptable(operation, exchange.header('accept')))
      return this.note(exchange, operation, notAcceptableAnswer(), { outcome: 'refused' });
    const { input } = decoded;
    const handle = () => this.handle(exchange, operation, asked.admission, input, bytes?.length);
    return this.underFaults(exchange, operation, input, handle) ?? handle();
  }

  /** Undefined where nothing goes wrong on purpose. */
  private underFaults(
    exchange: Exchange,
    operation: Operation,
    input: DecodedInput,
    handle: () => Answered<WireAnswer>,
  ): Promise<WireAnswer> | undefined {
    if (!this.world.network.faults.isArmed) return undefined;
    const failed = (error: LedgerError) =>
      this.failed(exchange, operation, new RequestContext(this.world, exchange), error, 0);
    const note = (answer: WireAnswer, told: Note) => this.note(exchange, operation, answer, told);
    return faultyAnswer(this.world, exchange, { operation, input, handle, failed, note });
  }

  private bodyLimit({ api }: Operation): number {
    return api === 'ledger' ? releaseOf(this.world.apiVersion).maxBodyBytes : MAX_BODY_BYTES;
  }

  private tooLarge(exchange: Exchange, operation: Operation, error: BodyTooLarge): WireAnswer {
    const validation = { ok: false, reason: error.message };
    const { origin } = new RequestContext(this.world, exchange);
    const last = tooLargeAnswer(operation, error, origin);
    return this.note(exchange, operation, last, { outcome: 'refused', validation });
  }

  private unreadable(exchange: Exchange, operation: Operation, refusal: Refusal): WireAnswer {
    const { path, reason } = refusal;
    const validation = { ok: false, path, reason };
    const answer = unreadAnswer(exchange, operation, refusal);
    return this.note(exchange, operation, answer, { outcome: 'refused', validation });
  }

  private handle(
    exchange: Exchange,
    operation: Operation,
    admission: Admission,
    input: DecodedInput,
    requestBytes = 0,
  ): Answered<WireAnswer> {
    const context = new RequestContext(this.world, exchange, admission);
    const { log } = this.world.participant;
    const before = log.end;
    const fail = (error: unknown): WireAnswer => {
      const reached = completionOf(log.lastBehind(before), error);
      return this.failed(exchange, operation, context, error, requestBytes, reached);
    };
    try {
      enterApi(this.world, admission, operation, context, input);
      const handler = (HANDLERS[operation.api]() as Readonly<Record<string, AnyHandler>>)[
        operation.operationId
      ]!;
      const result = handler(context, input);
      // What a handler commits, it commits before it waits for anything; thus the last entry is its own.
      const entry = log.lastBehind(before);
      const committed = entry ? { offset: entry.offset, updateId: entry.update?.updateId } : {};
      // What an asynchronous submission was rejected with is in its completion alone; there is no update then.
      const rejected = entry?.update === undefined ? entry?.completion : undefined;
      const explained = explainedBy(rejected?.error, requestBytes);
      const finish = (given: unknown): WireAnswer => {
        const answer = resultAnswer(operation, given);
        const outcome = answer.status < 400 ? 'answered' : 'refused';
        return this.note(exchange, operation, answer, { outcome, ...committed }, explained);
      };
      if (!isPromise(result)) return finish(result);
      return inTime(this.world, operation, result).then(finish).catch(fail);
    } catch (error) {
      return fail(error);
    }
  }

  /** A token opens more than a control does, so that the same pages are kept from it. */
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
    const { status } = answer;
    const outcome = status < 400 ? 'answered' : 'refused';
    this.record(exchange, { api: 'control', status, outcome });
    return answer;
  }

  private noted(exchange: Exchange, operation: Operation, { answer, note }: Noted): WireAnswer {
    return this.note(exchange, operation, answer, note);
  }

  private failed(
    exchange: Exchange,
    operation: Operation,
    context: RequestContext,
    error: unknown,
    requestBytes: number,
    reached: Pick<JournalEntry, 'offset'> | false = false,
  ): WireAnswer {
    if (error instanceof RequestTimedOut) {
      // The client waits no longer; what it asked for goes on, unless it only was to be read.
      context.end();
      const { message: explanation } = error;
      const late = lateAnswer(operation.api, exchange);
      return this.note(exchange, operation, late, { outcome: 'refused', explanation });
    }
    const { origin } = context;
    if (error instanceof ParticipantRestarted) {
      context.end();
      const { message: explanation } = error;
      return this.note(exchange, operation, NO_ANSWER, { outcome: 'refused', explanation });
    }
    const answer = operationFailedAnswer(operation, error, origin);
    if (error instanceof LedgerError) {
      const note = { ...refusalNote(error), ...reached };
      return this.note(exchange, operation, answer, note, explainedBy(error, requestBytes));
    }
    const { message: explanation } = error as Error;
    if (error instanceof AppRefusal)
      return this.note(exchange, operation, answer, { outcome: 'refused', explanation });
    return this.note(exchange, operation, answer, bugNote(this.world, error));
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
        ? documentAt(place, this.router.apiVersion, this.world.readFixture)
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
          );
    const whole = sharedAnswer(pages, api, header, answer);
    if (document !== undefined) return whole;
    const explanation =
      preflightRefusal(pages, api, method, header) ??
      nearestOperation(api, method, local ?? pathname, this.router.apiVersion);
    this.record(exchange, { api, status: answer.status, outcome: 'unmatched', explanation });
    return whole;
  }

  private note(
    exchange: Exchange,
    { api, operationId }: Operation,
    answer: WireAnswer,
    note: Note,
    explained?: Explained,
  ): WireAnswer {
    const { status } = answer;
    this.record(exchange, { api, operation: operationId, status, ...note }, explained);
    return answer;
  }

  private record(
    exchange: Exchange,
    entry: Note & { api: Api; status: number },
    explained?: Explained,
  ): void {
    const { method, target } = exchange;
    const at = formatInstant(this.world.network.clock.now());
    const noted: JournalEntryTold = { at, method, path: target, validation: VALID, ...entry };
    if (exchange.faults !== undefined) noted.faults = exchange.faults;
    if (this.whole !== undefined) return this.whole.add(exchange, noted, explained);
    // What was asked in vain is shown whatever the journal keeps.
    if (entry.outcome !== 'answered' && exchange.sent) noted.request = sentBody(exchange.sent);
    this.world.requests.add(noted, explained);
  }
}
