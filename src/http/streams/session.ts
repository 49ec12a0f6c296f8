/**
 * One WebSocket as the line of a stream. A stream that ends closes the socket; an error goes before that as a frame (B-WS-003 to
 * B-WS-007).
 */
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers';
import type { WebSocket } from 'ws';
import type { StreamLine } from '../../services/calls/call-streams.js';

/** What waits to be taken by the client, in bytes: above it nothing more is read, below half of it reading goes on. */
export const HIGH_WATER = 1024 * 1024;
const NORMAL_CLOSURE = 1000;
const AS_TEXT = { binary: false };

export interface SessionRules {
  /** What the socket is made over: frames that follow each other at once leave together, as each write costs as much as all else. */
  readonly connection: Duplex;
  /** The text of a frame for an element, in UTF-8. */
  readonly print: (element: object) => Uint8Array;
  /** The text of a frame for an error. */
  readonly printError: (error: unknown) => string;
  /** The client takes more again. */
  readonly wake: () => void;
}

export function lineOver(
  socket: WebSocket,
  { connection, print, printError, wake }: SessionRules,
): StreamLine {
  let isBlocked = false;
  let isCorked = false;
  const sent = (): void => {
    if (!isBlocked || socket.bufferedAmount > HIGH_WATER / 2) return;
    isBlocked = false;
    wake();
  };
  // What follows an error of the connection is its closing.
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

/** Breaks the connection, once what was sent has left. */
function cutOff(socket: WebSocket): void {
  if (socket.bufferedAmount === 0) socket.terminate();
  else setImmediate(() => cutOff(socket));
}
