/** The requests of a method whose client says several things: they count, together, once the client is done. */
import type { CallListener, Status } from './call.js';
import { WireFault } from './frames.js';
import { UNREADABLE } from './one-request.js';

const RESOURCE_EXHAUSTED = 8;

export class ManyRequests implements CallListener {
  private readonly requests: Uint8Array[] = [];
  private bytes = 0;

  /** @param maxBytes of all of them */
  constructor(
    private readonly maxBytes: number,
    private readonly handle: (requests: readonly Uint8Array[]) => void,
  ) {}

  message(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    if (this.bytes > this.maxBytes)
      throw new WireFault(RESOURCE_EXHAUSTED, `The requests exceed ${this.maxBytes} bytes.`);
    // What comes is a view of what was read from the wire.
    this.requests.push(Uint8Array.from(bytes));
  }

  halfClosed(): void {
    this.handle(this.requests);
  }

  failed(): Status {
    return UNREADABLE;
  }
}
