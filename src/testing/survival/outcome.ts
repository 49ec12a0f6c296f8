/** The outcome of a client under a schedule of faults, and its report. */
import type { Canticle } from '../../assembly/canticle.js';
import type { FaultRule } from '../../network/faults/fault-rule.js';
import type { JournalEntry } from '../../services/request-journal.js';

export interface SurvivalOutcome<T> {
  /** The instance after the client ended. No more faults happen. */
  readonly canticle: Canticle;
  /** The faults that were to happen. */
  readonly schedule: readonly FaultRule[];
  /** The value that the client returned. */
  readonly result?: T;
  /** The error that it threw instead. */
  readonly error?: unknown;
  /** The ledger end of each participant when the client began. */
  readonly begin: Readonly<Record<string, number>>;
  /** Its requests, with the faults that happened. */
  readonly requests: readonly JournalEntry[];
}

/** Returns a description of the violation, or nothing. A thrown error is a violation, too. */
export type Invariant<T> = (
  outcome: SurvivalOutcome<T>,
) => readonly string[] | void | Promise<readonly string[] | void>;

/** A schedule as the steps of a scenario, in YAML: JSON is YAML too. */
function scheduleText(schedule: readonly FaultRule[]): string {
  const steps = schedule.map(({ on, when, do: action, optional }) => {
    const fields = Object.entries({ when, do: action, optional }).filter(
      ([, value]) => value !== undefined,
    );
    const lines = fields.map(([name, value]) => `    ${name}: ${JSON.stringify(value)}`);
    return [`  - fault: ${JSON.stringify(on)}`, ...lines].join('\n');
  });
  return ['steps:', ...steps].join('\n');
}

const MAX_TRACED = 60;

/** A line for each request. */
function traceText(requests: readonly JournalEntry[]): string {
  const shown = requests.slice(-MAX_TRACED).map((entry, index) => {
    const { method, path, status, error, updateId, offset, faults = [] } = entry;
    const committed = updateId === undefined ? '' : `, committed at offset ${offset}`;
    const wrong = faults.map(({ fault }) => `  ⚡ ${fault}`).join('');
    const answer = status === 0 ? 'never answered' : `${status}${error ? ` ${error}` : ''}`;
    return `  ${requests.length - Math.min(requests.length, MAX_TRACED) + index + 1}. ${method} ${path} → ${answer}${committed}${wrong}`;
  });
  return shown.length === 0 ? '  It asked nothing.' : shown.join('\n');
}

/** A client does not survive a schedule of faults. */
export class SurvivalFailed extends Error {
  /** `SurvivalFailed`. */
  override readonly name = 'SurvivalFailed';

  constructor(
    /** The minimal schedule of faults that causes the failure. */
    readonly schedule: readonly FaultRule[],
    /** The violations. */
    readonly violations: readonly string[],
    /** The requests of the client under these faults. */
    readonly requests: readonly JournalEntry[],
    /** The seed that found it: pass the same seed to reproduce it. */
    readonly found: { readonly seed: number; readonly run: number; readonly shrinks: number },
  ) {
    const { seed, run, shrinks } = found;
    const count = schedule.length === 1 ? '1 fault' : `${schedule.length} faults`;
    super(
      [
        `The client does not survive ${count} (run ${run} of seed ${seed}, shrunk ${shrinks} times):`,
        ...violations.map((each) => `  ${each}`),
        '',
        'To replay, as a scenario:',
        scheduleText(schedule),
        '',
        'What happened:',
        traceText(requests),
      ].join('\n'),
    );
  }
}
