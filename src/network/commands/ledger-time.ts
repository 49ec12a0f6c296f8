/** The ledger time of a submission, and the check that it is close enough to the record time. */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { LEDGER_TIME_TOLERANCE, LEDGER_TIME_TOLERANCE_TEXT } from '../../daml/errors/limits.js';
import { formatInstant, timeBetween } from '../../daml/model/time.js';
import type { Interpretation } from '../../daml/model/transaction.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { Participant } from '../participant.js';
import type { Submission } from '../submission/submission.js';

/**
 * The earliest requested time. An absolute time before now counts as now; a relative one can be in the past
 * (B-INT-037).
 */
export function ledgerTime(
  { minLedgerTimeAbs, minLedgerTimeRel }: Pick<Submission, 'minLedgerTimeAbs' | 'minLedgerTimeRel'>,
  now: Timestamp,
): Timestamp {
  if (minLedgerTimeAbs === undefined) return now + (minLedgerTimeRel ?? 0n);
  return minLedgerTimeAbs > now ? minLedgerTimeAbs : now;
}

/**
 * A transaction cannot precede the contracts that it uses.
 * @returns when the youngest of them was created, if that is later
 */
export function laterThan(
  time: Timestamp,
  participant: Participant,
  { disclosedContracts = [] }: Submission,
  { inputs }: Interpretation,
): Timestamp | undefined {
  let latest = time;
  for (let i = 0; i < inputs.length; i++) {
    const id = inputs[i]!;
    const { createdAt = time } =
      disclosedContracts.find(({ contract }) => contract.contractId === id)?.contract ??
      participant.ledger.contracts.get(id)?.instance ??
      {};
    if (createdAt > latest) latest = createdAt;
  }
  return latest === time ? undefined : latest;
}

/** The rejection of the confirming participants, which the client receives with a completion. */
export function ledgerTimeVerdict(
  ledgerTime: Timestamp,
  recordTime: Timestamp,
): LedgerError | undefined {
  if (timeBetween(ledgerTime, recordTime) <= LEDGER_TIME_TOLERANCE) return undefined;
  return ledgerError(
    'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND',
    `Rejected transaction as delta of the ledger time and the record time exceed the time tolerance ledgerTime=${formatInstant(ledgerTime)}, recordTime=${formatInstant(recordTime)}, maxDelta=${LEDGER_TIME_TOLERANCE_TEXT}`,
  );
}
