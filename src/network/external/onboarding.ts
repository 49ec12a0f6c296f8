/**
 * Reads a client's request to host an external party: its transactions and signatures, with the rules of onboarding.
 * The file allocation.ts verifies the signatures.
 */
import { toHex } from '../../daml/model/hash.js';
import { anyFingerprintError } from '../../daml/model/identifiers.js';
import {
  KEY_USAGE,
  SIGNATURE_ALGORITHM,
  SIGNATURE_FORMAT,
  type Signature,
} from '../topology/party-keys.js';
import {
  decodeTopologyTransaction,
  isModelled,
  type AnyTopologyTransaction,
  type PartyHosting,
  type TopologyMapping,
  type TopologyTransaction,
} from '../topology/party-hosting.js';
import { abbreviatedHash, abbreviatedId, namespaceOf, type ParticipantId } from '../model/ids.js';
import { ProtobufError } from '../../daml/codec/protobuf/reading.js';
import { invalidArgument, invalidField } from '../model/request-errors.js';

export interface OnboardingTransaction {
  readonly transaction: Uint8Array;
  readonly signatures?: readonly Signature[];
}

interface Signed {
  readonly signatures: readonly Signature[];
}

/** As the client sent it, with any mapping. */
export type SentTransaction = AnyTopologyTransaction & Signed;
export type SignedTransaction = TopologyTransaction & Signed;

export type Of<K extends TopologyMapping['kind']> = SignedTransaction & {
  readonly mapping: Extract<TopologyMapping, { kind: K }>;
};

export type PartyNamespace =
  | { readonly kind: 'centralized'; readonly delegation: Of<'NamespaceDelegation'> }
  | {
      readonly kind: 'decentralized';
      readonly definition: Of<'DecentralizedNamespaceDefinition'>;
      readonly owners: readonly Of<'NamespaceDelegation'>[];
    };

/** The most owners of a decentralized namespace whose delegations are read. */
const MAX_OWNERS = 10;

export interface Onboarding {
  readonly hosting: PartyHosting;
  readonly hostingTransaction: Of<'PartyToParticipant'>;
  /** The party's namespace, if the request defines it. */
  readonly namespace: PartyNamespace | undefined;
  /** The keys, unless the hosting names them. */
  readonly keyMapping: Of<'PartyToKeyMapping'> | undefined;
  /** Whether any signature is present; without one, a hosting is only this participant's proposal. */
  readonly isSigned: boolean;
}

/** @throws LedgerError INVALID_FIELD */
export function readTransaction({
  transaction,
  signatures = [],
}: OnboardingTransaction): SentTransaction {
  const decoded = decode(transaction);
  if (!decoded.replaces)
    throw invalidField(
      'onboarding_transactions.transaction',
      'Onboarding topology transactions must be Replace operations',
    );
  if (decoded.serial !== 1)
    throw invalidField(
      'onboarding_transactions.transaction.serial',
      'Onboarding transaction serial must be 1',
    );
  for (const signature of signatures)
    checkSignatureForm(signature, 'onboarding_transaction.signatures');
  return { ...decoded, signatures };
}

function decode(transaction: Uint8Array): AnyTopologyTransaction {
  try {
    return decodeTopologyTransaction(transaction);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw invalidField(
      'onboarding_transactions.transaction',
      `Invalid transaction: ${error.message}`,
    );
  }
}

/** For a number without a name, also over gRPC. */
export function unsupportedAlgorithm(number: number): string {
  const name = number === 0 ? 'SIGNING_ALGORITHM_SPEC_UNSPECIFIED' : 'UNRECOGNIZED';
  return `Signing algorithm spec ${name} not supported`;
}

/** @throws LedgerError INVALID_FIELD for a signature of an unknown form */
export function checkSignatureForm(signature: Signature, field: string): void {
  const { format, signedBy, signingAlgorithmSpec: algorithm } = signature;
  if (format === 0) throw invalidField('format', 'Signature format must be specified');
  if (!Object.values<number>(SIGNATURE_FORMAT).includes(format))
    throw invalidField('format', unsupportedAlgorithm(format));
  const error = anyFingerprintError(signedBy);
  if (error !== undefined) throw invalidField(field, error);
  if (!Object.values<number>(SIGNATURE_ALGORITHM).includes(algorithm))
    throw invalidField(field, unsupportedAlgorithm(algorithm));
}

/** @throws LedgerError INVALID_ARGUMENT for the first violated rule */
export function readOnboarding(
  participantId: ParticipantId,
  sent: readonly SentTransaction[],
  multiHashSignatures: readonly Signature[],
): Onboarding {
  const transactions = supported(sent);
  const isSigned = ({ signatures }: SignedTransaction): boolean =>
    signatures.length + multiHashSignatures.length > 0;
  const isSignedHosting = (each: SignedTransaction): boolean =>
    each.mapping.kind === 'PartyToParticipant' && isSigned(each);
  const hostingTransaction = only(
    transactions.some(isSignedHosting) ? transactions.filter(isSignedHosting) : transactions,
    'PartyToParticipant',
    isSigned,
  );
  if (hostingTransaction === undefined)
    throw invalidArgument('One transaction of type PartyToParticipant must be provided, got 0');
  const { mapping } = hostingTransaction;
  checkHosting(participantId, mapping);
  const signed = transactions.filter(isSigned);
  const keyMapping = only(signed, 'PartyToKeyMapping');
  const namespace = namespaceOf(mapping.party);
  if (keyMapping !== undefined && namespaceOf(keyMapping.mapping.party) !== namespace)
    throw invalidArgument(
      `The PartyToKeyMapping namespace (${abbreviatedHash(namespaceOf(keyMapping.mapping.party))}) does not match the PartyToParticipant namespace (${abbreviatedHash(namespace)})`,
    );
  if ((mapping.signing === undefined) === (keyMapping === undefined))
    throw invalidArgument(
      'Party signing keys must be supplied either in the PartyToParticipant or in a PartyToKeyMapping transaction. Not in both.',
    );
  return {
    hosting: mapping,
    hostingTransaction,
    namespace: readNamespace(signed, namespace),
    keyMapping,
    isSigned: isSigned(hostingTransaction),
  };
}

/** In the order of a participant's errors. */
const SUPPORTED: readonly TopologyMapping['kind'][] = [
  'NamespaceDelegation',
  'DecentralizedNamespaceDefinition',
  'PartyToParticipant',
  'PartyToKeyMapping',
];

const isSupported = (each: SentTransaction): each is SignedTransaction =>
  isModelled(each) && SUPPORTED.includes(each.mapping.kind);

/** Whether they are signed or not; a duplicate transaction is reported once. */
function supported(sent: readonly SentTransaction[]): readonly SignedTransaction[] {
  const unwanted = sent.filter((each) => !isSupported(each));
  if (unwanted.length > 0) {
    const kinds = new Map(unwanted.map(({ hash, mapping }) => [toHex(hash), mapping.kind]));
    throw invalidArgument(
      `Unsupported transactions found: ${[...kinds.values()].join(', ')}. Supported transactions are: ${SUPPORTED.join(', ')}`,
    );
  }
  return sent.filter(isSupported);
}

function readNamespace(
  signed: readonly SignedTransaction[],
  party: string,
): PartyNamespace | undefined {
  const definition = only(signed, 'DecentralizedNamespaceDefinition');
  if (definition === undefined) {
    const delegation = only(signed, 'NamespaceDelegation');
    if (delegation === undefined) return undefined;
    const { namespace, target, isRoot } = delegation.mapping;
    if (!isRoot || target.fingerprint !== namespace)
      throw invalidArgument(
        'NamespaceDelegation is not a root namespace. Ensure the namespace and target key are the same',
      );
    checkNamespace(namespace, party);
    return { kind: 'centralized', delegation };
  }
  const owners = all(signed, 'NamespaceDelegation').filter(({ mapping }) =>
    definition.mapping.owners.includes(mapping.namespace),
  );
  if (owners.length > MAX_OWNERS)
    throw invalidArgument(
      `Decentralized namespaces cannot have more than ${MAX_OWNERS} individual namespace owners, got ${owners.length}`,
    );
  checkNamespace(definition.mapping.namespace, party);
  return { kind: 'decentralized', definition, owners };
}

function checkNamespace(namespace: string, party: string): void {
  if (namespace !== party)
    throw invalidArgument(
      `The Party namespace (${abbreviatedHash(namespace)}) does not match the PartyToParticipant namespace (${abbreviatedHash(party)})`,
    );
}

function all<K extends TopologyMapping['kind']>(
  transactions: readonly SignedTransaction[],
  kind: K,
): Of<K>[] {
  return transactions.filter(({ mapping }) => mapping.kind === kind) as Of<K>[];
}

function only<K extends TopologyMapping['kind']>(
  transactions: readonly SignedTransaction[],
  kind: K,
  isSigned: (each: SignedTransaction) => boolean = () => true,
): Of<K> | undefined {
  const found = all(transactions, kind);
  // For unsigned hostings, Canton prints the kind; otherwise the class.
  const isUnsigned = kind === 'PartyToParticipant' && !found.some(isSigned);
  const className = isUnsigned ? kind : `com.digitalasset.canton.topology.transaction.${kind}`;
  if (found.length > 1)
    throw invalidArgument(
      `Only one transaction of type ${className} can be provided, got ${found.length}`,
    );
  return found[0];
}

/** As Canton prints a participant. */
const shown = (id: string): string => `PAR::${abbreviatedId(id)}`;

function checkHosting(participantId: ParticipantId, { party, hosts, signing }: PartyHosting): void {
  const having = (permission: string): readonly string[] =>
    hosts.filter((host) => host.permission === permission).map((host) => host.participantId);
  const submitting = having('submission');
  if (submitting.length > 0)
    throw invalidArgument(
      `The PartyToParticipant transaction must not contain any node with Submission permission. Nodes with submission permission: ${submitting.map(shown).join(', ')}`,
    );
  const [first, ...more] = hosts;
  if (
    first !== undefined &&
    more.length === 0 &&
    (first.participantId !== participantId || first.permission !== 'confirmation')
  )
    throw invalidArgument(
      `The party is to be hosted on a single participant (${shown(first.participantId)}) that is not this participant (${shown(participantId)}). Submit the allocation request on ${shown(first.participantId)} instead.`,
    );
  if (having('confirmation').length === 0)
    throw invalidArgument(
      'The PartyToParticipant transaction must contain at least one node with Confirmation permission',
    );
  const keys = signing?.keys ?? [];
  if (keys.some(({ usage }) => !usage.includes(KEY_USAGE.PROTOCOL)))
    throw invalidArgument('Missing Protocol usage on signing keys');
  const own = keys.find(({ fingerprint }) => fingerprint === namespaceOf(party));
  if (own !== undefined && !own.usage.includes(KEY_USAGE.NAMESPACE))
    throw invalidArgument('Missing Namespace and Protocol usage on the party namespace key');
  if (!hosts.some((host) => host.participantId === participantId))
    throw invalidArgument(
      'This node is not hosting the party either with Confirmation or Observation permission.',
    );
}
