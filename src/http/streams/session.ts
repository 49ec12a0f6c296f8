/**
 * One WebSocket as the connection of a stream. The end of a stream closes the socket; an error is sent first, as a
 * frame (B-WS-003 to B-WS-007).
 */
import { setImmediate } from 'node:timers';
import type { StreamLine } from '../../services/calls/call-streams.js';
import type { StreamConnection, StreamSocket } from './stream-socket.js';

/** The limit of unsent data, in bytes: above it reading pauses, and below half of it reading resumes. */
export const HIGH_WATER = 1024 * 1024;
const NORMAL_CLOSURE = 1000;
const AS_TEXT = { binary: false };

export interface SessionRules {
  readonly connection: StreamConnection;
  /** The text of a frame for an element, in UTF-8. */
  readonly print: (element: object) => Uint8Array;
  /** The text of a frame for an error. */
  readonly printError: (error: unknown) => string;
  /** The client can receive more. */
  readonly wake: () => void;
}

export function lineOver(
  socket: StreamSocket,
  { connection, print, printError, wake }: SessionRules,
): StreamLine {
  let isBlocked = false;
  let isCorked = false;
  const sent = (): void => {
    if (!isBlocked || socket.bufferedAmount > HIGH_WATER / 2) return;
    isBlocked = false;
    wake();
  };
  // An error of the connection is followed by its close event.
  socket.on('error', () => undefined);
  return {
    sink: {
      send: (element) => {
        if (!isCorked) connection.cork();
        isCorked = true;
        socket.send(print(element), AS_TEXT, sent);
        if (socket.bufferedAmount > HIGH_WATER) isBlocked = true;
      },
      get isFull() {
        return isBlocked;
      },
      flush: () => {
        if (isCorked) connection.uncork();
        isCorked = false;
      },
      end: (error) => {
        if (error !== undefined) socket.send(printError(error.thrown));
        socket.close(NORMAL_CLOSURE);
      },
    },
    reset: () => cutOff(socket),
    onClosed: (listener) => void socket.once('close', listener),
  };
}

/** Breaks the connection after the sent data has left. */
function cutOff(socket: StreamSocket): void {
  if (socket.bufferedAmount === 0) socket.terminate();
  else setImmediate(() => cutOff(socket));
}
