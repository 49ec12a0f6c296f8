/**
 * The events of the network, newest first and in pages: updates, and submissions that were rejected after sequencing.
 */
import { formatTimestampMicros } from '../../daml/model/time.js';
import { stakeholdersOf, type Action } from '../../daml/model/transaction.js';
import { qualifiedNameOf } from '../../daml/model/types.js';
import type { Party, Timestamp } from '../../daml/model/values.js';
import type { SynchronizerId } from '../model/ids.js';
import type { Network } from '../network.js';
import type { Participant } from '../participant.js';
import type { Completion, ReassignmentEvent, Update } from '../model/updates.js';

/** The most roots of a transaction in its summary. */
const MOST_ROOTS = 10;

/** The conditions of a search; by default, everything. */
export interface UpdateQuery {
  /** Before this record time, if present. */
  readonly before?: Timestamp | undefined;
  readonly limit: number;
  readonly party?: Party | undefined;
  readonly participant?: Participant | undefined;
  readonly synchronizerId?: SynchronizerId | undefined;
  /** A description of an update for people; undefined if there is none. */
  readonly words?: (update: Update) => InspectedWords | undefined;
}

export interface InspectedWords {
  readonly about: string;
  readonly text: string;
}

export interface HappenedUpdate {
  readonly kind: Update['kind'] | 'refused';
  readonly recordTime: string;
  readonly synchronizer: string;
  readonly updateId?: string;
  /** Its offset, by the name of the participant. */
  readonly offsets: Readonly<Record<string, number>>;
  readonly submission?: {
    readonly participant: string;
    readonly userId: string;
    readonly commandId: string;
    readonly submissionId: string;
    readonly actAs: readonly Party[];
  };
  readonly error?: { readonly code: string; readonly cause: string };
  /** Its roots, in a few words each. For many roots: the first ones, and the number of others. */
  readonly summary: readonly string[];
  /** A description for people, and its subject. */
  readonly told?: InspectedWords;
  /** Only for a reassignment. */
  readonly moves?: readonly InspectedMove[];
}

/** The reassignment of one contract, with the aliases of the synchronizers. */
export interface InspectedMove {
  readonly kind: 'unassigned' | 'assigned';
  readonly contractId: string;
  readonly source: string;
  readonly target: string;
  readonly reassignmentCounter: number;
}

interface Happened {
  readonly recordTime: Timestamp;
  readonly show: () => HappenedUpdate;
}

/** @returns up to `limit` events, and the position to continue from */
export function happened(
  network: Network,
  query: UpdateQuery,
): { readonly updates: readonly HappenedUpdate[]; readonly next?: string } {
  const participants = query.participant ? [query.participant] : network.participants;
  const sources = [
    updatesOf(network, query),
    ...participants.map((participant) => refusalsOf(network, participant, query)),
  ];
  const heads = sources.map((source) => source.next());
  const updates: HappenedUpdate[] = [];
  let last: Timestamp | undefined;
  for (;;) {
    let newest = -1;
    heads.forEach((head, index) => {
      if (head.done === true) return;
      const best = heads[newest];
      if (best === undefined || best.done === true || head.value.recordTime > best.value.recordTime)
        newest = index;
    });
    const head = heads[newest];
    if (head === undefined || head.done === true) return { updates };
    if (updates.length === query.limit) return { updates, next: formatTimestampMicros(last!) };
    updates.push(head.value.show());
    last = head.value.recordTime;
    heads[newest] = sources[newest]!.next();
  }
}

function* updatesOf(network: Network, query: UpdateQuery): Generator<Happened, void> {
  const { updates } = network;
  const { before, participant, party, synchronizerId, words } = query;
  for (let index = updates.length - 1; index >= 0; index -= 1) {
    const update = updates.at(index)!;
    const { recordTime } = update;
    if (before !== undefined && recordTime >= before) continue;
    if (synchronizerId !== undefined && update.synchronizerId !== synchronizerId) continue;
    if (participant !== undefined && update.offsets.get(participant.id) === undefined) continue;
    if (party !== undefined && !isSeenBy(update, party)) continue;
    yield { recordTime, show: () => shownUpdate(network, update, words?.(update)) };
  }
}

function* refusalsOf(
  network: Network,
  participant: Participant,
  { before, party, synchronizerId }: UpdateQuery,
): Generator<Happened, void> {
  const { log } = participant;
  for (const { completion, update } of log.backwards()) {
    if (update !== undefined || completion?.error === undefined) continue;
    const { recordTime, actAs } = completion;
    if (before !== undefined && recordTime >= before) continue;
    if (synchronizerId !== undefined && completion.synchronizerId !== synchronizerId) continue;
    if (party !== undefined && !actAs.includes(party)) continue;
    yield { recordTime, show: () => shownRefusal(network, participant, completion) };
  }
}

function isSeenBy(update: Update, party: Party): boolean {
  switch (update.kind) {
    case 'transaction':
      return update.witnesses.some((parties) => parties.includes(party));
    case 'reassignment':
      return update.events.some(({ contract }) => stakeholdersOf(contract).includes(party));
    case 'topology':
      return update.events.some((event) => event.party === party);
  }
}

function shownUpdate(
  network: Network,
  update: Update,
  description: InspectedWords | undefined,
): HappenedUpdate {
  const { kind, updateId, recordTime, synchronizerId, submission: info } = update;
  const offsets = network.participants.flatMap(({ id, name }) => {
    const offset = update.offsets.get(id);
    return offset === undefined ? [] : [[name, offset] as const];
  });
  return {
    kind,
    recordTime: formatTimestampMicros(recordTime),
    synchronizer: network.synchronizer(synchronizerId)!.alias,
    updateId,
    offsets: Object.fromEntries(offsets),
    ...(info && { submission: submissionOf(network.participant(info.participantId).name, info) }),
    summary: summaryOf(update),
    ...(description && { told: description }),
    ...(update.kind === 'reassignment' && { moves: movesOf(network, update.events) }),
  };
}

function movesOf(network: Network, events: readonly ReassignmentEvent[]): readonly InspectedMove[] {
  const aliasOf = (id: SynchronizerId): string => network.synchronizer(id)!.alias;
  return events.map(({ kind, contract, source, target, reassignmentCounter }) => ({
    kind,
    contractId: contract.contractId,
    source: aliasOf(source),
    target: aliasOf(target),
    reassignmentCounter,
  }));
}

function shownRefusal(
  network: Network,
  { name }: Participant,
  completion: Completion,
): HappenedUpdate {
  const { recordTime, synchronizerId, offset, error } = completion;
  return {
    kind: 'refused',
    recordTime: formatTimestampMicros(recordTime),
    synchronizer: network.synchronizer(synchronizerId)!.alias,
    offsets: { [name]: offset },
    submission: submissionOf(name, completion),
    error: { code: error!.code, cause: error!.details.cause },
    summary: [],
  };
}

type Info = Pick<Completion, 'userId' | 'commandId' | 'submissionId' | 'actAs'>;
const submissionOf = (participant: string, { userId, commandId, submissionId, actAs }: Info) => ({
  participant,
  userId,
  commandId,
  submissionId,
  actAs,
});

function summaryOf(update: Update): readonly string[] {
  switch (update.kind) {
    case 'transaction': {
      const { roots, nodes } = update.transaction;
      const words = roots.slice(0, MOST_ROOTS).map((root) => wordsOf(nodes[root] as Action));
      const more = roots.length - words.length;
      return more > 0 ? [...words, `and ${more} more`] : words;
    }
    case 'reassignment':
      return update.events.map(
        ({ kind, contract }) => `${kind} ${qualifiedNameOf(contract.templateId)}`,
      );
    case 'topology':
      return update.events.map(({ kind, party }) => `${kind} ${party}`);
  }
}

function wordsOf(node: Action): string {
  if (node.kind === 'create') return `create ${qualifiedNameOf(node.contract.templateId)}`;
  if (node.kind !== 'exercise') return node.kind;
  return `${node.choice} of ${qualifiedNameOf(node.contract.templateId)}`;
}
