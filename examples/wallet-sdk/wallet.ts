/** Shared code of the flows: the SDK with its defaults for a LocalNet, and helpers. */
import { CustomLogAdapter, localNetStaticConfig, SDK } from '@canton-network/wallet-sdk';
import type { PrepareOptions, TokenProviderConfig } from '@canton-network/wallet-sdk';

export const ledgerApi = localNetStaticConfig.LOCALNET_APP_USER_LEDGER_URL;
export const registryUrl = localNetStaticConfig.LOCALNET_REGISTRY_API_URL;
const validatorUrl = localNetStaticConfig.LOCALNET_APP_VALIDATOR_URL;
const scanApiUrl = localNetStaticConfig.LOCALNET_SCAN_API_URL;

/** The user's token, signed here with the secret of every LocalNet. */
export const authOf = (user: string): TokenProviderConfig => ({
  method: 'self_signed',
  issuer: 'unsafe-auth',
  credentials: {
    clientId: user,
    clientSecret: 'unsafe',
    audience: 'https://canton.network.global',
    scope: '',
  },
});
export const auth = authOf(localNetStaticConfig.LOCALNET_USER_ID);

/** The SDK writes pages of log unless told otherwise. */
export const logAdapter = new CustomLogAdapter(() => {});

/** Extensions of the SDK. */
export const namespaces = {
  token: { auth, registries: [registryUrl], validatorUrl },
  amulet: { auth, scanApiUrl, registryUrl, validatorUrl },
  asset: { auth, registries: [registryUrl] },
  events: { auth, websocketURL: `ws://${ledgerApi.host}` },
};

export const connect = () =>
  SDK.create({ auth, ledgerClientUrl: ledgerApi, logAdapter, ...namespaces });
export type Wallet = Awaited<ReturnType<typeof connect>>;

export interface Party {
  readonly partyId: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

type HowToCreate = Parameters<Wallet['party']['external']['create']>[1];

/** A party whose key stays here: the participant hosts it, and cannot sign for it. */
export async function newParty(
  sdk: Pick<Wallet, 'keys' | 'party'>,
  partyHint: string,
  how: HowToCreate = {},
): Promise<Party> {
  const keys = sdk.keys.generate();
  const { partyId } = await sdk.party.external
    .create(keys.publicKey, { partyHint, ...how })
    .sign(keys.privateKey)
    .execute();
  return { partyId, ...keys };
}

type Disclosed = PrepareOptions['disclosedContracts'];

/** The participant prepares, the party signs, the participant executes. */
export function submit(
  sdk: Pick<Wallet, 'ledger'>,
  { partyId, privateKey }: Party,
  commands: unknown,
  disclosedContracts: unknown = [],
) {
  return sdk.ledger
    .prepare({ partyId, commands, disclosedContracts: disclosedContracts as Disclosed })
    .sign(privateKey)
    .execute({ partyId });
}

/** Taps amulets from the faucet, which a LocalNet and DevNet have. */
export async function tap(sdk: Pick<Wallet, 'ledger' | 'amulet'>, party: Party, amount: string) {
  return submit(sdk, party, ...(await sdk.amulet.tap(party.partyId, amount)));
}

/** The amounts of a party's holdings, the smallest first. */
export async function amounts(sdk: Pick<Wallet, 'token'>, { partyId }: Party): Promise<number[]> {
  const holdings = await sdk.token.utxos.list({ partyId });
  return holdings
    .map(({ interfaceViewValue }) => Number(interfaceViewValue.amount))
    .sort((one, other) => one - other);
}

/** Makes a transfer of Amulet: an offer, or at once where the receiver has a preapproval. */
export async function send(
  sdk: Pick<Wallet, 'ledger' | 'token'>,
  sender: Party,
  receiver: Pick<Party, 'partyId'>,
  amount: string,
  expirationDate?: Date,
) {
  const transfer = await sdk.token.transfer.create({
    sender: sender.partyId,
    recipient: receiver.partyId,
    amount,
    instrumentId: 'Amulet',
    registryUrl,
    ...(expirationDate && { expirationDate }),
  });
  return submit(sdk, sender, ...transfer);
}
