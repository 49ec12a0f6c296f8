/**
 * What both ports do with a call beside answering it: what goes wrong with it on purpose, what its refusal tells, and what the journal
 * of requests is told.
 */
import { formatInstant } from '../daml/model/time.js';
import { LedgerError } from '../daml/errors/ledger-error.js';
import type { LossForm } from '../network/faults/fault-rule.js';
import { ParticipantRestarted, type AppliedFault } from '../network/faults/faults.js';
import { answerUnder } from '../services/faults/under-faults.js';
import { NotServed, PlainRefusal } from '../services/participant-admin/not-served.js';
import type { DecodedInput } from '../spec/decode.js';
import type { JournalEntry } from '../services/request-journal.js';
import type { CallContext, GrpcWorld } from './context.js';
import { notServed, statusOf } from './status.js';
import { OK, type Call, type Status } from './wire/call.js';
import { isError, isPromise } from '../daml/errors/realms.js';

/** A method, as others than its client know it. */
export interface Asked {
  /** With a slash before it. */
  readonly path: string;
  /** What the journal calls it; undefined where JSON has no such operation. */
  readonly operation?: string;
  /** What rules of faults call it. */
  readonly name: string;
}

/** What the journal is told of a call. */
type Told = { outcome: 'answered' | 'refused' | 'failed'; status: number } & Partial<
  Record<'error' | 'explanation', string | undefined>
>;

/** An answer that is still to be given. */
export interface Reply {
  readonly told: Told;
  readonly end: () => void;
}

/** What a client makes of a connection that breaks, and of a proxy's answer. */
const UNAVAILABLE = 14;

export class Answering {
  constructor(
    private readonly world: GrpcWorld,
    private readonly api: 'ledger' | 'admin',
  ) {}

  answered(asked: Asked, call: Call): void {
    this.note(asked, call, { outcome: 'answered', status: OK.code });
  }

  refuse(asked: Asked, call: Call, error: unknown, context: CallContext): void {
    const { told, end } = this.refusedReply(asked, call, error, context);
    end();
    this.note(asked, call, told);
  }

  /** Rejects once the participant restarts. */
  whileUp<T>(result: Promise<T>): Promise<T> {
    const { network, participant } = this.world;
    return network.faults.whileUp(participant.name, result);
  }

  /** What goes wrong with a call from now on, of which it and the journal are told. */
  met({ name }: Asked, call: Call, input: DecodedInput, isStream: boolean): AppliedFault[] {
    const { network, participant } = this.world;
    if (!network.faults.isArmed) return [];
    const applied = network.faults.meet({
      operation: name,
      participant: participant.name,
      host: call.header(':authority'),
      input,
      isStream,
      isMessage: true,
    });
    tell(call, applied);
    return applied;
  }

  /** A stream that is broken off. */
  broken(asked: Asked, call: Call): void {
    call.drop();
    this.note(asked, call, { outcome: 'refused', status: UNAVAILABLE });
  }

  /**
   * Answers a call with what goes wrong with it on purpose.
   * @param handle the method itself @param sent writes its result for the client
   * @returns whether anything does go wrong: else nothing is answered yet
   */
  underFaults(
    asked: Asked,
    call: Call,
    context: CallContext,
    input: DecodedInput,
    { handle, sent }: { handle: () => unknown; sent: (result: unknown) => () => void },
  ): boolean {
    const { network, participant } = this.world;
    const applied = this.met(asked, call, input, false);
    if (applied.length === 0) return false;
    const refused = (error: unknown): Reply => this.refusedReply(asked, call, error, context);
    const turnedAway = (status: number): Reply => ({
      told: { outcome: 'refused', status: UNAVAILABLE },
      end: () => call.turnAway(status),
    });
    const lost = (as: LossForm): Reply =>
      as === 'reset' ? { ...turnedAway(0), end: () => call.drop() } : turnedAway(as);
    const answered = (result: unknown): Reply => ({
      told: { outcome: 'answered', status: OK.code },
      end: sent(result),
    });
    const handled = async (): Promise<Reply> => {
      try {
        const result = handle();
        return answered(await (isPromise(result) ? this.whileUp(result) : result));
      } catch (error) {
        return refused(error);
      }
    };
    const answering = answerUnder<Reply>(applied, {
      operation: asked.name,
      network,
      participant,
      host: call.header(':authority'),
      input,
      isMessage: true,
      handle: handled,
      met: (more) => tell(call, more),
      // No Scan is asked here.
      behind: handled,
      refused,
      lost,
      turnedAway,
      given: ({ status = 200, body }) => (status < 400 ? answered(body) : turnedAway(status)),
      // A message comes whole or not at all.
      delivered: (reply, delivery) =>
        delivery.kind === 'slow'
          ? reply
          : { ...reply, end: lost(delivery.kind === 'lost' ? delivery.as : 'reset').end },
      // Such faults are of JSON alone.
      altered: (reply) => reply,
    });
    void answering.catch(refused).then(({ told, end }) => {
      this.note(asked, call, told);
      end();
    });
    return true;
  }

  private refusedReply(asked: Asked, call: Call, error: unknown, context: CallContext): Reply {
    if (error instanceof ParticipantRestarted) {
      const { message: explanation } = error;
      const told = { outcome: 'refused' as const, status: UNAVAILABLE, explanation };
      return { told, end: () => call.drop() };
    }
    const { status, told } = refusalOf(asked, error, context, this.api);
    return { told, end: () => call.end(status) };
  }

  private note({ path, operation }: Asked, { faults }: Call, told: Told): void {
    const { requests, network } = this.world;
    const entry: Omit<JournalEntry, 'id'> = {
      at: formatInstant(network.clock.now()),
      api: this.api,
      operation,
      method: 'GRPC',
      path,
      validation: { ok: true },
      ...told,
      ...(faults && { faults: [...faults] }),
    };
    requests.add(entry);
  }
}

function refusalOf(
  { path }: Asked,
  error: unknown,
  { origin }: CallContext,
  api: 'ledger' | 'admin',
): { status: Status; told: Told } {
  if (error instanceof NotServed) {
    const status = notServed(path, error.what);
    const { code, message: explanation } = status;
    return { status, told: { outcome: 'refused', status: code, explanation } };
  }
  if (error instanceof PlainRefusal) {
    const { code, message } = error;
    const told = { outcome: 'refused' as const, status: code, explanation: message };
    return { status: { code, message }, told };
  }
  const status = statusOf(error, origin, api);
  const isExpected = error instanceof LedgerError;
  const explanation = isExpected
    ? error.details.cause
    : isError(error)
      ? error.stack
      : String(error);
  const told = {
    outcome: isExpected ? ('refused' as const) : ('failed' as const),
    status: status.code,
    error: isExpected ? error.code : undefined,
    explanation,
  };
  return { status, told };
}

/** For the journal. */
function tell(call: Call, applied: readonly AppliedFault[]): void {
  if (applied.length === 0) return;
  const told = applied.map(({ id, text }) => ({ id, fault: text }));
  call.faults = [...(call.faults ?? []), ...told];
}
