/**
 * A connection within this process: a pair of ends. A node:http server handles one of them like a connection to a
 * port.
 */
import { Duplex } from 'node:stream';

abstract class End extends Duplex {
  private peer!: End;
  private taken?: () => void;

  join(peer: End): void {
    this.peer = peer;
  }

  override _read(): void {
    const { taken } = this;
    this.taken = undefined;
    taken?.();
  }

  override _write(chunk: Uint8Array, _: BufferEncoding, done: () => void): void {
    // If the reader's buffer is full, the writer waits.
    if (this.peer.push(chunk)) done();
    else this.peer.taken = done;
  }

  override _final(done: () => void): void {
    this.peer.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    process.nextTick(() => this.peer.left());
    done(error);
  }

  /** The other side has gone. */
  protected abstract left(): void;
}

/** Data that the server sent before it closed is still read. */
class ClientEnd extends End {
  protected left(): void {
    if (!this.destroyed) this.push(null);
  }
}

export class ServerEnd extends End {
  /** Only this process can open one. */
  readonly isLocal = true;
  /** The property that servers read from a socket. */
  readonly remoteAddress = '127.0.0.1';
  /** Present if the connection counts as TLS. */
  declare readonly encrypted?: true;

  /** @param baseUrl the server's path prefix from the client's view */
  constructor(
    readonly baseUrl: string,
    isSecure: boolean,
  ) {
    super();
    if (isSecure) this.encrypted = true;
  }

  protected left(): void {
    this.destroy();
  }
}

/** @param root the URL of the server, as its client sees it */
export function connection(root: string): { readonly client: Duplex; readonly server: ServerEnd } {
  const { protocol, pathname } = new URL(root);
  const client = new ClientEnd();
  const server = new ServerEnd(pathname.replace(/\/$/, ''), protocol === 'https:');
  client.join(server);
  server.join(client);
  // The reader receives the error.
  for (const end of [client, server]) end.on('error', () => undefined);
  return { client, server };
}
