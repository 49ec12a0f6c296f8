/** The proposals on a synchronizer, as in its store: every node there sees them, including proposals that ended. */
import { toHex } from '../../../daml/model/hash.js';
import type { Timestamp } from '../../../daml/model/values.js';
import type { Synchronizer } from '../../../network/synchronizer.js';
import { isFounded, serialOf } from '../../../network/topology/external-parties.js';
import {
  decodeTopologyTransaction,
  type PartyHosting,
  type TopologyMapping,
} from '../../../network/topology/party-hosting.js';
import type { StoredMapping } from '../../../network/topology/signed-mappings.js';
import type { AdminContext } from '../admin-context.js';
import { wordsOf, type Known } from './listings.js';
import { readKnown } from './store-writes.js';

type Of<K extends TopologyMapping['kind']> = Omit<Extract<TopologyMapping, { kind: K }>, 'kind'>;
type Waiting = ReturnType<AdminContext['network']['externalParties']['proposalsOn']>[number];
type Shared = ReturnType<AdminContext['network']['externalParties']['namespacesOn']>[number];

function proposedHosting(
  { network }: AdminContext,
  { transaction: encoded, since, consents, evidence }: Waiting,
  { until, isProposal = true }: { readonly until?: Timestamp; readonly isProposal?: boolean } = {},
): Known<PartyHosting> {
  const { serial, hash, mapping, replaces } = decodeTopologyTransaction(encoded);
  const signedBy = [...consents];
  const said = { since, until, replaces, serial, hash, encoded, signedBy, isProposal };
  const entry = wordsOf(network, said, evidence);
  return { mapping: mapping as unknown as PartyHosting, entry };
}

/** Hostings that lack signatures, and proposals that ended. */
export function proposedHostings(context: AdminContext, { id }: Synchronizer) {
  const { externalParties } = context.network;
  return inOrder([
    ...externalParties
      .pastProposalsOn(id)
      .filter(({ isAuthorized }) => !isAuthorized)
      .map(({ was, until }) => proposedHosting(context, was, { until })),
    ...externalParties.proposalsOn(id).map((each) => proposedHosting(context, each)),
  ]);
}

/** The latest proposal with this hash, also if it has ended. @param hash hexadecimal */
export function hostingByHash(
  context: AdminContext,
  { id }: Synchronizer,
  hash: string,
): StoredMapping | undefined {
  const { externalParties } = context.network;
  const waiting = externalParties.proposal(id, hash);
  if (waiting !== undefined) return storedOf(proposedHosting(context, waiting));
  const past = externalParties
    .pastProposalsOn(id)
    .map(({ was, until, isAuthorized }) =>
      isAuthorized
        ? proposedHosting(context, was, { isProposal: false })
        : proposedHosting(context, was, { until }),
    )
    .filter(({ entry }) => toHex(entry.hash) === hash);
  const latest = past[past.length - 1];
  return latest && storedOf(latest);
}

function sharedNamespace(
  { network }: AdminContext,
  shared: Shared,
  until?: Timestamp,
): Known<Of<'DecentralizedNamespaceDefinition'>> {
  const { namespace, threshold, owners, hash, founders, since } = shared;
  const { transaction: encoded, signatures } = shared;
  const isProposal = !isFounded(shared);
  const signedBy = [...founders];
  const [serial, replaces] = [serialOf(shared), !shared.isRemoved];
  const said = { since, until, replaces, serial, hash, encoded, signedBy, isProposal };
  const entry = wordsOf(network, said, { signatures, joint: [] });
  return { mapping: { namespace, threshold, owners }, entry };
}

/** Decentralized namespaces: proposed and founded ones, and proposals that ended. */
export function sharedNamespaces(context: AdminContext, { id }: Synchronizer) {
  const { externalParties } = context.network;
  return inOrder([
    ...externalParties
      .pastNamespacesOn(id)
      .map(({ was, until }) => sharedNamespace(context, was, until)),
    ...externalParties.namespacesOn(id).map((each) => sharedNamespace(context, each)),
  ]);
}

/** Like {@link hostingByHash}, for namespaces. */
export function namespaceByHash(
  context: AdminContext,
  synchronizer: Synchronizer,
  hash: string,
): StoredMapping | undefined {
  const all = sharedNamespaces(context, synchronizer).filter(
    ({ entry }) => toHex(entry.hash) === hash,
  );
  const latest = all[all.length - 1];
  return latest && storedOf(latest);
}

const storedOf = ({ entry }: Known<unknown>): StoredMapping => ({
  transaction: readKnown(entry.encoded),
  ...entry.signed(),
  isProposal: entry.isProposal,
  since: entry.since,
});

/** Sorted by their start; entries with equal times keep their order. */
const inOrder = <T>(all: readonly Known<T>[]): readonly Known<T>[] =>
  [...all].sort(({ entry: left }, { entry: right }) => Number(left.since - right.since));
