/**
 * The context of a call for its handler, over any transport. It is made for one call, and computes only the members
 * that the handler reads.
 */
import { traceBelow } from '../network/model/ids.js';
import type { Network } from '../network/network.js';
import type { Participant } from '../network/participant.js';
import type { ProtoPrepared } from '../network/external/prepared/messages.js';
import { traceOf } from '../network/ledger/submission-info.js';
import type { GivenOrDrawnTrace, TraceContext } from '../network/model/updates.js';
import type { DeprecatedApis } from '../spec/deprecated/deprecated-apis.js';
import type { ApiVersion } from '../spec/versions.js';
import type { Authenticator } from './authorization/authenticator.js';
import { isRegularUser, type Claims } from './authorization/claim-set.js';
import type { Admission } from './authorization/gate.js';
import { subjectOf } from './authorization/token-format.js';
import type { Checkpoints } from './streams/checkpoints.js';
import type { UpdateOrder } from './streams/update-order.js';
import { givenTrace, refusalTrace } from './trace.js';
import type { ReadCommands } from './value-form.js';

/** The objects that every transport reads from. */
export interface ServedWorld {
  readonly network: Network;
  /** The participant of the Ledger API. */
  readonly participant: Participant;
  /** The participant's release. */
  readonly apiVersion: ApiVersion;
  /** The disabled parts of the Ledger API that an option enables again. */
  readonly enabledAgain: readonly DeprecatedApis[];
  readonly checkpoints: Checkpoints;
  readonly updateOrder?: UpdateOrder | undefined;
  /** Whether prepare explains the computation of the hash on request. */
  readonly enableVerboseHashing: boolean;
  /** Absent if every caller may do everything. */
  readonly auth?: Authenticator;
}

export abstract class CallerContext<World extends ServedWorld> {
  commands?: ReadCommands;
  prepared?: ProtoPrepared;
  /** The trace of a request without a trace. */
  private begun?: GivenOrDrawnTrace;
  private submitted?: GivenOrDrawnTrace;

  /** @param header by its name in lower case */
  constructor(
    protected readonly world: World,
    protected readonly header: (name: string) => string | undefined,
    private readonly admission: Admission,
  ) {}

  get network(): Network {
    return this.world.network;
  }

  get participant(): Participant {
    return this.world.participant;
  }

  get apiVersion(): ApiVersion {
    return this.world.apiVersion;
  }

  get enabledAgain(): readonly DeprecatedApis[] {
    return this.world.enabledAgain;
  }

  get checkpoints(): Checkpoints {
    return this.world.checkpoints;
  }

  get enableVerboseHashing(): boolean {
    return this.world.enableVerboseHashing;
  }

  /** The trace of a submission: below the caller's trace if there is one, otherwise a new trace (B-GEN-012). */
  get trace(): GivenOrDrawnTrace {
    const given = givenTrace(this.header);
    const { random, requestNumbers } = this.network;
    if (given === undefined) return (this.begun ??= requestNumbers.ofSubmission());
    return (this.submitted ??=
      given.tracestate === undefined
        ? { traceparent: traceBelow(random, given.traceparent, requestNumbers.ofSubmission()) }
        : requestNumbers.ofSubmission());
  }

  /** The trace of a refusal: without a submission, it uses no submission number. */
  protected get refusedTrace(): TraceContext {
    const { network, header } = this;
    const own = givenTrace(header) ?? (this.begun ??= refusalTrace(network));
    return traceOf(network.random, own)!;
  }

  get claims(): Claims | undefined {
    return this.admission.kind === 'known' ? this.admission.claims : undefined;
  }

  /** The token of the request, verified or not. */
  protected abstract get token(): string | undefined;

  get partyQuota(): number | undefined {
    const { claims } = this;
    if (claims === undefined || !isRegularUser(claims)) return undefined;
    return this.world.auth?.options.maxSelfAllocatedParties ?? 0;
  }

  /** NOTE: without configured authorization a token proves no identity; its subject still counts as the caller. */
  get userId(): string {
    const { admission } = this;
    if (admission.kind === 'caller') return admission.userId;
    if (admission.kind !== 'anyone') return this.claims?.userId ?? '';
    const { token } = this;
    return (token && subjectOf(token)) ?? '';
  }
}
