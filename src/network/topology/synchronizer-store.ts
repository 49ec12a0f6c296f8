/**
 * The part of a synchronizer's topology store that is a log: delegations of namespaces, and the keys of nodes and
 * parties. The log begins with the identities of the synchronizer's nodes, which follow from the seed.
 */
import { toHex } from '../../daml/model/hash.js';
import type { Timestamp } from '../../daml/model/values.js';
import { namespaceOf, type ParticipantId, type SynchronizerId } from '../model/ids.js';
import type { SeededRandom } from '../journal/random.js';
import type { SigningKey } from '../model/keys.js';
import type { Synchronizer } from '../synchronizer.js';
import type { ExternalParties } from './external-parties.js';
import { checkMapping } from './mapping-checks.js';
import type { MappingLog } from './mapping-log.js';
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
import { identityMappings, participantMember, type Member } from './topology-transactions.js';

/** The part of the ledger that the store reads. */
export interface TopologyNodes {
  readonly random: SeededRandom;
  readonly clock: { now(): Timestamp };
  readonly startTime: Timestamp;
  readonly members: readonly {
    readonly id: ParticipantId;
    readonly name: string;
    isConnectedTo(synchronizerId: SynchronizerId): boolean;
  }[];
  readonly topology: Topology;
  readonly externalParties: ExternalParties;
  readonly mappings: MappingLog;
}

/** The start of a synchronizer: its first time. */
export const FOUNDED: Timestamp = -62_135_596_799_999_999n;

/** The nodes that a synchronizer's store knows. */
function membersOn(
  { members }: Pick<TopologyNodes, 'members'>,
  { sequencerId, mediatorId, alias, id }: Synchronizer,
): readonly Member[] {
  return [
    { code: 'SEQ', uid: sequencerId, owner: `sequencer/${alias}` },
    { code: 'MED', uid: mediatorId, owner: `mediator/${alias}` },
    ...members
      .filter((each) => each.isConnectedTo(id))
      .map(({ id: uid, name }) => participantMember(uid, name)),
  ];
}

/** One of the two mappings of a node's identity, from its start. */
function identityOf(
  { random, startTime }: Pick<TopologyNodes, 'random' | 'startTime'>,
  member: Member,
  which: 'delegation' | 'ownKeys',
): StoredMapping {
  const { encoded, signers } = identityMappings(random, member)[which];
  const since = member.code === 'PAR' ? startTime : FOUNDED;
  return signedBy(encoded, signers, since);
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

const WHICH = { NamespaceDelegation: 'delegation', OwnerToKeyMapping: 'ownKeys' } as const;
const hasOrigin = (kind: string): kind is keyof typeof WHICH => kind in WHICH;

/** A store of delegations and keys that begins with the identities of nodes. */
export class IdentityLog {
  readonly delegations: Delegations;

  constructor(
    private readonly nodes: TopologyNodes,
    private readonly name: string,
    private readonly members: readonly Member[],
    definitionOf: NamespaceRecords['definitionOf'],
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

  private origin(mapping: TopologyMapping): StoredMapping | undefined {
    if (!hasOrigin(mapping.kind)) return undefined;
    const key = uniqueKey(mapping);
    const namespace = 'namespace' in mapping ? mapping.namespace : undefined;
    return this.members
      .filter(({ uid }) => namespace === undefined || namespaceOf(uid) === namespace)
      .map((member) => identityOf(this.nodes, member, WHICH[mapping.kind as keyof typeof WHICH]))
      .find(({ transaction }) => uniqueKey(transaction.mapping) === key);
  }

  latest(mapping: TopologyMapping): StoredMapping | undefined {
    return this.nodes.mappings.latest(this.name, uniqueKey(mapping)) ?? this.origin(mapping);
  }

  /** @param hash hexadecimal */
  byHash(hash: string): StoredMapping | undefined {
    const origins = this.members.flatMap((member) =>
      Object.values(WHICH).map((which) => identityOf(this.nodes, member, which)),
    );
    return (
      this.nodes.mappings.byHash(this.name, hash) ??
      origins.find(({ transaction }) => toHex(transaction.hash) === hash)
    );
  }

  /** All that the store received of a kind, in order; first the identities that nothing has replaced. */
  all(kind: TopologyMapping['kind']): readonly StoredMapping[] {
    const origins = hasOrigin(kind)
      ? this.members.map((member) => identityOf(this.nodes, member, WHICH[kind]))
      : [];
    return [
      ...origins.filter(({ transaction }) => this.isFirst(transaction.mapping)),
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
  return new IdentityLog(nodes, id, membersOn(nodes, synchronizer), (namespace) => {
    const found = externalParties.definitionOf(id, namespace);
    return found && signedBy(found.transaction, [], found.since);
  });
}

/** The participant's own store, which knows only itself. */
export function logOf(
  nodes: TopologyNodes,
  { id, name }: TopologyNodes['members'][number],
): IdentityLog {
  return new IdentityLog(nodes, `authorized/${id}`, [participantMember(id, name)], () => undefined);
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
  const members = membersOn(nodes, synchronizer);
  const known = {
    synchronizer,
    members,
    delegations: logOn(nodes, synchronizer).delegations,
    isDelegated: (namespace: string) =>
      members.some(({ uid }) => namespaceOf(uid) === namespace) ||
      mappings.namespaces(id).delegationsOf(namespace).length > 0,
    isRevoked: (namespace: string) =>
      mappings
        .delegations(id, namespace)
        .some(({ transaction: { mapping, replaces } }) => !replaces && isRootDelegation(mapping)),
    isShared: (namespace: string) => externalParties.definitionOf(id, namespace) !== undefined,
  };
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
