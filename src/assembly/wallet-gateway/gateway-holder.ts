/** The Wallet Gateway of an instance, if its options ask for one. Its code is loaded only then. */
import { lazy } from '../../daml/errors/lazy.js';
import { withCallerStack } from '../../daml/errors/own-frames.js';
import type { Beside } from '../../http/sites.js';
import type { DappWallet } from '../../wallet/dapp-wallet.js';
import type { WalletControl } from '../../services/wallet-control.js';
import type { CanticleUrls, Opening } from '../addresses.js';
import { isOfGateway, WALLET_GATEWAY } from './gateway-paths.js';
import type { GatewaySource, RunningGateway } from './create-gateway.js';
import type * as Gateways from './create-gateway.js';
import type { WalletGatewayOptions } from './gateway-options.js';

const gateways = lazy(() => require('./create-gateway.js') as typeof Gateways);

export class GatewayHolder {
  private readonly running: RunningGateway | undefined;

  /** @param source for the name of a participant, the first one by default */
  constructor(
    given: boolean | WalletGatewayOptions | undefined,
    source: (participant: string | undefined) => Omit<GatewaySource, 'options'>,
  ) {
    if (!given) return;
    const options = typeof given === 'object' ? given : {};
    this.running = gateways().createGateway({ ...source(options.participant), options });
  }

  /** The wallet, as scenarios change it. */
  get wallet(): DappWallet | undefined {
    return this.running?.control.gateway.core.wallet;
  }

  get controlIfAny(): WalletControl | undefined {
    return this.running?.control;
  }

  /** @throws Error if there is none */
  get control(): WalletControl {
    if (this.running !== undefined) return this.running.control;
    throw withCallerStack(
      new Error('This Canticle has no Wallet Gateway. Start it with the option walletGateway.'),
    );
  }

  get beside(): Beside | undefined {
    const { running } = this;
    return running && { holds: isOfGateway, place: () => running.place.locate() };
  }

  get openings(): readonly (Opening & { readonly what: string })[] {
    if (this.running === undefined) return [];
    const { place, port } = this.running;
    return [{ name: WALLET_GATEWAY, what: 'the Wallet Gateway', place, port }];
  }

  /** @param urlOf of a port by its name */
  urls(urlOf: (name: string) => string): Pick<CanticleUrls, 'walletGateway' | 'dappApi'> {
    if (this.running === undefined) return {};
    const url = urlOf(WALLET_GATEWAY);
    return { walletGateway: url, dappApi: `${url}/api/v0/dapp` };
  }

  async close(): Promise<void> {
    await this.running?.place.closeStreams();
  }
}
