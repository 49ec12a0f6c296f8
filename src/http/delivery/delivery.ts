/** Delays, cuts or drops an answer: over a connection, and for callers in this process. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ReadableStream } from 'node:stream/web';
import type { Delivery } from '../../services/calls/call.js';

/** The error that a client's runtime reports for a broken connection. */
export function connectionReset(): Error {
  const facts = { code: 'ECONNRESET', errno: -104, syscall: 'read' };
  return Object.assign(new Error('read ECONNRESET'), facts);
}

/** Ends a connection without a word. */
export function reset({ socket }: IncomingMessage): void {
  // A TLS connection or a connection in memory cannot be reset.
  if ('encrypted' in socket || !('resetAndDestroy' in socket)) (socket as Socket).destroy();
  else socket.resetAndDestroy();
}

/** Writes the body of an answer whose head is written. */
export async function writeDelivered(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
  delivery: Delivery,
): Promise<void> {
  const written = writePieces(response, piecesOf(body, delivery));
  try {
    await (delivery.kind === 'slow' ? delivery.whileUp(written) : written);
  } catch {
    // The server has restarted.
    return reset(request);
  }
  if (delivery.kind === 'truncated') request.socket.destroy();
  else response.end();
}

async function writePieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const piece of pieces) {
    if (response.destroyed) return;
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
  }
}

/** The same for who reads it in this process. */
export function deliveredStream(body: Uint8Array, delivery: Delivery): ReadableStream<Uint8Array> {
  const pieces = piecesOf(body, delivery);
  let end!: () => void;
  const over = new Promise<void>((resolve) => (end = resolve));
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (delivery.kind !== 'slow') return;
        delivery.whileUp(over).catch(() => controller.error(connectionReset()));
      },
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (!done) return controller.enqueue(new Uint8Array(value));
        end();
        if (delivery.kind === 'truncated') controller.error(connectionReset());
        else controller.close();
      },
      cancel: () => end(),
    },
    { highWaterMark: 0 },
  );
}

/** The body of an answer that stays open. */
export function openedStream(open: OpenBody): ReadableStream<Uint8Array> {
  let closed: (() => void) | undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      closed = open({
        write: (text) => controller.enqueue(new Uint8Array(Buffer.from(text))),
        end: () => {
          closed?.();
          controller.close();
        },
      });
    },
    cancel: () => closed?.(),
  });
}

/** Called once, when the head is sent. The returned function is called when the connection ends. */
export type OpenBody = (ends: {
  readonly write: (text: string) => void;
  readonly end: () => void;
}) => () => void;

async function* piecesOf(body: Uint8Array, delivery: Delivery): AsyncGenerator<Uint8Array, void> {
  if (delivery.kind === 'truncated') {
    const length = Math.min(Math.floor(body.length * delivery.part), body.length - 1);
    if (length > 0) yield body.subarray(0, length);
  } else if (delivery.kind === 'slow') {
    const size = Math.max(1, Math.ceil(body.length / delivery.pieces));
    for (let at = 0; at < body.length; at += size) {
      await delivery.pause();
      yield body.subarray(at, at + size);
    }
  }
}
