/**
 * The live side of a fork: its JSON Ledger API and its Scan. It only sends read requests.
 * NOTE: the texts are from Canticle: users who start a fork read them.
 */
import {
  ClientError,
  drive,
  read,
  refused,
  requestOf,
  type ApiAnswer,
  type ApiRequest,
  type Requests,
  type Given,
} from '../../client/requests.js';
import { HttpSide } from '../../client/http-side.js';
import type { Read } from '../../client/operations.js';
import { streamed, type StreamEnd } from '../../client/stream-side.js';
import { isError } from '../../daml/errors/realms.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import { ForkFailed } from './fork-failed.js';
import type { Reading } from './reading.js';

/** Maximum milliseconds without a message on a WebSocket. */
const QUIET = 60_000;
/** The code with which a server closes a complete stream. */
const NORMAL = 1000;

export class LiveSide {
  private readonly side: HttpSide;

  constructor(
    url: string,
    private readonly reading: Reading,
    private readonly token: string | undefined,
    private readonly kind: 'a JSON Ledger API' | 'a Scan' = 'a JSON Ledger API',
  ) {
    if (!/^https?:\/\//.test(url))
      throw new ForkFailed(
        `'${url}' is not a URL. Expected the URL of ${kind}, such as http://localhost:7575.`,
      );
    this.side = new HttpSide(url, { token, signal: reading.signal });
  }

  /** An answer whose used parts are checked. @throws ForkFailed */
  get<T>(operation: Read, given?: Given): Promise<T> {
    return this.run(read<T>(operation, given));
  }

  async bytes(operation: Read, given: Given): Promise<Buffer> {
    return (await this.send(requestOf(operation, given))).bytes!;
  }

  /** @throws ForkFailed */
  async run<T>(requests: Requests<T>): Promise<T> {
    try {
      return await drive(requests, this.send);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      const { request, why } = error;
      const next = why.includes('is not JSON') ? ` Is it ${this.kind}?` : '';
      throw new ForkFailed(`${this.side.base}${request.path} ${why}${next}`);
    }
  }

  /** Like `run`, but undefined if the caller is not authorized, or the operation does not exist. */
  async ifAllowed<T>(requests: Requests<T>): Promise<T | undefined> {
    try {
      return await this.run(requests);
    } catch (error) {
      const { status } = error as ForkFailed;
      if (status === 401 || status === 403 || status === 404 || status === 405) return undefined;
      throw error;
    }
  }

  /** Sends one request over a WebSocket, until the stream ends. @param take receives each message */
  async stream<T>(operation: Read, request: unknown, take: (message: T) => void): Promise<void> {
    this.reading.requireGoing();
    const { path, answer: shape } = operation;
    const end = await this.reached(path, () =>
      streamed(this.side.base, path, {
        token: this.token,
        sent: [JSON.stringify(request)],
        take: (text) => {
          const message = parsed(text, path);
          this.requireTaken(message, path);
          const error = shape!(message, '');
          if (error !== undefined)
            throw new ForkFailed(`WebSocket ${path} sent an unexpected message: ${error}.`);
          take(message as T);
        },
        quiet: QUIET,
        signal: this.reading.signal,
      }),
    );
    const why = whyEnded(end);
    if (why !== undefined) throw new ForkFailed(`${this.side.base}${path} ${why}.`);
  }

  /** @throws ForkFailed if the last message of a stream is an error */
  private requireTaken(message: unknown, path: string): void {
    const { code, cause, grpcCodeValue } = isJsonObject(message) ? message : {};
    if (typeof code !== 'string') return;
    const status = REFUSED[Number(grpcCodeValue)] ?? 500;
    const refusal = `${code}: ${String(cause)}`.slice(0, SHOWN);
    throw new ForkFailed(
      `WebSocket ${path} was answered with ${refusal}.${this.nextStep(status, path)}`,
      status,
    );
  }

  private readonly send = async (request: ApiRequest): Promise<ApiAnswer> => {
    requireRead(request);
    this.reading.requireGoing();
    const answer = await this.reached(request.path, () => this.side.send(request));
    if (answer.status === 200) return answer;
    const next = this.nextStep(answer.status, request.path);
    throw new ForkFailed(`${refused(request, answer).message}${next}`, answer.status);
  };

  private async reached<T>(path: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (error instanceof ForkFailed) throw error;
      const why = (error as Error).message;
      throw new ForkFailed(`${this.side.base}${path} cannot be reached: ${why}.`);
    }
  }

  /** A suggestion for the user. */
  private nextStep(status: number, path: string): string {
    if (status === 401)
      return this.token === undefined
        ? ' It requires a token: use token or --token.'
        : ' It does not accept the token, or no longer accepts it.';
    if (status === 403 && path.startsWith('/v2/state/active-contracts'))
      return ' The token may not read as these parties. Name the parties (parties, --party), or use the token of a user that can read as any party.';
    return '';
  }
}

function requireRead({ operation, method, path }: ApiRequest): void {
  if ((operation as Partial<Read>).isRead !== true)
    throw new Error(`A fork does not send ${method} ${path}: it only reads.`);
}

/** HTTP statuses for gRPC codes about authorization. */
const REFUSED: Readonly<Record<number, number>> = { 7: 403, 16: 401 };
/** Characters. */
const SHOWN = 300;

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (isError(error, 'SyntaxError'))
      throw new ForkFailed(`WebSocket ${path} sent a message that is not JSON.`);
    throw error;
  }
}

function whyEnded(end: StreamEnd): string | undefined {
  if (end.kind === 'quiet') return `sent no message for ${QUIET / 1000} seconds`;
  if (end.kind === 'refused') return `cannot be reached: it was rejected with ${end.status}`;
  if (end.kind === 'closed' && end.code !== NORMAL) return `closed before its end (${end.code})`;
  return undefined;
}
