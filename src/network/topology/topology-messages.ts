/** The messages of Canton's topology transactions (protocol v30). */
import { defined, type Defined, type Draft } from '../protobuf/defined.js';
import { encodeVersioned } from '../protobuf/versioned.js';

const PROTOCOL = 'com.digitalasset.canton.protocol.v30';
type Protocol = typeof PROTOCOL;

export type PartyToParticipantMessage = Defined<`${Protocol}.PartyToParticipant`>;
export type DelegationMessage = Defined<`${Protocol}.NamespaceDelegation`>;
export type VettedPackagesMessage = Defined<`${Protocol}.VettedPackages`>;
export type OwnerToKeyMessage = Defined<`${Protocol}.OwnerToKeyMapping`>;
export type DecentralizedMessage = Defined<`${Protocol}.DecentralizedNamespaceDefinition`>;
export type MappingMessage = Defined<`${Protocol}.TopologyMapping`>;
export type ParametersMessage = Draft<Defined<`${Protocol}.DynamicSynchronizerParameters`>>;

export const TransactionMessage = defined(`${PROTOCOL}.TopologyTransaction`);
/** The transaction is there as it was signed. */
export const SignedTransactionMessage = defined(`${PROTOCOL}.SignedTopologyTransaction`);

/** Adds or replaces a mapping. */
export const ADD_REPLACE = 1;

/** @param mapping or its bytes */
export function encodeTransaction(
  operation: number,
  serial: number,
  mapping: Draft<MappingMessage> | Uint8Array,
): Uint8Array {
  return encodeVersioned(TransactionMessage.encode({ operation, serial, mapping }));
}

/** A transaction that adds a mapping, or puts it in the place of the one before. */
export function encodeAddition(mapping: Draft<MappingMessage>, serial = 1): Uint8Array {
  return encodeTransaction(ADD_REPLACE, serial, mapping);
}
