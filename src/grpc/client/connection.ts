/** gRPC calls, each over its own connection: sends one message and collects all answers in memory. */
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { ClientTls } from '../../client/http-side.js';
import { FrameReader, framed, GrpcError } from '../wire/frames.js';

/** The result of a call: its messages if it succeeds, otherwise its status. */
export type CallEnd =
  | { readonly messages: readonly Uint8Array[] }
  | {
      readonly code: number;
      readonly message: string;
      /** A `google.rpc.Status`, if the server sent one. */
      readonly details: Uint8Array | undefined;
    };

/** The maximum size of an answer message in bytes, by default. */
const MAX_MESSAGE_BYTES = 2 ** 30;
const UNKNOWN = 2;

export class Connection {
  private readonly session: ClientHttp2Session;
  private socket!: Socket;
  private error: Error | undefined;

  /** @param address such as `127.0.0.1:5001`, and @param tls undefined without encryption */
  constructor(
    address: string,
    private readonly token: string | undefined,
    tls: ClientTls | undefined,
    private readonly maxMessageBytes = MAX_MESSAGE_BYTES,
  ) {
    this.session = connect(`${tls === undefined ? 'http' : 'https'}://${address}`, {
      createConnection: ({ hostname, port }) =>
        (this.socket =
          tls === undefined
            ? connectPlain(Number(port), hostname)
            : connectSecure(Number(port), hostname, { ...tls, ALPNProtocols: ['h2'] })),
    });
    this.session.on('error', (error) => (this.error = error));
  }

  /** @throws the system's error if the connection fails */
  call(path: string, message: Uint8Array): Promise<CallEnd> {
    return new Promise((resolve, reject) => {
      const stream = this.session.request({
        [constants.HTTP2_HEADER_METHOD]: 'POST',
        [constants.HTTP2_HEADER_PATH]: path,
        'content-type': 'application/grpc+proto',
        te: 'trailers',
        ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      });
      const frames = new FrameReader(this.maxMessageBytes, undefined);
      const messages: Uint8Array[] = [];
      let status: Readonly<Record<string, unknown>> = {};
      const note = (headers: Readonly<Record<string, unknown>>) =>
        (status = { ...status, ...headers });
      stream.on('response', note);
      stream.on('trailers', note);
      stream.on('data', (chunk: Buffer) => {
        try {
          for (const each of frames.add(chunk)) messages.push(Uint8Array.from(each));
        } catch (error) {
          stream.destroy(error as Error);
        }
      });
      stream.on('error', (error) => {
        if (!(error instanceof GrpcError)) return reject(this.error ?? error);
        resolve({ code: error.code, message: error.message, details: undefined });
      });
      stream.on('close', () => {
        if (status[':status'] === undefined) reject(this.error ?? unanswered());
        else resolve(endOf(status, messages));
      });
      stream.end(framed([message]));
    });
  }

  close(): void {
    this.session.close();
    // If the certificate of the server is not trusted, Node ends the session but leaves its socket open.
    this.socket.destroySoon();
  }
}

/** A server that requires TLS, or a certificate, may close the connection without an error. */
const unanswered = (): Error =>
  Object.assign(new Error('the connection ended before an answer'), { code: 'ECONNRESET' });

function endOf(
  headers: Readonly<Record<string, unknown>>,
  messages: readonly Uint8Array[],
): CallEnd {
  if (headers['grpc-status'] === '0') return { messages };
  const status = Number(headers['grpc-status'] ?? UNKNOWN);
  const nothing = `an answer with the HTTP status ${String(headers[':status'])} and none of gRPC`;
  const details = headers['grpc-status-details-bin'];
  return {
    code: Number.isInteger(status) ? status : UNKNOWN,
    message: decoded(String(headers['grpc-message'] ?? nothing)),
    details: typeof details === 'string' ? Buffer.from(details, 'base64') : undefined,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
