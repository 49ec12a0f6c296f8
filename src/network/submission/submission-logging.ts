/** The details of a submission in its errors, as a participant's command services log them (B-ERR-029, B-ERR-030). */
import {
  callContext,
  logIn,
  type LoggedValue,
  type LoggingContext,
} from '../../daml/errors/logging-context.js';
import { namedParties } from '../../daml/model/parties.js';
import { formatDuration, formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import { NO_DEDUPLICATION, type DeduplicationPeriod } from '../model/deduplication-period.js';
import { commandIdOf, submissionIdOf, type SubmissionNumbers } from '../ledger/submission-info.js';
import type { Submission } from './submission.js';

interface LoggingNode extends Pick<SubmissionNumbers, 'random' | 'requestNumbers'> {
  readonly clock: { now: () => Timestamp };
}

export class SubmissionLogging {
  private drawn?: string;

  /** @param defaultPeriod of deduplication; absent for a prepared submission, which has neither a period nor an id */
  constructor(
    private readonly node: LoggingNode,
    private readonly submission: Submission,
    private readonly defaultPeriod?: DeduplicationPeriod,
  ) {}

  /** For errors before the engine runs. */
  validating<R>(run: () => R): R {
    try {
      return run();
    } catch (error) {
      throw this.invalid(error);
    }
  }

  /** The same error, with the details of a submission that is not valid. */
  invalid(error: unknown): unknown {
    logIn(error, () => this.context(NOTHING));
    return error;
  }

  /** For errors of the engine. */
  interpreting<R>(run: () => R): R {
    try {
      return run();
    } catch (error) {
      throw this.refused(error);
    }
  }

  /** The same error, with the details of a submission that the engine refused. */
  refused(error: unknown): unknown {
    logIn(error, () => {
      const submittedAt = this.node.clock.now();
      return this.context(() => ({ commands: this.commands(submittedAt) }));
    });
    return error;
  }

  private context(values: () => Readonly<Record<string, LoggedValue>>): LoggingContext {
    const id = this.submissionId();
    return callContext(values, id === undefined ? undefined : () => id);
  }

  private submissionId(): string | undefined {
    if (this.defaultPeriod === undefined) return undefined;
    const { node, submission } = this;
    return (this.drawn ??= submissionIdOf(
      node.random,
      submission.submissionId || node.requestNumbers.ofSubmission(),
    ));
  }

  /** In the order of Scala's map. */
  private commands(submittedAt: Timestamp): LoggedValue {
    const { actAs, readAs = [], commandId, userId, workflowId } = this.submission;
    const period = this.submission.deduplicationPeriod ?? this.defaultPeriod ?? NO_DEDUPLICATION;
    return {
      readAs: namedParties(readAs.filter((party) => !actAs.includes(party))),
      deduplicationPeriod:
        period.kind === 'duration'
          ? { duration: formatDuration(period.microseconds) }
          : { offset: period.offset || undefined },
      submittedAt: formatInstant(submittedAt),
      submissionId: this.submissionId(),
      actAs: namedParties(actAs),
      commandId: commandIdOf(this.node.random, commandId),
      userId,
      workflowId: workflowId || undefined,
    };
  }
}

const NOTHING = (): Readonly<Record<string, LoggedValue>> => ({});
