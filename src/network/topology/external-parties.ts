/**
 * External parties on each synchronizer: who signs for them, and the hostings that still lack someone's consent. A hosting counts
 * once the party, each hosting participant and each new signing key have agreed to the very same transaction.
 */
import { toHex } from '../../daml/model/hash.js';
import { ledgerError, type LedgerError } from '../../daml/errors/ledger-error.js';
import { formatInstant } from '../../daml/model/time.js';
import type { Timestamp } from '../../daml/model/values.js';
import type { PartyHosting, SigningKeys } from './party-hosting.js';
import type { ParticipantId, Party, SynchronizerId } from '../ids.js';
import type { PartyPermission, TopologyEvent } from '../updates.js';
import { namespaceOf } from '../ids.js';
import { JournaledMap, type Journal } from '../journal/journal.js';

/** How long a mediator remembers requests: two days, Canton's default. */
const REQUEST_MEMORY = 48n * 3600n * 1_000_000n;

export interface ExternalParty extends SigningKeys {
  /** How many participants have to confirm. */
  readonly confirmationThreshold: number;
}

/** A hosting, and who has consented so far: fingerprints of namespaces and of keys. */
interface Proposal {
  readonly hosting: PartyHosting;
  /** The transaction, as it was signed. */
  readonly transaction: Uint8Array;
  readonly consents: ReadonlySet<string>;
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
  private readonly proposals: JournaledMap<string, Proposal>;
  private readonly requests: JournaledMap<string, Timestamp>;

  constructor(journal: Journal) {
    this.parties = new JournaledMap(journal, 'external-parties');
    this.proposals = new JournaledMap(journal, 'hosting-proposals');
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
  proposal(synchronizerId: SynchronizerId, hash: string): Omit<Proposal, 'consents'> | undefined {
    return this.proposals.get(keyOf(synchronizerId, hash));
  }

  /**
   * Joins consents to those given before; hosts the party when nobody's is missing.
   * @param before who hosts it now
   * @returns whose are missing
   */
  consent(
    commit: CommitTopology,
    synchronizerId: SynchronizerId,
    transactionHash: Uint8Array,
    { hosting, transaction, consents }: Proposal,
    before: Hosts,
  ): readonly string[] {
    const key = keyOf(synchronizerId, toHex(transactionHash));
    const joined = new Set([...(this.proposals.get(key)?.consents ?? []), ...consents]);
    const missing = requiredConsents(hosting, before).filter((each) => !joined.has(each));
    if (missing.length > 0) this.proposals.set(key, { hosting, transaction, consents: joined });
    else {
      this.proposals.delete(key);
      this.host(commit, synchronizerId, hosting, before);
    }
    return missing;
  }

  private host(
    commit: CommitTopology,
    synchronizerId: SynchronizerId,
    hosting: PartyHosting,
    before: Hosts,
  ): void {
    const { party, hosts, signing, threshold } = hosting;
    if (signing !== undefined)
      this.parties.set(keyOf(synchronizerId, party), {
        ...signing,
        confirmationThreshold: threshold,
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

function keyOf(synchronizerId: SynchronizerId, name: string): string {
  return `${synchronizerId}|${name}`;
}
