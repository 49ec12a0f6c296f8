/** The options of a LocalNet, also as a file. */
import type { DamlPackage } from '../../daml/model/package.js';
import type { Duration } from '../../network/model/time-texts.js';
import type { RIGHTS } from '../../options/localnet.js';
import type { AuthOptions } from '../../services/authorization/options.js';
import type { ExternalCalls } from '../../spec/releases/node-options.js';
import type { ApiVersion, SpliceVersion } from '../../spec/versions.js';
import type { InstanceNames } from '../../splice/instance-names.js';
import type { AmuletOptions } from '../../wallet/amulet.js';
import type { StartOptions } from '../canticle-options.js';

/** Options of a Canticle that a LocalNet replaces or does not support. */
type Replaced =
  | 'participants'
  | 'synchronizers'
  | 'port'
  | 'ports'
  | 'grpc'
  | 'validator'
  | 'amulet'
  | 'scan'
  | 'auth'
  | 'packages'
  | 'pathPrefix'
  | 'registryPrefixes'
  | 'additionalAdminUser'
  | 'bare'
  | 'trafficControl'
  | 'trafficAccounts'
  | 'enableVerboseHashing';

/** The options of a LocalNet. By default it has Splice's three nodes. */
export interface LocalnetOptions extends Omit<StartOptions, Replaced> {
  /** Path of a YAML or JSON file with the same options. Options in code take precedence. */
  readonly config?: string;
  /** `auto`, the default: any free ports. `localnet`: the ports of a LocalNet, such as 2975 for the JSON Ledger API of app-user. */
  readonly ports?: 'auto' | 'localnet';
  /** Number that is added to each port of a LocalNet. */
  readonly portOffset?: number;
  /**
   * First port of the nodes, instead of the ports of a LocalNet; ignored if `ports` is `auto`. Each node has 100 ports: 0 for hosts, 1
   * for gRPC, 2 for the admin API, 3 for the validator, 75 for the JSON Ledger API.
   */
  readonly basePort?: number;
  /**
   * Whether controls and the inspector need no token. True by default, because any client can sign tokens; false with your own `auth`.
   */
  readonly openControls?: boolean;
  /**
   * Whether to serve the Ledger API and the admin API over gRPC, on 2901, 2902 and so on. True by default, unless the ports are any free
   * ones.
   */
  readonly grpc?: boolean;
  /**
   * Whether to run what the application of cn-quickstart needs: `auth: 'oauth2'`, `pqs`, gRPC, and the users of its back end and of PQS.
   * Tokens always name the issuer keycloak.localhost. With `ports: 'localnet'`, Scan has port 5012, and the SV app 5014.
   * `quickstart` of the LocalNet has the variables of its back end.
   */
  readonly quickstart?: boolean;
  /** A separate port for Scan; a LocalNet has none outside its containers. With `ports: 'auto'`, Scan always has one. */
  readonly scanPort?: number;
  /** A separate port for the SV app. With `ports: 'auto'`, it always has one. */
  readonly svPort?: number;
  /** The nodes in addition to sv, or their number: app-provider and app-user by default. An entry `sv` configures sv. */
  readonly validators?: number | readonly (string | LocalnetValidatorOptions)[];
  /** Packages written in TypeScript, for all nodes; or DARs, for the named nodes. */
  readonly packages?: readonly (DamlPackage | LocalnetPackage)[];
  /**
   * How clients get tokens. With `shared-secret`, the default, they sign them with HS256 and the secret `unsafe`. With `oauth2`, they get
   * them from the realms AppUser and AppProvider of a Keycloak, as in cn-quickstart. The node sv still uses the secret. You can also pass
   * the authorization options of a Canticle.
   */
  readonly auth?: 'shared-secret' | 'oauth2' | AuthOptions;
  /**
   * With `oauth2`: further URLs to which a browser may return after login or logout, in addition to those of cn-quickstart. A final `*`
   * allows all URLs with this beginning.
   */
  readonly redirectUris?: readonly string[];
  /**
   * The folder of Splice's DARs, of which Canticle uses those of its release of Splice, or else the nearest versions; by default
   * CANTICLE_DARS or `~/.canticle/dars`. False for none. Without DARs, a LocalNet has a simplified Amulet (see `hasAmulet`).
   */
  readonly spliceDars?: string | false;
  /** Initial state of Amulet. The simplified Amulet supports only price, tick, first round, DevNet, and automatic rounds. */
  readonly amulet?: LocalnetAmulet;
  /**
   * Whether submissions cost traffic. `unmetered`, the default: they are free. `metered`, as on a LocalNet: a participant has 400,000
   * free bytes in 20 minutes. Its validator buys 1,200,000 bytes whenever less is left, at most once a minute. Submissions without
   * traffic fail. Or the values of its `TARGET_TRAFFIC_THROUGHPUT` and `MIN_TRAFFIC_TOPUP_INTERVAL`.
   */
  readonly traffic?: 'unmetered' | 'metered' | LocalnetTraffic;
  /** Names of the network, its coin and its name service; those of a LocalNet by default (L-ENV-002). */
  readonly instanceNames?: Partial<InstanceNames>;
  /** Whether to add a second synchronizer, `app-synchronizer`, for all nodes except sv. */
  readonly multiSync?: boolean;
}

export interface LocalnetAmulet extends AmuletOptions {
  /** Duration of a round: ten minutes by default. */
  readonly tick?: Duration;
}

export interface LocalnetTraffic {
  /** Bytes per second that a validator buys: 20,000 by default; with 0 it buys nothing. */
  readonly targetThroughput?: number;
  /** Time between purchases: one minute by default, and at least 30 seconds, the interval at which validators check. */
  readonly minTopupInterval?: Duration;
  /** Bytes that users of the wallet leave for purchases: 200,000 by default. */
  readonly reservedTraffic?: number;
}

/** A DAR for some nodes; `dar` is its bytes, its path, or its name in the folder of DARs. */
export interface LocalnetPackage {
  /** Only for readers of the file. */
  readonly name?: string;
  readonly dar: Uint8Array | string;
  /** Names of nodes; all by default. */
  readonly uploadTo?: string | readonly string[];
}

export interface LocalnetValidatorOptions {
  readonly name: string;
  /** First part of the validator's party. */
  readonly partyHint?: string;
  /** Initial holding of the validator's party: of Amulet, or of the test token if Amulet does not run. */
  readonly holds?: string | number;
  /** Names that its wallet has from the start, already paid. */
  readonly names?: readonly (string | LocalnetName)[];
  /** Further parties, by their hints. */
  readonly parties?: readonly (string | LocalnetParty)[];
  /** Further users, or further settings of existing ones. */
  readonly users?: readonly LocalnetUser[];
  /** Transfer offers that its wallets accept automatically, by sender, as `auto-accept-transfers` of a validator; none by default. */
  readonly autoAcceptTransfers?: readonly LocalnetAutoAccept[];
  /** Automatic transfers of its wallets above a balance, as `wallet-sweep` of a validator; none by default. */
  readonly walletSweep?: readonly LocalnetSweep[];
  /** How its wallets share their traffic rewards, as `reward-sharing-config-by-party` of a validator; not at all by default. */
  readonly rewardSharing?: readonly LocalnetRewardSharing[];
  /** Its release of Splice, which implies that of Canton; that of the LocalNet by default. */
  readonly splice?: SpliceVersion;
  /** Release of its participant. */
  readonly canton?: ApiVersion;
  /** The extension services of its participant; those of the LocalNet by default. */
  readonly externalCalls?: ExternalCalls;
  /** Aliases of synchronizers; by default `global`, and `app-synchronizer` if it exists. */
  readonly synchronizers?: readonly string[];
  readonly ports?: {
    readonly ledgerApi?: number;
    readonly grpc?: number;
    readonly grpcAdmin?: number;
    readonly validator?: number;
    readonly ui?: number;
  };
}

/** Parties are named by their hints. The name of a node means its validator's party. */
export interface LocalnetAutoAccept {
  /** The party of the wallet; the validator's by default. */
  readonly party?: string;
  readonly fromParties: readonly string[];
}

export interface LocalnetSweep {
  /** The party of the wallet; the validator's by default. */
  readonly party?: string;
  /** In US dollars. Above this balance, all but `minBalanceUsd` goes to the receiver. */
  readonly maxBalanceUsd: string | number;
  readonly minBalanceUsd: string | number;
  readonly receiver: string;
  /** Uses the receiver's preapproval and completes at once, instead of an offer that is valid for ten minutes. */
  readonly useTransferPreapproval?: boolean;
}

export interface LocalnetRewardSharing {
  /**
   * The party of the wallet; the validator's by default. For an external party with a minting delegation: its full id.
   */
  readonly party?: string;
  /**
   * Beneficiaries and their parts of each coupon, such as 0.25, which sum to at most 1. The wallet's party keeps the
   * rest. With an empty list, another app must share the coupons: the wallet does not mint coupons that have no
   * beneficiary yet.
   */
  readonly beneficiaries?: readonly {
    readonly beneficiary: string;
    readonly percentage: string | number;
  }[];
  /**
   * Wallets share a coupon at the latest when this is its remaining lifetime: 30 hours by default, of a total lifetime
   * of 36 hours.
   */
  readonly minTtlAfterSharing?: Duration;
  /** The maximum number of coupons that one transaction shares: 100 by default. */
  readonly batchSize?: number;
}

export interface LocalnetParty {
  readonly hint: string;
  /** NOTE: parties no longer have display names; it becomes the annotation `displayName`. */
  readonly displayName?: string;
  readonly holds?: string | number;
}

export interface LocalnetUser {
  readonly id: string;
  /** Hint of a party on any node. The name of a node means its validator's party. */
  readonly primaryParty?: string;
  /** Rights for parties, with the same names. */
  readonly parties?: readonly {
    readonly hint: string;
    readonly rights: readonly LocalnetRight[];
  }[];
  /** Rights that need a party apply to the primary party. */
  readonly rights?: readonly LocalnetRight[];
  /** Whether the validator onboards the user, with a wallet of its primary party, or of a new party. */
  readonly wallet?: boolean;
  /** Names that the wallet has from the start, already paid. */
  readonly names?: readonly (string | LocalnetName)[];
}

/** An entry of the name service. */
export interface LocalnetName {
  /** `bank.unverified.ans`, or `bank` for short. The suffix is that of the network's name service. */
  readonly name: string;
  readonly url?: string;
  readonly description?: string;
}

export type LocalnetRight = (typeof RIGHTS)[number];
