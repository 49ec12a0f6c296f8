/**
 * Handlers are small functions of a context and a decoded input. They parse nothing and format no errors: they throw a
 * LedgerError or an {@link HttpRefusal}, and the transport writes the answer. The handlers of a group are in one
 * object, keyed by operation id; the types require that it is complete.
 */
import type { Network } from '../network/network.js';
import type { Participant } from '../network/participant.js';
import type { ProtoPrepared } from '../network/external/prepared/messages.js';
import type { GivenOrDrawnTrace } from '../network/model/updates.js';
import type { Api } from '../spec/api.js';
import type { Input, Result } from '../spec/operations.js';
import type { ServedIds } from '../spec/served.js';
import type { RegistryPreview } from '../spec/splice/registry-previews.js';
import type { DeprecatedApis } from '../spec/deprecated/deprecated-apis.js';
import type { Releases } from '../spec/releases/releases.js';
import type { ApiVersion, SpliceVersion } from '../spec/versions.js';
import type { UpcomingChange } from '../spec/releases/upcoming-changes.js';
import type { Splice } from '../splice/splice.js';
import { AppRefusal } from '../splice/app-refusal.js';
import type { Validator } from '../splice/validators/validator.js';
import type { Claims } from './authorization/claim-set.js';
import type { ReadCommands, ValueForm } from './value-form.js';
import type { Checkpoints } from './streams/checkpoints.js';
import type { WalletControl } from './wallet-control.js';
import type { RequestJournal } from './request-journal.js';
import type { SqlAccess } from './sql-access.js';

interface CallContext {
  readonly network: Network;
  /** The trace of a submission: the traceparent header, otherwise a generated one. */
  readonly trace?: GivenOrDrawnTrace;
  /** Aborted when the client disconnects, when its time limit passes, or when the server closes. */
  readonly signal: AbortSignal;
}

export interface LedgerContext extends CallContext {
  readonly participant: Participant;
  /** The participant's release. */
  readonly apiVersion: ApiVersion;
  /** The disabled parts of the Ledger API that an option enables again. */
  readonly enabledAgain: readonly DeprecatedApis[];
  /** The form of Daml values in the request and its answer. */
  readonly values: ValueForm;
  /** Marks the call in the journal. */
  noteUpcoming?(change: UpcomingChange): void;
  /** From the bearer token; empty for an anonymous caller. */
  readonly userId: string;
  /** The origin that errors of this call carry; created when it is first read. */
  readonly origin?: { readonly participant?: string; readonly traceId?: string };
  readonly checkpoints: Checkpoints;
  readonly enableVerboseHashing: boolean;
  /** The caller's rights; absent if every caller has all rights. */
  readonly claims?: Claims | undefined;
  /**
   * The limit of parties that the caller may have rights for when it allocates one for itself; absent if there is none.
   */
  readonly partyQuota?: number | undefined;
  /** The request's commands as the JSON layer read them, before the check of the caller's rights. */
  commands?: ReadCommands;
  /** Like {@link commands}, for a prepared transaction. */
  prepared?: ProtoPrepared;
}

export interface ScanContext extends CallContext {
  readonly splice: Splice;
  /** The release of Scan, the SV app and the registry. */
  readonly spliceVersion: SpliceVersion;
  /** The upcoming APIs that the registry serves too. */
  readonly registryPreviews: readonly RegistryPreview[];
}

export interface ValidatorContext extends ScanContext {
  /** The validator of the API. */
  readonly validator: Validator;
  /** The release of its app. */
  readonly validatorVersion: SpliceVersion;
  /** The caller; empty if any caller is allowed. */
  readonly userId: string;
  readonly enableVerboseHashing: boolean;
}

/** The addresses of each participant's JSON Ledger API, by its name. */
export interface LedgerApiAccess {
  /** Its URL, unless it is below the instance's URL. */
  ledgerApiOf(participant: string): string | undefined;
  /** Whether a caller must send a token. */
  needsToken(participant: string): boolean;
  /** Makes a user's token; undefined if this is not possible. */
  tokenOf(participant: string, userId: string): Promise<string | undefined>;
}

/** The parts that controls can change. */
export interface ControlContext extends CallContext {
  readonly splice: Splice;
  readonly requests: RequestJournal;
  readonly access: LedgerApiAccess;
  readonly releases: Releases;
  /** The test's control of the wallet of the Wallet Gateway, if there is one. */
  readonly walletGateway: WalletControl | undefined;
  /** SQL over the ledger; its result is undefined without the option `pqs`. */
  readonly sql?: (() => SqlAccess | undefined) | undefined;
  /** The whole world as the bytes of a file, or the active contracts of a participant. */
  readonly dump: (options: {
    readonly packages?: boolean;
    readonly format?: 'world' | 'acs';
    readonly participant?: string;
    readonly parties?: readonly string[];
  }) => Uint8Array;
}

export type WalletContext = ValidatorContext;
export type SvContext = ValidatorContext;

export interface Contexts {
  ledger: LedgerContext;
  scan: ScanContext;
  registry: ScanContext;
  validator: ValidatorContext;
  wallet: WalletContext;
  names: WalletContext;
  sv: SvContext;
  control: ControlContext;
}

/** An answer with a status, headers or a body that is not JSON; handlers return plain answers directly. */
export class Reply {
  constructor(
    readonly body: unknown,
    readonly options: {
      readonly status?: number;
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {}
}

type Answer<R> = R | Reply | Promise<R | Reply>;

/** One handler for each served operation of an API. */
export type Handlers<A extends Api> = {
  readonly [Id in ServedIds<A>]: (
    context: Contexts[A],
    input: Input<A, Id>,
  ) => Answer<Result<A, Id>>;
};

/**
 * Handlers of some operations of an API, which a file checks with `satisfies`. The compiler checks that all operations
 * have one where they are combined.
 */
export type SomeHandlers<A extends Api> = Partial<Handlers<A>>;

/**
 * An error that has only a text: answered with this status and `{"error": text}`, or on the Ledger API with the plain
 * text.
 */
export class HttpRefusal extends AppRefusal {
  override readonly name = 'HttpRefusal';
}
