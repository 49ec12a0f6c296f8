/** Arbitrary schedules of faults: a few that go wrong at some of a client's calls, which shrink to those that matter. */
import fc, { type Arbitrary } from 'fast-check';
import type { FaultAction, FaultRule } from '../../network/faults/fault-rule.js';

export interface ScheduleOptions {
  /** Ids of the operations that go wrong; any by default. */
  readonly operations?: readonly string[];
  /** How many faults at most; 6 by default. */
  readonly maxFaults?: number;
  /** Each of the first calls of an operation may fail, up to this number; 10 by default. */
  readonly calls?: number;
  /** The faults to try. By default all that leave no call waiting. */
  readonly actions?: Arbitrary<FaultAction>;
}

/** Faults of any call. Others shrink to the first ones. */
const anyCall = (): Arbitrary<FaultAction> =>
  fc.oneof(
    fc.record({
      lose: fc.constantFrom('answer' as const, 'request' as const),
      as: fc.constantFrom('reset' as const, 504 as const, 502 as const),
    }),
    fc.record({
      refuse: fc.constantFrom(
        503 as const,
        429 as const,
        'PARTICIPANT_BACKPRESSURE' as const,
        'REQUEST_TIME_OUT' as const,
      ),
    }),
    fc.record({
      reject: fc.constantFrom(
        'LOCAL_VERDICT_LOCKED_CONTRACTS' as const,
        'MEDIATOR_SAYS_TX_TIMED_OUT' as const,
        'NOT_SEQUENCED_TIMEOUT' as const,
        'SEQUENCER_REQUEST_FAILED' as const,
      ),
    }),
    fc.constant<FaultAction>({ repeat: 1 }),
    fc.constant<FaultAction>({ truncate: 0.5 }),
    fc.record({ delay: fc.integer({ min: 0, max: 3 }), of: fc.constant('answer' as const) }),
    fc.constant<FaultAction>({ restart: true }),
    fc.constant<FaultAction>({ delay: 2, of: 'completion' }),
  );

/** Faults of a stream. */
const anyStream = (): Arbitrary<FaultAction> =>
  fc.record({
    cut: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant('reassignment' as const)),
    as: fc.constantFrom('reset' as const, 'close' as const, 'ACCESS_TOKEN_EXPIRED' as const),
  });

/** Faults to add to `canticle.faults`, one after another. */
export function faultSchedules({
  operations,
  maxFaults = 6,
  calls = 10,
  actions = fc.oneof({ weight: 6, arbitrary: anyCall() }, { weight: 1, arbitrary: anyStream() }),
}: ScheduleOptions = {}): Arbitrary<FaultRule[]> {
  const fault = fc.record({
    on: operations === undefined ? fc.constant('*') : fc.constantFrom(...operations),
    when: fc.record({ nth: fc.integer({ min: 1, max: calls }) }),
    do: actions,
    optional: fc.constant(true),
  });
  return fc.array(fault, { maxLength: maxFaults });
}
