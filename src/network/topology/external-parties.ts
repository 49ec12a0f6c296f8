/**
 * External parties on each synchronizer: their signing keys, and hostings that still lack a consent. A hosting takes
 * effect once the party, each hosting participant and each new signing key have consented to exactly the same
 * transaction.
 */
import { toHex } from '../../daml/model/hash.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { PartyHosting, SigningKeys } from './party-hosting.js';
import type { Signature } from './party-keys.js';
import type { SignedMapping } from './signed-mappings.js';
import { serialMismatch } from './store-rules.js';
import type { ParticipantId, Party, SynchronizerId } from '../model/ids.js';
import type { TopologyEvent } from '../model/updates.js';
import type { MappingLog } from './mapping-log.js';
import type { Topology } from './topology.js';
import { JournaledList, JournaledMap, type Journal } from '../journal/journal.js';

/** How long a mediator remembers requests: two days, Canton's default. */
const REQUEST_MEMORY = 48n * 3600n * 1_000_000n;

export interface ExternalParty extends SigningKeys {
  /** The number of participants that must confirm. */
  readonly confirmationThreshold: number;
}

/** A hosting by a transaction. The keys are absent if it names none. */
interface HostingTerms extends Partial<SigningKeys> {
  readonly confirmationThreshold: number;
  readonly signed?: SignedHosting | undefined;
}

/** The signatures of a transaction. */
type Evidence = Pick<SignedMapping, 'signatures' | 'joint'>;

interface SignedHosting extends Partial<Evidence> {
  readonly transaction: Uint8Array;
  /** Fingerprints of all signers. */
  readonly signers?: readonly string[];
}

/** A hosting and its consents so far: fingerprints of namespaces and of keys. */
export interface Proposal {
  readonly hosting: PartyHosting;
  /** The signed transaction. */
  readonly transaction: Uint8Array;
  readonly serial: number;
  readonly consents: ReadonlySet<string>;
  /** Signatures except those of participants. */
  readonly evidence: Evidence;
}

/** A proposal that waits. */
export interface WaitingProposal extends Proposal {
  /** The time of the last consent. */
  readonly since: Timestamp;
}

/** A decentralized namespace, once each owner has signed its definition. Later definitions change or remove it. */
export interface SharedNamespace {
  readonly namespace: string;
  readonly owners: readonly string[];
  /** How many owners must sign for it. */
  readonly threshold: number;
  /** The definition's serial; 1 if absent. */
  readonly serial?: number;
  /** The definition ends the namespace. */
  readonly isRemoved?: boolean;
  /** Whether all required signers have signed; if absent, these are the owners. */
  readonly isAuthorized?: boolean;
  /** The hash of the defining transaction, which its owners sign. */
  readonly hash: Uint8Array;
  readonly transaction: Uint8Array;
  /** Signatures of owners for this transaction alone. */
  readonly signatures: readonly Signature[];
  /** Owners that signed it, under the old or the new definition. */
  readonly founders: ReadonlySet<string>;
}

interface StoredNamespace extends SharedNamespace {
  readonly since: Timestamp;
}

/** A proposal until another party signed it, or until a mapping in force ended it. */
interface Past<T> {
  readonly synchronizerId: SynchronizerId;
  readonly was: T;
  readonly until: Timestamp;
  /** The proposal was authorized. */
  readonly isAuthorized?: boolean;
}

/** Sequences a change of the topology. */
type CommitTopology = (content: {
  readonly kind: 'topology';
  readonly synchronizerId: SynchronizerId;
  readonly workflowId: string;
  readonly events: readonly TopologyEvent[];
}) => { readonly recordTime: Timestamp };

export class ExternalParties {
  private readonly parties: JournaledMap<string, HostingTerms>;
  private readonly proposals: JournaledMap<string, WaitingProposal>;
  private readonly pastProposals: JournaledList<Past<WaitingProposal>>;
  private readonly namespaces: JournaledMap<string, StoredNamespace>;
  private readonly pastNamespaces: JournaledList<Past<StoredNamespace>>;
  private readonly requests: JournaledMap<string, Timestamp>;

  constructor(
    journal: Journal,
    private readonly topology: Topology,
    private readonly mappings: MappingLog,
  ) {
    this.parties = new JournaledMap(journal, 'external-parties');
    this.proposals = new JournaledMap(journal, 'hosting-proposals');
    this.pastProposals = new JournaledList(journal, 'past-hosting-proposals');
    this.namespaces = new JournaledMap(journal, 'shared-namespaces');
    this.pastNamespaces = new JournaledList(journal, 'past-shared-namespaces');
    this.requests = new JournaledMap(journal, 'external-requests');
  }

  /** Rejects a request whose UUID the mediator remembers: a signed transaction cannot execute twice. */
  duplicateRequest(
    synchronizerId: SynchronizerId,
    uuid: string,
    now: Timestamp,
  ): LedgerError | undefined {
    const expires = this.requests.get(keyOf(synchronizerId, uuid));
    if (expires === undefined || now > expires) return undefined;
    const expireAfter = formatInstant(expires);
    return ledgerError('DUPLICATE_CONFIRMATION_REQUEST_UUID', {
      cause: `The request UUID (${uuid}) is a duplicate of a previous request with an identical UUID. It cannot be re-used until ${expireAfter}.`,
      context: { expireAfter, uuid },
    });
  }

  usedRequest(synchronizerId: SynchronizerId, uuid: string, recordTime: Timestamp): void {
    this.requests.set(keyOf(synchronizerId, uuid), recordTime + REQUEST_MEMORY);
  }

  /** Whether there are no external parties. */
  get isEmpty(): boolean {
    return this.parties.size === 0 && this.mappings.size === 0;
  }

  /** By its hosting or by a separate mapping, the keys of a party there. Undefined for a party without keys. */
  get(party: Party, synchronizerId: SynchronizerId): ExternalParty | undefined {
    const terms = this.parties.get(keyOf(synchronizerId, party));
    if (terms?.keys !== undefined) return terms as ExternalParty;
    const mapped = this.mappedKeys(party, synchronizerId);
    return mapped && { ...mapped, confirmationThreshold: terms?.confirmationThreshold ?? 1 };
  }

  /** The keys by a separate mapping (PartyToKeyMapping). */
  mappedKeys(party: Party, synchronizerId: SynchronizerId): SigningKeys | undefined {
    if (!this.mappings.has(synchronizerId)) return undefined;
    const like = { kind: 'PartyToKeyMapping', party, signing: NO_KEYS } as const;
    return this.mappings.mapping(synchronizerId, like)?.signing;
  }

  /** The number of participants that must confirm for the party. */
  confirmationThreshold(party: Party, synchronizerId: SynchronizerId): number {
    return this.parties.get(keyOf(synchronizerId, party))?.confirmationThreshold ?? 1;
  }

  /**
   * A proposal that lacks consents.
   * @param hash of the transaction, hexadecimal
   */
  proposal(synchronizerId: SynchronizerId, hash: string): WaitingProposal | undefined {
    return this.proposals.get(keyOf(synchronizerId, hash));
  }

  /** All waiting proposals there, in the order of their hashes. */
  proposalsOn(synchronizerId: SynchronizerId): readonly WaitingProposal[] {
    return on(this.proposals, synchronizerId).map(([, each]) => each);
  }

  /** Proposals that ended there, and those that were signed again since, in the order of their ends. */
  pastProposalsOn(synchronizerId: SynchronizerId): readonly Past<WaitingProposal>[] {
    return this.pastProposals.all().filter((each) => each.synchronizerId === synchronizerId);
  }

  /** Decentralized namespaces, including proposed ones. */
  namespacesOn(synchronizerId: SynchronizerId): readonly StoredNamespace[] {
    return on(this.namespaces, synchronizerId).map(([, each]) => each);
  }

  /** As {@link pastProposalsOn}, of definitions of namespaces. */
  pastNamespacesOn(synchronizerId: SynchronizerId): readonly Past<StoredNamespace>[] {
    return this.pastNamespaces.all().filter((each) => each.synchronizerId === synchronizerId);
  }

  /** The definition in force of a decentralized namespace. */
  definitionOf(synchronizerId: SynchronizerId, namespace: string): StoredNamespace | undefined {
    const latest = this.latestDefinition(synchronizerId, namespace);
    return latest?.isRemoved ? undefined : latest;
  }

  /** The definition in force, or the one that removed the namespace. */
  latestDefinition(synchronizerId: SynchronizerId, namespace: string): StoredNamespace | undefined {
    return this.namespacesOn(synchronizerId).find(
      (each) => each.namespace === namespace && isFounded(each),
    );
  }

  /**
   * Adds founders to the earlier ones. A definition in force replaces the earlier one, and other proposals for the
   * namespace up to its serial.
   * @throws LedgerError TOPOLOGY_SERIAL_MISMATCH
   */
  found(synchronizerId: SynchronizerId, given: SharedNamespace, since: Timestamp): void {
    const key = keyOf(synchronizerId, `${given.namespace}|${toHex(given.hash)}`);
    const known = this.namespaces.get(key);
    const latest = this.latestDefinition(synchronizerId, given.namespace);
    if (latest !== undefined && latest !== known && serialOf(given) !== serialOf(latest) + 1)
      throw serialMismatch(serialOf(given), serialOf(latest) + 1);
    const founders = new Set([...(known?.founders ?? []), ...given.founders]);
    const signatures = eachSignerOnce([...(known?.signatures ?? []), ...given.signatures]);
    if (founders.size === known?.founders.size) return;
    const joined = { ...given, founders, signatures, since };
    const isInForce = isFounded(joined);
    for (const [other, was] of on(this.namespaces, synchronizerId)) {
      const isOvertaken =
        isInForce && was.namespace === given.namespace && serialOf(was) <= serialOf(given);
      const ends = other === key ? !isFounded(was) : isOvertaken;
      if (!ends) continue;
      this.pastNamespaces.push({ synchronizerId, was, until: since });
      this.namespaces.delete(other);
    }
    this.namespaces.set(key, joined);
  }

  /** Adds the consents to earlier ones to the same transaction. */
  joined(synchronizerId: SynchronizerId, hash: Uint8Array, given: Proposal): Proposal {
    const known = this.proposals.get(keyOf(synchronizerId, toHex(hash)));
    if (known === undefined) return given;
    const consents = new Set([...known.consents, ...given.consents]);
    return { ...given, consents, evidence: joinedEvidence(known.evidence, given.evidence) };
  }

  /**
   * Hosts the party, or stores a proposal with its consents so far.
   * @param isComplete whether no consent is missing
   * @param now the time of a proposal that waits
   */
  propose(
    commit: CommitTopology,
    synchronizerId: SynchronizerId,
    hash: Uint8Array,
    proposal: Proposal,
    isComplete: boolean,
    now: Timestamp,
  ): void {
    const key = keyOf(synchronizerId, toHex(hash));
    const known = this.proposals.get(key);
    const { hosting, serial, consents, evidence } = proposal;
    if (isComplete) {
      const since = this.host(commit, synchronizerId, proposal, now);
      this.expire(synchronizerId, hosting.party, serial, since);
      if (known !== undefined) {
        const was = { ...known, consents, evidence, since };
        this.pastProposals.push({ synchronizerId, was, until: since, isAuthorized: true });
      }
    } else if (consents.size !== known?.consents.size) {
      if (known !== undefined) this.pastProposals.push({ synchronizerId, was: known, until: now });
      this.proposals.set(key, { ...proposal, since: now });
    }
  }

  /** A mapping in force replaces all proposals with its serial or an earlier one (B-EXT-030). */
  private expire(
    synchronizerId: SynchronizerId,
    party: Party,
    upTo: number,
    until: Timestamp,
  ): void {
    for (const [key, was] of on(this.proposals, synchronizerId)) {
      if (was.hosting.party !== party || was.serial > upTo) continue;
      this.pastProposals.push({ synchronizerId, was, until });
      this.proposals.delete(key);
    }
  }

  /** The transaction of the latest hosting, in force or removed; undefined for a hosting without one. */
  signedHosting(party: Party, synchronizerId: SynchronizerId): SignedHosting | undefined {
    return this.parties.get(keyOf(synchronizerId, party))?.signed;
  }

  /** @returns when it takes effect */
  private host(
    commit: CommitTopology,
    synchronizerId: SynchronizerId,
    { hosting, transaction, serial, consents, evidence }: Proposal,
    now: Timestamp,
  ): Timestamp {
    const { party, hosts, signing, threshold: confirmationThreshold } = hosting;
    const before = this.topology.mappedHosts(party, synchronizerId);
    const signed = { transaction, signers: [...consents], ...evidence };
    this.parties.set(keyOf(synchronizerId, party), { ...signing, confirmationThreshold, signed });
    const remains = (id: string): boolean =>
      hosts.some(({ participantId }) => participantId === id);
    // A participant hosts its admin party also without a mapping.
    const left = [...before.keys()].filter((id) => !remains(id) && id !== party);
    const events: TopologyEvent[] = [
      ...hosts.flatMap(({ participantId: id, permission }): TopologyEvent[] => {
        const participantId = id as ParticipantId;
        const known = before.get(participantId);
        if (known === permission) return [];
        return [{ kind: known ? 'changed' : 'added', party, participantId, permission }];
      }),
      ...left.map((participantId) => ({ kind: 'revoked' as const, party, participantId })),
    ];
    const since =
      events.length === 0
        ? now
        : commit({ kind: 'topology', synchronizerId, workflowId: '', events }).recordTime;
    this.topology.setVersion(party, synchronizerId, { serial, since });
    return since;
  }
}

const NO_KEYS: SigningKeys = { keys: [], threshold: 1 };

/** The evidence of two requests. */
function joinedEvidence(known: Evidence, given: Evidence): Evidence {
  const joint = [...known.joint, ...given.joint];
  return { signatures: eachSignerOnce([...known.signatures, ...given.signatures]), joint };
}

/** The first signature of each signer. */
function eachSignerOnce(all: readonly Signature[]): readonly Signature[] {
  const first = new Map<string, Signature>();
  for (const each of all) if (!first.has(each.signedBy)) first.set(each.signedBy, each);
  return [...first.values()];
}

export const isFounded = ({ owners, founders, isAuthorized }: SharedNamespace): boolean =>
  isAuthorized ?? owners.every((owner) => founders.has(owner));

export const serialOf = ({ serial = 1 }: SharedNamespace): number => serial;

function on<T>(
  all: JournaledMap<string, T>,
  synchronizerId: SynchronizerId,
): readonly (readonly [key: string, value: T])[] {
  const prefix = keyOf(synchronizerId, '');
  return all
    .sortedKeys()
    .filter((key) => key.startsWith(prefix))
    .map((key) => [key, all.get(key)!]);
}

function keyOf(synchronizerId: SynchronizerId, name: string): string {
  return `${synchronizerId}|${name}`;
}
