/**
 * Finds the host names of a LocalNet that this machine does not resolve. Browsers resolve every `.localhost` name to
 * this machine. Other programs ask the system, which on some Linux systems knows only `localhost` (L-HOST-010).
 */
import { lookup } from 'node:dns/promises';
import type { Localnet } from '../../assembly/localnet/localnet.js';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1)$/;

/** @returns those that do not resolve to this machine, in order */
export async function namesToMend({ hostNames }: Localnet): Promise<readonly string[]> {
  const found = await Promise.all(
    hostNames.map(async (name) => {
      const { address } = await lookup(name).catch(() => ({ address: '' }));
      return LOOPBACK.test(address);
    }),
  );
  return hostNames.filter((_, index) => !found[index]);
}
