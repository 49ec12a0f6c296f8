/** An instance in a page or a worker. */
import type { Express } from 'express';
import { Canticle } from '../assembly/canticle.js';
import type { InProcessAnswer, InProcessRequest } from '../http/in-process/handle.js';
import { openInMemory } from '../http/in-process/memory-web-socket.js';
import type {
  InProcessWebSocket,
  InProcessWebSocketListener,
  InProcessWebSocketRequest,
} from '../http/in-process/web-socket.js';
import { withCallerStack } from '../daml/errors/own-frames.js';
import { NotInBrowser } from './platform/missing.js';
import { readyFor } from './parts.js';

/** The same instance as in Node, without ports, files and Express. */
export class BrowserCanticle extends Canticle {
  declare readonly fetch: Canticle['fetch'];

  constructor(...parts: ConstructorParameters<typeof Canticle>) {
    super(...parts);
    const answer = (this as Canticle).fetch;
    this.fetch = async (request) => {
      const isUnread = typeof request?.url === 'string' && !request.bodyUsed;
      if (!isUnread) return answer(request);
      const { url, method, headers, signal } = request;
      // Not every browser has the body of a request as a stream.
      const [bytes] = await Promise.all([request.arrayBuffer(), readyFor(new URL(url).pathname)]);
      const body = bytes.byteLength === 0 ? undefined : new Uint8Array(bytes);
      return answer({ url, method, headers, signal, body, bodyUsed: false } as unknown as Request);
    };
  }

  override async handle(request: InProcessRequest): Promise<InProcessAnswer> {
    await readyFor(request.path);
    return super.handle(request);
  }

  override webSocket(
    request: InProcessWebSocketRequest,
    listener: InProcessWebSocketListener,
  ): InProcessWebSocket {
    return openInMemory(this.httpEntry, request, listener);
  }

  override get app(): Express {
    throw missing('Express applications', 'Handle requests in the page, for example with MSW.');
  }

  override async listen(): Promise<void> {
    throw missing('ports', 'Use fetch, handle or the handlers of canticle/browser/msw.');
  }

  override save(): void {
    throw missing('files', 'Use dump, which returns the bytes.');
  }
}

const missing = (what: string, instead?: string): Error =>
  withCallerStack(new NotInBrowser(what, instead));
