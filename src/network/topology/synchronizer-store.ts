/**
 * The part of a synchronizer's topology store that is a log: delegations of namespaces, the keys of nodes and
 * parties, and the certificates of participants.
 * The log begins with the identities of the synchronizer's nodes, which follow from the seed.
 */
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { formatInstant } from '../../daml/model/time.js';
import { toHex } from '../../daml/model/hash.js';
import type { Timestamp } from '../../daml/model/values.js';
import { namespaceOf, type ParticipantId, type SynchronizerId } from '../model/ids.js';
import type { SeededRandom } from '../journal/random.js';
import { signingKey, type SigningKey } from '../model/keys.js';
import type { Synchronizer } from '../synchronizer.js';
import type { ExternalParties } from './external-parties.js';
import { checkMapping } from './mapping-checks.js';
import { certificateFor, isMember, type MappingLog } from './mapping-log.js';
import { isRootDelegation, uniqueKey } from './mapping-rules.js';
import {
  decodeTopologyTransaction,
  type TopologyMapping,
  type TopologyTransaction,
} from './party-hosting.js';
import {
  Delegations,
  type NamespaceRecords,
  type SignedMapping,
  type StoredMapping,
} from './signed-mappings.js';
import type { TopologyStore } from './store-rules.js';
import { signatureOf } from './store-signing.js';
import type { Topology } from './topology.js';
import {
  identityMappings,
  memberId,
  participantMember,
  trustCertificate,
  type Member,
} from './topology-transactions.js';

/** The part of the ledger that the store reads. */
export interface TopologyNodes {
  readonly random: SeededRandom;
  readonly clock: { now(): Timestamp };
  readonly startTime: Timestamp;
  readonly members: readonly {
    readonly id: ParticipantId;
    readonly name: string;
    /** The synchronizers that it joined. */
    readonly registered: readonly SynchronizerId[];
  }[];
  readonly topology: Topology;
  readonly externalParties: ExternalParties;
  readonly mappings: MappingLog;
}

/** The start of a synchronizer: its first time. */
export const FOUNDED: Timestamp = -62_135_596_799_999_999n;

/** The nodes whose identities a synchronizer's store has from its start. */
function foundersOf(
  { members }: Pick<TopologyNodes, 'members'>,
  { sequencerId, mediatorId, alias, id }: Synchronizer,
): readonly Member[] {
  return [
    { code: 'SEQ', uid: sequencerId, owner: `sequencer/${alias}` },
    { code: 'MED', uid: mediatorId, owner: `mediator/${alias}` },
    ...members
      .filter(({ registered }) => registered.includes(id))
      .map(({ id: uid, name }) => participantMember(uid, name)),
  ];
}

/** The mappings from the start, by network and name. They never change, and their signatures take time. */
const founded = new WeakMap<SeededRandom, Map<string, StoredMapping>>();

function onceFounded(
  random: SeededRandom,
  name: string,
  compute: () => StoredMapping,
): StoredMapping {
  const known = founded.get(random) ?? new Map<string, StoredMapping>();
  founded.set(random, known);
  const mapping = known.get(name) ?? compute();
  known.set(name, mapping);
  return mapping;
}

/** One of the two mappings of a node's identity, from its start. */
function identityOf(
  { random, startTime }: Pick<TopologyNodes, 'random' | 'startTime'>,
  member: Member,
  which: 'delegation' | 'ownKeys',
): StoredMapping {
  const since = member.code === 'PAR' ? startTime : FOUNDED;
  return onceFounded(random, `${which}/${memberId(member)}/${since}`, () => {
    const { encoded, signers } = identityMappings(random, member)[which];
    return signedBy(encoded, signers, since);
  });
}

function signedBy(
  encoded: Uint8Array,
  signers: readonly SigningKey[],
  since: Timestamp,
): StoredMapping {
  const transaction = decodeTopologyTransaction(encoded) as TopologyTransaction;
  const signatures = signers.map((key) => signatureOf(key, transaction.hash));
  return { transaction, signatures, joint: [], isProposal: false, since };
}

/** The certificate with which a participant joined the synchronizer. */
function certificateOf(
  { random, startTime }: Pick<TopologyNodes, 'random' | 'startTime'>,
  { uid, owner }: Member,
  synchronizerId: SynchronizerId,
): StoredMapping {
  return onceFounded(random, `certificate/${uid}/${synchronizerId}/${startTime}`, () => {
    const { encoded } = trustCertificate(uid, synchronizerId);
    return signedBy(encoded, [signingKey(random, `namespace/${owner}`)], startTime);
  });
}

/** The kinds of mappings that a store has from its start. */
const ORIGINAL = [
  'NamespaceDelegation',
  'OwnerToKeyMapping',
  'SynchronizerTrustCertificate',
] as const;

/** A store of delegations, keys and certificates that begins with the identities of nodes. */
export class IdentityLog {
  readonly delegations: Delegations;

  constructor(
    private readonly nodes: TopologyNodes,
    private readonly name: string,
    private readonly members: readonly Member[],
    definitionOf: NamespaceRecords['definitionOf'],
    /** The synchronizer of the store; undefined for the store of a participant. */
    private readonly synchronizerId?: SynchronizerId,
  ) {
    const { mappings } = nodes;
    this.delegations = new Delegations({
      delegationsOf: (namespace) => [
        ...members
          .filter(({ uid }) => namespaceOf(uid) === namespace)
          .map((member) => identityOf(nodes, member, 'delegation'))
          .filter((each) => this.isFirst(each.transaction.mapping)),
        ...mappings.namespaces(name).delegationsOf(namespace),
      ],
      definitionOf,
    });
  }

  /** Whether nothing replaced the identity mapping. */
  private isFirst(mapping: TopologyMapping): boolean {
    return this.nodes.mappings.latest(this.name, uniqueKey(mapping)) === undefined;
  }

  /** The mappings of a kind from the start. */
  private origins(kind: TopologyMapping['kind']): readonly StoredMapping[] {
    const { nodes, members, synchronizerId } = this;
    if (kind === 'NamespaceDelegation')
      return members.map((each) => identityOf(nodes, each, 'delegation'));
    if (kind === 'OwnerToKeyMapping')
      return members.map((each) => identityOf(nodes, each, 'ownKeys'));
    if (kind !== 'SynchronizerTrustCertificate' || synchronizerId === undefined) return [];
    return members
      .filter(({ code }) => code === 'PAR')
      .map((each) => certificateOf(nodes, each, synchronizerId));
  }

  private origin(mapping: TopologyMapping): StoredMapping | undefined {
    const key = uniqueKey(mapping);
    return this.origins(mapping.kind).find(
      ({ transaction }) => uniqueKey(transaction.mapping) === key,
    );
  }

  latest(mapping: TopologyMapping): StoredMapping | undefined {
    return this.nodes.mappings.latest(this.name, uniqueKey(mapping)) ?? this.origin(mapping);
  }

  /** @param hash hexadecimal */
  byHash(hash: string): StoredMapping | undefined {
    return (
      this.nodes.mappings.byHash(this.name, hash) ??
      ORIGINAL.flatMap((kind) => this.origins(kind)).find(
        ({ transaction }) => toHex(transaction.hash) === hash,
      )
    );
  }

  /** All that the store received of a kind, in order; first the identities that nothing has replaced. */
  all(kind: TopologyMapping['kind']): readonly StoredMapping[] {
    return [
      ...this.origins(kind).filter(({ transaction }) => this.isFirst(transaction.mapping)),
      ...this.nodes.mappings
        .all(this.name)
        .filter(({ transaction }) => transaction.mapping.kind === kind),
    ];
  }

  /** Stores an accepted transaction, after the identity that it follows. */
  add(accepted: SignedMapping): void {
    const { mappings, clock } = this.nodes;
    const { mapping } = accepted.transaction;
    const origin = this.isFirst(mapping) ? this.origin(mapping) : undefined;
    if (origin !== undefined) mappings.append(this.name, origin, origin.since);
    mappings.append(this.name, accepted, clock.now());
  }
}

export function logOn(nodes: TopologyNodes, synchronizer: Synchronizer): IdentityLog {
  const { externalParties } = nodes;
  const { id } = synchronizer;
  const definitionOf = (namespace: string): StoredMapping | undefined => {
    const found = externalParties.definitionOf(id, namespace);
    return found && signedBy(found.transaction, [], found.since);
  };
  return new IdentityLog(nodes, id, foundersOf(nodes, synchronizer), definitionOf, id);
}

/** The participant's own store, which knows only itself. */
export function logOf(
  nodes: TopologyNodes,
  { id, name }: TopologyNodes['members'][number],
): IdentityLog {
  return new IdentityLog(nodes, `authorized/${id}`, [participantMember(id, name)], () => undefined);
}

/** A synchronizer's store has the parameters of this synchronizer only. */
function missingParameters({ clock }: TopologyNodes): LedgerError {
  const effectiveTime = `EffectiveTime(${formatInstant(clock.now())})`;
  return ledgerError('TOPOLOGY_MISSING_MAPPING', {
    cause: `Missing synchronizer parameters at ${effectiveTime}`,
    context: { effectiveTime },
  });
}

/** @throws LedgerError as {@link checkMapping} */
function checkOn(
  nodes: TopologyNodes,
  synchronizer: Synchronizer,
  transaction: TopologyTransaction,
  before: StoredMapping | undefined,
): void {
  const { mappings, externalParties } = nodes;
  const { id } = synchronizer;
  const founders = foundersOf(nodes, synchronizer);
  const log = logOn(nodes, synchronizer);
  const known = {
    synchronizer,
    founders,
    isMember: (participantId: string) => isMember(nodes, synchronizer, participantId),
    certificateOf: (participantId: string) =>
      log.latest(certificateFor(synchronizer, participantId))?.transaction,
    hasKeys: (member: string) =>
      log.latest({ kind: 'OwnerToKeyMapping', member, keys: [] })?.transaction.replaces === true,
    delegations: log.delegations,
    isDelegated: (namespace: string) =>
      founders.some(({ uid }) => namespaceOf(uid) === namespace) ||
      mappings.namespaces(id).delegationsOf(namespace).length > 0,
    isRevoked: (namespace: string) =>
      mappings
        .delegations(id, namespace)
        .some(({ transaction: { mapping, replaces } }) => !replaces && isRootDelegation(mapping)),
    isShared: (namespace: string) => externalParties.definitionOf(id, namespace) !== undefined,
  };
  const { mapping, replaces } = transaction;
  const isElsewhere =
    mapping.kind === 'SynchronizerTrustCertificate' && mapping.synchronizerId !== id;
  if (replaces && isElsewhere) throw missingParameters(nodes);
  checkMapping(known, transaction, before);
}

/** The log of a synchronizer as a store, with the rules of the synchronizer. */
export function storeOn(nodes: TopologyNodes, synchronizer: Synchronizer): TopologyStore {
  const log = logOn(nodes, synchronizer);
  return {
    latest: (mapping) => log.latest(mapping),
    byHash: (hash) => log.byHash(hash),
    delegations: log.delegations,
    comparesRemovals: true,
    check: (transaction, before) => checkOn(nodes, synchronizer, transaction, before),
  };
}
