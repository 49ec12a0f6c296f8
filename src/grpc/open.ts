/** Opens the gRPC ports of one participant: Ledger API and admin API. Loaded only if a port is configured. */
import type { GrpcWorld } from './context.js';
import { AdminPort } from './admin-port.js';
import { LedgerPort } from './ledger-port.js';
import { ADMIN_API_KEEP_ALIVE, LEDGER_API_KEEP_ALIVE } from './wire/keep-alive.js';
import { openPort, type GrpcPort, type GrpcPortOptions } from './wire/server.js';

export type { GrpcPort };

/** A participant's `max-inbound-message-size`, in bytes. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

type Where = Pick<GrpcPortOptions, 'host' | 'port' | 'tls'>;

export function openLedgerPort(world: GrpcWorld, where: Where): Promise<GrpcPort> {
  const { answer } = new LedgerPort(world);
  const limits = { maxMessageBytes: MAX_MESSAGE_BYTES, keepAlive: LEDGER_API_KEEP_ALIVE };
  return openPort(answer, { ...where, ...limits });
}

export function openAdminPort(world: GrpcWorld, where: Where): Promise<GrpcPort> {
  const { answer } = new AdminPort(world);
  const limits = { maxMessageBytes: MAX_MESSAGE_BYTES, keepAlive: ADMIN_API_KEEP_ALIVE };
  return openPort(answer, { ...where, ...limits });
}
