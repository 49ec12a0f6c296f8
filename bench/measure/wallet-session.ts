/**
 * A wallet's first session by the official SDK: two external parties, a tap, an offer, its acceptance. The figure
 * includes the client's own work: keys, hashes and signatures.
 */
import { CustomLogAdapter, SDK } from '@canton-network/wallet-sdk';
import type { Localnet } from 'canticle';

/** Commands and the contracts to disclose with them. */
type Prepared = readonly [commands: unknown, disclosed?: readonly unknown[]];

interface Keys {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface WalletParty extends Keys {
  readonly partyId: string;
}

/** The parts of the SDK that the benchmark uses. */
interface Wallet {
  readonly keys: { generate(): Keys };
  readonly party: {
    readonly external: {
      create(
        key: string,
        options: { partyHint: string },
      ): { sign(key: string): { execute(options: object): Promise<{ partyId: string }> } };
    };
  };
  readonly user: { readonly rights: { grant(request: object): Promise<unknown> } };
  readonly amulet: { tap(party: string, amount: string): Promise<Prepared> };
  readonly token: {
    readonly transfer: {
      create(transfer: object): Promise<Prepared>;
      pending(party: string): Promise<readonly { contractId: string }[]>;
      accept(offer: object): Promise<Prepared>;
    };
    readonly utxos: {
      list(of: object): Promise<readonly { interfaceViewValue: { amount: string } }[]>;
    };
  };
  readonly ledger: {
    prepare(command: object): { sign(key: string): { execute(of: object): Promise<unknown> } };
  };
}

export class WalletSession {
  private readonly auth = {
    method: 'self_signed' as const,
    issuer: 'unsafe-auth',
    credentials: {
      clientId: 'ledger-api-user',
      clientSecret: 'unsafe',
      audience: 'https://canton.network.global',
      scope: '',
    },
  };

  constructor(private readonly localnet: Localnet) {}

  /** @param hint for its parties: unique for each session */
  async run(hint: string): Promise<void> {
    const sdk = await this.connect();
    const [alice, bob] = [await party(sdk, `${hint}-a`), await party(sdk, `${hint}-b`)];
    await submit(sdk, alice, await sdk.amulet.tap(alice.partyId, '100'));
    const registryUrl = this.registry;
    const transfer = { sender: alice.partyId, recipient: bob.partyId, amount: '40', memo: 'lunch' };
    const offered = { ...transfer, instrumentId: 'Amulet', registryUrl };
    await submit(sdk, alice, await sdk.token.transfer.create(offered));
    const [offer] = await sdk.token.transfer.pending(bob.partyId);
    const accepted = { transferInstructionCid: offer!.contractId, registryUrl };
    await submit(sdk, bob, await sdk.token.transfer.accept(accepted));
    const [holding] = await sdk.token.utxos.list({ partyId: bob.partyId });
    if (holding!.interfaceViewValue.amount !== '40.0000000000')
      throw new Error('It did not arrive.');
  }

  private get registry(): URL {
    return new URL(`${this.localnet.urls.validator}/v0/scan-proxy`);
  }

  private connect(): Promise<Wallet> {
    const { auth, registry } = this;
    const { ledgerApi, validator, scan } = this.localnet.urls;
    return SDK.create({
      auth,
      ledgerClientUrl: ledgerApi,
      logAdapter: new CustomLogAdapter(() => {}),
      token: { auth, registries: [registry] },
      amulet: { auth, validatorUrl: validator, scanApiUrl: scan, registryUrl: registry },
    } as never) as unknown as Promise<Wallet>;
  }
}

async function party(sdk: Wallet, partyHint: string): Promise<WalletParty> {
  const keys = sdk.keys.generate();
  const { partyId } = await sdk.party.external
    .create(keys.publicKey, { partyHint })
    .sign(keys.privateKey)
    .execute({ grantUserRights: false });
  // As `execute`, without its delay of seconds.
  await sdk.user.rights.grant({ userRights: { actAs: [partyId] } });
  return { partyId, ...keys };
}

const submit = (
  sdk: Wallet,
  { partyId, privateKey }: WalletParty,
  [commands, disclosedContracts = []]: Prepared,
) =>
  sdk.ledger
    .prepare({ partyId, commands, disclosedContracts })
    .sign(privateKey)
    .execute({ partyId });
