/**
 * The setup of the official wallet SDK for tests: a user with a self-signed token, no log, and polyfills for older
 * releases of Node.
 */
import { CustomLogAdapter } from '@canton-network/wallet-sdk';
import { WebSocket } from 'ws';

const USER = 'ledger-api-user';
export const auth = {
  method: 'self_signed' as const,
  issuer: 'unsafe-auth',
  credentials: {
    clientId: USER,
    clientSecret: 'unsafe',
    audience: 'https://canton.network.global',
    scope: '',
  },
};
export const logAdapter = new CustomLogAdapter(() => {});

/** The SDK reports that a connection failed, but not why. */
class LoggingWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    this.on('error', (error) => console.error(`WebSocket to ${String(url)}:`, error));
  }
}

/** The functions of Node 22 that the SDK needs, for earlier releases. */
export function giveLaterNode(): void {
  const world = globalThis as { WebSocket?: unknown };
  world.WebSocket ??= LoggingWebSocket;
  const sets = Set.prototype as { union?: unknown };
  sets.union ??= function union<T>(this: Set<T>, other: Set<T>) {
    return new Set([...this, ...other]);
  };
  const objects = Object as { groupBy?: unknown };
  objects.groupBy ??= <T>(items: readonly T[], keyOf: (item: T) => string) => {
    const groups: Record<string, T[]> = {};
    for (const item of items) (groups[keyOf(item)] ??= []).push(item);
    return groups;
  };
}

/** The SDK's delays between polls: for the rights of a party, for a featured right, for a retry. */
const WAITS = [1_000, 2_000, 3_000, 5_000];

/** Lets the SDK poll again at once: Canticle has no delays. @returns restores the delays */
export function cutWaits(): () => void {
  const { setTimeout } = globalThis;
  const soon = (act: () => void, ms?: number, ...rest: []) =>
    setTimeout(act, WAITS.includes(ms ?? 0) ? 5 : ms, ...rest);
  globalThis.setTimeout = Object.assign(soon, setTimeout) as typeof setTimeout;
  return () => {
    globalThis.setTimeout = setTimeout;
  };
}
