/**
 * Hosts external parties: verifies the signatures of the onboarding transactions, and adds this participant's consent.
 * A party of several participants is hosted after the request to the last of them (B-EXT-014).
 */
import { userIdFault } from '../../daml/model/identifiers.js';
import { scalaList } from '../../daml/errors/scala-text.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { readPublicKey, type PartyKey, type Signature } from '../topology/party-keys.js';
import { memberKeys, participantMember } from '../topology/topology-transactions.js';
import type { Ledger } from '../ledger/ledger.js';
import { missingAuthorizations, topologyRefusal } from '../topology/topology-refusals.js';
import { Consents } from './consents.js';
import {
  checkSignatureForm,
  readOnboarding,
  readTransaction,
  type Onboarding,
  type OnboardingTransaction,
  type SignedTransaction,
} from './onboarding.js';
import { multiHash, type PartyHosting } from '../topology/party-hosting.js';
import {
  abbreviatedId,
  logicalSynchronizerId,
  namespaceOf,
  synchronizerIdFault,
  type ParticipantId,
  type Party,
  type SynchronizerId,
} from '../model/ids.js';
import type { PartyPermission } from '../model/updates.js';
import { loggedIn, PLAIN } from '../../daml/errors/logging-context.js';
import { trackedContext } from '../administration/tracked-context.js';
import { requestedIdentityProvider } from '../administration/identity-provider.js';
import { requireQuota } from '../administration/user-rights.js';
import type { Participant } from '../participant.js';
import { invalidArgument, invalidField, missingField } from '../model/request-errors.js';

interface ExternalAllocation {
  /** Logical or physical id. */
  readonly synchronizer: string;
  readonly onboardingTransactions: readonly OnboardingTransaction[];
  /** Signatures of all transactions together. */
  readonly multiHashSignatures?: readonly Signature[];
  readonly identityProviderId?: string;
  /** A user that gets the right to act as the party. */
  readonly userId?: string;
  /** How many parties the user may have rights for; absent for no limit. */
  readonly partyQuota?: number | undefined;
  /** Whether to add only the signatures of others: this participant consents in a separate request. */
  readonly withoutOwnConsent?: boolean;
}

/**
 * All or nothing. If consents are missing, the party is not hosted yet, but the answer is the same.
 * @throws LedgerError INVALID_FIELD, INVALID_ARGUMENT, USER_NOT_FOUND, PERMISSION_DENIED, TOPOLOGY_…
 */
export function allocateExternalParty(
  participant: Participant,
  allocation: ExternalAllocation,
): Party {
  const synchronizerId = connectedSynchronizer(participant, allocation.synchronizer);
  const transactions = allocation.onboardingTransactions.map(readTransaction);
  if (transactions.length === 0)
    throw invalidField('onboarding_transactions.transactions', 'Transactions field is empty');
  const multiHashSignatures = allocation.multiHashSignatures ?? [];
  for (const signature of multiHashSignatures)
    checkSignatureForm(signature, 'multi_hash_signatures.signatures');
  const idp = requestedIdentityProvider(allocation.identityProviderId, 'identity_provider_id');
  const { userId = '' } = allocation;
  const userFault = userId === '' ? undefined : userIdFault(userId);
  if (userFault !== undefined) throw invalidField('user_id', userFault);
  const onboarding = readOnboarding(participant.id, transactions, multiHashSignatures);
  const { party } = onboarding.hosting;
  const { ledger, parties, users } = participant;
  return ledger.journal.atomically(() => {
    participant.identityProviders.require(idp);
    if (userId !== '')
      loggedIn(PLAIN, () => {
        const user = users.find(userId, idp, "checking user's existence");
        requireQuota(user, allocation.partyQuota);
      });
    parties.requireOwn(party, idp);
    loggedIn(
      () => trackedContext(participant.id, party),
      () => {
        requireNew(participant, onboarding, synchronizerId);
        requireReachable(onboarding);
        requireMembers(participant, onboarding.hosting, synchronizerId);
      },
    );
    const covered = multiHash(transactions.map(({ hash }) => hash));
    const hosts = [
      ...hostKeys(participant.ledger, onboarding),
      ...ownerKeys(participant.ledger, onboarding, synchronizerId),
    ];
    const { consents, shared } = new Consents(
      covered,
      multiHashSignatures,
      onboarding,
      hosts,
    ).all();
    const now = ledger.clock.now();
    if (shared !== undefined) ledger.externalParties.found(synchronizerId, shared, now);
    const { hosting, hostingTransaction } = onboarding;
    const { withoutOwnConsent = false } = allocation;
    const missing = ledger.externalParties.consent(
      (content) => ledger.commit(content),
      synchronizerId,
      hostingTransaction.hash,
      {
        hosting,
        transaction: hostingTransaction.encoded,
        serial: hostingTransaction.serial,
        evidence: evidenceOf(hostingTransaction, transactions, multiHashSignatures),
        consents: withoutOwnConsent ? consents : new Set([...consents, participant.namespace]),
      },
      NO_HOSTS,
      now,
    );
    if (withoutOwnConsent) return party;
    if (missing.length > 0 && isMeantToBeComplete(onboarding, multiHashSignatures))
      throw missingConsents(missing, onboarding);
    parties.remember(party, {}, idp);
    if (userId !== '') users.grant(userId, [{ kind: 'CanActAs', party }], idp);
    return party;
  });
}

/** The signatures of the hosting alone, and of all transactions together. */
function evidenceOf(
  { signatures }: SignedTransaction,
  transactions: readonly { readonly hash: Uint8Array }[],
  multiHashSignatures: readonly Signature[],
) {
  const hashes = transactions.map(({ hash }) => hash);
  const joint =
    multiHashSignatures.length === 0 ? [] : [{ hashes, signatures: multiHashSignatures }];
  return { signatures, joint };
}

/** The hosts of a new party. */
const NO_HOSTS: ReadonlyMap<ParticipantId, PartyPermission> = new Map();

/** The synchronizer of a logical or physical id; only the logical part of a physical id counts. */
function connectedSynchronizer(participant: Participant, given: string): SynchronizerId {
  if (given === '') throw missingField('synchronizer');
  const fault = synchronizerIdFault(given);
  if (fault !== undefined) throw invalidField('synchronizer', fault);
  const id = logicalSynchronizerId(given);
  const known = participant.ledger.synchronizers.find((each) => each.id === id);
  if (known !== undefined && participant.isConnectedTo(known.id)) return known.id;
  throw invalidArgument(
    `This node is not connected to the requested synchronizer ${abbreviatedId(id)}.`,
  );
}

function requireNew(
  participant: Participant,
  { hosting }: Onboarding,
  synchronizerId: SynchronizerId,
): void {
  const { ledger } = participant;
  if (ledger.topology.hosts(hosting.party, synchronizerId).size > 0)
    throw invalidArgument(
      `Party ${abbreviatedId(hosting.party)} already exists on synchronizer ${abbreviatedId(synchronizerId)}`,
    );
}

/** @throws LedgerError TOPOLOGY_UNKNOWN_MEMBERS */
export function requireMembers(
  { ledger }: Participant,
  hosting: PartyHosting,
  synchronizerId: SynchronizerId,
): void {
  const unknown = hosting.hosts
    .map(({ participantId }) => participantId)
    .filter(
      (id) => !ledger.members.some((each) => each.id === id && each.isConnectedTo(synchronizerId)),
    );
  if (unknown.length === 0) return;
  const members = unknown.sort().map((id) => `PAR::${abbreviatedId(id)}`);
  throw topologyRefusal('TOPOLOGY_UNKNOWN_MEMBERS', `Members ${members.join(', ')} are unknown.`, {
    members: scalaList(members),
  });
}

/** The topology manager's error for an existing mapping is an invalid argument for the client. */
function requireReachable({ hosting }: Onboarding): void {
  const { threshold, keys } = hosting.signing!;
  if (threshold > keys.length)
    throw invalidArgument(
      `Tried to set a signing threshold (${threshold}) above the number of signing keys (${keys.length}).`,
    );
  if (hosting.threshold > hosting.hosts.length)
    throw invalidArgument(
      `Tried to set a confirming threshold (${hosting.threshold}) above the number of hosting nodes (${hosting.hosts.length}).`,
    );
}

/** Namespace keys of the participants that will host: their external signatures count as consents. */
function hostKeys(ledger: Ledger, { hosting }: Onboarding): readonly PartyKey[] {
  return ledger.members
    .filter(({ id }) => hosting.hosts.some(({ participantId }) => participantId === id))
    .flatMap(({ id, name }) => {
      const { root } = memberKeys(ledger.random, participantMember(id, name));
      const key = readPublicKey(root);
      return typeof key === 'string' ? [] : [key];
    });
}

/** The owners' keys, if the party's namespace is known to be decentralized. */
function ownerKeys(
  { externalParties }: Ledger,
  { hosting }: Onboarding,
  synchronizerId: SynchronizerId,
): readonly PartyKey[] {
  const namespace = namespaceOf(hosting.party);
  return externalParties
    .namespacesOn(synchronizerId)
    .filter((each) => each.namespace === namespace)
    .flatMap(({ keys }) => keys);
}

/**
 * Whether a namespace key signed, validly or not, and only this participant will host the party: then no signature may
 * be missing.
 */
function isMeantToBeComplete(
  { hosting, hostingTransaction, namespace }: Onboarding,
  multiHashSignatures: readonly Signature[],
): boolean {
  if (hosting.hosts.length > 1 || namespace?.kind === 'decentralized') return false;
  const signatures = [...hostingTransaction.signatures, ...multiHashSignatures];
  return (
    namespace !== undefined ||
    signatures.some(({ signedBy }) => signedBy === namespaceOf(hosting.party))
  );
}

export function missingConsents(
  missing: readonly string[],
  { hosting }: Pick<Onboarding, 'hosting'>,
): LedgerError {
  const keys = new Set(hosting.signing?.keys.map(({ fingerprint }) => fingerprint));
  const namespaces = missing.filter(
    (each) => !keys.has(each) || each === namespaceOf(hosting.party),
  );
  // The hosting needs signatures of the keys that it names, not of keys in a separate mapping.
  const isMapped = hosting.signing?.isMappedApart === true;
  const extra = missing.filter(
    (each) => keys.has(each) && !(isMapped && each === namespaceOf(hosting.party)),
  );
  return missingAuthorizations(namespaces, extra);
}
