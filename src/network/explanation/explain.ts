/**
 * Adds an explanation to every rejected submission. Facts that can change later, such as the location of a contract,
 * are read at once. The rest is computed when a caller reads the explanation.
 */
import { lazy } from '../../daml/errors/lazy.js';
import type { ExplainedSubmission } from '../../daml/errors/explanation.js';
import type { ExplanationFacts, Interpreted } from '../../daml/explanation/explanation.js';
import type { Sampling } from '../../daml/tracing/run-traced.js';
import type { InterpreterInput, UsedContracts } from '../../daml/interpreter/input.js';
import { LedgerError } from '../../daml/errors/ledger-error.js';
import { hexWords } from '../../daml/model/scans.js';
import type { ContractId } from '../../daml/model/values.js';
import type { Participant } from '../participant.js';
import { commandIdOf } from '../ledger/submission-info.js';
import type { ReassignmentSubmission, Submission } from '../submission/submission.js';
import { whereContractIs } from './contract-whereabouts.js';
import type * as Explanations from '../../daml/explanation/explanation.js';
import type * as Retracing from '../../daml/tracing/retrace.js';
import type * as Stored from '../../daml/tracing/stored-actions.js';

const explanations = lazy(
  () => require('../../daml/explanation/explanation.js') as typeof Explanations,
);
const retracing = lazy(() => require('../../daml/tracing/retrace.js') as typeof Retracing);
const stored = lazy(() => require('../../daml/tracing/stored-actions.js') as typeof Stored);

const LEAST_CONTRACT_ID = 66;
const REASSIGNMENT_ID = /^001220[0-9a-f]{64}$/;

/** For errors that name contracts only in their text. Ids of reassignments look similar (B-ID-021). */
const contractIdsIn = (text: string): string[] =>
  hexWords(text, LEAST_CONTRACT_ID)
    .map(({ start, end }) => text.slice(start, end))
    .filter((word) => word.startsWith('00') && !REASSIGNMENT_ID.test(word));

type Rejectable = { readonly kind: string; readonly error?: LedgerError };

/** Explains the error that `run` throws or returns, unless an inner function already explained it. */
function explained<R>(run: () => R, explain: (error: LedgerError) => void): R {
  try {
    const result = run();
    const { error } = result as Partial<Rejectable>;
    if (error !== undefined) explain(error);
    return result;
  } catch (error) {
    if (error instanceof LedgerError) explain(error);
    throw error;
  }
}

/** The known facts of a rejected submission. */
interface Refused extends Partial<Pick<ExplanationFacts, 'packages' | 'commands' | 'trace'>> {
  readonly submission: Pick<Submission, 'commandId' | 'actAs' | 'readAs'>;
  /** Contracts of the submission, besides those that the error names. */
  readonly contracts?: readonly ContractId[];
  /** The result of interpreting the commands, if that already happened. */
  readonly interpreted?: Interpreted | undefined;
}

function explain(
  participant: Participant,
  error: LedgerError,
  { submission, contracts = [], interpreted, ...facts }: Refused,
): void {
  const { actAs, readAs = [] } = submission;
  const commandId = commandIdOf(participant.ledger.random, submission.commandId);
  error.explainBy(
    new (explanations().SubmissionExplanation)({
      error,
      packages: participant.packages,
      submission: { participant: participant.name, commandId, actAs, readAs },
      reasons: reasonsOf(participant, error, [...actAs, ...readAs], contracts),
      trace: () => undefined,
      ...facts,
      ...(interpreted && { interpreted }),
    }),
  );
}

/**
 * Explains the error of a rejected submission, unless an inner function already explained it. Other errors stay
 * unchanged.
 * @param interpreted the result of interpreting the commands, if that already happened
 */
export function explainRefusal(
  participant: Participant,
  submission: Submission,
  error: unknown,
  interpreted?: Interpreted,
): void {
  if (!(error instanceof LedgerError)) return;
  const { packages } = participant;
  const trace = () =>
    interpreted === undefined
      ? retracing().unreached(packages, submission.commands, !hasReadingErrors(submission))
      : stored().traceOf(packages, interpreted.transaction);
  explain(participant, error, { submission, interpreted, trace });
}

const hasReadingErrors = ({ errors }: Submission): boolean =>
  errors?.commands !== undefined || errors?.preprocessing !== undefined;

/**
 * Explains the error that `run` throws or returns.
 * @param interpreted the result of interpreting the commands
 */
export function explainSubmission<R>(
  participant: Participant,
  submission: Submission,
  interpreted: Interpreted,
  run: () => R,
): R {
  try {
    const result = run();
    const { error } = result as Partial<Rejectable>;
    if (error !== undefined) explainRefusal(participant, submission, error, interpreted);
    return result;
  } catch (error) {
    explainRefusal(participant, submission, error, interpreted);
    throw error;
  }
}

/**
 * For errors of the interpreter.
 * @param used the contracts that it had looked up
 */
export function explainInterpretation(
  participant: Participant,
  submission: Submission,
  input: InterpreterInput,
  error: LedgerError,
  used: UsedContracts,
): void {
  const trace = (sampling?: Sampling) => retracing().retrace(input, used, error, sampling);
  explain(participant, error, { submission, packages: input.packages, trace });
}

/**
 * The explained error of a command that could not be read.
 * @param line the command, in one line
 */
export function explainedReading(
  participant: Participant,
  submission: Omit<ExplainedSubmission, 'participant'>,
  line: string,
  error: unknown,
): unknown {
  if (error instanceof LedgerError)
    explain(participant, error, { submission, commands: [`✗ ${line}`] });
  return error;
}

/**
 * For a request that is rejected before its commands are decoded.
 * @param commands one line each
 */
export function explainReading<R>(
  participant: Participant,
  submission: Omit<ExplainedSubmission, 'participant'>,
  commands: () => readonly string[],
  read: () => R,
): R {
  return explained(read, (error) =>
    explain(participant, error, { submission, commands: commands() }),
  );
}

export function explainReassignment<R>(
  participant: Participant,
  submission: ReassignmentSubmission,
  run: () => R,
): R {
  const { submitter, commandId, commands } = submission;
  return explained(run, (error) => {
    const contracts = commands.map((command) =>
      command.kind === 'unassign'
        ? command.contractId
        : participant.ledger.contracts.reassignment(command.reassignmentId)?.unassigned.events[0]
            ?.contract.contractId,
    );
    const lines = commands.map((command, index) => {
      const what =
        command.kind === 'unassign' ? command.contractId : `reassignment ${command.reassignmentId}`;
      const contract =
        command.kind === 'assign' && contracts[index] !== undefined
          ? ` of ${contracts[index]}`
          : '';
      return `✗ ${command.kind} ${what}${contract}, from ${command.source} to ${command.target}`;
    });
    explain(participant, error, {
      submission: { commandId, actAs: [submitter] },
      commands: lines,
      contracts: contracts.filter((id) => id !== undefined),
    });
  });
}

/** The locations of the contracts that the error names, and Canticle's additional notes. */
function reasonsOf(
  participant: Participant,
  { code, details: { cause, resources = [], explanation } }: LedgerError,
  readers: readonly string[],
  contracts: readonly ContractId[],
): string[] {
  const named = resources.filter(([type]) => type === 'CONTRACT_ID').map(([, id]) => id);
  const ids = [...new Set([...contracts, ...named, ...contractIdsIn(cause)])];
  const sentences = ids.map((id) =>
    code === 'CONTRACT_NOT_ACTIVE'
      ? `${id} was consumed earlier in this transaction.`
      : `${id} ${whereContractIs(participant, id, readers)}`,
  );
  return explanation === undefined ? sentences : [...sentences, explanation];
}
