/** The records of the gateway: identity providers, networks, sessions, wallets and transactions. */

export interface Idp {
  readonly id: string;
  readonly type: 'oauth' | 'self_signed';
  readonly issuer: string;
  readonly configUrl?: string;
}

/** How the users of a network get tokens. */
export interface NetworkAuth {
  readonly method: string;
  readonly audience: string;
  readonly scope: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly issuer?: string;
}

/** A network, with the address of its JSON Ledger API. */
export interface GatewayNetwork {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly synchronizerId?: string;
  readonly identityProviderId: string;
  readonly auth: NetworkAuth;
  readonly adminAuth?: NetworkAuth;
  /** Absent for the network of this instance, whose address depends on its port. */
  readonly ledgerApi?: string;
  /** The user that added it; absent if it was there from the start. */
  readonly userId?: string;
}

/** A user has at most one. */
export interface Session {
  readonly id: string;
  /** The id of a network. */
  readonly network: string;
  readonly accessToken: string;
}

export type WalletStatus = 'initialized' | 'allocated' | 'removed';
export type PartyRight = 'CanActAs' | 'CanReadAs' | 'CanExecuteAs';
export type UserRight = 'CanReadAsAnyParty' | 'CanExecuteAsAnyParty';

/** The providers that sign: the participant for its own parties, or the gateway with its keys. */
export const SIGNING_PROVIDERS = ['participant', 'wallet-kernel'] as const;

/** A wallet: a party of a network, and the key that signs for it. */
export interface Wallet {
  readonly primary: boolean;
  readonly partyId: string;
  readonly status: WalletStatus;
  readonly hint: string;
  /** Base64 of 32 bytes; for a party of the participant, its namespace. */
  readonly publicKey: string;
  readonly namespace: string;
  readonly networkId: string;
  /** One of {@link SIGNING_PROVIDERS}. */
  readonly signingProviderId: string;
  readonly externalTxId?: string;
  readonly topologyTransactions?: string;
  readonly disabled?: boolean;
  readonly reason?: string;
  readonly rights: readonly PartyRight[];
}

export type TransactionStatus = 'pending' | 'signed' | 'executed' | 'failed';

/** A transaction that a dApp asked for. */
export interface GatewayTransaction {
  /** A UUID. */
  readonly id: string;
  readonly userId: string;
  readonly networkId: string;
  readonly commandId: string;
  readonly status: TransactionStatus;
  /** Base64. */
  readonly preparedTransaction: string;
  /** Base64. */
  readonly preparedTransactionHash: string;
  /** The parameters of the request; after the execution, the answer of the participant. */
  readonly payload: unknown;
  /** The parameters of the request. */
  readonly request: PrepareRequest;
  /** The party that signs: that of the primary wallet at the request. */
  readonly partyId: string;
  /** The page that asked. */
  readonly origin?: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  readonly signedAt?: string;
  /** Whether the wallet has decided. A transaction that then failed stays. */
  readonly isDecided?: boolean;
}

/** The parameters of `prepareExecute`. */
export interface PrepareRequest {
  readonly commandId?: string;
  readonly commands: unknown;
  readonly actAs?: readonly string[];
  readonly readAs?: readonly string[];
  readonly disclosedContracts?: readonly Readonly<Record<string, string>>[];
  readonly synchronizerId?: string;
  readonly packageIdSelectionPreference?: readonly string[];
}
