/** The export of active contracts by a participant's repair service and party management, in Canton's file format. */
import { gzipSync } from 'node:zlib';
import { stakeholdersOf } from '../../daml/model/transaction.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { abbreviatedId } from '../../network/model/ids.js';
import { exportedContracts } from '../../network/reading/acs-export.js';
import { hostedBy } from '../../network/reading/acs-file.js';
import type { Activation } from '../../network/model/updates.js';
import { requireActiveAt } from '../ledger-api/formats/requests.js';
import type { AdminContext } from './admin-context.js';
import { NotServed } from './not-served.js';
import { otherError } from './parsing/conversion.js';
import {
  nonNegativeDuration,
  positiveOffset,
  uniqueIdentifier,
  type DurationMessage,
} from './parsing/fields.js';
import { reading, type Refused } from './parsing/parsed.js';

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

const asRepair: Refused = ({ message }) => ledgerError('INVALID_ARGUMENT_REPAIR', message);
const asPartyManagement: Refused = ({ message }) =>
  ledgerError('INVALID_ARGUMENT_PARTY_MANAGEMENT_ERROR', message);

/** In Scala's format. */
const offsetText = (offset: number): string => `Offset(${offset})`;

/** NOTE: as on a participant, each field is resolved before the next is read. Throws a ConversionError. */
function checkExport({ participant }: AdminContext, request: ExportRequest): void {
  const { partyIds, synchronizerId, ledgerOffset } = request;
  for (const id of partyIds) uniqueIdentifier('party_ids', id);
  if (synchronizerId !== '') uniqueIdentifier('filter_synchronizer_id', synchronizerId);
  if (synchronizerId !== '' && !participant.registered.includes(synchronizerId))
    throw otherError(`Filter synchronizer id Some(${abbreviatedId(synchronizerId)}) is unknown`);
  positiveOffset('ledger_offset', ledgerOffset);
  const { end } = participant.log;
  if (ledgerOffset > end)
    throw otherError(
      `Ledger offset ${offsetText(ledgerOffset)} needs to be smaller or equal to the ledger end ${offsetText(end)}`,
    );
  for (const [source, target] of Object.entries(request.contractSynchronizerRenames)) {
    uniqueIdentifier('source synchronizer id', source);
    uniqueIdentifier('target synchronizer id', target.targetSynchronizerId);
  }
  for (const id of request.excludedStakeholderIds) uniqueIdentifier('excluded_stakeholder_ids', id);
}

/** @returns chunks of the file, compressed. @throws LedgerError for an error of the request */
function exportAcs(context: AdminContext, request: ExportRequest): { chunk: string }[] {
  const { participant } = context;
  const { log, activeContracts } = participant;
  const { partyIds, synchronizerId, ledgerOffset, excludedStakeholderIds: excluded } = request;
  const renames = request.contractSynchronizerRenames;
  reading(() => checkExport(context, request), asRepair);
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
  readonly waitForActivationTimeout?: DurationMessage;
}

export type OnboardingRequest = Omit<PartyExportRequest, 'targetParticipantUid'>;

/** Like {@link checkExport}, for a request for one party. */
function checkOfParty({ participant }: AdminContext, request: OnboardingRequest): void {
  const { partyId, synchronizerId, beginOffsetExclusive: begin } = request;
  uniqueIdentifier('party_id', partyId);
  uniqueIdentifier('synchronizer_id', synchronizerId);
  if (!participant.registered.includes(synchronizerId))
    throw otherError(`Synchronizer ID ${abbreviatedId(synchronizerId)} is unknown`);
  positiveOffset('begin_offset_exclusive', begin);
  const { end } = participant.log;
  if (begin > end)
    throw otherError(
      `Begin ledger offset ${offsetText(begin)} needs to be smaller or equal to the ledger end ${offsetText(end)}`,
    );
  if (request.waitForActivationTimeout !== undefined)
    nonNegativeDuration('wait_for_activation_timeout', request.waitForActivationTimeout);
}

function checkPartyExport(context: AdminContext, request: PartyExportRequest): void {
  checkOfParty(context, request);
  uniqueIdentifier('target_participant_uid', request.targetParticipantUid);
}

/**
 * The contracts of one party at the time when a participant began to host it: that participant imports them.
 * NOTE: hosting and the onboarding before it are not distinguished, and events in the future are not awaited.
 * @throws LedgerError EFFECTIVE_PARTY_TO_PARTICIPANT_MAPPING_NOT_FOUND, or for an error of the request
 */
function exportPartyAcs(context: AdminContext, request: PartyExportRequest): { chunk: string }[] {
  const { participant } = context;
  const { log, activeContracts } = participant;
  const { partyId, synchronizerId, targetParticipantUid, beginOffsetExclusive: begin } = request;
  reading(() => checkPartyExport(context, request), asPartyManagement);
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
  // Contracts that it already sees for other parties are present.
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

/**
 * NOTE: hostings have no onboarding flag in Canticle, so there is no flag to clear. @throws LedgerError for an error of
 * the request, and NotServed
 */
function clearPartyOnboardingFlag(context: AdminContext, request: OnboardingRequest): object {
  reading(() => checkOfParty(context, request), asPartyManagement);
  throw new NotServed('clearing the flag of onboarding');
}

export const acsExport = { exportAcs, exportPartyAcs, clearPartyOnboardingFlag };
