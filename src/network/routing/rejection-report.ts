/**
 * Determines which participant reports a rejection to the mediator first, and for which parties: the rejection
 * contains both (B-ERR-031).
 */
import { BARE, PLAIN } from '../../daml/errors/logging-context.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import type { Party } from '../../daml/model/values.js';
import type { ParticipantId, SynchronizerId } from '../model/ids.js';
import type { Participant } from '../participant.js';

export interface Judged {
  readonly synchronizerId: SynchronizerId;
  /** Sorted. */
  readonly confirmers: () => readonly Party[];
  /** Whether external parties signed the submission. */
  readonly isSigned?: boolean;
}

interface Report {
  readonly by: ParticipantId;
  readonly confirmingParties: readonly Party[];
}

/** Adds the logged details to the error of a rejected submission. */
export function logRejection(submitter: Participant, error: LedgerError, judged: Judged): void {
  const { verdictOf } = error.row;
  if (verdictOf === 'mediator' || error.isRedacted) return void error.logIn(BARE);
  const psid = submitter.ledger.synchronizer(judged.synchronizerId)!.printedId;
  if (verdictOf === undefined) return void error.logIn({ ...PLAIN, entries: { psid } });
  const { by, confirmingParties } = reportOf(submitter, error, judged);
  error.logIn({
    ...PLAIN,
    entries: {
      psid,
      reported_by_participant_id: `PAR::${by}`,
      confirming_parties: confirmingParties.join(', '),
    },
  });
}

/** The submitting participant, unless it hosts no stakeholder of the conflicting contracts. */
function reportOf(
  submitter: Participant,
  error: LedgerError,
  { synchronizerId, confirmers, isSigned }: Judged,
): Report {
  const { topology, members } = submitter.ledger;
  const confirmersAt = (id: ParticipantId): readonly Party[] =>
    confirmers().filter((party) => {
      const permission = topology.permission(party, id, synchronizerId);
      return permission !== undefined && permission !== 'observation';
    });
  const concerned = stakeholdersIn(submitter, error);
  const hasPart = (id: ParticipantId): boolean =>
    concerned.length === 0 ||
    concerned.some((party) => topology.hosts(party, synchronizerId).has(id));
  const reporter = hasPart(submitter.id)
    ? submitter
    : (members.find(({ id }) => hasPart(id) && confirmersAt(id).length > 0) ?? submitter);
  const parties = confirmersAt(reporter.id);
  if (reporter !== submitter) return { by: reporter.id, confirmingParties: parties };
  // The admin party of a participant confirms its own submissions.
  const confirmingParties = isSigned ? [submitter.id, ...parties] : [...parties, submitter.id];
  return { by: submitter.id, confirmingParties };
}

function stakeholdersIn({ ledger }: Participant, { details }: LedgerError): readonly Party[] {
  const ids = (details.resources ?? []).flatMap(([type, id]) =>
    type === 'CONTRACT_ID' ? [id] : [],
  );
  return ids.flatMap((id) => {
    const stored = ledger.contracts.get(id);
    return stored === undefined ? [] : stakeholdersOf(stored.instance);
  });
}
