/** The requests of a method whose client says several things: each is read as it comes, and they count, together, once the client is done. */
import type { CallListener, Status } from './call.js';
import { UNREADABLE } from './one-request.js';

/** What a message costs beside its own bytes, however few those are. */
const MESSAGE_OVERHEAD_BYTES = 1024;

export class ManyRequests<T> implements CallListener {
  private requests: T[] = [];

  /**
   * @param read must not keep the bytes that it is given
   * @param handle is given what throws where a request could not be read
   */
  constructor(
    private readonly read: (bytes: Uint8Array) => T,
    private readonly handle: (requests: () => readonly T[]) => void,
  ) {}

  message(bytes: Uint8Array, hold: (bytes: number) => void): void {
    hold(bytes.length + MESSAGE_OVERHEAD_BYTES);
    try {
      this.requests.push(this.read(bytes));
    } catch (error) {
      this.handle(() => {
        throw error;
      });
    }
  }

  halfClosed(): void {
    this.handle(() => this.requests);
  }

  failed(): Status {
    this.requests = [];
    return UNREADABLE;
  }
}
