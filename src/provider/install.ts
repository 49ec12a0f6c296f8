/** Puts a wallet into a page. */
import { announce, type Discovery } from './announce.js';
import { HttpLink } from './http-link.js';
import { InProcessLink, type InstanceWithGateway } from './in-process-link.js';
import type { GatewayLink } from './gateway-link.js';
import { WalletProvider, type Provider } from './provider.js';

/** The gateway of a wallet, and how pages find the wallet. */
export interface WalletOptions {
  /** An instance in this process or page. Use this or `url`. */
  readonly canticle?: InstanceWithGateway;
  /** The URL of a gateway, `urls.walletGateway` of an instance that listens. It needs `logIn`. */
  readonly url?: string;
  /** Opens a session of the wallet's user, as `walletGateway.connect()` of an instance does. */
  readonly logIn?: () => Promise<{ readonly token: string }>;
  /** The property of `window.canton`, and the id in announcements; `canticle` by default. */
  readonly id?: string;
  /** The name that a wallet picker shows; `Canticle` by default. */
  readonly name?: string;
  /** A `data:` or `https:` URL of an icon. */
  readonly icon?: string;
  /**
   * How pages find it: as `window.canton.<id>`, or by the event `canton:announceProvider` and window messages, as a browser extension.
   * Both by default. Pages see events in window messages from `core-rpc-transport` 1.11 on. An empty list hides the wallet: pass its
   * provider to your code.
   */
  readonly discovery?: readonly Discovery[];
}

/** A wallet in a page. */
export interface Wallet {
  /** The provider that dApps use. */
  readonly provider: Provider;
  /** Removes the wallet from the page, and ends its connection. */
  remove(): void;
}

/**
 * Installs a wallet in this page.
 * @throws TypeError without a gateway, or with two
 */
export function installWallet({
  canticle,
  url,
  logIn,
  id = 'canticle',
  name = 'Canticle',
  icon,
  discovery = ['window', 'announcement'],
}: WalletOptions): Wallet {
  const provider = new WalletProvider(linkOf({ canticle, url, logIn }), id);
  const withdraw = announce(provider, { id, name, ...(icon !== undefined && { icon }) }, discovery);
  return {
    provider,
    remove() {
      withdraw();
      provider.close();
    },
  };
}

function linkOf({
  canticle,
  url,
  logIn,
}: Pick<WalletOptions, 'canticle' | 'url' | 'logIn'>): GatewayLink {
  if (canticle !== undefined && url === undefined) return new InProcessLink(canticle);
  if (canticle === undefined && url !== undefined && logIn !== undefined)
    return new HttpLink(url, logIn);
  throw new TypeError(
    'installWallet takes either canticle, an instance, or url and logIn, of a gateway.',
  );
}
