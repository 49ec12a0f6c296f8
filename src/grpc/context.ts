/** What operations are given, made for one call. */
import type { Network } from '../network/network.js';
import type { Participant } from '../network/participant.js';
import type { TraceContext } from '../network/updates.js';
import type { Authenticator } from '../services/authorization/authenticator.js';
import { tokenOf } from '../services/authorization/bearer.js';
import type { Claims } from '../services/authorization/claim-set.js';
import type { Admission } from '../services/authorization/gate.js';
import { subjectOf } from '../services/authorization/token-format.js';
import type { LedgerContext } from '../services/handler.js';
import type { ErrorOrigin } from '../services/ledger-api/formats/grpc-status.js';
import type { RequestJournal } from '../services/request-journal.js';
import type { CheckpointDelays } from '../services/streams/checkpoints.js';
import { givenTrace, refusalTrace, submissionTrace, traceIdOf } from '../services/trace.js';
import type { ApiVersion } from '../spec/versions.js';
import { MESSAGE_VALUES } from './values/form.js';
import type { Call } from './wire/call.js';

/** All that a port answers from. */
export interface GrpcWorld {
  readonly network: Network;
  /** Whose Ledger API it is. */
  readonly participant: Participant;
  readonly requests: RequestJournal;
  readonly apiVersion: ApiVersion;
  readonly checkpoints: CheckpointDelays;
  readonly enableVerboseHashing: boolean;
  /** Absent where every caller may do everything. */
  readonly auth?: Authenticator;
}

export class CallContext implements LedgerContext {
  readonly values = MESSAGE_VALUES;
  private ownTrace?: TraceContext;

  constructor(
    private readonly world: GrpcWorld,
    private readonly call: Call,
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

  get checkpoints(): CheckpointDelays {
    return this.world.checkpoints;
  }

  get enableVerboseHashing(): boolean {
    return this.world.enableVerboseHashing;
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }

  get trace(): TraceContext {
    return (this.ownTrace ??= givenTrace(this.call.header) ?? submissionTrace(this.world.network));
  }

  /** Of what goes wrong in this call. */
  get origin(): ErrorOrigin {
    this.ownTrace ??= givenTrace(this.call.header) ?? refusalTrace(this.world.network);
    return { participant: this.participant.name, traceId: traceIdOf(this.ownTrace) };
  }

  get claims(): Claims | undefined {
    return this.admission.kind === 'known' ? this.admission.claims : undefined;
  }

  /** NOTE: where no authorization is configured a token proves nothing; who it names is still who calls. */
  get userId(): string {
    const { admission } = this;
    if (admission.kind === 'caller') return admission.userId;
    if (admission.kind !== 'anyone') return this.claims?.userId ?? '';
    const token = tokenOf(this.call.header);
    return (token && subjectOf(token)) ?? '';
  }
}
