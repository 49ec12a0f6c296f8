/** Keeps the page current: the network reports each change, and the page reloads what it shows. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { InspectedChanges } from '../../../spec/generated/control.js';
import { fetchJson } from './api.js';
import { storeOf, useStore } from './store.js';

/** Undefined until the first answer. */
export const now = storeOf<InspectedChanges | undefined>(undefined);
/** Whether the network answers. */
export const connected = storeOf(true);

/**
 * The time of the network, in ISO 8601. If the network's clock runs, this one runs too. Undefined until the first
 * answer.
 */
export function useNetworkTime(): string | undefined {
  const latest = useStore(now);
  const [, tick] = useState(0);
  useEffect(() => {
    if (latest?.ticking !== true) return;
    const timer = setInterval(() => tick((count) => count + 1), TICK);
    return () => clearInterval(timer);
  }, [latest?.ticking]);
  if (latest?.ticking !== true) return latest?.time;
  return new Date(Date.parse(latest.time) + performance.now() - receivedAt).toISOString();
}

/** Milliseconds between two updates of a running clock. */
const TICK = 250;
/** The time of the last answer on the page's clock. */
let receivedAt = 0;

/** Milliseconds until the next request after a failure. */
const RETRY = 1_000;

/** Follows the network while the page is open and visible. */
export async function followNetwork(): Promise<never> {
  for (;;) {
    try {
      if (document.hidden) await shown();
      const after = connected.get() ? now.get()?.state : undefined;
      const changes = await fetchJson<InspectedChanges>('inspection/changes', { after });
      receivedAt = performance.now();
      now.set(changes);
      connected.set(true);
    } catch {
      connected.set(false);
      await new Promise((resolve) => setTimeout(resolve, RETRY));
    }
  }
}

const shown = (): Promise<void> =>
  new Promise((resolve) =>
    document.addEventListener('visibilitychange', () => resolve(), { once: true }),
  );

export interface Loaded<T> {
  /** The last answer, which remains until the next one arrives. */
  readonly value?: T;
  readonly error?: Error;
  readonly isLoading: boolean;
}

/**
 * @param key the path to load; undefined loads none.
 * @param isLive whether to load again on each change of the network
 */
export function useLoaded<T>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<T>,
  isLive = true,
): Loaded<T> {
  const state = useStore(now)?.state;
  const [loaded, setLoaded] = useState<Loaded<T> & { key?: string | undefined }>({
    isLoading: true,
  });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === undefined) return setLoaded({ isLoading: false });
    // Waits for the first state: otherwise, each request would run twice when the page opens.
    if (isLive && state === undefined) return;
    const stop = new AbortController();
    const done = (next: Omit<Loaded<T>, 'isLoading'>) =>
      stop.signal.aborted || setLoaded({ ...next, isLoading: false, key });
    latest.current(stop.signal).then(
      (value) => done({ value }),
      (error: Error) => done({ error }),
    );
    return () => stop.abort();
  }, [key, isLive ? state : undefined]);
  return loaded.key === key ? loaded : { isLoading: key !== undefined };
}
