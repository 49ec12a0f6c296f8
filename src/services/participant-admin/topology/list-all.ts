/** `ListAll` and `ListAllV2`: every mapping of topology stores, as the signed transactions that added them. */
import { formatInstant } from '../../../daml/model/time.js';
import { namespaceOf } from '../../../network/model/ids.js';
import { encodeVersioned } from '../../../network/protobuf/versioned.js';
import { SignedTransactionMessage } from '../../../network/topology/topology-messages.js';
import { base64 } from '../../ledger-api/formats/crypto-messages.js';
import type { AdminContext } from '../admin-context.js';
import { unrecognizedEnum } from '../parsing/conversion.js';
import { parsed } from '../parsing/parsed.js';
import { baseQuery, type BaseQuery, type QueryMessage } from '../parsing/topology.js';
import { entriesIn, type Listing } from './listings.js';
import { LISTINGS } from './reads.js';
import { matchesQuery, storesOf, type Entry } from './stores.js';
import { STATE_LISTINGS } from './synchronizer-states.js';

/** The mapping kinds in Canton's order, which lists one twice. */
const CODES = 'nsd dnd otk dtc pdp phl vtp ptp dop sep mds sds sep ptk lsu scs'.split(' ');

type AnyListing = Pick<Listing<never, never>, 'code' | 'known' | 'kind' | 'owner'>;

/** In the order of the founding of a synchronizer, and of its use. */
const ALL: readonly AnyListing[] = [
  LISTINGS.namespaceDelegation,
  LISTINGS.decentralizedNamespace,
  LISTINGS.ownerToKey,
  ...Object.values(STATE_LISTINGS),
  LISTINGS.trustCertificate,
  LISTINGS.vettedPackages,
  LISTINGS.partyToParticipant,
  LISTINGS.partyToKey,
] as unknown as readonly AnyListing[];

/** Throws a ConversionError. */
function codesIn(given: readonly string[]): readonly string[] {
  for (const code of given)
    if (!CODES.includes(code)) throw unrecognizedEnum('TopologyMapping.Code', code, CODES);
  return given;
}

interface Query {
  readonly base: BaseQuery;
  readonly isWanted: (code: string) => boolean;
  readonly filterNamespace: string;
}

/** @throws LedgerError TOPOLOGY_STORE_NOT_FOUND */
function all(context: AdminContext, { base, isWanted, filterNamespace }: Query): object {
  const items = storesOf(context, base.store).flatMap((store) =>
    ALL.filter(({ code }) => isWanted(code))
      .flatMap((each) =>
        entriesIn(context, store, each)
          .filter(({ mapping }) => namespaceIn(each.owner(mapping)).startsWith(filterNamespace))
          .map(({ entry }) => entry),
      )
      .filter((entry) => matchesQuery(entry, base))
      .sort((one, other) => Number(one.since > other.since) - Number(one.since < other.since))
      .map(itemOf),
  );
  return { result: { items } };
}

/** The namespace of an id, or the text if it is a namespace. */
const namespaceIn = (owner: string): string => (owner.includes('::') ? namespaceOf(owner) : owner);

function itemOf({ since, until, encoded, isProposal, signed }: Entry): object {
  const { signatures, joint } = signed();
  const message = {
    transaction: encoded,
    signatures,
    proposal: isProposal,
    multiTransactionSignatures: joint.map(({ hashes, signatures: jointly }) => ({
      transactionHashes: hashes,
      signatures: jointly,
    })),
  };
  return {
    sequenced: formatInstant(since),
    validFrom: formatInstant(since),
    ...(until !== undefined && { validUntil: formatInstant(until) }),
    transaction: base64(encodeVersioned(SignedTransactionMessage.encode(message))),
  };
}

export interface AllQuery extends QueryMessage {
  readonly filterNamespace: string;
}

export const topologyLists = {
  listAll: parsed(
    (message: AllQuery & { readonly excludeMappings: readonly string[] }, supported): Query => {
      const base = baseQuery(message, supported);
      const excluded = codesIn(message.excludeMappings);
      const isWanted = (code: string): boolean => !excluded.includes(code);
      return { base, isWanted, filterNamespace: message.filterNamespace };
    },
    all,
  ),
  listAllV2: parsed(
    (message: AllQuery & { readonly includeMappings: readonly string[] }, supported): Query => {
      const base = baseQuery(message, supported);
      const included = codesIn(message.includeMappings);
      const isWanted = (code: string): boolean => included.length === 0 || included.includes(code);
      return { base, isWanted, filterNamespace: message.filterNamespace };
    },
    all,
  ),
};
