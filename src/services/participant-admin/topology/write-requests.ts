/** The requests of `TopologyManagerWriteService`, and their parsing before any lookup. */
import { encodeTransaction } from '../../../network/topology/topology-messages.js';
import type { Signature as SignatureMessage } from '../../../spec/generated/ledger.js';
import { fromBase64 } from '../../ledger-api/formats/crypto-messages.js';
import { fieldNotSet, invariantViolation, otherError } from '../parsing/conversion.js';
import {
  fingerprint,
  nonNegativeConfigDuration,
  required,
  type DurationMessage,
} from '../parsing/fields.js';
import {
  changeOf,
  forceFlags,
  storeReference,
  type StoreMessage,
  type StoreReference,
} from '../parsing/topology.js';
import { readAny, type Proposed, type SignedMessage } from './store-writes.js';

interface ProposalMessage {
  readonly serial: number;
  /** Base64. */
  readonly mapping?: string;
}

export interface Proposals {
  readonly proposals: readonly (ProposalMessage & {
    readonly operation: string;
    readonly store?: StoreMessage;
  })[];
}

/** The content of a proposal, with its mapping parsed. Throws a ConversionError. */
export function readProposal(
  { serial, mapping }: ProposalMessage,
  change: string,
  field: string,
  check: () => void,
): Proposed {
  if (serial < 0)
    throw invariantViolation(
      'serial',
      `Received the non-positive ${serial} as argument, but we require a positive value here.`,
    );
  const replaces = changeOf(change);
  if (replaces === undefined) throw fieldNotSet('operation');
  const proposed = {
    operation: replaces ? 1 : 2,
    serial,
    mapping: fromBase64(required(field, mapping)),
  };
  check();
  readAny(firstOf(proposed));
  return proposed;
}

/** The transaction of a proposal without a previous mapping. */
export const firstOf = ({ operation, serial, mapping }: Proposed): Uint8Array =>
  encodeTransaction(operation, serial || 1, mapping);

export interface Addition {
  readonly transactions: readonly SignedMessage[];
  readonly forceChanges: readonly string[];
  readonly store?: StoreMessage;
  readonly waitToBecomeEffective?: DurationMessage;
}

/** Throws a ConversionError. */
export function checkTransaction({
  transaction,
  signatures,
  multiTransactionSignatures: multi,
}: SignedMessage): void {
  readAny(fromBase64(transaction));
  const joint = multi.flatMap((each) => each.signatures);
  for (const each of [...signatures, ...joint]) checkSignature(each);
  if (signatures.length + joint.length === 0)
    throw invariantViolation('signatures', 'At least one signature must be provided');
}

function checkSignature({ format, signedBy }: SignatureMessage): void {
  if (!format || format === 'SIGNATURE_FORMAT_UNSPECIFIED') throw fieldNotSet('format');
  fingerprint(signedBy);
}

export function checkWait(given: DurationMessage | undefined): void {
  if (given !== undefined) nonNegativeConfigDuration('wait_to_become_effective', given);
}

export interface Authorization {
  /** Hexadecimal. */
  readonly transactionHash?: string;
  readonly proposal?: ProposalMessage & { readonly change: string };
  readonly mustFullyAuthorize: boolean;
  readonly forceChanges: readonly string[];
  /** Fingerprints of keys. If empty, this participant selects the keys. */
  readonly signedBy: readonly string[];
  readonly store?: StoreMessage;
  readonly waitToBecomeEffective?: DurationMessage;
}

export interface ReadAuthorization {
  readonly request: Authorization;
  readonly store: StoreReference;
  readonly subject: { readonly hash: string } | { readonly proposed: Proposed };
}

export function checkSigning({ signedBy, forceChanges }: Authorization): void {
  signedBy.forEach(fingerprint);
  forceFlags(forceChanges);
}

/** Throws a ConversionError. */
export function readAuthorization(
  request: Authorization,
  supported: readonly number[],
): ReadAuthorization {
  const { transactionHash, proposal } = request;
  if (transactionHash !== undefined) {
    const hash = readHash(transactionHash);
    return { request, store: storeReference(request.store, supported), subject: { hash } };
  }
  if (proposal === undefined) throw fieldNotSet('AuthorizeRequest.type');
  const proposed = readProposal(proposal, proposal.change, 'AuthorizeRequest.mapping', () =>
    checkSigning(request),
  );
  checkWait(request.waitToBecomeEffective);
  return { request, store: storeReference(request.store, supported), subject: { proposed } };
}

function readHash(text: string): string {
  if (text === '')
    throw otherError('Failed to decode unsigned var-int: Input bytes already consumed');
  if (!/^(?:[0-9a-fA-F]{2})+$/.test(text)) throw otherError(`Failed to parse hex string: ${text}`);
  return text.toLowerCase();
}

export interface Signing {
  readonly transactions: readonly SignedMessage[];
  /** Fingerprints of keys. If empty, this participant selects the keys. */
  readonly signedBy: readonly string[];
  readonly forceFlags: readonly string[];
  readonly store?: StoreMessage;
}

export interface ReadSigning {
  readonly request: Signing;
  readonly store: StoreReference;
}
