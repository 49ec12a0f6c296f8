/** What the repair service and the party management of a participant export: active contracts, in Canton's file format. */
import { gzipSync } from 'node:zlib';
import { uniqueIdentifierFault } from '../../daml/model/identifiers.js';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { exportedContracts } from '../../network/reading/acs-export.js';
import { hostedBy } from '../../network/reading/acs-file.js';
import type { Activation } from '../../network/updates.js';
import { requireActiveAt } from '../ledger-api/formats/requests.js';
import { connected, type AdminContext } from './topology-reads.js';

/** Canton's default chunk, in bytes. */
const CHUNK_BYTES = 2 * 1024 * 1024;

export interface ExportRequest {
  readonly partyIds: readonly string[];
  readonly synchronizerId: string;
  readonly ledgerOffset: number;
  readonly contractSynchronizerRenames: Readonly<
    Record<string, { readonly targetSynchronizerId: string }>
  >;
  readonly excludedStakeholderIds: readonly string[];
}

const refused = (reason: string): LedgerError => ledgerError('INVALID_ARGUMENT_REPAIR', reason);

function requireIds(field: string, ids: readonly string[]): void {
  for (const id of ids) {
    const fault = uniqueIdentifierFault(id);
    if (fault !== undefined)
      throw refused(`Value conversion error for field \`${field}\`: ${fault}`);
  }
}

/** @returns chunks of the file, compressed. @throws LedgerError for what the request says wrong */
function exportAcs(context: AdminContext, request: ExportRequest): { chunk: string }[] {
  const { participant } = context;
  const { log, activeContracts } = participant;
  const { partyIds, synchronizerId, ledgerOffset, excludedStakeholderIds: excluded } = request;
  const renames = request.contractSynchronizerRenames;
  requireIds('party_ids', partyIds);
  if (synchronizerId !== '') requireIds('filter_synchronizer_id', [synchronizerId]);
  if (synchronizerId !== '' && !connected(context).some(({ id }) => id === synchronizerId))
    throw refused(`Filter synchronizer id Some(${synchronizerId}) is unknown`);
  if (ledgerOffset <= 0) throw refused(`Expected a positive offset but got ${ledgerOffset}`);
  if (ledgerOffset > log.end)
    throw refused(
      `Ledger offset ${ledgerOffset} needs to be smaller or equal to the ledger end ${log.end}`,
    );
  requireIds('excluded_stakeholder_ids', excluded);
  requireActiveAt(log, ledgerOffset);
  const parties = partyIds.length > 0 ? partyIds : hostedBy(participant);
  const keys = parties.map((party) => ({ party, templates: undefined }));
  const found = activeContracts.at(ledgerOffset, log.between(ledgerOffset, log.end), keys);
  const chosen = [...found].filter(
    (each) =>
      (synchronizerId === '' || each.synchronizerId === synchronizerId) &&
      !stakeholdersOf(each.contract).some((party) => excluded.includes(party)),
  );
  const renamed = chosen.map((each) => {
    const target = renames[each.synchronizerId]?.targetSynchronizerId;
    return target === undefined ? each : { ...exported(each), synchronizerId: target };
  });
  return chunks(gzipSync(exportedContracts(participant.packages, renamed, parties)));
}

export interface PartyExportRequest {
  readonly partyId: string;
  readonly synchronizerId: string;
  readonly targetParticipantUid: string;
  readonly beginOffsetExclusive: number;
}

const partyRefused = (reason: string): LedgerError =>
  ledgerError('INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR', reason);

/**
 * Of one party, as they were when a participant began to host it: for that participant to import.
 * NOTE: hosting is not told apart from the onboarding before it, and what has not happened yet is not waited for.
 * @throws LedgerError EFFECTIVE_PARTY_TO_PARTICIPANT_MAPPING_NOT_FOUND, or for what the request says wrong
 */
function exportPartyAcs(context: AdminContext, request: PartyExportRequest): { chunk: string }[] {
  const { participant } = context;
  const { log, activeContracts } = participant;
  const { partyId, synchronizerId, targetParticipantUid, beginOffsetExclusive: begin } = request;
  for (const [field, id] of [
    ['party_id', partyId],
    ['synchronizer_id', synchronizerId],
    ['target_participant_uid', targetParticipantUid],
  ] as const) {
    const fault = uniqueIdentifierFault(id);
    if (fault !== undefined)
      throw partyRefused(`Value conversion error for field \`${field}\`: ${fault}`);
  }
  if (!participant.registered.includes(synchronizerId))
    throw partyRefused(`Unknown synchronizer id ${synchronizerId}`);
  if (begin < 0) throw partyRefused(`Expecting non-negative value for offset, found ${begin}.`);
  if (begin > log.end)
    throw partyRefused(
      `Begin ledger offset ${begin} needs to be smaller or equal to the ledger end ${log.end}`,
    );
  let activation: number | undefined;
  for (const { offset, update } of log.between(Math.max(begin, log.prunedUpTo), log.end)) {
    const isIt =
      update?.kind === 'topology' &&
      update.synchronizerId === synchronizerId &&
      update.events.some(
        ({ kind, party, participantId }) =>
          kind !== 'revoked' && party === partyId && participantId === targetParticipantUid,
      );
    if (isIt) activation = offset;
  }
  if (activation === undefined)
    throw ledgerError(
      'EFFECTIVE_PARTY_TO_PARTICIPANT_MAPPING_NOT_FOUND',
      `Failed to find the effective party-to-participant mapping topology transaction for party ${partyId} on participant ${targetParticipantUid}: none was found between ${begin} and ${log.end}`,
    );
  requireActiveAt(log, activation);
  const keys = [{ party: partyId, templates: undefined }];
  const found = activeContracts.at(activation, log.between(activation, log.end), keys);
  const { topology } = context.network;
  // What it sees for others is there already.
  const isNew = ({ contract, synchronizerId: where }: Activation): boolean =>
    where === synchronizerId &&
    !stakeholdersOf(contract).some(
      (party) => party !== partyId && topology.isHosted(party, targetParticipantUid),
    );
  const chosen = [...found].filter(isNew);
  return chunks(gzipSync(exportedContracts(participant.packages, chosen, [partyId])));
}

const exported = ({ contract, offset, nodeId, reassignmentCounter }: Activation) => ({
  contract,
  offset,
  nodeId,
  reassignmentCounter,
});

function chunks(file: Buffer): { chunk: string }[] {
  const count = Math.max(1, Math.ceil(file.length / CHUNK_BYTES));
  return Array.from({ length: count }, (_, index) => ({
    chunk: file.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES).toString('base64'),
  }));
}

export const acsExport = { exportAcs, exportPartyAcs };
