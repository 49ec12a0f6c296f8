/** How many bytes values, names and contracts take in a view that is compressed: hexadecimal counts for half, a name that is repeated for little. */
import { remembered } from '../../daml/model/remembered.js';
import { Numeric } from '../../daml/model/numeric.js';
import { stakeholdersOf, type ContractInstance } from '../../daml/model/transaction.js';
import { DamlVariant, Some, type DamlValue } from '../../daml/model/values.js';

/** Tag and length of a member, and of what has no length of its own. */
const MEMBER = 4;
const SCALAR = 8;
/** What stood there before, told by where. */
const REFERENCE = 3;
/** Its id, its salt, when it was made, and headers. */
const CONTRACT = 130;
/** Of a byte, for each digit. */
const HEX_DIGIT = 0.57;
const HEX = /[0-9a-f]{32,}/g;
/** Shorter than any of these. */
const SHORT = 32;

const inputs = new WeakMap<ContractInstance, number>();

/** With its payload, its parties and its key. */
export function contractBytes(contract: ContractInstance): number {
  const { templateId, payload, key } = contract;
  const seen = new Set<string>([templateId]);
  let bytes = CONTRACT + MEMBER + nameBytes(templateId);
  bytes += idsBytes(stakeholdersOf(contract), seen) + weigh(payload, seen);
  if (key !== undefined) bytes += keyBytes(key);
  return bytes;
}

/** The same of a contract that is used, as it may be by many transactions. */
export function inputBytes(contract: ContractInstance): number {
  let bytes = inputs.get(contract);
  if (bytes === undefined) inputs.set(contract, (bytes = contractBytes(contract)));
  return bytes;
}

export function keyBytes(key: NonNullable<ContractInstance['key']>): number {
  return SCALAR + key.hash.length / 2 + weigh(key.value, new Set());
}

export const valueBytes = (value: DamlValue): number => Math.ceil(weigh(value, new Set()));

/** Of names, each of which counts once. */
export function idsBytes(ids: Iterable<string>, seen = new Set<string>()): number {
  let bytes = 0;
  for (const id of ids) bytes += MEMBER + known(id, seen);
  return bytes;
}

export function textBytes(text: string): number {
  if (text.length < SHORT) return text.length;
  let hex = 0;
  for (const digits of text.match(HEX) ?? []) hex += digits.length;
  return Math.ceil(text.length - hex + hex * HEX_DIGIT);
}

/** NOTE: free text is taken not to shrink. */
function known(text: string, seen: Set<string>): number {
  const whole = seen.has(text);
  if (whole) return REFERENCE;
  seen.add(text);
  const at = text.lastIndexOf('::');
  if (at < 0) return textBytes(text);
  // Parties of a namespace share its fingerprint.
  const namespace = text.slice(at + 2);
  if (seen.has(namespace)) return at + REFERENCE;
  seen.add(namespace);
  return at + nameBytes(namespace);
}

/** Of names that come again and again. */
const nameBytes = remembered(textBytes);

function weigh(value: DamlValue, seen: Set<string>): number {
  if (typeof value === 'string') return MEMBER + known(value, seen);
  if (value === null || typeof value !== 'object' || value instanceof Numeric) return SCALAR;
  if (value instanceof Some) return MEMBER + weigh(value.value, seen);
  if (value instanceof DamlVariant)
    return MEMBER + known(value.tag, seen) + weigh(value.value, seen);
  if (value instanceof Map) {
    let sum = MEMBER;
    for (const [key, each] of value as ReadonlyMap<string, DamlValue>)
      sum += MEMBER + known(key, seen) + weigh(each, seen);
    return sum;
  }
  let sum = MEMBER;
  const members = Array.isArray(value) ? (value as readonly DamlValue[]) : Object.values(value);
  for (let i = 0; i < members.length; i++) sum += MEMBER + weigh(members[i]!, seen);
  return sum;
}
