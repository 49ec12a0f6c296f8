/**
 * Generates the topology transaction that an external party signs to be hosted (B-EXT-001 to B-EXT-004, B-EXT-009,
 * B-EXT-010).
 */
import { identifierError, uniqueIdentifierError, wordError } from '../../daml/model/identifiers.js';
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { KEY_USAGE, readPublicKey } from '../topology/party-keys.js';
import {
  encodeHosting,
  multiHash,
  topologyHash,
  type PartyHost,
} from '../topology/party-hosting.js';
import { abbreviatedId, uniqueId, type Party, type SynchronizerId } from '../model/ids.js';
import type { Participant } from '../participant.js';
import { invalidArgument } from '../model/request-errors.js';

interface TopologyRequest {
  readonly synchronizer: string;
  readonly partyHint: string;
  readonly publicKey: {
    readonly format: number;
    readonly keyData: Uint8Array;
    readonly keySpec: number;
  };
  /** Whether this participant only observes, and others confirm. */
  readonly localParticipantObservationOnly?: boolean;
  readonly otherConfirmingParticipantUids?: readonly string[];
  /** 0 for all confirming participants. */
  readonly confirmationThreshold?: number;
  readonly observingParticipantUids?: readonly string[];
}

interface GeneratedTopology {
  readonly partyId: Party;
  readonly publicKeyFingerprint: string;
  readonly topologyTransactions: readonly Uint8Array[];
  readonly multiHash: Uint8Array;
}

/** @throws LedgerError INVALID_ARGUMENT */
export function generateTopology(
  participant: Participant,
  request: TopologyRequest,
): GeneratedTopology {
  const { format, keyData, keySpec } = request.publicKey;
  const usage = [KEY_USAGE.NAMESPACE, KEY_USAGE.PROOF_OF_OWNERSHIP, KEY_USAGE.PROTOCOL];
  const key = readPublicKey({ format, publicKey: keyData, usage, keySpec });
  if (typeof key === 'string') throw invalidArgument(key);
  requireConnected(participant, request.synchronizer);
  const { partyHint } = request;
  if (partyHint === '') throw invalidArgument('Party hint is empty');
  const error = wordError(partyHint);
  if (error !== undefined) throw invalidArgument(`party_hint: ${error}`);
  const unfit = identifierError(partyHint);
  if (unfit !== undefined) throw invalidArgument(unfit);
  const party = uniqueId(partyHint, key.fingerprint);
  const { hosts, threshold } = hostsOf(participant, request);
  const transaction = encodeHosting({
    party,
    threshold,
    hosts,
    signing: { keys: [key], threshold: 1 },
  });
  return {
    partyId: party,
    publicKeyFingerprint: key.fingerprint,
    topologyTransactions: [transaction],
    multiHash: multiHash([topologyHash(transaction)]),
  };
}

/** Only the logical id is valid here (B-EXT-009). */
function requireConnected(participant: Participant, synchronizer: SynchronizerId): void {
  const error = uniqueIdentifierError(synchronizer);
  if (error !== undefined) throw invalidArgument(error);
  if (!participant.isConnectedTo(synchronizer))
    throw invalidArgument(`Unknown or not connected synchronizer ${abbreviatedId(synchronizer)}`);
}

function hostsOf(
  { id }: Participant,
  request: TopologyRequest,
): { hosts: readonly PartyHost[]; threshold: number } {
  const { localParticipantObservationOnly: observesOnly = false, confirmationThreshold = 0 } =
    request;
  const confirming = request.otherConfirmingParticipantUids ?? [];
  const observing = request.observingParticipantUids ?? [];
  // The field is an unsigned 32-bit number, which the JVM reads as signed.
  if ((confirmationThreshold | 0) < 0)
    throw invalidArgument('Negative confirmation threshold observed');
  for (const uid of [...confirming, ...observing]) {
    const error = uniqueIdentifierError(uid);
    if (error !== undefined) throw invalidArgument(error);
  }
  for (const [field, uids] of [
    ['otherConfirmingParticipantUids', confirming],
    ['observingParticipantUids', observing],
  ] as const)
    if (uids.includes(id))
      throw invalidArgument(
        `This participant node (PAR::${abbreviatedId(id)}) is also listed in '${field}'. By sending the request to this node, it is de facto a hosting node and must not be listed in '${field}'.`,
      );
  const others = [...confirming, ...observing];
  const twice = [...new Set(others.filter((uid, index) => others.indexOf(uid) !== index))];
  if (twice.length > 0)
    throw invalidArgument(
      `The following participant IDs are referenced multiple times in the request: ${twice.map(abbreviatedId).join(', ')}. Please ensure all IDs are referenced only once across 'otherConfirmingParticipantUids' and 'observingParticipantUids' fields.`,
    );
  const confirmers = (observesOnly ? 0 : 1) + confirming.length;
  if (confirmationThreshold > confirmers)
    throw invalidArgument('Confirmation threshold exceeds number of confirming participants');
  const threshold = confirmationThreshold === 0 ? confirmers : confirmationThreshold;
  // A party without a confirming participant is an unexpected error of the participant.
  if (threshold === 0)
    throw ledgerError(
      'LEDGER_API_INTERNAL_ERROR',
      'Received the non-positive 0 as argument, but we require a positive value here.',
    );
  const host = (participantId: string, permission: PartyHost['permission']): PartyHost => ({
    participantId,
    permission,
  });
  return {
    threshold,
    hosts: [
      host(id, observesOnly ? 'observation' : 'confirmation'),
      ...confirming.map((uid) => host(uid, 'confirmation')),
      ...observing.map((uid) => host(uid, 'observation')),
    ],
  };
}
