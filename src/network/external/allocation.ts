/**
 * Hosts external parties: verifies the signatures of the onboarding transactions, and adds this participant's consent.
 * A party of several participants is hosted after the request to the last of them (B-EXT-014).
 */
import { userIdError } from '../../daml/model/identifiers.js';
import type { LedgerError } from '../../daml/errors/ledger-error.js';
import { readPublicKey, type PartyKey, type Signature } from '../topology/party-keys.js';
import { memberKeys, participantMember } from '../topology/topology-transactions.js';
import type { Ledger } from '../ledger/ledger.js';
import { missingAuthorizations } from '../topology/topology-refusals.js';
import type { Proposal } from '../topology/external-parties.js';
import { requireMembers } from '../topology/mapping-checks.js';
import { isMember } from '../topology/mapping-log.js';
import type { Delegations } from '../topology/signed-mappings.js';
import { taken } from '../topology/store-rules.js';
import { logOn, storeOn } from '../topology/synchronizer-store.js';
import { Consents } from './consents.js';
import {
  checkSignatureForm,
  readOnboarding,
  readTransaction,
  type Onboarding,
  type OnboardingTransaction,
  type SignedTransaction,
} from './onboarding.js';
import { multiHash } from '../topology/party-hosting.js';
import {
  abbreviatedId,
  logicalSynchronizerId,
  namespaceOf,
  synchronizerIdError,
  type Party,
  type SynchronizerId,
} from '../model/ids.js';
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
  /** Whether a separate mapping of keys takes effect: over the Ledger API it does not (B-EXT-038). */
  readonly addsKeyMapping?: boolean;
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
  const userError = userId === '' ? undefined : userIdError(userId);
  if (userError !== undefined) throw invalidField('user_id', userError);
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
        requireMembers(
          onboarding.hosting.hosts.map(({ participantId }) => participantId),
          (id) => isMember(ledger, ledger.synchronizer(synchronizerId)!, id),
        );
      },
    );
    const covered = multiHash(transactions.map(({ hash }) => hash));
    const isWhole = isMeantToBeComplete(onboarding, multiHashSignatures);
    const joint = jointOf(transactions, multiHashSignatures);
    const consenting = new Consents(covered, multiHashSignatures, onboarding);
    const synchronizer = ledger.synchronizer(synchronizerId)!;
    const log = logOn(ledger, synchronizer);
    const add = (given: SignedTransaction, mustBeComplete: boolean): void => {
      const { signatures, ...transaction } = given;
      const signed = { transaction, signatures, joint, isProposal: !mustBeComplete };
      const accepted = taken(storeOn(ledger, synchronizer), signed, mustBeComplete);
      if (accepted !== undefined) log.add(accepted);
    };
    consenting.delegations().forEach((each) => add(each, false));
    const { hosting, hostingTransaction, keyMapping } = onboarding;
    if (keyMapping !== undefined && allocation.addsKeyMapping) add(keyMapping, isWhole);
    const now = ledger.clock.now();
    const definition = consenting.definition();
    if (definition !== undefined) ledger.externalParties.found(synchronizerId, definition, now);
    const { delegations } = log;
    const consents = consenting.all([
      ...hostKeys(ledger, onboarding),
      ...delegations
        .keysOf(namespaceOf(party), 'PartyToParticipant')
        .flatMap((all) => all.map(({ key }) => key)),
    ]);
    const proposal = ledger.externalParties.joined(synchronizerId, hostingTransaction.hash, {
      hosting,
      transaction: hostingTransaction.encoded,
      serial: hostingTransaction.serial,
      evidence: { signatures: hostingTransaction.signatures, joint },
      consents: new Set([...consents, participant.namespace]),
    });
    const missing = missingFrom(proposal, delegations);
    if (missing.length > 0 && isWhole) throw missingConsents(missing, onboarding);
    ledger.externalParties.propose(
      (content) => ledger.commit(content),
      synchronizerId,
      hostingTransaction.hash,
      proposal,
      missing.length === 0,
      now,
    );
    parties.remember(party, {}, idp);
    if (userId !== '') users.grant(userId, [{ kind: 'CanActAs', party }], idp);
    return party;
  });
}

/** The consents that the hosting lacks: of the party's namespace, of its hosts' namespaces, and of every signing key. */
function missingFrom(
  { hosting: { party, hosts, signing }, consents }: Proposal,
  delegations: Delegations,
): readonly string[] {
  const namespaces = [party, ...hosts.map(({ participantId }) => participantId)].map(namespaceOf);
  const isSpokenFor = (namespace: string): boolean =>
    delegations.isSpokenFor(namespace, 'PartyToParticipant', consents);
  const keys = (signing?.keys ?? []).map(({ fingerprint }) => fingerprint);
  return [...new Set([...namespaces.filter((each) => !isSpokenFor(each)), ...keys])].filter(
    (each) => !consents.has(each),
  );
}

/** The signatures of all transactions together. */
function jointOf(
  transactions: readonly { readonly hash: Uint8Array }[],
  signatures: readonly Signature[],
) {
  const hashes = transactions.map(({ hash }) => hash);
  return signatures.length === 0 ? [] : [{ hashes, signatures }];
}

/** The synchronizer of a logical or physical id; only the logical part of a physical id counts. */
function connectedSynchronizer(participant: Participant, given: string): SynchronizerId {
  if (given === '') throw missingField('synchronizer');
  const error = synchronizerIdError(given, participant.protocolVersions);
  if (error !== undefined) throw invalidField('synchronizer', error);
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

/** The topology manager's error for an existing mapping is an invalid argument for the client. */
function requireReachable({ hosting }: Onboarding): void {
  const { signing } = hosting;
  if (signing !== undefined && signing.threshold > signing.keys.length)
    throw invalidArgument(
      `Tried to set a signing threshold (${signing.threshold}) above the number of signing keys (${signing.keys.length}).`,
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

function missingConsents(missing: readonly string[], { hosting }: Onboarding): LedgerError {
  const keys = new Set(hosting.signing?.keys.map(({ fingerprint }) => fingerprint));
  const namespaces = missing.filter(
    (each) => !keys.has(each) || each === namespaceOf(hosting.party),
  );
  return missingAuthorizations(
    namespaces,
    missing.filter((each) => keys.has(each)),
  );
}
