/** A WebSocket without a port and without a connection of Node, for browsers: frames pass from one end to the other as they are. */
import { setImmediate } from 'node:timers';
import type { HttpEntry } from '../http-entry.js';
import type { Site } from '../sites.js';
import type { StreamConnection, StreamSocket } from '../streams/stream-socket.js';
import { exchangeOf } from './local-request.js';
import type {
  InProcessWebSocket,
  InProcessWebSocketListener,
  InProcessWebSocketRequest,
} from './web-socket.js';

const LOST = 1006;
const NO_STATUS = 1005;
const NORMAL = 1000;
/** Nothing waits in a buffer. */
const CONNECTION: StreamConnection = { cork: () => undefined, uncork: () => undefined };

/** As `openWebSocket`: a rejected WebSocket closes with 1006. */
export function openInMemory(
  httpEntry: HttpEntry,
  { path, root = 'http://localhost', protocols = [] }: InProcessWebSocketRequest,
  listener: InProcessWebSocketListener,
): InProcessWebSocket {
  const socket = new MemorySocket(listener);
  const located = httpEntry.sites().locate(path);
  const opened =
    'answering' in located
      ? Promise.reject(new Error('This path has no stream.'))
      : open(located.site, located.target, root, protocols, socket);
  void opened.catch(() => socket.end(LOST));
  return {
    send: (data) => socket.received(data),
    close: (code = NO_STATUS, reason) => socket.end(code, reason),
  };
}

async function open(
  { dispatcher, streams }: Site,
  target: string,
  root: string,
  protocols: readonly string[],
  socket: MemorySocket,
): Promise<void> {
  const exchange = exchangeOf({
    method: 'GET',
    target,
    root: root.replace(/^ws/, 'http'),
    headers:
      protocols.length === 0 ? [] : [['sec-websocket-protocol', protocols.join(', ')] as const],
  });
  const stream = await dispatcher.streamFor(exchange);
  if (stream === undefined) return socket.end(LOST);
  streams.take(stream.list, exchange, stream.admission, { socket, connection: CONNECTION });
  socket.opened();
}

/** The end of the server. */
class MemorySocket implements StreamSocket {
  readonly bufferedAmount = 0;
  private isOpen = false;
  private hasEnded = false;
  /** Messages that the client sent before it opened. */
  private waiting: (string | Uint8Array)[] = [];
  private onMessage: ((data: never, isBinary: boolean) => void) | undefined;
  private readonly onClose: (() => void)[] = [];

  constructor(private readonly listener: InProcessWebSocketListener) {}

  opened(): void {
    this.isOpen = true;
    for (const data of this.waiting.splice(0)) this.received(data);
  }

  received(data: string | Uint8Array): void {
    if (this.hasEnded) return;
    if (!this.isOpen) return void this.waiting.push(data);
    const { onMessage } = this;
    this.onMessage = undefined;
    onMessage?.(Buffer.from(data as Uint8Array) as never, typeof data !== 'string');
  }

  send(
    data: Uint8Array | string,
    { binary }: { readonly binary: boolean } = { binary: typeof data !== 'string' },
    sent?: () => void,
  ): void {
    setImmediate(() => {
      const bytes = Buffer.from(data as Uint8Array);
      if (!this.hasEnded) this.listener.message(binary ? bytes : bytes.toString());
      sent?.();
    });
  }

  close(code = NORMAL, reason = ''): void {
    // After the frames that were sent before.
    setImmediate(() => this.end(code, reason));
  }

  terminate(): void {
    this.close(LOST);
  }

  /** Ends both sides. */
  end(code: number, reason = ''): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const close of this.onClose) close();
    this.listener.close(code, reason);
  }

  /** There are no errors of a connection. */
  on(): void {}

  once(event: 'close' | 'message', listener: never): void {
    if (event === 'close') this.onClose.push(listener);
    else {
      const earlier = this.onMessage as ((...args: unknown[]) => void) | undefined;
      this.onMessage = (...args) => {
        earlier?.(...args);
        (listener as (...args: unknown[]) => void)(...args);
      };
    }
  }
}
