/**
 * The contexts of handlers, made for one request. Costly parts, such as a trace, are made when a handler first
 * reads them.
 */
import type { Splice } from '../splice/splice.js';
import type { Validator } from '../splice/validators/validator.js';
import type { ReadFixture } from '../spec/message-fixture.js';
import { httpToken } from '../services/authorization/bearer.js';
import { ANYONE, type Admission } from '../services/authorization/gate.js';
import type { Issuer } from './issuer.js';
import type {
  CallContext,
  CallWorld,
  IncomingCall,
  JournalDetail,
  SentBody,
} from '../services/calls/call.js';
import { CallerContext } from '../services/caller-context.js';
import type { ControlContext, LedgerContext, ValidatorContext } from '../services/handler.js';
import { JSON_VALUES, type ValueForm } from '../services/value-form.js';
import type { Page, ReadReader } from '../services/pages/pages.js';
import type { AnswerOrigin } from './errors.js';
import type { PageGuard } from './pages/page-guard.js';
import type { Service } from './routing/service.js';
import type { UpcomingChange } from '../spec/releases/upcoming-changes.js';
import { namesBrokenTrace, traceIdOf } from '../services/trace.js';
import type { RegistryPreview } from '../spec/splice/registry-previews.js';
import type { NodeRelease, Releases } from '../spec/releases/releases.js';
import { releaseOf, type SpliceVersion } from '../spec/versions.js';

/** All that a server answers from. */
export interface World extends CallWorld, NodeRelease {
  readonly releases: Releases;
  readonly splice: Splice;
  /** The whole world as the bytes of a file. */
  readonly dump: ControlContext['dump'];
  readonly access: ControlContext['access'];
  readonly wallet?: () => ControlContext['walletGateway'];
  /** SQL over the ledger, if there is any. */
  readonly sql?: ControlContext['sql'];
  /**
   * In milliseconds of real time: a request without an answer by then gets a timeout answer. By default, the time
   * of each API.
   */
  readonly requestTimeout?: number;
  /** Whether controls need no token even with authorization. */
  readonly openControls: boolean;
  readonly issuer: Issuer;
  /** By name, the first at the root: for the list of participants. */
  readonly participantNames: readonly string[];
  readonly readReader: ReadReader;
  readonly inspector: ServeInspector;
  /** The examples of the documents; without it they have none. */
  readonly readFixture?: ReadFixture;
  readonly pages: PageGuard;
  /** Whether the journal keeps requests and answers whole. */
  readonly journal: JournalDetail;
}

/** Serves a path below `/canticle` that is not a control; returns undefined if there is nothing at that path. */
export type ServeInspector = (
  path: string,
  request: { readonly root: string; readonly encodings: string | undefined },
) => Promise<Page | undefined>;

/** A request in its wire form. */
export interface Exchange extends IncomingCall {
  /** The service of the port; every API if absent. */
  readonly service?: Service;
  /** Whether it came over a connection, which others may open too. */
  readonly isRemote: boolean;
  /** All of them, by name in lower case. */
  readonly headers: () => Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The URL at which the client finds the root of this instance, without a slash at its end. */
  readonly root: () => string;
  /** Rejects with BodyTooLarge for one of more bytes than the limit. */
  readonly readBody: (limit: number) => Promise<SentBody>;
  readonly signal: () => AbortSignal;
}

/** One object serves every API; a handler's own context type limits its use. */
export class RequestContext
  extends CallerContext<World>
  implements CallContext, LedgerContext, ValidatorContext, ControlContext
{
  private ending?: AbortController;

  constructor(
    world: World,
    private readonly exchange: Exchange,
    admission: Admission = ANYONE,
  ) {
    super(world, exchange.header, admission);
  }

  protected get token(): string | undefined {
    return httpToken(this.header, this.apiVersion);
  }

  noteUpcoming(change: UpcomingChange): void {
    this.exchange.deprecated = change;
  }

  get splice(): Splice {
    return this.world.splice;
  }

  get spliceVersion(): SpliceVersion {
    return this.releases.spliceVersion;
  }

  get registryPreviews(): readonly RegistryPreview[] {
    return this.releases.registryPreviews;
  }

  get validatorVersion(): SpliceVersion {
    return this.world.validatorVersion;
  }

  get releases(): Releases {
    return this.world.releases;
  }

  get validator(): Validator {
    return this.splice.validatorAt(this.participant);
  }

  get values(): ValueForm {
    return JSON_VALUES;
  }

  get requests(): ControlContext['requests'] {
    return this.world.requests;
  }

  get dump(): ControlContext['dump'] {
    return this.world.dump;
  }

  get sql(): ControlContext['sql'] {
    return this.world.sql;
  }

  get walletGateway(): ControlContext['walletGateway'] {
    return this.world.wallet?.();
  }

  get access(): ControlContext['access'] {
    return this.world.access;
  }

  get signal(): AbortSignal {
    if (this.ending === undefined) {
      this.ending = new AbortController();
      const gone = this.exchange.signal();
      if (gone.aborted) this.end();
      else gone.addEventListener('abort', () => this.end(), { once: true });
    }
    return this.ending.signal;
  }

  /** The client no longer waits for the answer. */
  end(): void {
    this.ending?.abort();
  }

  /** The origin of errors of this request. */
  get origin(): AnswerOrigin {
    return {
      participant: this.participant.name,
      traceId: traceIdOf(this.refusedTrace),
      hasBrokenTrace: namesBrokenTrace(this.header),
      namesKindsAlone: releaseOf(this.apiVersion).namesKindsAlone,
    };
  }
}
