/**
 * Scan's export of active contracts from its participant: those with the DSO and another party as stakeholders, on the synchronizer of
 * Splice's contracts.
 */
import { stakeholdersOf } from '../../daml/model/transaction.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import { exportedContracts } from '../../network/reading/acs-export.js';
import type { Participant } from '../../network/participant.js';
import { activeSynchronizer, dsoHost, latestOf } from '../dso/amulet-contracts.js';
import type { Dso } from '../dso/dso.js';

/** Why there is no export for a record time: it is in the future, it is before all updates, or no update has it. */
interface Refusal {
  readonly kind: 'unprocessed' | 'before-all' | 'no-match';
  readonly message: string;
}

type Export =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * @param asOf record time of an update; by default, that of the ledger end
 * @returns the uncompressed export
 */
export function exportedAcs(dso: Dso, party: Party, asOf?: Timestamp): Export {
  const { network, dsoParty } = dso;
  const host = dsoHost(dso)!;
  const { log } = host;
  const rules = latestOf(dso, 'rules');
  const synchronizerId =
    rules === undefined ? network.synchronizers[0]!.id : activeSynchronizer(dso, rules);
  const found =
    asOf === undefined ? (dso.knownUpTo ?? log.end) : offsetOf(dso, host, synchronizerId, asOf);
  if (typeof found !== 'number') return { ok: false, refusal: found };
  const keys = [{ party: dsoParty, templates: undefined }];
  const shared = [...host.activeContracts.at(found, log.between(found, log.end), keys)].filter(
    (each) =>
      each.synchronizerId === synchronizerId && stakeholdersOf(each.contract).includes(party),
  );
  return { ok: true, value: exportedContracts(dso.packages, shared, [party]) };
}

/** The offset of the synchronizer's update with that record time, like `GetHighestOffsetByTimestamp` without `force`. */
function offsetOf(
  { network }: Dso,
  { log }: Participant,
  synchronizerId: string,
  time: Timestamp,
): number | Refusal {
  const [requested, now] = [formatInstant(time), network.clock.now()];
  if (time > now)
    return {
      kind: 'unprocessed',
      message: `UNPROCESSED_REQUESTED_TIMESTAMP(9,0): Requested timestamp ${requested} exceeds the clean synchronizer timestamp ${formatInstant(now)}.`,
    };
  const last = lastOn(log, synchronizerId, time);
  if (last === undefined)
    return {
      kind: 'before-all',
      message: `INVALID_TIMESTAMP_PARTY_MANAGEMENT_ERROR(12,0): No ledger offset found for the requested timestamp ${requested} on synchronizer ${synchronizerId} (using force flag = false): The participant does not yet have a ledger offset before or at the requested timestamp: ${requested}`,
    };
  const { recordTime, offset } = last;
  if (recordTime === time) return offset;
  return {
    kind: 'no-match',
    message: `EXACT_RECORD_TIME_MATCH_NOT_FOUND(11,0): No exact match for requested timestamp ${requested}. The closest prior event was at ${formatInstant(recordTime)} (offset=${offset}).`,
  };
}

function lastOn(log: Participant['log'], synchronizerId: string, time: Timestamp) {
  for (const entry of log.backwards(0, log.lastOffsetUntil(time)))
    if (entry.synchronizerId === synchronizerId) return entry;
  return undefined;
}
