/** A client over HTTP for another system: a Canticle of this process, a sandbox, a participant or a Scan elsewhere. */
import { request as overHttp, type IncomingMessage } from 'node:http';
import type * as Https from 'node:https';
import { clearTimeout, setTimeout } from 'node:timers';
import { packageOf } from '../spec/loading/node-realm.js';
import { headersOf, sentBody, type ApiAnswer, type ApiRequest } from './requests.js';

/** The TLS material of a connection, each part as PEM. */
export interface ClientTls {
  /** The trusted CA certificates; by default those of Node. */
  readonly ca?: string | undefined;
  /** The client's own certificate, with its private key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface SideOptions {
  readonly token?: string | undefined;
  readonly tls?: ClientTls | undefined;
  /** Milliseconds that an answer may take, to its end. */
  readonly patience?: number;
  /** Bytes of one answer. */
  readonly maxBytes?: number;
  /** Ends every request. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Milliseconds for an answer: the default, and the time for commands, which may wait as long as a participant
 * allows.
 */
export const PATIENCE_MS = 60_000;
export const COMMAND_PATIENCE_MS = 6 * 60_000;
/** Bytes of one answer by default. */
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

export interface HttpRequest {
  readonly method?: string;
  /** The part of the URL after the host, with its query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
  /** The address to connect to; the URL's host name then need not resolve. */
  readonly connectTo?: string;
}

export class HttpAnswer implements ApiAnswer {
  private parsed: { readonly json: unknown } | undefined;

  constructor(
    readonly status: number,
    contentType: string | undefined,
    readonly bytes: Buffer,
  ) {
    this.mediaType = mediaTypeOf(contentType);
  }

  readonly mediaType: string;

  get body(): unknown {
    return (this.parsed ??= { json: jsonOf(this.bytes.toString('utf8')) }).json;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `application/json`, without parameters. */
export const mediaTypeOf = (contentType = ''): string =>
  contentType.split(';', 1)[0]!.trim().toLowerCase();

export class HttpSide {
  /** Without a slash at its end. Its path, if any, precedes the path of each request. */
  readonly base: string;

  constructor(
    base: string,
    readonly options: SideOptions = {},
  ) {
    this.base = base.replace(/\/+$/, '');
  }

  /**
   * @param token replaces the configured token
   * @throws an error with a code if there is no answer, or the reason of the signal
   */
  readonly send = (request: ApiRequest, token = this.options.token): Promise<HttpAnswer> => {
    const { method, path: target } = request;
    const headers = headersOf(request, token);
    return this.request({ method, target, headers, body: sentBody(request)?.bytes });
  };

  /** The same for a request that is not an operation of the Ledger API. */
  request(request: HttpRequest): Promise<HttpAnswer> {
    const { maxBytes = MAX_ANSWER_BYTES } = this.options;
    return this.opened(request, async (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes)
          throw errorOf('EMSGSIZE', `its answer has more than ${maxBytes} bytes`);
        chunks.push(chunk);
      }
      const { statusCode = 0, headers } = response;
      return new HttpAnswer(statusCode, headers['content-type'], Buffer.concat(chunks));
    });
  }

  /** An answer as a stream. @param use reads it to its end */
  opened<T>(
    { method = 'GET', target, headers, body, connectTo }: HttpRequest,
    use: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const { tls, signal, patience = PATIENCE_MS } = this.options;
    const url = new URL(this.base + target);
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise<T>((resolve, reject) => {
      // Throws for a header that cannot be sent: nothing waits for an answer then.
      const request = requesterOf(url)(url, {
        ...{ method, ...tls },
        headers: { ...(connectTo !== undefined && { host: url.host }), ...headers, ...length },
        ...(connectTo !== undefined && {
          host: connectTo,
          hostname: connectTo,
          servername: url.hostname,
        }),
      });
      const end = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        settle();
      };
      const fail = (error: unknown) => {
        end(() => reject(error as Error));
        request.destroy();
      };
      const stop = () => fail(signal!.reason);
      const late = () => fail(errorOf('ETIMEDOUT', `it took longer than ${patience} milliseconds`));
      const timer = setTimeout(late, patience);
      request.on('error', (error) => fail(withMessage(error)));
      request.on('response', (response) =>
        use(response).then((answer) => end(() => resolve(answer)), fail),
      );
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop, { once: true });
      request.end(body);
    });
  }
}

/** @returns the function that makes requests for that URL */
export const requesterOf = (url: URL): typeof overHttp =>
  url.protocol === 'https:' || url.protocol === 'wss:'
    ? packageOf<typeof Https>('node:https').request
    : overHttp;

const errorOf = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code });

/** For a name with several addresses, only the inner errors have details. */
function withMessage(error: NodeJS.ErrnoException & { readonly errors?: readonly Error[] }): Error {
  error.message ||= error.errors?.map(({ message }) => message).join(', ') || error.code || '';
  return error;
}
