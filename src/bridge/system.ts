/** A system that recorded requests are sent to: a Canticle of this process, or a live one. */
import { clearTimeout, setTimeout } from 'node:timers';
import { requesterOf } from './forward.js';
import { ws } from '../http/packages.js';
import { MAX_RECORDED_BYTES } from '../recording/limits.js';

export interface SystemAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly body: Buffer;
}

export interface SystemRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

export class System {
  /** @param base its address; a path in it stands before every other */
  constructor(private readonly base: string) {}

  /** Rejects with the system's error where there is no answer. */
  ask({ method, target, headers, body }: SystemRequest): Promise<SystemAnswer> {
    const url = new URL(this.base.replace(/\/+$/, '') + target);
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) };
      const request = requesterOf(url)({ method, headers: { ...headers, ...length } });
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MAX_RECORDED_BYTES) response.destroy(new Error('its answer is too long'));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            mediaType: mediaTypeOf(response.headers['content-type']),
            body: Buffer.concat(chunks),
          }),
        );
      });
      request.end(body);
    });
  }

  /**
   * Opens a WebSocket, sends these texts, and takes what comes until there is as much as that, until it is closed, or until nothing has
   * come for a while.
   * @param quiet milliseconds
   */
  stream(
    target: string,
    sent: readonly string[],
    {
      enough,
      quiet,
      token,
    }: { enough: (got: readonly string[]) => boolean; quiet: number; token?: string | undefined },
  ): Promise<readonly string[]> {
    const url = this.base.replace(/\/+$/, '').replace(/^http/, 'ws') + target;
    // A participant of release 3.5 sees a token in the first place alone (B-AUTH-002).
    const protocols = [...(token === undefined ? [] : [`jwt.token.${token}`]), 'daml.ws.auth'];
    const socket = new (ws().WebSocket)(url, protocols);
    const got: string[] = [];
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        socket.terminate();
        resolve(got);
      };
      const timer = setTimeout(end, quiet);
      socket.on('open', () => sent.forEach((text) => socket.send(text)));
      socket.on('message', (data) => {
        got.push((data as Buffer).toString());
        timer.refresh();
        if (enough(got)) end();
      });
      socket.on('close', end);
      socket.on('unexpected-response', (_request, { statusCode }) => {
        got.push(JSON.stringify(`refused with ${statusCode}`));
        end();
      });
      socket.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
    });
  }
}

/** `application/json`, without what follows. */
export const mediaTypeOf = (contentType = ''): string =>
  contentType.split(';', 1)[0]!.trim().toLowerCase();
