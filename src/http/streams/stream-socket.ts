/** The parts of a WebSocket and of its connection that a stream uses: those of `ws`, or of one in memory. */

export interface StreamSocket {
  /** Bytes that were sent, but not yet received by the client. */
  readonly bufferedAmount: number;
  /** @param sent called when the data has left */
  send(data: Uint8Array | string, options?: { readonly binary: boolean }, sent?: () => void): void;
  close(code: number, reason?: string): void;
  /** Breaks the connection. */
  terminate(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'close', listener: () => void): unknown;
  once(event: 'message', listener: (data: never, isBinary: boolean) => void): unknown;
}

/** Consecutive frames leave in one write, because a write is the main cost. */
export interface StreamConnection {
  cork(): void;
  uncork(): void;
}
