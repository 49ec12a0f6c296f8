/** What a user may ask of a LocalNet, as options or as a file that says the same. */
import type { DamlPackage } from '../../daml/model/package.js';
import type { Duration } from '../../network/model/time-texts.js';
import type { RIGHTS } from '../../options/localnet.js';
import type { AuthOptions } from '../../services/authorization/options.js';
import type { InstanceNames } from '../../splice/instance-names.js';
import type { AmuletOptions } from '../../wallet/amulet.js';
import type { StartOptions } from '../start.js';

/** What LocalNets have instead, or cannot have otherwise. */
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
  | 'enableVerboseHashing';

/** What a LocalNet starts from: Splice's own three nodes, unless it says otherwise. */
export interface LocalnetOptions extends Omit<StartOptions, Replaced> {
  /** Path of a file, YAML or JSON, that says the same as these options; what is said here goes before it. */
  readonly config?: string;
  /** `auto`, the default: any free ones. `localnet`: those of a LocalNet, such as 2975 for the JSON Ledger API of app-user. */
  readonly ports?: 'auto' | 'localnet';
  /** Added to each of a LocalNet's ports. */
  readonly portOffset?: number;
  /** Unless `ports` is `auto`, in place of a LocalNet's ports: a hundred for each node from there on, of which 0 is for hosts, 1 for gRPC, 2 for the admin API, 3 for the validator, 75 for the JSON Ledger API. */
  readonly basePort?: number;
  /** Whether controls, and so the inspector, are open to everyone. Yes, by default, unless `auth` is of your own: its tokens anybody can make. */
  readonly openControls?: boolean;
  /** Whether the Ledger API and the admin API are served over gRPC too. By default where the ports are not any free ones: on 2901 and 2902, and so on. */
  readonly grpc?: boolean;
  /** A port of Scan's own; a LocalNet has none outside its containers. With `auto` there is one all the same. */
  readonly scanPort?: number;
  /** A port of the SV app's own, likewise. */
  readonly svPort?: number;
  /** The nodes beside sv's, or how many: app-provider and app-user by default. What is said of `sv` is of sv's own. */
  readonly validators?: number | readonly (string | LocalnetValidatorOptions)[];
  /** Packages written in TypeScript, for all; or DARs, for those that are named. */
  readonly packages?: readonly (DamlPackage | LocalnetPackage)[];
  /**
   * How clients come by tokens: `shared-secret`, the default: they sign them, HS256 with `unsafe`. `oauth2`: from the realms AppUser and
   * AppProvider of a Keycloak, as cn-quickstart has it; sv stays as it is. Or what a participant takes, as of any Canticle.
   */
  readonly auth?: 'shared-secret' | 'oauth2' | AuthOptions;
  /**
   * With `oauth2`, where a browser may be sent back to after it logged in or out, with a star at its end for all that begin so; beside
   * where cn-quickstart has it sent.
   */
  readonly redirectUris?: readonly string[];
  /**
   * The folder of Splice's DARs, of which the newest are taken; by default what CANTICLE_DARS says, else `~/.canticle/dars`. False for
   * none: then a small model stands in for Amulet, as it does where they are missing (`hasAmulet`).
   */
  readonly spliceDars?: string | false;
  /** What Amulet begins with. Of the model: price, tick, first round, whether it is a DevNet, and whether rounds advance. */
  readonly amulet?: LocalnetAmulet;
  /**
   * Whether what participants send costs traffic. `unmetered`, the default: it costs nothing. `metered`: as on a LocalNet, whose
   * participants have 400,000 bytes in 20 minutes for nothing and whose validators buy 1,200,000 whenever less is left, once a minute
   * at most; what goes beyond is refused. Or what its `TARGET_TRAFFIC_THROUGHPUT` and `MIN_TRAFFIC_TOPUP_INTERVAL` say.
   */
  readonly traffic?: 'unmetered' | 'metered' | LocalnetTraffic;
  /** What people call the network, its coin and its names; a LocalNet's own by default (L-ENV-002). */
  readonly instanceNames?: Partial<InstanceNames>;
  /** Whether there is a second synchronizer, `app-synchronizer`, which all but sv are connected to. */
  readonly multiSync?: boolean;
}

export interface LocalnetAmulet extends AmuletOptions {
  /** How long a round takes: ten minutes by default. */
  readonly tick?: Duration;
}

export interface LocalnetTraffic {
  /** Bytes a second that a validator buys for: 20,000 by default; with 0 it buys nothing. */
  readonly targetThroughput?: number;
  /** Between purchases: a minute by default, and not less than the 30 seconds after which validators look again. */
  readonly minTopupInterval?: Duration;
  /** Bytes that the wallet's users leave for purchases: 200,000 by default. */
  readonly reservedTraffic?: number;
}

/** A DAR for some nodes; `dar` is its bytes, its path, or its name in the folder of DARs. */
export interface LocalnetPackage {
  /** For people alone. */
  readonly name?: string;
  readonly dar: Uint8Array | string;
  /** Names of nodes; all of them by default. */
  readonly uploadTo?: string | readonly string[];
}

export interface LocalnetValidatorOptions {
  readonly name: string;
  /** First part of the validator's party. */
  readonly partyHint?: string;
  /** What the validator's party holds from the start: of Amulet, or of the test token where that does not run. */
  readonly holds?: string | number;
  /** Names that its wallet has from the start, paid for. */
  readonly names?: readonly (string | LocalnetName)[];
  /** Parties besides, by their hints. */
  readonly parties?: readonly (string | LocalnetParty)[];
  /** Users besides, or what those that are there have more. */
  readonly users?: readonly LocalnetUser[];
  /** Offers that its wallets accept by themselves, by who makes them, as `auto-accept-transfers` of a validator; none by default. */
  readonly autoAcceptTransfers?: readonly LocalnetAutoAccept[];
  /** What its wallets send on by themselves above some balance, as `wallet-sweep` of a validator; nothing by default. */
  readonly walletSweep?: readonly LocalnetSweep[];
  /** Whom its wallets share with what traffic earns them, as `reward-sharing-config-by-party` of a validator; nobody by default. */
  readonly rewardSharing?: readonly LocalnetRewardSharing[];
  /** Aliases of synchronizers; by default `global`, and `app-synchronizer` where there is one. */
  readonly synchronizers?: readonly string[];
  readonly ports?: {
    readonly ledgerApi?: number;
    readonly grpc?: number;
    readonly grpcAdmin?: number;
    readonly validator?: number;
    readonly ui?: number;
  };
}

/** Parties are named by their hints; the name of a node stands for its validator's party. */
export interface LocalnetAutoAccept {
  /** Whose wallet it is; the validator's own by default. */
  readonly party?: string;
  readonly fromParties: readonly string[];
}

export interface LocalnetSweep {
  /** Whose wallet it is; the validator's own by default. */
  readonly party?: string;
  /** Dollars; with more than that, all but `minBalanceUsd` goes to the receiver. */
  readonly maxBalanceUsd: string | number;
  readonly minBalanceUsd: string | number;
  readonly receiver: string;
  /** At once by the receiver's preapproval, in place of an offer of ten minutes. */
  readonly useTransferPreapproval?: boolean;
}

export interface LocalnetRewardSharing {
  /** Whose wallet it is; the validator's own by default. The whole id of one that signs for itself, for which a delegate mints. */
  readonly party?: string;
  /** Each with its part, in all at most 1: the rest is the party's own. None: somebody else shares, and coupons that name nobody are left alone. */
  readonly beneficiaries?: readonly {
    readonly beneficiary: string;
    readonly percentage: string | number;
  }[];
  /** How long coupons are to be good for once they are shared: 30 hours by default, of the 36 that they last. */
  readonly minTtlAfterSharing?: Duration;
  /** At once: 100 by default. */
  readonly batchSize?: number;
}

export interface LocalnetParty {
  readonly hint: string;
  /** NOTE: parties have no display names any more; it is kept as an annotation `displayName`. */
  readonly displayName?: string;
  readonly holds?: string | number;
}

export interface LocalnetUser {
  readonly id: string;
  /** Hint of a party of any node; the name of a node stands for its validator's party. */
  readonly primaryParty?: string;
  /** Rights for parties, named likewise. */
  readonly parties?: readonly {
    readonly hint: string;
    readonly rights: readonly LocalnetRight[];
  }[];
  /** Those that are for a party are for the primary one. */
  readonly rights?: readonly LocalnetRight[];
  /** Whether the validator takes it in, so that it has a wallet: of its primary party, or of one of its own. */
  readonly wallet?: boolean;
  /** Names that the wallet has from the start, paid for. */
  readonly names?: readonly (string | LocalnetName)[];
}

/** An entry of the name service. */
export interface LocalnetName {
  /** `bank.unverified.ans`, or `bank` for short; in what the network's name service is called. */
  readonly name: string;
  readonly url?: string;
  readonly description?: string;
}

export type LocalnetRight = (typeof RIGHTS)[number];
