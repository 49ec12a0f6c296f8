/** How a Canticle serves what its world is: who may ask, and when it answers. */
import type { IssuerOptions } from '../http/issuer.js';
import type { RouterOptions } from '../http/routing/router.js';
import type { AuthOptions, RealClock } from '../services/authorization/options.js';
import type { JournalDetail } from '../services/request-journal.js';
import type { CheckpointDelays } from '../services/streams/checkpoints.js';
import type { UpdateOrder } from '../services/streams/update-order.js';

/** How the Ledger API serves, whatever the world is. */
export interface ServingOptions {
  /** When open streams are sent offset checkpoints, in milliseconds of this machine; as in Canton by default. */
  readonly checkpoints?: Partial<CheckpointDelays>;
  /**
   * When open streams have an update whose submission is answered: before the answer, as by default, or some milliseconds after it. A real
   * participant does either, mostly the latter, so that a client must rely on neither.
   */
  readonly updateOrder?: UpdateOrder;
  /**
   * Milliseconds of this machine after which a request is answered with 503, done or not, as Canton's
   * `http-ledger-api.request-timeout` has it: 20,000 by default, and 38,000 of Splice's apps. A command goes on all the same.
   */
  readonly requestTimeout?: number;
  /** Who may call the Ledger API. Everyone, by default. */
  readonly auth?: AuthOptions;
  /**
   * Whether prepare answers with `hashingDetails` where `verboseHashing` asks for them, as Canton's
   * `interactive-submission-service.enable-verbose-hashing` has it. No, by default.
   */
  readonly enableVerboseHashing?: boolean;
  /**
   * Whether controls are taken from everyone although there is authorization. No, by default: they then ask for a token of an
   * administrator.
   */
  readonly openControls?: boolean;
  /**
   * Origins, such as `https://wallet.example`, whose pages may use the Ledger API, the controls and streams, and whose hosts this may be
   * called by; `*` for all. By default pages of this machine may use streams, and those of any origin Scan, the registry and the
   * validator: a real participant lets no page read its answers, and real pages ask through a proxy of their own origin.
   */
  readonly allowOrigins?: readonly string[];
  /**
   * What the journal keeps of each request: `brief`, the default, that it was and what became of it; `full`, its headers (of tokens
   * the scheme alone), both bodies (64 KiB of each) and how many milliseconds it took.
   */
  readonly journal?: JournalDetail;
  /** Whom the built-in token issuer knows. */
  readonly issuer?: IssuerOptions;
}

/** What a Canticle is made of beside its world. */
export type CanticleParts = RouterOptions &
  ServingOptions & {
    readonly realClock: RealClock;
    /** Whose tokens a participant takes that has services of its own, by its name; others have those of `auth`. */
    readonly authOf?: Readonly<Record<string, AuthOptions>>;
    /** What else ends with it. */
    readonly onClose: () => void;
  };
