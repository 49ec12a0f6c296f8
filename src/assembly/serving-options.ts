/** Options of the APIs that a Canticle serves: authorization, limits and timing. */
import type { IssuerOptions } from '../http/issuer.js';
import type { RouterOptions } from '../http/routing/router.js';
import type { AuthOptions, RealClock } from '../services/authorization/options.js';
import type { JournalDetail } from '../services/request-journal.js';
import type { CheckpointDelays } from '../services/streams/checkpoints.js';
import type { UpdateOrder } from '../services/streams/update-order.js';
import type { DeprecatedApiOptions } from '../spec/releases/node-options.js';
import type { PqsOptions } from './pqs/pqs-options.js';
import type { WalletGatewayOptions } from './wallet-gateway/gateway-options.js';
import type { Releases } from '../spec/releases/releases.js';

/** Options of the Ledger API, independent of the world. */
export interface ServingOptions extends DeprecatedApiOptions {
  /** Intervals of offset checkpoints on open streams, in milliseconds of this machine; as in Canton by default. */
  readonly checkpoints?: Partial<CheckpointDelays>;
  /**
   * Whether open streams get an update before the answer to its submission, which is the default, or some milliseconds after it. A real
   * participant does both, mostly the latter, so that a client must not rely on either.
   */
  readonly updateOrder?: UpdateOrder;
  /**
   * Milliseconds of this machine after which a request is answered with 503, as with Canton's `http-ledger-api.request-timeout`: 20,000
   * by default, and 38,000 for Splice's apps. A submitted command continues after that.
   */
  readonly requestTimeout?: number;
  /** Authorization of the Ledger API. By default every client may do everything. */
  readonly auth?: AuthOptions;
  /**
   * Whether prepare answers with `hashingDetails` if the request sets `verboseHashing`, as with Canton's
   * `interactive-submission-service.enable-verbose-hashing`. False by default.
   */
  readonly enableVerboseHashing?: boolean;
  /**
   * Whether controls need no token although the Ledger API needs one. False by default: controls then need the token of an administrator.
   */
  readonly openControls?: boolean;
  /**
   * Origins of web pages, such as `https://wallet.example`, that may use the Ledger API, the controls and streams. Requests may also use
   * their host names. `*` allows all. By default, pages of this machine may use streams, and pages of any origin may use Scan, the
   * registry and the validator. A real participant sends no CORS headers, so that real pages use a proxy on their origin.
   */
  readonly allowOrigins?: readonly string[];
  /**
   * Details of each request in the journal. `brief`, the default, keeps the request and its outcome. `full` adds headers, 64 KiB of
   * both bodies, and the duration in milliseconds. Of tokens, it keeps only the scheme.
   */
  readonly journal?: JournalDetail;
  /** Users and clients of the built-in token issuer. */
  readonly issuer?: IssuerOptions;
}

/** The parts of a Canticle in addition to its world. */
export type CanticleParts = Omit<RouterOptions, 'apiVersion' | 'registryPreviews'> &
  ServingOptions & {
    readonly releases: Releases;
    readonly realClock: RealClock;
    readonly walletGateway?: boolean | WalletGatewayOptions | undefined;
    readonly pqs?: boolean | PqsOptions | undefined;
    /** See `cache` of the options of a Canticle. */
    readonly cache?: string | false | undefined;
    /** Authorization of participants with separate token services, by name; other participants use `auth`. */
    readonly authOf?: Readonly<Record<string, AuthOptions>>;
    /** Called when it closes. */
    readonly onClose: () => void;
  };
