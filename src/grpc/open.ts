/** Opens the ports of gRPC: of the Ledger API and of the admin API of one participant. Loaded only where somebody asks for it. */
import type { GrpcWorld } from './context.js';
import { AdminPort } from './admin-port.js';
import { LedgerPort } from './ledger-port.js';
import { openPort, type GrpcPort, type GrpcPortOptions } from './wire/server.js';

export type { GrpcPort };

/** A participant's `max-inbound-message-size`, in bytes. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

type Where = Pick<GrpcPortOptions, 'host' | 'port'>;

export function openLedgerPort(world: GrpcWorld, { host, port }: Where): Promise<GrpcPort> {
  const { answer } = new LedgerPort(world);
  return openPort(answer, { host, port, maxMessageBytes: MAX_MESSAGE_BYTES });
}

export function openAdminPort(world: GrpcWorld, { host, port }: Where): Promise<GrpcPort> {
  const { answer } = new AdminPort(world);
  return openPort(answer, { host, port, maxMessageBytes: MAX_MESSAGE_BYTES });
}
