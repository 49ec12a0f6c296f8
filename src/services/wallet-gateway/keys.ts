/** Keys of wallets, from the seed of the network. */
import { signingKey, type SigningKey } from '../../network/model/keys.js';
import type { SeededRandom } from '../../network/journal/random.js';
import type { GatewayStore } from './store.js';

/** A key that the gateway keeps. */
export interface WalletKey {
  /** Base64 of 32 bytes. */
  readonly publicKey: string;
  readonly namespace: string;
}

const RAW_KEY_LENGTH = 32;

export class WalletKeys {
  constructor(
    private readonly random: SeededRandom,
    private readonly store: GatewayStore,
  ) {}

  /** A new key. The hint of its wallet and the number of earlier keys determine it. */
  create(hint: string): WalletKey {
    const name = `wallet-gateway/${this.store.newId()}/${hint}`;
    const { publicKey, fingerprint } = this.key(name);
    const shown = Buffer.from(publicKey.subarray(-RAW_KEY_LENGTH)).toString('base64');
    this.store.keys.set(shown, name);
    return { publicKey: shown, namespace: fingerprint };
  }

  /** The key whose fingerprint is a namespace. */
  ofNamespace(namespace: string): WalletKey | undefined {
    for (const name of this.store.keys.all()) {
      const { publicKey, fingerprint } = this.key(name);
      if (fingerprint === namespace)
        return {
          publicKey: Buffer.from(publicKey.subarray(-RAW_KEY_LENGTH)).toString('base64'),
          namespace,
        };
    }
    return undefined;
  }

  /** @returns base64 of 64 bytes @throws Error for an unknown key */
  sign(publicKey: string, bytes: Uint8Array): string {
    const name = this.store.keys.get(publicKey);
    if (name === undefined)
      throw new Error(
        'Error from signing driver: The provided public key does not exist in the signing.',
      );
    return Buffer.from(this.key(name).sign(bytes)).toString('base64');
  }

  private key(name: string): SigningKey {
    return signingKey(this.random, name);
  }
}
