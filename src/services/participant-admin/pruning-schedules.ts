/** `PruningService` as far as it is about schedules. NOTE: what there is no schedule of is refused as an invalid argument with its own code. */
import { invalidArgument } from '../../network/request-errors.js';
import type { PruningSchedule } from '../../network/administration/pruning-schedule.js';
import { protoDeserializationFailure } from '../ledger-api/formats/requests.js';
import type { AdminContext } from './topology-reads.js';

export interface Seconds {
  readonly seconds: number;
  readonly nanos: number;
}

export interface ScheduleMessage {
  readonly cron: string;
  readonly maxDuration?: Seconds;
  readonly retention?: Seconds;
}

export interface ScheduleRequest {
  readonly schedule?: ScheduleMessage;
}

export interface ParticipantScheduleRequest {
  readonly schedule?: ScheduleRequest & { readonly pruneInternallyOnly: boolean };
}

/** @throws LedgerError PROTO_DESERIALIZATION_FAILURE */
function secondsIn(field: string, given: Seconds | undefined): number {
  if (given === undefined) throw protoDeserializationFailure(`FieldNotSet(${field})`);
  const { seconds, nanos } = given;
  if (seconds <= 0 || nanos !== 0)
    throw protoDeserializationFailure(
      `ValueConversionError(${field},Duration ${seconds}s must be positive and rounded to the second)`,
    );
  return seconds;
}

function scheduleIn(
  given: ScheduleMessage | undefined,
  pruneInternallyOnly: boolean,
): PruningSchedule {
  if (given === undefined) throw protoDeserializationFailure('FieldNotSet(schedule)');
  const { cron, maxDuration, retention } = given;
  return {
    cron,
    maxDuration: secondsIn('maxDuration', maxDuration),
    retention: secondsIn('retention', retention),
    pruneInternallyOnly,
  };
}

function shown({ cron, maxDuration, retention }: PruningSchedule) {
  const duration = (seconds: number): Seconds => ({ seconds, nanos: 0 });
  return { cron, maxDuration: duration(maxDuration), retention: duration(retention) };
}

function change(context: AdminContext, field: string, changed: Partial<PruningSchedule>): object {
  const { pruning } = context.participant;
  if (pruning.schedule === null)
    throw invalidArgument(
      `Attempt to update ${field} of a schedule that has not been previously configured. Use set_schedule instead.`,
    );
  pruning.set({ ...pruning.schedule, ...changed });
  return {};
}

export const pruningSchedules = {
  setSchedule: ({ participant }: AdminContext, { schedule }: ScheduleRequest) => {
    participant.pruning.set(scheduleIn(schedule, false));
    return {};
  },
  setParticipantSchedule: (
    { participant }: AdminContext,
    { schedule }: ParticipantScheduleRequest,
  ) => {
    const { schedule: given, pruneInternallyOnly = false } = schedule ?? {};
    participant.pruning.set(scheduleIn(given, pruneInternallyOnly));
    return {};
  },
  clearSchedule: ({ participant }: AdminContext) => {
    participant.pruning.set(null);
    return {};
  },
  setCron: (context: AdminContext, { cron }: { readonly cron: string }) =>
    change(context, 'cron', { cron }),
  setMaxDuration: (context: AdminContext, { maxDuration }: { readonly maxDuration?: Seconds }) =>
    change(context, 'max_duration', { maxDuration: secondsIn('max_duration', maxDuration) }),
  setRetention: (context: AdminContext, { retention }: { readonly retention?: Seconds }) =>
    change(context, 'retention', { retention: secondsIn('retention', retention) }),
  getSchedule: ({ participant: { pruning } }: AdminContext) =>
    pruning.schedule === null ? {} : { schedule: shown(pruning.schedule) },
  getParticipantSchedule: ({ participant: { pruning } }: AdminContext) => {
    const { schedule } = pruning;
    if (schedule === null) return {};
    return {
      schedule: { schedule: shown(schedule), pruneInternallyOnly: schedule.pruneInternallyOnly },
    };
  },
};
