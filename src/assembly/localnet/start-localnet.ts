/** Starts a LocalNet. Its code is loaded on use. */
import type { Localnet } from './localnet.js';
import type { LocalnetOptions } from './localnet-options.js';

/**
 * @throws TypeError for unknown options, LedgerError for invalid ones, and the system's error with its `code` if it cannot listen
 */
export async function startLocalnet(given: LocalnetOptions = {}): Promise<Localnet> {
  const { completeOptions } = await import('./localnet-checks.js');
  const { createLocalnet, listenAll } = await import('./create-localnet.js');
  const options = completeOptions(given);
  const localnet = createLocalnet(options);
  await listenAll(localnet, options);
  return localnet;
}
