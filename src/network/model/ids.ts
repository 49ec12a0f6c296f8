/** Ids in the forms of the real network (B-ID-009 to B-ID-021), drawn from the seed. */
import { sha256 } from '../../daml/model/hash.js';
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import type { ContractId, Party, Timestamp } from '../../daml/model/values.js';
import { signingKey } from './keys.js';
import type { SeededRandom } from '../journal/random.js';

/** `1220` (SHA-256 multihash prefix) and 64 hexadecimal digits. */
export function multihash(digest: Uint8Array): string {
  // In one piece: texts that are joined keep their parts, and ids are kept for ever.
  const bytes = Buffer.allocUnsafe(2 + digest.length);
  bytes[0] = 0x12;
  bytes[1] = 0x20;
  bytes.set(digest, 2);
  return bytes.toString('hex');
}

/** The fingerprint of the root key of the owner's namespace. */
export function namespaceFor(random: SeededRandom, owner: string): string {
  return signingKey(random, `namespace/${owner}`).fingerprint;
}

export function uniqueId(identifier: string, namespace: string): string {
  return `${identifier}::${namespace}`;
}

export function namespaceOf(uniqueIdentifier: string): string {
  return uniqueIdentifier.slice(uniqueIdentifier.lastIndexOf('::') + 2);
}

/** As Canton prints a party or a synchronizer in its own messages: the fingerprint cut to 12 digits. */
export function abbreviatedId(uniqueIdentifier: string): string {
  const identifierEnd = uniqueIdentifier.lastIndexOf('::') + 2;
  return (
    uniqueIdentifier.slice(0, identifierEnd) +
    abbreviatedHash(uniqueIdentifier.slice(identifierEnd))
  );
}

/** The same of a hash, such as a package's id. */
export function abbreviatedHash(hash: string): string {
  return hash.length <= 12 ? hash : `${hash.slice(0, 12)}...`;
}

/** As Canton prints the id of a contract. */
export const printedContractId = (contractId: ContractId): string => `ContractId(${contractId})`;

/** The id of the update that has this place in the sequence. */
export function updateIdAt(random: SeededRandom, sequence: number): string {
  return `1220${random.hexAt('update', sequence)}`;
}

/** The W3C trace of requests without one: version, trace id, parent id, flags of a random sampled one. @param purpose of the draw */
export function traceparentAt(random: SeededRandom, purpose: string, draw: number): string {
  const digits = random.hexAt(purpose, draw);
  return `00-${digits.slice(0, 32)}-${digits.slice(32, 48)}-03`;
}

const END_OF_TRACE_ID = 35;
const END_OF_PARENT_ID = 52;

/** The same trace with a parent id of the participant's own. */
export function traceBelow(random: SeededRandom, traceparent: string, draw: number): string {
  const span = random.hexAt('span', draw).slice(0, END_OF_PARENT_ID - END_OF_TRACE_ID - 1);
  return `${traceparent.slice(0, END_OF_TRACE_ID)}-${span}${traceparent.slice(END_OF_PARENT_ID)}`;
}

/** `00`, then a multihash of the contracts, both synchronizers and the time (B-ID-021). */
export function reassignmentId(
  source: string,
  target: string,
  unassignedAt: Timestamp,
  contractIds: readonly ContractId[],
): string {
  const digest = sha256(JSON.stringify([source, target, unassignedAt.toString(), ...contractIds]));
  return `00${multihash(digest)}`;
}

export type ParticipantId = string;
export type SynchronizerId = string;
export type UpdateId = string;
export type ReassignmentId = string;
export type { ContractId, Party, Timestamp };

const MEMBER_CODES = ['PAR', 'SEQ', 'MED'];

/** Canton's error for a text that should be `PAR::name::fingerprint`; undefined if it is valid. */
export function memberError(text: string): string | undefined {
  const code = text.slice(0, 3);
  if (text.length <= 7)
    return `Invalid member \`${text}\`, expecting <three-letter-code>::id::fingerprint.`;
  if (text.slice(3, 5) !== '::')
    return `Expected delimiter :: after three letter code of \`${text}\``;
  if (!MEMBER_CODES.includes(code)) return `Unknown three letter type ${code}`;
  return uniqueIdentifierError(text.slice(5));
}

/**
 * The reason why a text is not a synchronizer id. A text that is not a logical id gets the error of a physical one.
 * @param protocols the versions that the participant supports
 */
export function synchronizerIdError(id: string, protocols: readonly number[]): string | undefined {
  return uniqueIdentifierError(id) && physicalIdError(id, protocols);
}

/** `<logical id>::<protocol version>-<serial>` */
function physicalIdError(id: string, protocols: readonly number[]): string | undefined {
  const elements = id.split('::');
  if (elements.length !== 3) return `Unable to parse \`${id}\` as physical synchronizer id`;
  const [identifier, namespace, suffix] = elements as [string, string, string];
  const [version, serial, ...rest] = suffix.split('-');
  if (version === undefined || serial === undefined || rest.length > 0)
    return `Cannot parse ${suffix} as a physical synchronizer id suffix`;
  if (!protocols.map(String).includes(version)) return unsupportedProtocol(version, protocols);
  if (!/^\d+$/.test(serial)) return `Cannot parse ${serial} to an int`;
  return uniqueIdentifierError(`${identifier}::${namespace}`);
}

/** A participant also names the version of its developers (B-ID-028). */
export const unsupportedProtocol = (
  version: number | string,
  protocols: readonly number[],
): string =>
  `Protocol version ${version} is not supported. The supported versions are ${[...protocols, 'dev'].join(', ')}.`;

/** The logical id that a physical one begins with; of a logical one itself. */
export function logicalSynchronizerId(id: string): SynchronizerId {
  return id.split('::').slice(0, 2).join('::');
}

/** As Canton prints a physical id, or a logical one. */
export function abbreviatedSynchronizerId(id: string): string {
  const [identifier, namespace, ...suffix] = id.split('::') as [string, string, ...string[]];
  return [identifier, abbreviatedHash(namespace), ...suffix].join('::');
}
