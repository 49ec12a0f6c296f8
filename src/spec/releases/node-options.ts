/** Options about the releases of nodes. */
import type { ParticipantOptions } from '../../network/participant.js';
import type { ApiVersion, SpliceVersion } from '../versions.js';
import type { DeprecatedApis } from '../deprecated/deprecated-apis.js';

/** Enables disabled parts of a participant's Ledger API again. */
export interface DeprecatedApiOptions {
  /**
   * Enables operations again that release 3.6 disables: those that 3.4 deprecated, as Canton's
   * `features.deprecated.enable-deprecated-endpoints-34` does. False by default: they are then rejected with DEPRECATED_API_DISABLED.
   */
  readonly enableDeprecatedEndpoints34?: boolean;
  /** The same for `filter` and `verbose` in requests for updates and active contracts. */
  readonly enableDeprecatedParameters34?: boolean;
  /** The same for operations that 3.5 deprecated. */
  readonly enableDeprecatedEndpoints35?: boolean;
}

/**
 * An extension service for external calls of Daml-LF 2.4. Config, input and output are lower-case hexadecimal. If it throws, the call
 * fails. Requests to the Ledger API wait for a promise.
 */
export type ExternalFunction = (
  functionId: string,
  config: string,
  input: string,
) => string | Promise<string>;

/** An extension service at an HTTP address, with the settings of a participant. Times are in milliseconds. */
export interface ExternalService {
  /** The address before `/api/v1/external-call`, such as `http://127.0.0.1:9000`. */
  readonly url: string;
  /** The bearer token of requests; none by default. */
  readonly token?: string;
  /** How long one request may take; 8,000 by default. */
  readonly requestTimeout?: number;
  /** How often a request is repeated after a time-out, a lost connection, or status 408, 412, 429, 500, 502, 503 or 504; 3 by default. */
  readonly maxRetries?: number;
  /** The time before the first repetition, which doubles with each further one; 1,000 by default. */
  readonly retryInitialDelay?: number;
  /** The longest such time; 10,000 by default. */
  readonly retryMaxDelay?: number;
  /** The limit of an answer; 20 MiB by default. */
  readonly maxResponseBodyBytes?: number;
}

/** Extension services by id: functions, addresses, or addresses with settings. */
export type ExternalCalls = Readonly<Record<string, ExternalFunction | string | ExternalService>>;

/** A participant of a new network. Its own options take precedence over those of the network. */
export interface NodeOptions extends ParticipantOptions, DeprecatedApiOptions {
  /** Its release of Canton; that of the network by default. */
  readonly canton?: ApiVersion;
  /** Its extension services; those of the network by default. */
  readonly externalCalls?: ExternalCalls;
}

/** The release of a validator's app. */
export interface ValidatorRelease {
  /** Its release of Splice; that of the network by default. It implies the release of its participant. */
  readonly splice?: SpliceVersion;
}

/** The groups of disabled parts that options enable again. */
export function enabledAgain({
  enableDeprecatedEndpoints34: endpoints34,
  enableDeprecatedParameters34: parameters34,
  enableDeprecatedEndpoints35: endpoints35,
}: DeprecatedApiOptions): readonly DeprecatedApis[] {
  const groups = {
    'endpoints-34': endpoints34,
    'parameters-34': parameters34,
    'endpoints-35': endpoints35,
  } satisfies Record<DeprecatedApis, boolean | undefined>;
  return (Object.keys(groups) as DeprecatedApis[]).filter((group) => groups[group]);
}
