/** A client's submission, and the checks that need only its fields, in Canton's order (B-CMD-015). */
import type { Command, ContractInstance } from '../../daml/model/transaction.js';
import type { PackageId } from '../../daml/model/types.js';
import { formatInstant, MAX_TIMESTAMP } from '../../daml/model/time.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import {
  checkLedgerString,
  checkUserId,
  ledgerStringError,
  partyError,
  requireArgument,
  uniqueIdentifierError,
} from '../../daml/model/identifiers.js';
import { parseContractId } from '../../daml/contract/contract-id.js';
import { invalidArgument, invalidField, missingField } from '../model/request-errors.js';
import type { Clock } from '../journal/clock.js';
import { validateDeduplication, type DeduplicationPeriod } from '../model/deduplication-period.js';
import type { SynchronizerId } from '../model/ids.js';
import type { GivenOrDrawn } from '../ledger/submission-info.js';
import type { GivenOrDrawnTrace } from '../model/updates.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';

export interface DisclosedContract {
  readonly contract: ContractInstance;
  /** The synchronizer of the contract according to the discloser; if undefined, routing decides. */
  readonly synchronizerId: SynchronizerId | undefined;
  /** The error if the contract does not match its id; thrown when the contract is used. */
  readonly error?: LedgerError;
}

interface SubmissionFields {
  readonly commandId: GivenOrDrawn;
  /** Empty if neither the request nor a token names a user. */
  readonly userId: string;
  readonly workflowId?: string;
  /** Generated if absent. */
  readonly submissionId?: string;
  readonly traceContext?: GivenOrDrawnTrace;
}

/** Errors that the reader of a request found, which later phases report (B-CMD-015). */
export interface SubmissionErrors {
  readonly commands?: LedgerError;
  readonly disclosedContracts?: LedgerError;
  readonly packagePreference?: LedgerError;
  readonly prefetchedKeys?: LedgerError;
  /** Found by the engine's preprocessing, after all validation. */
  readonly preprocessing?: LedgerError;
}

export interface Submission extends SubmissionFields {
  readonly deduplicationPeriod?: DeduplicationPeriod;
  readonly commands: readonly Command[];
  /** Errors from reading the request, by the phase that reports them. */
  readonly errors?: SubmissionErrors;
  readonly actAs: readonly Party[];
  readonly readAs?: readonly Party[];
  /** If undefined, routing decides. */
  readonly synchronizerId?: SynchronizerId;
  readonly disclosedContracts?: readonly DisclosedContract[];
  /** Lookups by key find only disclosed contracts: new contracts must not change a signed transaction. */
  readonly keysOfDisclosedOnly?: boolean;
  readonly minLedgerTimeAbs?: Timestamp;
  /** Microseconds. */
  readonly minLedgerTimeRel?: bigint;
  /** At most one id for each package name. */
  readonly packageIdSelectionPreference?: readonly PackageId[];
  /** Names of packages without a version that all parties can use; code sees no version of them. */
  readonly packagesLeftOut?: ReadonlySet<string>;
  readonly tapsMaxPasses?: number;
  /** The synchronizer for which a later pass chose the versions; its protocol applies to the code. */
  readonly chosenFor?: SynchronizerId;
  /**
   * For each command, whether it uses a package name and lets the participant choose the version; absent if no command
   * does.
   */
  readonly namedCommands?: readonly boolean[];
  /** External parties signed the submission: this participant needs no permission to submit for them. */
  readonly externallySigned?: boolean;
}

export interface ReassignmentSubmission extends SubmissionFields {
  readonly submitter: Party;
  readonly commands: readonly ReassignmentCommand[];
  /** The error from reading the command after these. */
  readonly commandError?: LedgerError;
}

export type ReassignmentCommand =
  | {
      readonly kind: 'unassign';
      readonly contractId: ContractId;
      readonly source: SynchronizerId;
      readonly target: SynchronizerId;
      /** Reject the submission if this unassignment would have another counter. */
      readonly expectedCounter?: number;
    }
  | {
      readonly kind: 'assign';
      readonly reassignmentId: string;
      readonly source: SynchronizerId;
      readonly target: SynchronizerId;
      readonly expectedCounter?: number;
    };

const NO_ERRORS: SubmissionErrors = {};

/** @throws LedgerError for the first invalid field */
export function validateSubmission(submission: Submission, clock: Pick<Clock, 'now'>): void {
  const { errors = NO_ERRORS, minLedgerTimeAbs, minLedgerTimeRel, tapsMaxPasses } = submission;
  if (submission.workflowId) requireArgument(ledgerStringError, submission.workflowId);
  validateIds(submission);
  checkParties(submission.actAs);
  if (submission.readAs !== undefined) checkParties(submission.readAs);
  if (submission.actAs.length === 0) throw missingField('party or act_as');
  if (submission.synchronizerId !== undefined)
    validateSynchronizerId(submission.synchronizerId, 'synchronizer_id');
  if (errors.commands) throw errors.commands;
  // If reading found errors, commands that could not be read are missing.
  if (submission.commands.length === 0 && errors === NO_ERRORS) throw missingField('commands');
  if (minLedgerTimeAbs !== undefined && minLedgerTimeRel !== undefined)
    throw invalidArgument(
      'min_ledger_time_abs cannot be specified at the same time as min_ledger_time_rel',
    );
  if (minLedgerTimeAbs !== undefined) checkLedgerTime(minLedgerTimeAbs);
  if (minLedgerTimeRel !== undefined) checkLedgerTime(clock.now() + minLedgerTimeRel);
  validateDeduplication(submission.deduplicationPeriod);
  if (errors.disclosedContracts) throw errors.disclosedContracts;
  if (errors.packagePreference) throw errors.packagePreference;
  if (errors.prefetchedKeys) throw errors.prefetchedKeys;
  if (tapsMaxPasses !== undefined && tapsMaxPasses <= 0)
    throw invalidArgument(`taps_max_passes must be strictly positive, but got ${tapsMaxPasses}.`);
}

/** @param time the earliest requested time; a time before now counts as now */
export function checkLedgerTime(time: Timestamp): void {
  if (time > MAX_TIMESTAMP)
    throw invalidArgument(
      `Can not represent command ledger time ${formatInstant(time)} as a Daml timestamp`,
    );
}

/** @throws LedgerError for the first invalid field; the order differs from that of transactions. */
export function validateReassignment(submission: ReassignmentSubmission): void {
  const submitterError = partyError(submission.submitter);
  if (submitterError !== undefined) throw invalidField('submitter', submitterError);
  checkUserId(submission.userId, 'user_id');
  for (const [field, text] of [
    ['command_id', typeof submission.commandId === 'string' ? submission.commandId : undefined],
    ['submission_id', submission.submissionId || undefined],
    ['workflow_id', submission.workflowId || undefined],
  ] as const) {
    const error = text === undefined ? undefined : ledgerStringError(text);
    if (error !== undefined) throw invalidField(field, error);
  }
  for (const command of submission.commands) {
    validateSynchronizerId(command.source, 'source');
    validateSynchronizerId(command.target, 'target');
    if (command.kind === 'unassign') parseContractId(command.contractId, 'contract_id');
    else if (!REASSIGNMENT_ID.test(command.reassignmentId))
      throw invalidField('reassignment_id', 'Invalid reassignment ID');
  }
  if (submission.commandError) throw submission.commandError;
}

/** A version byte and any other bytes. */
const REASSIGNMENT_ID = /^00(?:[0-9a-f]{2})*$/i;

function checkParties(parties: readonly Party[]): void {
  for (let i = 0; i < parties.length; i++) requireArgument(partyError, parties[i]!);
}

function validateIds({ userId, commandId, submissionId }: SubmissionFields): void {
  checkUserId(userId, 'user_id');
  if (typeof commandId === 'string') checkLedgerString(commandId, 'command_id');
  if (submissionId) checkLedgerString(submissionId, 'submission_id');
}

/** A logical id; a physical one, `<id>::<version>-<serial>`, is invalid (B-ID-013). */
export function validateSynchronizerId(id: string, field: string): void {
  if (id === '') throw missingField(field);
  const error = uniqueIdentifierError(id);
  if (error !== undefined) throw invalidField(field, error);
}
