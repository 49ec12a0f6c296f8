/** How tests set up the official wallet SDK: a user with a token of its own making, no log, and what it takes from a later Node. */
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

/** The SDK says that a connection failed, and not why. */
class TellingWebSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    this.on('error', (error) => console.error(`WebSocket to ${String(url)}:`, error));
  }
}

/** What the SDK takes for granted that came with Node 22, where it runs on an earlier one. */
export function giveLaterNode(): void {
  const world = globalThis as { WebSocket?: unknown };
  world.WebSocket ??= TellingWebSocket;
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

/** How long the SDK waits between its looks: for the rights of a party, for a featured right, for what failed. */
const WAITS = [1_000, 2_000, 3_000, 5_000];

/** Lets the SDK look again at once: nothing here comes late. @returns takes it back */
export function cutWaits(): () => void {
  const { setTimeout } = globalThis;
  const soon = (act: () => void, ms?: number, ...rest: []) =>
    setTimeout(act, WAITS.includes(ms ?? 0) ? 5 : ms, ...rest);
  globalThis.setTimeout = Object.assign(soon, setTimeout) as typeof setTimeout;
  return () => {
    globalThis.setTimeout = setTimeout;
  };
}
