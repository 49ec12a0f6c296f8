/** One call as the connection of a stream. Messages that are ready at the same time are sent together. */
import type { StreamLine } from '../services/calls/call-streams.js';
import type { Call } from './wire/call.js';

interface StreamRules {
  readonly print: (element: object) => Uint8Array;
  /** Called when no more messages follow. */
  readonly ended: (error?: { readonly thrown: unknown }) => void;
  /** Called to break the connection. */
  readonly broken: () => void;
}

export function lineOf(call: Call, { print, ended, broken }: StreamRules): StreamLine {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  return {
    sink: {
      send: (element) => {
        const message = print(element);
        waiting.push(message);
        waitingBytes += message.length;
      },
      get isFull() {
        return call.isFull(waitingBytes);
      },
      flush: () => {
        if (waiting.length > 0) call.send(waiting);
        waiting = [];
        waitingBytes = 0;
      },
      end: ended,
    },
    reset: broken,
    onClosed: (listener) => call.signal.addEventListener('abort', listener, { once: true }),
  };
}
