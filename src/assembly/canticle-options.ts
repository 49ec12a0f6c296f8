/** The options of a Canticle: what its world starts with, and where it listens. */
import type { DamlPackage } from '../daml/model/package.js';
import type { FaultRule } from '../network/faults/fault-rule.js';
import type { OperationId } from '../spec/operation-id.js';
import type { ProtocolVersion } from '../network/model/protocol.js';
import type { TrafficAccountsMode } from '../network/traffic/accounts.js';
import type { SynchronizerOptions } from '../network/synchronizer.js';
import type {
  ExternalCalls,
  NodeOptions,
  ValidatorRelease,
} from '../spec/releases/node-options.js';
import type { RegistryPreview } from '../spec/splice/registry-previews.js';
import type { ApiVersion, SpliceVersion } from '../spec/versions.js';
import type { ScanView } from '../splice/scan/scan-view.js';
import type { ValidatorOptions } from '../splice/validators/validator.js';
import type { AmuletOptions } from '../wallet/amulet.js';
import type { PortOptions } from './addresses.js';
import type { PqsOptions } from './pqs/pqs-options.js';
import type { WalletGatewayOptions } from './wallet-gateway/gateway-options.js';
import type { ForkOptions } from './fork/fork-options.js';
import type { ServingOptions } from './serving-options.js';
import type { InitScript } from './run-script.js';
import type { Party } from '../daml/model/values.js';

/** Active contracts that a participant exported, and further parties. */
export interface LoadOptions {
  /** Its path, or its bytes. */
  readonly file: string | Uint8Array;
  /** Ids of parties without contracts that the participant also hosts. */
  readonly parties?: readonly Party[];
}

/** The options of a Canticle. */
export interface CanticleOptions extends ServingOptions {
  /** Seed of all ids and random choices: the same seed and calls give the same bytes. 0 by default. */
  readonly seed?: number;
  /** Initial time of the virtual clock, in RFC 3339; 2026-01-01T00:00:00Z by default. */
  readonly time?: string;
  /** `virtual`, the default: time moves with updates and on request. `wall`: time follows the clock of this machine. */
  readonly clock?: 'virtual' | 'wall';
  /**
   * A world that `save` of a Canticle wrote: the path of its file, or its bytes. The new instance continues from it. You then cannot use
   * options that the file determines: seed, time, synchronizers, participants, protocolVersion, additionalAdminUser, trafficControl,
   * trafficAccounts, alphaVersionSupport, validator, scan and amulet. `dars` and `packages` are added if missing. A scenario runs on top.
   * Or active contracts that a participant exported (Canton's ExportAcs). Their packages come from `dars` or from the folder of DARs. All
   * parties that they name, and `parties`, are hosted here. Of these options, you then cannot use only synchronizers and amulet.
   */
  readonly load?: string | Uint8Array | LoadOptions;
  /**
   * A live participant, such as `{ url: 'https://participant.example', token }`. Canticle reads its parties, users, packages and active
   * contracts over its JSON Ledger API, and continues from them. It never submits to the participant. You cannot use the options that you
   * cannot use with `load`, except `seed` and `protocolVersion`. Only `startCanticle` supports `fork`, because it can wait; pass its
   * `dump()` to `useCanticle` as `load`. With `scan`, it adds the DSO's contracts from a Scan. With `scan` alone, the world is new, and
   * you can use all options except synchronizers and amulet.
   */
  readonly fork?: ForkOptions;
  /** DARs or their paths. Every participant gets and vets them. */
  readonly dars?: readonly (Uint8Array | string)[];
  /**
   * Your copy of Splice's Amulet, such as `splice-amulet-0.1.14.dar`: its bytes, its path, or its name in the folder
   * CANTICLE_DARS (`~/.canticle/dars` by default). Amulet starts as on DevNet, before any scenario.
   */
  readonly amulet?: Uint8Array | string | ({ readonly dar: Uint8Array | string } & AmuletOptions);
  /**
   * A folder that caches facts about the packages of DARs, so that the next process need not check them again; false for none. By
   * default, the environment variable CANTICLE_CACHE (`off` for none), or else `~/.canticle/cache`.
   */
  readonly cache?: string | false;
  /** Packages written in TypeScript. Every participant gets and vets them. */
  readonly packages?: readonly DamlPackage[];
  /** The synchronizers. By default one, `global`; with `bare` it is `synchronizer-1`. A plain name is an alias. */
  readonly synchronizers?: readonly (string | SynchronizerOptions)[];
  /** The participants. By default one, `sandbox`, connected to all synchronizers. The root URL serves the Ledger API of the first one. */
  readonly participants?: readonly (string | NodeOptions)[];
  /**
   * An administrator of every participant in addition to `participant_admin` (Canton's `additional-admin-user-id`). By default
   * `ledger-api-user`, as on a LocalNet: clients such as the wallet SDK use it. False for none, the default with `bare`.
   */
  readonly additionalAdminUser?: string | false;
  /**
   * Starts like Canton's sandbox, as `canticle sandbox` does: one synchronizer, `synchronizer-1`; the only user `participant_admin`; no
   * traffic control; no package, party or contract of Canticle. Canticle adds the DSO's party, the test token and the quickstart package
   * on first use of Scan, the registry, the validator, Amulet, the test token, or a scenario. False by default; it has no effect on a
   * loaded world. Other options take precedence.
   */
  readonly bare?: boolean;
  /**
   * Whether sequenced messages have a cost (`paidTrafficCost`, estimates), as on a LocalNet. False by default: every cost is 0,
   * as in Canton's sandbox.
   */
  readonly trafficControl?: boolean;
  /**
   * How participants count the traffic of each party, as with Canton's `traffic-accounting`. By default, they do not count it. With
   * `count`, they debit each submission from the account of its party. With `enforce`, they also reject submissions whose cost is above
   * the balance. With `enforce-single-party`, they also reject submissions of several parties. It needs release 3.6, and
   * `trafficControl` for costs above 0.
   */
  readonly trafficAccounts?: TrafficAccountsMode;
  /**
   * Whether participants have offsets without an update, as real ones do: each event of a synchronizer takes one. About two offsets
   * without an update then follow a transaction, and the ledger end is ahead of the last update. The number depends on the seed. False by
   * default, true for `canticle sandbox --wall-clock-time` and `canticle localnet`.
   */
  readonly offsetGaps?: boolean;
  /** Further paths below which to serve the registry, such as `/api/token-standard/v0/registrars/x`. */
  readonly registryPrefixes?: readonly string[];
  /**
   * Path of a scenario file (YAML or JSON), which runs before anything else. Options take precedence over its seed, time, synchronizers,
   * participants and authorization. Without a scenario, the network has only the DSO party and the test token's rules.
   */
  readonly scenario?: string;
  /** A Daml script that runs at the end of the start, such as `Main:setup` from one of the `dars`. */
  readonly initScript?: InitScript;
  /** Path below which to serve the Ledger API, instead of at the root. */
  readonly pathPrefix?: string;
  /** Release of Canton; `3.5` by default. `3.6` is a preview. Participants may have others. */
  readonly canton?: ApiVersion;
  /**
   * Folder with the official documents of another patch of the release: `openapi.yaml`, and `asyncapi.yaml` for the WebSocket channels, or
   * the same as JSON. They replace those that Canticle has. Participants that name their release keep it.
   */
  readonly cantonDocuments?: string;
  /**
   * Release of Splice: of Scan, the SV app, the registry and the validator. `0.7.4` by default. It implies the release of Canton that it
   * runs on.
   */
  readonly splice?: SpliceVersion;
  /**
   * Upcoming APIs that the registry serves too, from the contracts of packages that you install: `traffic-purchase`, `conditional-lock`.
   * None by default. They are drafts, which no release has yet.
   */
  readonly registryPreviews?: readonly RegistryPreview[];
  /** The older name of {@link canton}. */
  readonly apiVersion?: ApiVersion;
  /**
   * Protocol version of the synchronizers: 35, the latest, by default; 34 if `canton` is 3.4. Version 34 rolls back the contracts
   * created or consumed before a caught exception, which version 35 rejects. It also vets packages only together with all their
   * dependencies. It does not support packages of Daml-LF 2.3, the version with contract keys: a participant of 3.4 does not even accept
   * them.
   */
  readonly protocolVersion?: ProtocolVersion;
  /**
   * Extension services for external calls of Daml-LF 2.4, by id, for every participant. Without them, external calls fail. Confirming
   * participants call their services again, and reject a transaction if an output differs.
   */
  readonly externalCalls?: ExternalCalls;
  /**
   * Whether participants accept packages of Daml-LF versions that are not stable (2.dev), as Canton does with `alpha-version-support`.
   * False by default: they then reject such DARs with ALLOWED_LANGUAGE_VERSIONS.
   */
  readonly alphaVersionSupport?: boolean;
  /**
   * Milliseconds of this machine that the Daml code of one transaction may run: 10,000 by default. After that, it fails with
   * INTERPRETATION_TIME_EXCEEDED, like a submission whose ledger time is too old for a participant.
   */
  readonly interpretationTimeout?: number;
  /** The clock for the expiry of tokens, in milliseconds since 1970, independent of the ledger time. This machine's clock by default. */
  readonly realClock?: () => number;
  /** Faults from the start on: rules, or the path of a file with rules. A reset keeps them. */
  readonly faults?: string | readonly FaultRule<OperationId>[];
  /** Whether to count created templates and exercised choices from the start on: see `coverage` of a Canticle. */
  readonly coverage?: boolean;
  /**
   * A Wallet Gateway for dApps, as Splice's: its wallet approves, asks, or rejects. Tests control it through `walletGateway` of
   * the instance. None by default.
   */
  readonly walletGateway?: boolean | WalletGatewayOptions;
  /**
   * SQL over the ledger, as PQS (the Participant Query Store) provides it: one database for each participant, `pqs-sandbox` by default.
   * Tests query it through `pqs` of the instance. It needs the package `@electric-sql/pglite`, or with `url` the package `pg`. None by
   * default.
   */
  readonly pqs?: boolean | PqsOptions;
  /** The validator of the wallets: its party and its user. */
  readonly validator?: ValidatorOptions & ValidatorRelease;
  /**
   * The data of Scan: the view of the DSO party, or `everything`, the default. And whether clients may force a snapshot of the active
   * contracts: true by default.
   */
  readonly scan?: { readonly sees?: ScanView; readonly forcedAcsSnapshots?: boolean };
}

/** Options of `startCanticle` and `useCanticle`: the world, and the address to listen on. */
export interface StartOptions extends CanticleOptions, PortOptions {
  /** Port to listen on; 0, the default, for any free one. */
  readonly port?: number;
  /** Address to listen on; loopback by default. */
  readonly host?: string;
}
