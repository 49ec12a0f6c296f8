/** Stops a running command: on a signal, at the end of stdin, or when its parent ends. */
import { clearInterval, setInterval } from 'node:timers';
import type { Terminal } from './terminal.js';

const stopSignals = ['SIGINT', 'SIGTERM'] as const;
const PARENT_LOOK_MS = 250;
const stdinEnds = ['end', 'close', 'error'] as const;

/** Listens for one order to stop, and then no more: a second Ctrl-C ends the process in the usual way. */
export function onStop(
  { shutdownStdinClose }: { readonly shutdownStdinClose: boolean },
  { signals, stdin, parent }: Terminal,
) {
  let resolve = () => {};
  const stopped = new Promise<void>((settle) => (resolve = settle));
  const stop = () => {
    forget();
    resolve();
  };
  const forget = () => {
    for (const signal of stopSignals) signals.off(signal, stop);
    for (const event of stdinEnds) stdin.off(event, stop);
    clearInterval(look);
  };
  const first = parent?.();
  const look = parent && setInterval(() => parent() !== first && stop(), PARENT_LOOK_MS).unref();
  for (const signal of stopSignals) signals.on(signal, stop);
  if (shutdownStdinClose) {
    for (const event of stdinEnds) stdin.on(event, stop);
    // Nothing is read from stdin, but its end is only noticed while it flows.
    stdin.resume();
  }
  return { stopped, forget };
}
