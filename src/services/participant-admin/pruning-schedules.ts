/** `PruningService`, the part about schedules. */
import type { PruningSchedule } from '../../network/administration/pruning-schedule.js';
import {
  cronExpression,
  positiveSeconds,
  required,
  type DurationMessage,
} from './parsing/fields.js';
import { invalidArgumentAlone, parsed } from './parsing/parsed.js';
import type { AdminContext } from './admin-context.js';

export interface ScheduleMessage {
  readonly cron: string;
  readonly maxDuration?: DurationMessage;
  readonly retention?: DurationMessage;
}

export interface ScheduleRequest {
  readonly schedule?: ScheduleMessage;
}

export interface ParticipantScheduleRequest {
  readonly schedule?: ScheduleRequest & { readonly pruneInternallyOnly: boolean };
}

function scheduleIn(
  given: ScheduleMessage | undefined,
  pruneInternallyOnly: boolean,
): PruningSchedule {
  const { cron, maxDuration, retention } = required('schedule', given);
  return {
    cron: cronExpression(cron),
    maxDuration: positiveSeconds('maxDuration', maxDuration),
    retention: positiveSeconds('retention', retention),
    pruneInternallyOnly,
  };
}

function shown({ cron, maxDuration, retention }: PruningSchedule) {
  const duration = (seconds: number): DurationMessage => ({ seconds, nanos: 0 });
  return { cron, maxDuration: duration(maxDuration), retention: duration(retention) };
}

function set({ participant }: AdminContext, schedule: PruningSchedule | null): object {
  participant.pruning.set(schedule);
  return {};
}

/** @throws PlainRefusal if no schedule exists */
const changes =
  (field: string) =>
  (context: AdminContext, changed: Partial<PruningSchedule>): object => {
    const { schedule } = context.participant.pruning;
    if (schedule === null)
      throw invalidArgumentAlone(
        `Attempt to update ${field} of a schedule that has not been previously configured. Use set_schedule instead.`,
      );
    return set(context, { ...schedule, ...changed });
  };

export const pruningSchedules = {
  setSchedule: parsed(({ schedule }: ScheduleRequest) => scheduleIn(schedule, false), set),
  setParticipantSchedule: parsed(({ schedule }: ParticipantScheduleRequest) => {
    const given = required('participant_schedule', schedule);
    return scheduleIn(given.schedule, given.pruneInternallyOnly);
  }, set),
  clearSchedule: (context: AdminContext) => set(context, null),
  setCron: parsed(
    ({ cron }: { readonly cron: string }) => ({ cron: cronExpression(cron) }),
    changes('cron'),
  ),
  setMaxDuration: parsed(
    ({ maxDuration }: { readonly maxDuration?: DurationMessage }) => ({
      maxDuration: positiveSeconds('max_duration', maxDuration),
    }),
    changes('max_duration'),
  ),
  setRetention: parsed(
    ({ retention }: { readonly retention?: DurationMessage }) => ({
      retention: positiveSeconds('retention', retention),
    }),
    changes('retention'),
  ),
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
