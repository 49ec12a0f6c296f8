/**
 * One stream over one WebSocket, from the request frame to the closing. A stream that ends closes the socket; an error goes before
 * that as a frame (B-WS-003 to B-WS-007).
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { LogHub } from '../../services/streams/log-hub.js';
import { StreamPump, type OngoingCheck } from '../../services/streams/pump.js';

/** What waits to be taken by the client, in bytes: above it nothing more is read, below half of it reading goes on. */
export const HIGH_WATER = 1024 * 1024;
const NORMAL_CLOSURE = 1000;
const AS_TEXT = { binary: false };

export interface SessionRules {
  readonly hub: LogHub;
  /** What the socket is made over: frames that follow each other at once leave together, as each write costs as much as all else. */
  readonly connection: Duplex;
  /** The text of a frame for an element, in UTF-8. */
  readonly print: (element: object) => Uint8Array;
  /** The text of a frame for an error. */
  readonly printError: (error: unknown) => string;
  /** Throws what ends the stream from without, such as a token that has expired; asked before each element. */
  readonly check?: OngoingCheck | undefined;
}

/** Begins to send through what it answers. */
export function sessionOver(
  socket: WebSocket,
  { hub, connection, print, printError, check }: SessionRules,
): StreamPump {
  let isBlocked = false;
  let isCorked = false;
  const sent = (): void => {
    if (!isBlocked || socket.bufferedAmount > HIGH_WATER / 2) return;
    isBlocked = false;
    pump.wake();
  };
  const pump = new StreamPump(
    hub,
    {
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
    check,
  );
  socket.once('close', () => pump.stop());
  // What follows an error of the connection is its closing.
  socket.on('error', () => undefined);
  return pump;
}
