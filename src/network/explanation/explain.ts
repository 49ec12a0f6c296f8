/**
 * Gives every refused submission its explanation. What may change afterwards, such as where a contract is, is looked at now;
 * what follows from the submission alone is found out when somebody asks.
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

/** Of errors that name contracts in their text alone; ids of reassignments look much alike (B-ID-021). */
const contractIdsIn = (text: string): string[] =>
  hexWords(text, LEAST_CONTRACT_ID)
    .map(({ start, end }) => text.slice(start, end))
    .filter((word) => word.startsWith('00') && !REASSIGNMENT_ID.test(word));

type Rejectable = { readonly kind: string; readonly error?: LedgerError };

/** Explains what `run` refuses, by throwing or in its result, unless somebody nearer did. */
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

/** What is known of a refused submission. */
interface Refused extends Partial<Pick<ExplanationFacts, 'packages' | 'commands' | 'trace'>> {
  readonly submission: Pick<Submission, 'commandId' | 'actAs' | 'readAs'>;
  /** That it is about, beside those that the error names. */
  readonly contracts?: readonly ContractId[];
  /** What the commands came to, where they were run already. */
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
 * Explains a refused submission, unless somebody nearer did. What is no refusal is left alone.
 * @param interpreted what the commands came to, where they were run already
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
      ? retracing().unreached(packages, submission.commands, !hasReadingFaults(submission))
      : stored().traceOf(packages, interpreted.transaction);
  explain(participant, error, { submission, interpreted, trace });
}

const hasReadingFaults = ({ faults }: Submission): boolean =>
  faults?.commands !== undefined || faults?.preprocessing !== undefined;

/** Explains what `run` refuses, by throwing or in its result. @param interpreted what the commands came to */
export function explainSubmission<R>(
  participant: Participant,
  submission: Submission,
  interpreted: Interpreted,
  run: () => R,
): R {
  return explained(run, (error) => explainRefusal(participant, submission, error, interpreted));
}

/** For the interpreter, which refused while it ran. @param used the contracts that it had looked up */
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

/** The refusal of a command that could not be read, explained. @param line the command as it stands */
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

/** Of a request that is refused before its commands are understood. @param commands a line each */
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

/** Where the contracts are that the error names, and what Canticle has to say beside it. */
function reasonsOf(
  participant: Participant,
  { code, details: { cause, resources = [], explanation } }: LedgerError,
  readers: readonly string[],
  contracts: readonly ContractId[],
): string[] {
  const named = resources.filter(([type]) => type === 'CONTRACT_ID').map(([, id]) => id);
  const ids = [...new Set([...contracts, ...named, ...contractIdsIn(cause)])];
  const told = ids.map((id) =>
    code === 'CONTRACT_NOT_ACTIVE'
      ? `${id} was consumed earlier in this transaction.`
      : `${id} ${whereContractIs(participant, id, readers)}`,
  );
  return explanation === undefined ? told : [...told, explanation];
}
