/** What a client submits, and the checks that need nothing but its fields, in Canton's order (B-CMD-015). */
import type { Command, ContractInstance } from '../../daml/model/transaction.js';
import type { PackageId } from '../../daml/model/types.js';
import { formatInstant, MAX_TIMESTAMP } from '../../daml/model/time.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import {
  checkLedgerString,
  checkUserId,
  ledgerStringFault,
  partyFault,
  requireArgument,
  uniqueIdentifierFault,
} from '../../daml/model/identifiers.js';
import { parseContractId } from '../../daml/contract/contract-id.js';
import { invalidArgument, invalidField, missingField } from '../request-errors.js';
import type { Clock } from '../journal/clock.js';
import { validateDeduplication, type DeduplicationPeriod } from '../deduplication-period.js';
import type { SynchronizerId } from '../ids.js';
import type { GivenOrDrawn } from '../ledger/submission-info.js';
import type { GivenOrDrawnTrace } from '../updates.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';

export interface DisclosedContract {
  readonly contract: ContractInstance;
  /** Where the discloser says that it is assigned; undefined leaves it to routing. */
  readonly synchronizerId: SynchronizerId | undefined;
  /** Why it is not what its id says; refused once it is used. */
  readonly fault?: LedgerError;
}

interface SubmissionFields {
  readonly commandId: GivenOrDrawn;
  /** Empty where neither the request nor a token names a user. */
  readonly userId: string;
  readonly workflowId?: string;
  /** Made up where absent. */
  readonly submissionId?: string;
  readonly traceContext?: GivenOrDrawnTrace;
}

/** Faults that a request's reader found and that only count when their turn comes (B-CMD-015). */
export interface SubmissionFaults {
  readonly commands?: LedgerError;
  readonly disclosedContracts?: LedgerError;
  readonly packagePreference?: LedgerError;
  readonly prefetchedKeys?: LedgerError;
  /** Found by the engine's preprocessing, behind all validation. */
  readonly preprocessing?: LedgerError;
}

export interface Submission extends SubmissionFields {
  readonly deduplicationPeriod?: DeduplicationPeriod;
  readonly commands: readonly Command[];
  /** What reading the request found wrong, by the phase in which it counts. */
  readonly faults?: SubmissionFaults;
  readonly actAs: readonly Party[];
  readonly readAs?: readonly Party[];
  /** Undefined lets routing choose. */
  readonly synchronizerId?: SynchronizerId;
  readonly disclosedContracts?: readonly DisclosedContract[];
  /** By key, only disclosed contracts are found: what was signed does not change with what else came to be. */
  readonly keysOfDisclosedOnly?: boolean;
  readonly minLedgerTimeAbs?: Timestamp;
  /** Microseconds. */
  readonly minLedgerTimeRel?: bigint;
  /** One id per package name at most. */
  readonly packageIdSelectionPreference?: readonly PackageId[];
  /** Names of packages that code has no version of, as none can be chosen for all who need it. */
  readonly packagesLeftOut?: ReadonlySet<string>;
  readonly tapsMaxPasses?: number;
  /** Of each command, whether it names its package by name and so leaves the version to the participant; absent if none does. */
  readonly namedCommands?: readonly boolean[];
  /** The submitters sign by themselves: this participant needs no permission to submit for them. */
  readonly externallySigned?: boolean;
}

export interface ReassignmentSubmission extends SubmissionFields {
  readonly submitter: Party;
  readonly commands: readonly ReassignmentCommand[];
  /** What reading the command behind these found wrong. */
  readonly commandFault?: LedgerError;
}

export type ReassignmentCommand =
  | {
      readonly kind: 'unassign';
      readonly contractId: ContractId;
      readonly source: SynchronizerId;
      readonly target: SynchronizerId;
      /** Refuse if this unassignment would carry another counter. */
      readonly expectedCounter?: number;
    }
  | {
      readonly kind: 'assign';
      readonly reassignmentId: string;
      readonly source: SynchronizerId;
      readonly target: SynchronizerId;
      readonly expectedCounter?: number;
    };

const NO_FAULTS: SubmissionFaults = {};

/** @throws LedgerError for the first field at fault. */
export function validateSubmission(submission: Submission, clock: Pick<Clock, 'now'>): void {
  const { faults = NO_FAULTS, minLedgerTimeAbs, minLedgerTimeRel, tapsMaxPasses } = submission;
  if (submission.workflowId) requireArgument(ledgerStringFault, submission.workflowId);
  validateIds(submission);
  checkParties(submission.actAs);
  if (submission.readAs !== undefined) checkParties(submission.readAs);
  if (submission.actAs.length === 0) throw missingField('party or act_as');
  if (submission.synchronizerId !== undefined)
    validateSynchronizerId(submission.synchronizerId, 'synchronizer_id');
  if (faults.commands) throw faults.commands;
  // Where reading found faults, commands that could not be read are left out.
  if (submission.commands.length === 0 && faults === NO_FAULTS) throw missingField('commands');
  if (minLedgerTimeAbs !== undefined && minLedgerTimeRel !== undefined)
    throw invalidArgument(
      'min_ledger_time_abs cannot be specified at the same time as min_ledger_time_rel',
    );
  if (minLedgerTimeAbs !== undefined) checkLedgerTime(minLedgerTimeAbs);
  if (minLedgerTimeRel !== undefined) checkLedgerTime(clock.now() + minLedgerTimeRel);
  validateDeduplication(submission.deduplicationPeriod);
  if (faults.disclosedContracts) throw faults.disclosedContracts;
  if (faults.packagePreference) throw faults.packagePreference;
  if (faults.prefetchedKeys) throw faults.prefetchedKeys;
  if (tapsMaxPasses !== undefined && tapsMaxPasses <= 0)
    throw invalidArgument(`taps_max_passes must be strictly positive, but got ${tapsMaxPasses}.`);
}

/** @param time the earliest that is asked for: an earlier one than now stands for now */
export function checkLedgerTime(time: Timestamp): void {
  if (time > MAX_TIMESTAMP)
    throw invalidArgument(
      `Can not represent command ledger time ${formatInstant(time)} as a Daml timestamp`,
    );
}

/** @throws LedgerError for the first field at fault; the order is not that of transactions. */
export function validateReassignment(submission: ReassignmentSubmission): void {
  const submitterFault = partyFault(submission.submitter);
  if (submitterFault !== undefined) throw invalidField('submitter', submitterFault);
  checkUserId(submission.userId, 'user_id');
  for (const [field, text] of [
    ['command_id', typeof submission.commandId === 'string' ? submission.commandId : undefined],
    ['submission_id', submission.submissionId || undefined],
    ['workflow_id', submission.workflowId || undefined],
  ] as const) {
    const fault = text === undefined ? undefined : ledgerStringFault(text);
    if (fault !== undefined) throw invalidField(field, fault);
  }
  for (const command of submission.commands) {
    validateSynchronizerId(command.source, 'source');
    validateSynchronizerId(command.target, 'target');
    if (command.kind === 'unassign') parseContractId(command.contractId, 'contract_id');
    else if (!REASSIGNMENT_ID.test(command.reassignmentId))
      throw invalidField('reassignment_id', 'Invalid reassignment ID');
  }
  if (submission.commandFault) throw submission.commandFault;
}

/** A version and any bytes. */
const REASSIGNMENT_ID = /^00(?:[0-9a-f]{2})*$/i;

function checkParties(parties: readonly Party[]): void {
  for (let i = 0; i < parties.length; i++) requireArgument(partyFault, parties[i]!);
}

function validateIds({ userId, commandId, submissionId }: SubmissionFields): void {
  checkUserId(userId, 'user_id');
  if (typeof commandId === 'string') checkLedgerString(commandId, 'command_id');
  if (submissionId) checkLedgerString(submissionId, 'submission_id');
}

/** A logical id; a physical one, `<id>::<version>-<serial>`, is none (B-ID-013). */
export function validateSynchronizerId(id: string, field: string): void {
  if (id === '') throw missingField(field);
  const fault = uniqueIdentifierFault(id);
  if (fault !== undefined) throw invalidField(field, fault);
}
