/** The request of a method with one request. The method handles it after the client ended its stream. */
import type { CallListener, Status } from './call.js';
import type { HeldBytes } from './held-bytes.js';
import { GrpcError } from './frames.js';

const UNKNOWN = 2;
const INTERNAL = 13;

/** NOTE: the text of the participant's gRPC library, which is not part of Canton's sources. */
export const UNREADABLE: Status = { code: UNKNOWN, message: 'Application error processing RPC' };

export class OneRequest implements CallListener {
  private request: Uint8Array | undefined;

  /** @param error the error for several requests or none */
  constructor(
    private readonly handle: (request: Uint8Array) => void,
    private readonly error: (text: string) => GrpcError = (text) => new GrpcError(INTERNAL, text),
  ) {}

  message(bytes: Uint8Array, held: HeldBytes): void {
    if (this.request !== undefined) throw this.error('Too many requests');
    held.add(bytes.length);
    this.request = bytes;
  }

  halfClosed(): void {
    if (this.request === undefined) throw this.error('Half-closed without a request');
    this.handle(this.request);
  }

  failed(): Status {
    return UNREADABLE;
  }
}
