/**
 * WebSockets whose clients have not sent their request yet. On a participant a command takes far longer than a
 * client's first message. A client that opens a WebSocket and then submits has its stream before the answer. Here a
 * command is faster, so its answer waits (B-WS-026).
 */
import { clearTimeout, setImmediate, setTimeout } from 'node:timers';

/** The longest time that an answer waits for a client, from the opening of its WebSocket. */
export const MAX_OPENING_MS = 100;

interface Opening {
  once(event: 'message' | 'close', listener: () => void): unknown;
}

export class OpeningStreams {
  private readonly pending = new Set<Promise<void>>();

  /** @param socket a new WebSocket, with the reader of its first message */
  add(socket: Opening): void {
    const opening = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MAX_OPENING_MS).unref();
      const done = (): void => {
        clearTimeout(timer);
        // The stream sends its first elements in its first turn, which comes before.
        setImmediate(resolve);
      };
      socket.once('message', done);
      socket.once('close', done);
    });
    this.pending.add(opening);
    void opening.then(() => this.pending.delete(opening));
  }

  /** Resolves when each present client has sent its request; undefined without such clients. */
  get all(): Promise<unknown> | undefined {
    return this.pending.size === 0 ? undefined : Promise.all(this.pending);
  }
}
