/** Temporary topology stores over the admin API: made, dropped and read. What is authorized there has no effect elsewhere. */
import { formatInstant, parseTimestamp } from '../../daml/model/time.js';
import { PROTOCOL_VERSIONS } from '../../network/protocol.js';
import type { TopologyMapping, TopologyTransaction } from '../../network/topology/party-hosting.js';
import { signersOf, type StoredMapping } from '../../network/topology/signed-mappings.js';
import { base64 } from '../ledger-api/formats/crypto-messages.js';
import { protoDeserializationFailure } from '../ledger-api/formats/requests.js';
import type { WritableStore } from './store-writes.js';
import type { AdminContext } from './topology-reads.js';

/** Most characters of a store's name. */
const MAX_NAME = 185;

function requireName(name: string): string {
  if (name.length <= MAX_NAME) return name;
  throw protoDeserializationFailure(
    `StringConversionError(The given string has a maximum length of ${MAX_NAME} but a string of length ${name.length} ('${name.slice(0, MAX_NAME + 1)}...') was given)`,
  );
}

function createTemporaryTopologyStore(
  { participant }: AdminContext,
  { name, protocolVersion }: { readonly name: string; readonly protocolVersion: number },
) {
  if (!(PROTOCOL_VERSIONS as readonly number[]).includes(protocolVersion))
    throw protoDeserializationFailure(
      `OtherError(Protocol version ${protocolVersion} is not supported. The supported versions are ${PROTOCOL_VERSIONS.join(', ')}.)`,
    );
  participant.temporaryStores.create(requireName(name));
  return { storeId: { name } };
}

function dropTemporaryTopologyStore(
  { participant }: AdminContext,
  { storeId }: { readonly storeId?: { readonly name: string } },
) {
  if (storeId === undefined) throw protoDeserializationFailure('FieldNotSet(store_id)');
  participant.temporaryStores.drop(storeId.name);
  return {};
}

/** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
export function temporaryStore(
  { network, participant: { temporaryStores } }: AdminContext,
  name: string,
): WritableStore {
  return {
    ...temporaryStores.store(name),
    add: (transactions, mustBeComplete) =>
      temporaryStores.add(name, transactions, mustBeComplete, network.clock.now()),
  };
}

export interface TimeQuery {
  readonly proposals: boolean;
  readonly operation: string;
  readonly filterSignedKey: string;
  readonly snapshot?: string;
  readonly range?: { readonly from?: string; readonly until?: string };
}

type Of<K extends TopologyMapping['kind']> = Extract<TopologyMapping, { kind: K }>;

/** What a query finds in a temporary store. @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
export function storedMappings<K extends TopologyMapping['kind']>(
  { participant }: AdminContext,
  name: string,
  kind: K,
  query: TimeQuery,
): readonly { readonly context: object; readonly mapping: Of<K> }[] {
  return participant.temporaryStores
    .all(name)
    .filter((each) => isFound(each, query) && each.transaction.mapping.kind === kind)
    .map((each) => ({
      context: contextOf(name, each),
      mapping: each.transaction.mapping as Of<K>,
    }));
}

const operationOf = ({ replaces }: TopologyTransaction): string =>
  replaces ? 'TOPOLOGY_CHANGE_OP_ADD_REPLACE' : 'TOPOLOGY_CHANGE_OP_REMOVE';

function isFound(each: StoredMapping, query: TimeQuery): boolean {
  const { proposals, operation, filterSignedKey, snapshot, range } = query;
  const { since, until } = each;
  const at = (text: string | undefined) => (text === undefined ? undefined : parseTimestamp(text));
  const [then, from, to] = [at(snapshot), at(range?.from), at(range?.until)];
  const isThen =
    range !== undefined
      ? (from === undefined || since >= from) && (to === undefined || since < to)
      : then !== undefined
        ? since < then && (until === undefined || until >= then)
        : until === undefined;
  return (
    isThen &&
    each.isProposal === proposals &&
    (operation.endsWith('_UNSPECIFIED') || operation === operationOf(each.transaction)) &&
    (filterSignedKey === '' || signersOf(each).some((by) => by.startsWith(filterSignedKey)))
  );
}

function contextOf(name: string, each: StoredMapping): object {
  return {
    store: { temporary: { name } },
    sequenced: formatInstant(each.since),
    validFrom: formatInstant(each.since),
    ...(each.until !== undefined && { validUntil: formatInstant(each.until) }),
    operation: operationOf(each.transaction),
    transactionHash: base64(each.transaction.hash),
    serial: each.transaction.serial,
    signedByFingerprints: signersOf(each),
  };
}

export const temporaryStores = { createTemporaryTopologyStore, dropTemporaryTopologyStore };
