/**
 * `TopologyManagerWriteService`, as far as external parties and other hosts of parties need it. It covers
 * transactions made from mappings, transactions signed by the party's keys, and this participant's signatures on
 * them. Additions for new parties follow the rules of `AllocateExternalParty`. Other hosts of a party, vetted
 * packages and temporary stores are stores that are written.
 * NOTE: the hosting itself decides what a key may sign. A delegation or keys without a hosting are not served.
 */
import { formatInstant } from '../../../daml/model/time.js';
import { LedgerError, ledgerError } from '../../../daml/errors/ledger-error.js';
import { allocateExternalParty } from '../../../network/external/allocation.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import { base64, fromBase64, readSignature } from '../../ledger-api/formats/crypto-messages.js';
import { connected, type AdminContext } from '../admin-context.js';
import { NotServed } from '../not-served.js';
import { fingerprint } from '../parsing/fields.js';
import { parsed, reading } from '../parsing/parsed.js';
import { forceFlags, storeReference, type StoreReference } from '../parsing/topology.js';
import { hostingStore } from './hosting-store.js';
import { namespaceStore } from './namespace-store.js';
import { storesOf } from './stores.js';
import {
  readAny,
  readKnown,
  storeWrites,
  type Proposed,
  type WritableStore,
} from './store-writes.js';
import { temporaryStore, temporaryStores } from './temporary-stores.js';
import { vettingStore } from './vetting-store.js';
import {
  checkSigning,
  checkTransaction,
  checkWait,
  firstOf,
  readAuthorization,
  readProposal,
  type Addition,
  type Authorization,
  type Proposals,
  type ReadAuthorization,
  type ReadSigning,
  type Signing,
} from './write-requests.js';

const generateTransactions = parsed(
  ({ proposals }: Proposals) =>
    proposals.map((each) => {
      const proposed = readProposal(each, each.operation, 'mapping', () => {});
      return { proposed, store: storeReference(each.store) };
    }),
  (context, proposals) => ({
    generatedTransactions: proposals.map(({ proposed, store }) => {
      const first = readKnown(firstOf(proposed));
      const [target] = targetsOf(context, store);
      // The participant's own store has no parties.
      const isOwn = store.kind === 'authorized' && first.mapping.kind === 'PartyToParticipant';
      const written = isOwn ? undefined : writable(context, target, [first.mapping.kind]);
      // Without one it is the first.
      const { hash, encoded } = written
        ? within(target, () => storeWrites.generate(written, proposed))
        : first;
      return { serializedTransaction: base64(encoded), transactionHash: base64(hash) };
    }),
  }),
);

/** The store to write: a synchronizer's, or a temporary one. */
type Target =
  | { readonly kind: 'synchronizer'; readonly synchronizer: Synchronizer }
  | { readonly kind: 'temporary'; readonly name: string };

/** Writes to the participant's own store go to every synchronizer. @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
function targetsOf(context: AdminContext, store: StoreReference): readonly [Target, ...Target[]] {
  const found =
    store.kind === 'authorized'
      ? connected(context).map((synchronizer) => ({ kind: 'synchronizer', synchronizer }) as const)
      : storesOf(context, store).flatMap((each) => (each.kind === 'authorized' ? [] : [each]));
  const [first, ...more] = found;
  if (first !== undefined) return [first, ...more];
  throw ledgerError('TOPOLOGY_STORE_NOT_FOUND', {
    cause: `Topology store 'Authorized' is not known.`,
    context: { storeId: 'Authorized' },
  });
}

/** Runs the operation of a store's manager; its errors name the store. */
function within<T>(target: Target, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof LedgerError) || !error.code.startsWith('TOPOLOGY_')) throw error;
    const { details } = error;
    const own: Readonly<Record<string, string>> =
      target.kind === 'temporary'
        ? { store: target.name }
        : { psid: target.synchronizer.printedId };
    throw new LedgerError(error.code, { ...details, context: { ...details.context, ...own } });
  }
}

/**
 * The store with its write rules: a temporary store, a synchronizer's store of party hosts, or its store of vetted
 * packages. Undefined where what is written follows from what parties are.
 */
function writable(
  context: AdminContext,
  target: Target,
  kinds: readonly string[],
): WritableStore | undefined {
  if (target.kind === 'temporary') return temporaryStore(context, target.name);
  const isAll = (kind: string): boolean => kinds.length > 0 && kinds.every((each) => each === kind);
  if (isAll('VettedPackages')) return vettingStore(context, target.synchronizer);
  if (isAll('DecentralizedNamespaceDefinition'))
    return namespaceStore(context, target.synchronizer);
  return isAll('PartyToParticipant') ? hostingStore(context, target.synchronizer) : undefined;
}

/** The mappings that may accompany the hosting of a party. */
const OF_PARTIES: readonly string[] = [
  'NamespaceDelegation',
  'DecentralizedNamespaceDefinition',
  'PartyToParticipant',
  'PartyToKeyMapping',
];

/**
 * NOTE: as on a participant, the store is resolved before the transactions are read.
 * @throws LedgerError as AllocateExternalParty @throws NotServed
 */
function addTransactions(
  context: AdminContext,
  { request, store }: { readonly request: Addition; readonly store: StoreReference },
): object {
  const { transactions, forceChanges } = request;
  const targets = targetsOf(context, store);
  reading(() => {
    forceFlags(forceChanges);
    transactions.forEach(checkTransaction);
    checkWait(request.waitToBecomeEffective);
  });
  const onboardingTransactions = transactions.map(({ transaction, signatures }) => ({
    transaction: fromBase64(transaction),
    signatures: signatures.map(readSignature),
  }));
  const kinds = onboardingTransactions.map(({ transaction }) => readAny(transaction).mapping.kind);
  const isOfRules =
    targets[0].kind === 'temporary' ||
    ['VettedPackages', 'DecentralizedNamespaceDefinition'].some((rule) =>
      kinds.every((kind) => kind === rule),
    );
  if (kinds.length === 0) return {};
  if (isOfRules) {
    context.network.journal.atomically(() => {
      for (const target of targets) {
        const written = writable(context, target, kinds)!;
        within(target, () => storeWrites.add(context, written, transactions, forceChanges));
      }
    });
    return {};
  }
  const others = kinds.find((kind) => !OF_PARTIES.includes(kind));
  if (others !== undefined) throw new NotServed(`${others} in the store of a synchronizer`);
  const [target] = targets;
  if (target.kind !== 'synchronizer') return {};
  if (!kinds.includes('PartyToParticipant')) {
    const { synchronizer } = target;
    within(target, () => storeWrites.check(hostingStore(context, synchronizer), transactions));
    throw new NotServed(`${kinds[0]!} without the PartyToParticipant that it is for`);
  }
  within(target, () =>
    allocateExternalParty(context.participant, {
      synchronizer: target.synchronizer.id,
      onboardingTransactions,
      multiHashSignatures: transactions
        .flatMap((each) => each.multiTransactionSignatures)
        .flatMap(({ signatures }) => signatures.map(readSignature)),
      withoutOwnConsent: true,
    }),
  );
  return {};
}

/**
 * Authorizes a proposal, or another hosting of a party.
 * @throws LedgerError TOPOLOGY_TRANSACTION_NOT_FOUND, TOPOLOGY_UNAUTHORIZED_TRANSACTION, …
 * @throws NotServed
 */
function authorize(context: AdminContext, { request, store, subject }: ReadAuthorization): object {
  const targets = targetsOf(context, store);
  if ('proposed' in subject) return authorizeMapping(context, request, targets, subject.proposed);
  reading(() => checkSigning(request));
  const { signedBy, forceChanges: force, mustFullyAuthorize } = request;
  const { hash } = subject;
  const choice = { signedBy, force };
  for (const target of targets) {
    const transaction = within(target, () => {
      for (const store of storesWithHashes(context, target)) {
        const accepted = storeWrites.accept(context, store, hash, choice, mustFullyAuthorize);
        if (accepted !== undefined) return accepted;
      }
      return undefined;
    });
    if (transaction !== undefined) return { transaction };
  }
  return within(targets[0], () => {
    throw notFound(context, hash);
  });
}

/** The stores where a transaction may be authorized by its hash. */
function storesWithHashes(context: AdminContext, target: Target): readonly WritableStore[] {
  if (target.kind === 'temporary') return [temporaryStore(context, target.name)];
  return [hostingStore, namespaceStore].map((of) => of(context, target.synchronizer));
}

/** @param hash a multihash in hexadecimal digits, whose first four name the hash function */
function notFound({ network }: AdminContext, hash: string): LedgerError {
  const txHash = `SHA-256:${hash.slice(4, 16)}...`;
  const effective = `EffectiveTime(${formatInstant(network.clock.now())})`;
  return ledgerError('TOPOLOGY_TRANSACTION_NOT_FOUND', {
    cause: `Topology transaction with hash TxHash(${txHash}) does not exist or is not active or is not an active proposal at ${effective}`,
    context: { txHash, effective },
  });
}

/** On the named synchronizer; for the participant's own store, on every one. */
function authorizeMapping(
  context: AdminContext,
  { signedBy, forceChanges: force, mustFullyAuthorize }: Authorization,
  targets: readonly Target[],
  proposed: Proposed,
): object {
  const { mapping } = readKnown(firstOf(proposed));
  const written = targets.map((target) => ({
    target,
    store: writable(context, target, [mapping.kind]),
  }));
  const [transaction] = context.network.journal.atomically(() =>
    written.map(({ target, store }) => {
      if (store === undefined) throw unserved(context, target, mapping);
      const choice = { signedBy, force };
      return within(target, () =>
        storeWrites.authorize(context, store, proposed, choice, mustFullyAuthorize),
      );
    }),
  );
  return { transaction };
}

/** A certificate for another synchronizer cannot be used in a synchronizer's store. */
function unserved(
  { network }: AdminContext,
  target: Target,
  mapping: ReturnType<typeof readKnown>['mapping'],
): Error {
  const isElsewhere =
    mapping.kind === 'SynchronizerTrustCertificate' &&
    target.kind === 'synchronizer' &&
    mapping.synchronizerId !== target.synchronizer.id;
  if (!isElsewhere) return new NotServed(`${mapping.kind} outside of temporary topology stores`);
  const effectiveTime = `EffectiveTime(${formatInstant(network.clock.now())})`;
  return ledgerError('TOPOLOGY_MISSING_MAPPING', {
    cause: `Missing synchronizer parameters at ${effectiveTime}`,
    context: { effectiveTime, psid: target.synchronizer.printedId },
  });
}

/**
 * The store for signing a mapping of any kind.
 * @throws LedgerError for an unknown temporary store
 */
function signingStore(context: AdminContext, target: Target): WritableStore {
  return target.kind === 'temporary'
    ? temporaryStore(context, target.name)
    : hostingStore(context, target.synchronizer);
}

/** @throws LedgerError TOPOLOGY_SECRET_KEY_NOT_IN_STORE, TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE */
function signTransactions(context: AdminContext, { request, store }: ReadSigning) {
  const { transactions, signedBy, forceFlags: force } = request;
  const [target] = targetsOf(context, store);
  return {
    transactions: transactions.map((each) => {
      const { kind } = readKnown(fromBase64(each.transaction)).mapping;
      const written = writable(context, target, [kind]) ?? signingStore(context, target);
      return within(target, () => storeWrites.sign(context, written, each, { signedBy, force }));
    }),
  };
}

export const topologyWrites = {
  ...temporaryStores,
  generateTransactions,
  addTransactions: parsed(
    (request: Addition) => ({ request, store: storeReference(request.store) }),
    addTransactions,
  ),
  authorize: parsed(readAuthorization, authorize),
  signTransactions: parsed((request: Signing): ReadSigning => {
    request.transactions.forEach(checkTransaction);
    request.signedBy.forEach(fingerprint);
    forceFlags(request.forceFlags);
    return { request, store: storeReference(request.store) };
  }, signTransactions),
};
