/**
 * `PruningService`, the part about the participants whose commitments pruning does not wait for. They are stored and
 * returned. NOTE: Canticle does not exchange commitments, so pruning never waits for them.
 */
import { ledgerError } from '../../daml/errors/ledger-error.js';
import { memberError, type ParticipantId, type SynchronizerId } from '../../network/model/ids.js';
import type { AdminContext } from './admin-context.js';
import { valueConversion } from './parsing/conversion.js';
import { uniqueIdentifier } from './parsing/fields.js';
import { parsed } from './parsing/parsed.js';

interface Pair {
  readonly synchronizerId: SynchronizerId;
  /** Without `PAR::`. */
  readonly counterParticipant: ParticipantId;
}

export interface CounterParticipants {
  readonly synchronizerIds: readonly string[];
  readonly counterParticipantIds: readonly string[];
}

interface Read {
  readonly synchronizerIds: readonly SynchronizerId[];
  readonly participantIds: readonly ParticipantId[];
}

const CODE = 'PAR::';

/** Throws a ConversionError. */
function participantIn(field: string, text: string): ParticipantId {
  const error = memberError(text);
  if (error !== undefined) throw valueConversion(field, error);
  if (!text.startsWith(CODE))
    throw valueConversion(field, `Value \`${text}\` is not of type ParticipantId`);
  return text.slice(CODE.length);
}

const readIds = (
  synchronizerIds: readonly string[],
  participants: readonly string[],
  field: string,
): Read => ({
  synchronizerIds: synchronizerIds.map((id) => uniqueIdentifier('synchronizer_id', id)),
  participantIds: participants.map((text) => participantIn(field, text)),
});

const readCounterParticipants = (request: CounterParticipants): Read =>
  readIds(request.synchronizerIds, request.counterParticipantIds, 'counter_participant_id');

const isOf =
  (pair: Pair) =>
  (other: Pair): boolean =>
    pair.synchronizerId === other.synchronizerId &&
    pair.counterParticipant === other.counterParticipant;

/** Each of the participants on each of the synchronizers. @throws LedgerError ILLEGAL_ARGUMENT_PRUNING_ERROR */
function set({ participant: { noWaitCommitments } }: AdminContext, request: Read): object {
  const { synchronizerIds, participantIds } = request;
  if ([synchronizerIds, participantIds].some(hasTwice))
    throw ledgerError(
      'ILLEGAL_ARGUMENT_PRUNING_ERROR',
      'Synchronizer Participant pairs is not distinct',
    );
  const pairs = synchronizerIds.flatMap((synchronizerId) =>
    participantIds.map((counterParticipant): Pair => ({ synchronizerId, counterParticipant })),
  );
  const others = noWaitCommitments.value.filter((pair) => !pairs.some(isOf(pair)));
  noWaitCommitments.value = [...others, ...pairs];
  return {};
}

const hasTwice = (ids: readonly string[]): boolean => new Set(ids).size < ids.length;

/** The first participant on the first synchronizer, the second on the second, and so on. */
function reset({ participant: { noWaitCommitments } }: AdminContext, request: Read): object {
  const { synchronizerIds, participantIds } = request;
  const pairs = participantIds
    .slice(0, synchronizerIds.length)
    .map((counterParticipant, at): Pair => {
      return { synchronizerId: synchronizerIds[at]!, counterParticipant };
    });
  noWaitCommitments.value = noWaitCommitments.value.filter((pair) => !pairs.some(isOf(pair)));
  return {};
}

const entryOf = ({ synchronizerId, counterParticipant }: Pair): object => ({
  counterParticipantUid: `${CODE}${counterParticipant}`,
  synchronizers: { synchronizerIds: [synchronizerId] },
});

/** An empty field matches all. */
function get({ participant, network }: AdminContext, request: Read): object {
  const { synchronizerIds, participantIds } = request;
  const isMatch = ({ synchronizerId, counterParticipant }: Pair): boolean =>
    (synchronizerIds.length === 0 || synchronizerIds.includes(synchronizerId)) &&
    (participantIds.length === 0 || participantIds.includes(counterParticipant));
  const ignored = participant.noWaitCommitments.value.filter(isMatch);
  const all = participant.registered.flatMap((synchronizerId) =>
    network.participants
      .filter((each) => each !== participant && each.isConnectedTo(synchronizerId))
      .map(({ id }): Pair => ({ synchronizerId, counterParticipant: id })),
  );
  const others = all.filter((pair) => isMatch(pair) && !ignored.some(isOf(pair)));
  return { ignoredParticipants: ignored.map(entryOf), notIgnoredParticipants: others.map(entryOf) };
}

export const noWaitCommitments = {
  setNoWaitCommitmentsFrom: parsed(readCounterParticipants, set),
  resetNoWaitCommitmentsFrom: parsed(readCounterParticipants, reset),
  getNoWaitCommitmentsFrom: parsed(
    (request: {
      readonly synchronizerIds: readonly string[];
      readonly participantUids: readonly string[];
    }) => readIds(request.synchronizerIds, request.participantUids, 'counter_participant_uid'),
    get,
  ),
};
