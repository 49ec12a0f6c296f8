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
import type { PartyKey, Signature } from './party-keys.js';
import type { SignedMapping } from './signed-mappings.js';
import { serialMismatch } from './store-rules.js';
import type { ParticipantId, Party, SynchronizerId } from '../model/ids.js';
import type { PartyPermission, TopologyEvent } from '../model/updates.js';
import { namespaceOf } from '../model/ids.js';
import { JournaledList, JournaledMap, type Journal } from '../journal/journal.js';

/** How long a mediator remembers requests: two days, Canton's default. */
const REQUEST_MEMORY = 48n * 3600n * 1_000_000n;

export interface ExternalParty extends SigningKeys {
  /** The number of participants that must confirm. */
  readonly confirmationThreshold: number;
  /** The signatures of its hosting, except those of participants. */
  readonly signed?: SignedHosting | undefined;
}

/** The signatures of a transaction. */
type Evidence = Pick<SignedMapping, 'signatures' | 'joint'>;

interface SignedHosting extends Evidence {
  readonly transaction: Uint8Array;
}

/** A hosting and its consents so far: fingerprints of namespaces and of keys. */
export interface Proposal {
  readonly hosting: PartyHosting;
  /** The signed transaction. */
  readonly transaction: Uint8Array;
  readonly serial: number;
  readonly consents: ReadonlySet<string>;
  /** Signatures except those of participants. */
  readonly evidence?: Evidence | undefined;
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
  /** Keys that the owners delegated their namespaces to. */
  readonly keys: readonly PartyKey[];
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

type Hosts = ReadonlyMap<ParticipantId, PartyPermission>;

/** Sequences a change of the topology. */
type CommitTopology = (content: {
  readonly kind: 'topology';
  readonly synchronizerId: SynchronizerId;
  readonly workflowId: string;
  readonly events: readonly TopologyEvent[];
}) => { readonly recordTime: Timestamp };

export class ExternalParties {
  private readonly parties: JournaledMap<string, ExternalParty>;
  private readonly proposals: JournaledMap<string, WaitingProposal>;
  private readonly pastProposals: JournaledList<Past<WaitingProposal>>;
  private readonly namespaces: JournaledMap<string, StoredNamespace>;
  private readonly pastNamespaces: JournaledList<Past<StoredNamespace>>;
  private readonly requests: JournaledMap<string, Timestamp>;

  constructor(journal: Journal) {
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
    return this.parties.size === 0;
  }

  /** Undefined for a party that is not external there. */
  get(party: Party, synchronizerId: SynchronizerId): ExternalParty | undefined {
    return this.parties.get(keyOf(synchronizerId, party));
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
    const keys = eachKeyOnce([...(known?.keys ?? []), ...given.keys]);
    const signatures = eachSignerOnce([...(known?.signatures ?? []), ...given.signatures]);
    if (founders.size === known?.founders.size && keys.length === known.keys.length) return;
    const joined = { ...given, founders, keys, signatures, since };
    const isInForce = isFounded(joined);
    for (const [other, was] of on(this.namespaces, synchronizerId)) {
      const isOvertaken =
        isInForce && was.namespace === given.namespace && serialOf(was) <= serialOf(given);
      const ends = other === key ? !isFounded(was) : isOvertaken;
      if (!ends) continue;
      this.pastNamespaces.push({ synchronizerId, was, until: since });
      this.namespaces.delete(other);
    }
    // Earlier delegations of the owners stay known.
    this.namespaces.set(key, { ...joined, keys: eachKeyOnce([...keys, ...(latest?.keys ?? [])]) });
  }

  /** Whether enough owners of a decentralized namespace consent. */
  private isSpokenFor(
    synchronizerId: SynchronizerId,
    namespace: string,
    consents: ReadonlySet<string>,
  ): boolean {
    const definition = this.definitionOf(synchronizerId, namespace);
    if (definition === undefined) return false;
    const { owners, threshold } = definition;
    return owners.filter((owner) => consents.has(owner)).length >= threshold;
  }

  /**
   * Adds consents to the earlier ones, and hosts the party when none is missing.
   * @param before the current hosts
   * @param now the time of a proposal that waits
   * @returns the missing consents
   */
  consent(
    commit: CommitTopology,
    synchronizerId: SynchronizerId,
    transactionHash: Uint8Array,
    { hosting, transaction, serial, consents, ...given }: Proposal,
    before: Hosts,
    now: Timestamp,
  ): readonly string[] {
    const key = keyOf(synchronizerId, toHex(transactionHash));
    const known = this.proposals.get(key);
    const joined = new Set([...(known?.consents ?? []), ...consents]);
    const evidence = joinedEvidence(known?.evidence, given.evidence);
    const own = namespaceOf(hosting.party);
    const isSpokenFor = this.isSpokenFor(synchronizerId, own, joined);
    const missing = requiredConsents(hosting, before).filter(
      (each) => !joined.has(each) && !(isSpokenFor && each === own),
    );
    if (missing.length === 0) {
      const signed = evidence && { transaction, ...evidence };
      const since = this.host(commit, synchronizerId, hosting, before, signed) ?? now;
      this.expire(synchronizerId, hosting.party, serial, since);
      if (known !== undefined) {
        const was = { ...known, consents: joined, evidence, since };
        this.pastProposals.push({ synchronizerId, was, until: since, isAuthorized: true });
      }
    } else if (joined.size !== known?.consents.size) {
      const waiting = { hosting, transaction, serial, consents: joined, evidence };
      if (known !== undefined) this.pastProposals.push({ synchronizerId, was: known, until: now });
      this.proposals.set(key, { ...waiting, since: now });
    }
    return missing;
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

  /** Signatures of exactly this transaction, except those of participants. */
  signaturesOf(
    party: Party,
    synchronizerId: SynchronizerId,
    transaction: Uint8Array,
  ): Evidence | undefined {
    const signed = this.get(party, synchronizerId)?.signed;
    return signed && Buffer.compare(signed.transaction, transaction) === 0 ? signed : undefined;
  }

  /** @returns when it takes effect; undefined if the hosts are the same */
  private host(
    commit: CommitTopology,
    synchronizerId: SynchronizerId,
    hosting: PartyHosting,
    before: Hosts,
    signed: SignedHosting | undefined,
  ): Timestamp | undefined {
    const { party, hosts, signing, threshold } = hosting;
    if (signing !== undefined)
      this.parties.set(keyOf(synchronizerId, party), {
        ...signing,
        confirmationThreshold: threshold,
        signed,
      });
    const remains = (id: string): boolean =>
      hosts.some(({ participantId }) => participantId === id);
    const left = [...before.keys()].filter((id) => !remains(id));
    const events: TopologyEvent[] = [
      ...hosts.flatMap(({ participantId: id, permission }): TopologyEvent[] => {
        const participantId = id as ParticipantId;
        const known = before.get(participantId);
        if (known === permission) return [];
        return [{ kind: known ? 'changed' : 'added', party, participantId, permission }];
      }),
      ...left.map((participantId) => ({ kind: 'revoked' as const, party, participantId })),
    ];
    if (events.length === 0) return undefined;
    return commit({ kind: 'topology', synchronizerId, workflowId: '', events }).recordTime;
  }
}

/** The consents of the party's namespace, of new participants' namespaces, and of every signing key. */
export function requiredConsents(
  { party, hosts, signing }: PartyHosting,
  before: Hosts,
): readonly string[] {
  const added = hosts
    .map(({ participantId }) => participantId)
    .filter((id) => !before.has(id as ParticipantId));
  const namespaces = [party, ...added].map(namespaceOf);
  return [
    ...new Set([...namespaces, ...(signing?.keys ?? []).map(({ fingerprint }) => fingerprint)]),
  ];
}

/** The evidence of two requests. */
function joinedEvidence(known: Evidence | undefined, given: Evidence | undefined) {
  if (known === undefined || given === undefined || known === given) return known ?? given;
  const joint = [...known.joint, ...given.joint];
  return { signatures: eachSignerOnce([...known.signatures, ...given.signatures]), joint };
}

function eachOnce<T>(all: readonly T[], by: (each: T) => string): readonly T[] {
  const first = new Map<string, T>();
  for (const each of all) if (!first.has(by(each))) first.set(by(each), each);
  return [...first.values()];
}

const eachSignerOnce = (all: readonly Signature[]) => eachOnce(all, ({ signedBy }) => signedBy);

const eachKeyOnce = (all: readonly PartyKey[]) => eachOnce(all, ({ fingerprint }) => fingerprint);

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
