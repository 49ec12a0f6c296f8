/**
 * `TopologyManagerWriteService`: transactions made from mappings, added, signed, and authorized by this participant.
 * NOTE: parameters, states and permissions of a synchronizer are not served.
 */
import { formatInstant } from '../../../daml/model/time.js';
import { LedgerError, ledgerError } from '../../../daml/errors/ledger-error.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import type { TopologyMapping } from '../../../network/topology/party-hosting.js';
import { base64, fromBase64 } from '../../ledger-api/formats/crypto-messages.js';
import { connected, type AdminContext } from '../admin-context.js';
import { fingerprint } from '../parsing/fields.js';
import { parsed, reading } from '../parsing/parsed.js';
import { forceFlags, storeReference, type StoreReference } from '../parsing/topology.js';
import { storesOf } from './stores.js';
import { isLogged, ownStore, synchronizerStore } from './synchronizer-store.js';
import { readKnown, storeWrites, type Proposed, type WritableStore } from './store-writes.js';
import { temporaryStore, temporaryStores } from './temporary-stores.js';
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
  ({ proposals }: Proposals, supported) =>
    proposals.map((each) => {
      const proposed = readProposal(each, each.operation, 'mapping', () => {});
      return { proposed, store: storeReference(each.store, supported) };
    }),
  (context, proposals) => ({
    generatedTransactions: proposals.map(({ proposed, store }) => {
      const first = readKnown(firstOf(proposed));
      const { kind } = first.mapping;
      const [target] = targetsOf(context, store, first.mapping);
      // The participant's own store has no parties: the transaction is the first.
      const isOwn = store.kind === 'authorized' && kind === 'PartyToParticipant';
      const { hash, encoded } = isOwn
        ? first
        : within(target, () => storeWrites.generate(target.store, proposed));
      return { serializedTransaction: base64(encoded), transactionHash: base64(hash) };
    }),
  }),
);

/** A store to write. */
interface Target {
  readonly store: WritableStore;
  /** The store's entry in the context of errors. */
  readonly context: Readonly<Record<string, string>>;
}

/**
 * Delegations and keys in the participant's own store are sent to synchronizers. Other writes to it go to every
 * synchronizer.
 * @param mapping the mapping that is written
 * @throws LedgerError TOPOLOGY_STORE_NOT_FOUND
 */
function targetsOf(
  context: AdminContext,
  reference: StoreReference,
  mapping?: TopologyMapping,
): readonly [Target, ...Target[]] {
  if (reference.kind === 'authorized' && mapping !== undefined && isLogged(mapping.kind))
    return [ownTarget(context)];
  const found =
    reference.kind === 'authorized'
      ? receiversOf(context, mapping).map((each) => synchronizerTarget(context, each))
      : storesOf(context, reference).flatMap((each): readonly Target[] => {
          if (each.kind === 'synchronizer') return [synchronizerTarget(context, each.synchronizer)];
          if (each.kind === 'authorized') return [];
          return [{ store: temporaryStore(context, each.name), context: { store: each.name } }];
        });
  const [first, ...more] = found;
  if (first !== undefined) return [first, ...more];
  throw ledgerError('TOPOLOGY_STORE_NOT_FOUND', {
    cause: `Topology store 'Authorized' is not known.`,
    context: { storeId: 'Authorized' },
  });
}

const ownTarget = (context: AdminContext): Target => ({ store: ownStore(context), context: {} });

/** A certificate is for one synchronizer, and other mappings for each one. */
function receiversOf(context: AdminContext, mapping: TopologyMapping | undefined) {
  const all = connected(context);
  if (mapping?.kind !== 'SynchronizerTrustCertificate') return all;
  const named = all.filter(({ id }) => id === mapping.synchronizerId);
  return named.length > 0 ? named : all;
}

const synchronizerTarget = (context: AdminContext, synchronizer: Synchronizer): Target => ({
  store: synchronizerStore(context, synchronizer),
  context: { psid: synchronizer.printedId },
});

/** Runs the operation of a store's manager; its errors name the store. */
function within<T>(target: Target, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof LedgerError) || !error.code.startsWith('TOPOLOGY_')) throw error;
    const { details } = error;
    const context = { ...details.context, ...target.context };
    throw new LedgerError(error.code, { ...details, context });
  }
}

/**
 * NOTE: as on a participant, the store is resolved before the transactions are read.
 * @throws LedgerError as a topology manager @throws NotServed
 */
function addTransactions(
  context: AdminContext,
  { request, store }: { readonly request: Addition; readonly store: StoreReference },
): object {
  const { transactions, forceChanges } = request;
  targetsOf(context, store);
  reading(() => {
    forceFlags(forceChanges);
    transactions.forEach(checkTransaction);
    checkWait(request.waitToBecomeEffective);
  });
  const mappings = transactions.map(
    ({ transaction }) => readKnown(fromBase64(transaction)).mapping,
  );
  context.network.journal.atomically(() => {
    transactions.forEach((each, index) => {
      for (const target of targetsOf(context, store, mappings[index]))
        within(target, () => storeWrites.add(context, target.store, [each], forceChanges));
    });
  });
  return {};
}

/**
 * Authorizes a proposal, or another mapping.
 * @throws LedgerError TOPOLOGY_TRANSACTION_NOT_FOUND, TOPOLOGY_UNAUTHORIZED_TRANSACTION, …
 * @throws NotServed
 */
function authorize(context: AdminContext, { request, store, subject }: ReadAuthorization): object {
  if ('proposed' in subject) return authorizeMapping(context, request, store, subject.proposed);
  const targets = targetsOf(context, store);
  const own = store.kind === 'authorized' ? [ownTarget(context)] : [];
  reading(() => checkSigning(request));
  const { signedBy, forceChanges: force, mustFullyAuthorize } = request;
  const { hash } = subject;
  const choice = { signedBy, force };
  for (const target of [...own, ...targets]) {
    const transaction = within(target, () =>
      storeWrites.accept(context, target.store, hash, choice, mustFullyAuthorize),
    );
    if (transaction !== undefined) return { transaction };
  }
  return within(targets[0], () => {
    throw notFound(context, hash);
  });
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
  reference: StoreReference,
  proposed: Proposed,
): object {
  const { mapping } = readKnown(firstOf(proposed));
  const targets = targetsOf(context, reference, mapping);
  const choice = { signedBy, force };
  const [transaction] = context.network.journal.atomically(() =>
    targets.map((target) =>
      within(target, () =>
        storeWrites.authorize(context, target.store, proposed, choice, mustFullyAuthorize),
      ),
    ),
  );
  return { transaction };
}

/** @throws LedgerError TOPOLOGY_SECRET_KEY_NOT_IN_STORE, TOPOLOGY_NO_APPROPRIATE_SIGNING_KEY_IN_STORE */
function signTransactions(context: AdminContext, { request, store }: ReadSigning) {
  const { transactions, signedBy, forceFlags: force } = request;
  return {
    transactions: transactions.map((each) => {
      const { mapping } = readKnown(fromBase64(each.transaction));
      const [target] = targetsOf(context, store, mapping);
      return within(target, () =>
        storeWrites.sign(context, target.store, each, { signedBy, force }),
      );
    }),
  };
}

export const topologyWrites = {
  ...temporaryStores,
  generateTransactions,
  addTransactions: parsed(
    (request: Addition, supported) => ({
      request,
      store: storeReference(request.store, supported),
    }),
    addTransactions,
  ),
  authorize: parsed(readAuthorization, authorize),
  signTransactions: parsed((request: Signing, supported): ReadSigning => {
    request.transactions.forEach(checkTransaction);
    request.signedBy.forEach(fingerprint);
    forceFlags(request.forceFlags);
    return { request, store: storeReference(request.store, supported) };
  }, signTransactions),
};
