/**
 * External parties on each synchronizer: who signs for them, and the hostings that still lack someone's consent. A hosting counts
 * once the party, each hosting participant and each new signing key have agreed to the very same transaction.
 */
import { toHex } from '../../daml/model/hash.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { PartyHosting, SigningKeys } from './party-hosting.js';
import type { PartyKey, Signature } from './party-keys.js';
import type { SignedMapping } from './signed-mappings.js';
import type { ParticipantId, Party, SynchronizerId } from '../ids.js';
import type { PartyPermission, TopologyEvent } from '../updates.js';
import { namespaceOf } from '../ids.js';
import { JournaledMap, type Journal } from '../journal/journal.js';

/** How long a mediator remembers requests: two days, Canton's default. */
const REQUEST_MEMORY = 48n * 3600n * 1_000_000n;

export interface ExternalParty extends SigningKeys {
  /** How many participants have to confirm. */
  readonly confirmationThreshold: number;
  /** How its hosting was signed, by others than participants. */
  readonly signed?: SignedHosting | undefined;
}

/** Signatures that came with a transaction. */
type Evidence = Pick<SignedMapping, 'signatures' | 'joint'>;

interface SignedHosting extends Evidence {
  readonly transaction: Uint8Array;
}

/** A hosting, and who has consented so far: fingerprints of namespaces and of keys. */
export interface Proposal {
  readonly hosting: PartyHosting;
  /** The transaction, as it was signed. */
  readonly transaction: Uint8Array;
  readonly serial: number;
  readonly consents: ReadonlySet<string>;
  /** What others than participants signed. */
  readonly evidence?: Evidence | undefined;
}

/** A proposal that waits. */
export interface WaitingProposal extends Proposal {
  /** When somebody consented last. */
  readonly since: Timestamp;
}

/** A namespace that belongs to several, which it is once each of them has signed its definition. */
export interface SharedNamespace {
  readonly namespace: string;
  readonly owners: readonly string[];
  /** How many owners speak for it. */
  readonly threshold: number;
  /** Of the transaction that defines it, which its owners sign. */
  readonly hash: Uint8Array;
  readonly transaction: Uint8Array;
  /** Of the owners, as far as they signed it alone. */
  readonly signatures: readonly Signature[];
  /** Owners that signed it. */
  readonly founders: ReadonlySet<string>;
  /** Of the owners, as far as they delegated their namespaces to them. */
  readonly keys: readonly PartyKey[];
}

interface StoredNamespace extends SharedNamespace {
  readonly since: Timestamp;
}

type Hosts = ReadonlyMap<ParticipantId, PartyPermission>;

/** Sequences a change of the topology. */
type CommitTopology = (content: {
  readonly kind: 'topology';
  readonly synchronizerId: SynchronizerId;
  readonly workflowId: string;
  readonly events: readonly TopologyEvent[];
}) => unknown;

export class ExternalParties {
  private readonly parties: JournaledMap<string, ExternalParty>;
  private readonly proposals: JournaledMap<string, WaitingProposal>;
  private readonly namespaces: JournaledMap<string, StoredNamespace>;
  private readonly requests: JournaledMap<string, Timestamp>;

  constructor(journal: Journal) {
    this.parties = new JournaledMap(journal, 'external-parties');
    this.proposals = new JournaledMap(journal, 'hosting-proposals');
    this.namespaces = new JournaledMap(journal, 'shared-namespaces');
    this.requests = new JournaledMap(journal, 'external-requests');
  }

  /** What was signed once is not executed twice, whoever asks: the mediator remembers the request's UUID. */
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

  /** Whether no party signs for itself. */
  get isEmpty(): boolean {
    return this.parties.size === 0;
  }

  /** Undefined for a party that does not sign for itself there. */
  get(party: Party, synchronizerId: SynchronizerId): ExternalParty | undefined {
    return this.parties.get(keyOf(synchronizerId, party));
  }

  /** What still lacks consents. @param hash of the transaction, hexadecimal */
  proposal(synchronizerId: SynchronizerId, hash: string): WaitingProposal | undefined {
    return this.proposals.get(keyOf(synchronizerId, hash));
  }

  /** All that wait there, in the order of their hashes. */
  proposalsOn(synchronizerId: SynchronizerId): readonly WaitingProposal[] {
    return on(this.proposals, synchronizerId).map(([, each]) => each);
  }

  /** Namespaces that belong to several, also those that are only proposed. */
  namespacesOn(synchronizerId: SynchronizerId): readonly StoredNamespace[] {
    return on(this.namespaces, synchronizerId).map(([, each]) => each);
  }

  /** Joins founders to those that signed before. */
  found(synchronizerId: SynchronizerId, given: SharedNamespace, since: Timestamp): void {
    const key = keyOf(synchronizerId, `${given.namespace}|${toHex(given.hash)}`);
    const known = this.namespaces.get(key);
    const founders = new Set([...(known?.founders ?? []), ...given.founders]);
    const isKnown = (each: PartyKey): boolean =>
      known?.keys.some(({ fingerprint }) => fingerprint === each.fingerprint) === true;
    const keys = [...(known?.keys ?? []), ...given.keys.filter((each) => !isKnown(each))];
    const signatures = eachOnce([...(known?.signatures ?? []), ...given.signatures]);
    if (founders.size !== known?.founders.size || keys.length !== known.keys.length)
      this.namespaces.set(key, { ...given, founders, keys, signatures, since });
  }

  /** Whether enough of the owners of a shared namespace consent. */
  private isSpokenFor(
    synchronizerId: SynchronizerId,
    namespace: string,
    consents: ReadonlySet<string>,
  ): boolean {
    return this.namespacesOn(synchronizerId).some(
      (each) =>
        each.namespace === namespace &&
        isFounded(each) &&
        each.owners.filter((owner) => consents.has(owner)).length >= each.threshold,
    );
  }

  /**
   * Joins consents to those given before; hosts the party when nobody's is missing.
   * @param before who hosts it now
   * @param now when it is kept where somebody's is
   * @returns whose are missing
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
      this.expire(synchronizerId, hosting.party, serial);
      const signed = evidence && { transaction, ...evidence };
      this.host(commit, synchronizerId, hosting, before, signed);
    } else if (joined.size !== known?.consents.size) {
      const waiting = { hosting, transaction, serial, consents: joined, evidence };
      this.proposals.set(key, { ...waiting, since: now });
    }
    return missing;
  }

  /** What is in force takes the place of all that was proposed in its place, or before it (B-EXT-030). */
  private expire(synchronizerId: SynchronizerId, party: Party, upTo: number): void {
    for (const [key, { hosting, serial }] of on(this.proposals, synchronizerId))
      if (hosting.party === party && serial <= upTo) this.proposals.delete(key);
  }

  /** By others than participants, of exactly this transaction. */
  signaturesOf(
    party: Party,
    synchronizerId: SynchronizerId,
    transaction: Uint8Array,
  ): Evidence | undefined {
    const signed = this.get(party, synchronizerId)?.signed;
    return signed && Buffer.compare(signed.transaction, transaction) === 0 ? signed : undefined;
  }

  private host(
    commit: CommitTopology,
    synchronizerId: SynchronizerId,
    hosting: PartyHosting,
    before: Hosts,
    signed: SignedHosting | undefined,
  ): void {
    const { party, hosts, signing, threshold } = hosting;
    if (signing !== undefined)
      this.parties.set(keyOf(synchronizerId, party), {
        ...signing,
        confirmationThreshold: threshold,
        signed,
      });
    const isKept = (id: string): boolean => hosts.some(({ participantId }) => participantId === id);
    const left = [...before.keys()].filter((id) => !isKept(id));
    const events: TopologyEvent[] = [
      ...hosts.flatMap(({ participantId: id, permission }): TopologyEvent[] => {
        const participantId = id as ParticipantId;
        const known = before.get(participantId);
        if (known === permission) return [];
        return [{ kind: known ? 'changed' : 'added', party, participantId, permission }];
      }),
      ...left.map((participantId) => ({ kind: 'revoked' as const, party, participantId })),
    ];
    if (events.length === 0) return;
    commit({ kind: 'topology', synchronizerId, workflowId: '', events });
  }
}

/** Of the party's namespace, of the participants' that are new, and of every signing key. */
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

/** What came one after the other. */
function joinedEvidence(known: Evidence | undefined, given: Evidence | undefined) {
  if (known === undefined || given === undefined || known === given) return known ?? given;
  const joint = [...known.joint, ...given.joint];
  return { signatures: eachOnce([...known.signatures, ...given.signatures]), joint };
}

/** The first of each signer. */
const eachOnce = (signatures: readonly Signature[]): readonly Signature[] =>
  signatures.filter(
    ({ signedBy }, place) => signatures.findIndex((each) => each.signedBy === signedBy) === place,
  );

export const isFounded = ({ owners, founders }: SharedNamespace): boolean =>
  owners.every((owner) => founders.has(owner));

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
