/** A LocalNet, started. Its code is loaded when somebody starts one. */
import type { Localnet } from './localnet.js';
import type { LocalnetOptions } from './localnet-options.js';

/**
 * @throws TypeError for options that there are not, LedgerError for those that no network can be made of; what listening refuses has
 *   the system's `code`
 */
export async function startLocalnet(given: LocalnetOptions = {}): Promise<Localnet> {
  const { completeOptions } = await import('./localnet-checks.js');
  const { createLocalnet, listenAll } = await import('./create-localnet.js');
  const options = completeOptions(given);
  const localnet = createLocalnet(options);
  await listenAll(localnet, options);
  return localnet;
}
