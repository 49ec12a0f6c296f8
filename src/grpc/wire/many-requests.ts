/**
 * The requests of a client stream. Each is decoded when it arrives; the method handles them together after the last
 * one.
 */
import type { CallListener, Status } from './call.js';
import type { HeldBytes } from './held-bytes.js';
import { UNREADABLE } from './one-request.js';

/** Memory for each message in addition to its own bytes. */
const MESSAGE_OVERHEAD_BYTES = 1024;

export class ManyRequests<T> implements CallListener {
  private requests: T[] = [];

  /**
   * @param read must not keep a reference to the bytes
   * @param handle its argument throws if a request could not be decoded
   */
  constructor(
    private readonly read: (bytes: Uint8Array) => T,
    private readonly handle: (requests: () => readonly T[]) => void,
  ) {}

  message(bytes: Uint8Array, held: HeldBytes): void {
    held.add(bytes.length + MESSAGE_OVERHEAD_BYTES);
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
