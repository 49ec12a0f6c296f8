/** The methods of a CIP-0103 provider: version 0.5.0 of the dApp API. */

/** A request for a transaction. */
export interface PrepareExecuteParams {
  /** One of the wallet, if absent. */
  readonly commandId?: string;
  /** As in `/v2/commands`: an object or an array of objects. */
  readonly commands: unknown;
  /** The primary account, if absent. */
  readonly actAs?: readonly string[];
  readonly readAs?: readonly string[];
  readonly disclosedContracts?: readonly {
    readonly templateId?: string;
    readonly contractId?: string;
    /** Base64. */
    readonly createdEventBlob: string;
    readonly synchronizerId?: string;
  }[];
  readonly synchronizerId?: string;
  readonly packageIdSelectionPreference?: readonly string[];
}

/** A request to the JSON Ledger API. */
export interface LedgerApiParams {
  readonly requestMethod: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** A path with placeholders, such as `/v2/parties/{party}`. */
  readonly resource: string;
  readonly body?: object;
  readonly query?: object;
  /** The values of the placeholders. */
  readonly path?: object;
}

/** Whether the user and the network are connected. */
export interface ConnectResult {
  readonly isConnected: boolean;
  readonly reason?: string;
  readonly isNetworkConnected: boolean;
  readonly networkReason?: string;
  /** The page of the user. */
  readonly userUrl?: string;
}

/** The network of a session. */
export interface WalletNetwork {
  /** Such as `canton:localnet`. */
  readonly networkId: string;
  /** The URL of its JSON Ledger API. */
  readonly ledgerApi?: string;
  /** A JWT for it. */
  readonly accessToken?: string;
}

/** The status of the wallet. */
export interface WalletStatus {
  readonly provider: {
    readonly id: string;
    readonly version?: string;
    readonly providerType: 'browser' | 'desktop' | 'mobile' | 'remote';
    readonly url?: string;
    readonly userUrl?: string;
  };
  readonly connection: ConnectResult;
  readonly network?: WalletNetwork;
  readonly session?: { readonly accessToken: string; readonly userId: string };
}

/** A party of the user. */
export interface Account {
  readonly primary: boolean;
  readonly partyId: string;
  readonly status: 'initialized' | 'allocated' | 'removed';
  readonly hint: string;
  /** Base64. */
  readonly publicKey: string;
  readonly namespace: string;
  readonly networkId: string;
  readonly signingProviderId: string;
  readonly externalTxId?: string;
  readonly topologyTransactions?: string;
  readonly disabled?: boolean;
  readonly reason?: string;
}

/** The event of a transaction that the participant has executed. */
export interface ExecutedEvent {
  readonly status: 'executed';
  readonly commandId: string;
  readonly payload: { readonly updateId: string; readonly completionOffset: number };
}

/** The argument of a listener for `txChanged`. */
export type TxChangedEvent =
  | { readonly status: 'pending' | 'failed'; readonly commandId: string }
  | {
      readonly status: 'signed';
      readonly commandId: string;
      readonly payload: {
        readonly signature: string;
        readonly signedBy: string;
        readonly party: string;
      };
    }
  | ExecutedEvent;

/** The parameters and results of the methods. */
export interface WalletMethods {
  status: { params: never; result: WalletStatus };
  connect: { params: never; result: ConnectResult };
  disconnect: { params: never; result: null };
  isConnected: { params: never; result: ConnectResult };
  getActiveNetwork: { params: never; result: WalletNetwork };
  listAccounts: { params: never; result: Account[] };
  getPrimaryAccount: { params: never; result: Account };
  prepareExecute: { params: PrepareExecuteParams; result: null };
  prepareExecuteAndWait: { params: PrepareExecuteParams; result: { tx: ExecutedEvent } };
  signMessage: { params: { readonly message: string }; result: { signature: string } };
  ledgerApi: { params: LedgerApiParams; result: Record<string, unknown> };
}
