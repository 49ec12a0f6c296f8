/** The script that installs a wallet in a page before the scripts of the page run. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WalletOptions } from '../../provider/install.js';

/** How the wallet appears in pages. */
export type PageWalletOptions = Omit<WalletOptions, 'canticle' | 'url' | 'logIn'>;

/** Relative to the packs of the build. */
const FILE = '../wallet/page.js';

let code: string | undefined;

/** The function of the page that opens a session in the test's process. */
export const LOG_IN = '__canticleLogIn';

/** @param url of the gateway */
export function pageScript(url: string, options: PageWalletOptions): string {
  code ??= readFileSync(fileURLToPath(new URL(FILE, import.meta.url)), 'utf8');
  const given = JSON.stringify({ ...options, url });
  return `${code}\nCanticleWallet.installWallet({ ...${given}, logIn: () => window.${LOG_IN}() });`;
}
