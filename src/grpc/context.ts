/** The context that an operation receives for one call. */
import { callToken } from '../services/authorization/bearer.js';
import type { Admission } from '../services/authorization/gate.js';
import type { CallWorld } from '../services/calls/call.js';
import { CallerContext } from '../services/caller-context.js';
import type { LedgerContext } from '../services/handler.js';
import type { ErrorOrigin } from '../services/ledger-api/formats/grpc-status.js';
import { givenTrace, traceIdOf } from '../services/trace.js';
import { MESSAGE_VALUES } from './values/form.js';
import type { Call } from './wire/call.js';

/** The objects that a port reads from. */
export type GrpcWorld = Omit<CallWorld, 'splice' | 'openControls' | 'journal'>;

export class CallContext extends CallerContext<GrpcWorld> implements LedgerContext {
  readonly values = MESSAGE_VALUES;

  constructor(
    world: GrpcWorld,
    private readonly call: Call,
    admission: Admission,
    /**
     * Whether a call without a trace gets one, as in the Ledger API, but not in the admin API
     * (B-ERR-040).
     */
    private readonly beginsTrace = true,
  ) {
    super(world, call.header, admission);
  }

  protected get token(): string | undefined {
    return callToken(this.header);
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }

  /** The origin of this call's errors. */
  get origin(): ErrorOrigin {
    const { name: participant } = this.participant;
    const trace = this.beginsTrace ? this.refusedTrace : givenTrace(this.header);
    return { participant, traceId: trace && traceIdOf(trace) };
  }
}
