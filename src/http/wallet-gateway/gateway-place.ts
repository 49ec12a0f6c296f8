/**
 * The Wallet Gateway over HTTP: JSON-RPC at two paths, events as a stream, pages for people, and its documents. The
 * statuses and headers are those of the gateway's server.
 */
import { failureOf, RpcError, RPC_CODES } from '../../services/wallet-gateway/rpc-error.js';
import type { Caller } from '../../services/wallet-gateway/gateway-core.js';
import {
  DAPP_PATH,
  GATEWAY_VERSION,
  USER_PATH,
} from '../../services/wallet-gateway/gateway-core.js';
import type { GatewayEvent } from '../../services/wallet-gateway/events.js';
import type { GatewayJournal } from '../../services/calls/gateway-journal.js';
import type { GatewayApi, WalletGateway } from '../../services/wallet-gateway/wallet-gateway.js';
import { OPENRPC_DOCUMENTS, openRpcDocument } from '../../spec/wallet-gateway/index.js';
import { isError } from '../../daml/errors/realms.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import { BodyTooLarge } from '../body.js';
import { withHeaders, type WireAnswer } from '../answers.js';
import type { Exchange } from '../contexts.js';
import type { Place } from '../sites.js';
import { underGatewayFaults } from './gateway-faults.js';
import { GatewayPages } from './gateway-pages.js';

/** Bytes of a request body: the gateway's default. */
const MAX_GATEWAY_BODY_BYTES = 1024 * 1024;

const DOCUMENTS = '/openrpc/';
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const EVENT_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};
/** The server of the gateway adds it to each answer after the check of the token. */
const ANY_ORIGIN = { 'access-control-allow-origin': '*' };
const METHODS = 'GET,HEAD,PUT,PATCH,POST,DELETE';

export class GatewayPlace implements Place {
  private readonly pages: GatewayPages;

  /** @param journal takes its calls */
  constructor(
    private readonly gateway: WalletGateway,
    private readonly journal: GatewayJournal,
  ) {
    this.pages = new GatewayPages(gateway);
  }

  locate() {
    return { answering: (exchange: Exchange) => this.answer(exchange) };
  }

  closeStreams(): Promise<void> {
    this.gateway.core.events.end();
    this.gateway.requests.abandon();
    return Promise.resolve();
  }

  private async answer(exchange: Exchange): Promise<WireAnswer> {
    const { method, target, header } = exchange;
    const path = target.replace(/\?.*$/, '');
    const api = apiAt(path);
    if (method === 'OPTIONS') return preflight(header('access-control-request-headers'));
    if (api !== undefined) return this.ofApi(api, exchange);
    if (path === `${DAPP_PATH}/events`) return this.eventStream(exchange);
    return withHeaders(await this.otherwise(exchange, path), ANY_ORIGIN);
  }

  private async otherwise(exchange: Exchange, path: string): Promise<WireAnswer> {
    const root = exchange.root();
    switch (path) {
      case '/healthz':
      case '/readyz':
        return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: 'OK' };
      case '/.well-known/wallet-gateway-config':
        return json(200, { userPath: `${root}${USER_PATH}` });
      case '/.well-known/wallet-gateway-version':
        return json(200, { version: GATEWAY_VERSION });
    }
    if (path.startsWith(DOCUMENTS)) return documentAt(path.slice(DOCUMENTS.length));
    return this.pages.answer(exchange, path);
  }

  private async ofApi(api: GatewayApi, exchange: Exchange): Promise<WireAnswer> {
    const sent = await readJson(exchange);
    if ('refusal' in sent) return sent.refusal;
    const { body } = sent;
    const caller = callerOf(exchange);
    const method = isJsonObject(body) ? body['method'] : undefined;
    const refusal =
      exchange.method === 'POST' ? await this.gateway.refusal(api, method, caller) : undefined;
    // NOTE: without a token, the server of the gateway fails.
    if (refusal === 'no token') return html(500, 'Internal Server Error');
    if (refusal === 'no session') return json(401, { error: 'No active session found' });
    const failure: Failure = {};
    const answer = await this.called(api, body, exchange, caller, failure);
    this.note(api, method, exchange, answer, failure);
    return withHeaders(answer, ANY_ORIGIN);
  }

  private note(
    api: GatewayApi,
    method: unknown,
    exchange: Exchange,
    answer: WireAnswer,
    failure: Failure,
  ): void {
    const { status } = answer;
    const operation = typeof method === 'string' ? { operation: operationOf(api, method) } : {};
    this.journal.add(
      { method: exchange.method, path: exchange.target, status, ...operation },
      status < 400 ? undefined : errorIn(answer, failure),
    );
  }

  private async called(
    api: GatewayApi,
    body: unknown,
    exchange: Exchange,
    caller: Caller,
    failure: Failure,
  ): Promise<WireAnswer> {
    if (exchange.method !== 'POST' || !isRequest(body))
      return failed(
        null,
        new RpcError(RPC_CODES.invalidRequest, 'Invalid JSON-RPC request format'),
      );
    const { method, params, id = null } = body;
    const handle = async (): Promise<WireAnswer> => {
      try {
        const result = await this.gateway.call(api, method, params, caller);
        return json(200, { jsonrpc: '2.0', id, result });
      } catch (error) {
        failure.message = (error as Error).message;
        return failed(this.gateway.has(api, method) ? id : null, error);
      }
    };
    const { network } = this.gateway.core.ports;
    const operation = operationOf(api, method);
    return underGatewayFaults(network, { operation, params, header: exchange.header, id }, handle);
  }

  private async eventStream(exchange: Exchange): Promise<WireAnswer> {
    if (exchange.method !== 'GET')
      return html(404, `Cannot ${exchange.method} ${DAPP_PATH}/events`);
    const { core } = this.gateway;
    const query = queryOf(exchange);
    const caller = callerOf(exchange);
    const user = await core.userOf(caller);
    if (user === undefined) return withHeaders(json(401, { error: 'Unauthenticated' }), ANY_ORIGIN);
    const { userId } = user;
    if (core.store.sessions.get(userId) === undefined)
      return withHeaders(json(401, { error: 'No session' }), ANY_ORIGIN);
    if (core.events.isFull) return withHeaders(html(429, 'Too Many Requests'), ANY_ORIGIN);
    const answer: WireAnswer = {
      status: 200,
      headers: { ...EVENT_HEADERS, ...ANY_ORIGIN },
      open: ({ write, end }) => {
        const send = ({ name, args }: GatewayEvent): void => {
          if (name === 'failure' && !query.has('failures')) return;
          write(`event: ${name}\ndata: ${JSON.stringify(args)}\n\n`);
        };
        if (core.settings.replayEvents) for (const event of core.events.of(userId)) send(event);
        return core.events.subscribe(userId, send, end);
      },
    };
    const { network } = core.ports;
    const call = { operation: 'DappApi/events', params: {}, header: exchange.header, id: null };
    return underGatewayFaults(network, call, () => Promise.resolve(answer));
  }
}

/** The name of a method in fault rules and in the journal. */
const operationOf = (api: GatewayApi, method: string): string =>
  `${api === 'dapp' ? 'DappApi' : 'UserApi'}/${method}`;

/** The error of a call. Its answer may be without the message. */
interface Failure {
  message?: string;
}

/** The code and the message of an error, for the journal. */
function errorIn(
  { body }: WireAnswer,
  { message }: Failure,
): { readonly error: string; readonly explanation: string } | undefined {
  if (typeof body !== 'string' || !body.startsWith('{')) return undefined;
  const { error } = JSON.parse(body) as { error?: unknown };
  if (!isJsonObject(error)) return undefined;
  return {
    error: String(error['code']),
    explanation: message ?? String(error['message'] ?? 'Invalid request'),
  };
}

const apiAt = (path: string): GatewayApi | undefined => {
  const plain = path.replace(/\/$/, '');
  if (plain === DAPP_PATH) return 'dapp';
  return plain === USER_PATH ? 'user' : undefined;
};

/** A token in the query is for a browser's EventSource, which sends no headers. */
function callerOf(exchange: Exchange): Caller {
  const { header, root } = exchange;
  const given = header('authorization') ?? `Bearer ${queryOf(exchange).get('token') ?? ''}`;
  const [, token = ''] = /^Bearer (\S+)/.exec(given) ?? [];
  return { token: token === '' ? undefined : token, origin: header('origin'), root: root() };
}

const queryOf = ({ target }: Exchange): URLSearchParams =>
  new URLSearchParams(target.replace(/^[^?]*/, ''));

interface RpcRequest {
  readonly method: string;
  readonly params?: unknown;
  readonly id?: string | number | null;
}

function isRequest(body: unknown): body is RpcRequest {
  if (!isJsonObject(body)) return false;
  const { jsonrpc, method, params, id } = body;
  const isParams = params === undefined || (typeof params === 'object' && params !== null);
  const isId = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  return jsonrpc === '2.0' && typeof method === 'string' && isParams && isId;
}

/** The body, if it is JSON by its content type. NOTE: the texts of its rejections are Canticle's. */
async function readJson(
  exchange: Exchange,
): Promise<{ readonly body: unknown } | { readonly refusal: WireAnswer }> {
  try {
    const sent = (await exchange.readBody(MAX_GATEWAY_BODY_BYTES)).toString();
    const isJson = /^\s*application\/json\b/i.test(exchange.header('content-type') ?? '');
    return { body: isJson && sent !== '' ? (JSON.parse(sent) as unknown) : undefined };
  } catch (error) {
    if (error instanceof BodyTooLarge)
      return { refusal: withHeaders(html(413, 'Payload Too Large'), { connection: 'close' }) };
    if (!isError(error, 'SyntaxError')) throw error;
    return { refusal: html(400, 'Bad Request') };
  }
}

const json = (status: number, body: unknown): WireAnswer => ({
  status,
  headers: JSON_HEADERS,
  body: JSON.stringify(body),
});

function failed(id: string | number | null, error: unknown): WireAnswer {
  const { status, error: shown } = failureOf(error);
  return json(status, { jsonrpc: '2.0', id, error: shown });
}

/** @param text without characters of HTML */
const html = (status: number, text: string): WireAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Error</title></head><body><pre>${text}</pre></body></html>\n`,
});

const preflight = (asked: string | undefined): WireAnswer => ({
  status: 204,
  headers: {
    ...ANY_ORIGIN,
    'access-control-allow-methods': METHODS,
    vary: 'Access-Control-Request-Headers',
    ...(asked !== undefined && { 'access-control-allow-headers': asked }),
  },
});

/** NOTE: the gateway does not serve its documents. */
function documentAt(name: string): WireAnswer {
  if (!Object.hasOwn(OPENRPC_DOCUMENTS, name)) return html(404, 'Not Found');
  return json(200, openRpcDocument(OPENRPC_DOCUMENTS[name as keyof typeof OPENRPC_DOCUMENTS]));
}
