/** A WebSocket of the JSON Ledger API: sends texts, and receives messages in order. */
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';
import type * as Ws from 'ws';
import { packageOf } from '../spec/loading/node-realm.js';
import { MAX_ANSWER_BYTES } from './http-side.js';

export interface Streaming {
  readonly token: string | undefined;
  readonly sent: readonly string[];
  /** Receives each message. Returns true, or throws, to end the stream. */
  readonly take: (text: string) => boolean | void;
  /** Milliseconds that nothing may come for. */
  readonly quiet: number;
  readonly signal?: AbortSignal;
}

/**
 * The cause of the end: `take` ended it, no message came in time, the server closed it with a code, or refused it
 * with a status.
 */
export type StreamEnd =
  | { readonly kind: 'taken' | 'quiet' }
  | { readonly kind: 'closed'; readonly code: number }
  | { readonly kind: 'refused'; readonly status: number };

/** @param base of the API over HTTP @throws the socket's error if the connection fails */
export function streamed(
  base: string,
  target: string,
  { token, sent, take, quiet, signal }: Streaming,
): Promise<StreamEnd> {
  const url = base.replace(/\/+$/, '').replace(/^http/, 'ws') + target;
  // A participant of release 3.5 reads a token only as the first subprotocol (B-AUTH-002).
  const protocols = [...(token === undefined ? [] : [`jwt.token.${token}`]), 'daml.ws.auth'];
  const { WebSocket } = packageOf<typeof Ws>('ws');
  const socket = new WebSocket(url, protocols, { maxPayload: MAX_ANSWER_BYTES });
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      socket.removeAllListeners();
      // Errors after the end are ignored.
      socket.on('error', () => undefined);
      socket.terminate();
      settle();
    };
    const as = (how: StreamEnd): void => end(() => resolve(how));
    const stop = (): void => end(() => reject(signal!.reason as Error));
    const timer = setTimeout(() => as({ kind: 'quiet' }), quiet);
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    socket.on('open', () => sent.forEach((text) => socket.send(text)));
    socket.on('message', (data) => {
      timer.refresh();
      try {
        // Messages that arrived with it are taken, too.
        if (take((data as Buffer).toString('utf8')) === true)
          setImmediate(() => as({ kind: 'taken' }));
      } catch (error) {
        end(() => reject(error as Error));
      }
    });
    socket.on('close', (code) => as({ kind: 'closed', code }));
    socket.on('unexpected-response', (_, { statusCode: status = 0 }) =>
      as({ kind: 'refused', status }),
    );
    socket.on('error', (error) => end(() => reject(error)));
  });
}
