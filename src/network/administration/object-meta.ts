/**
 * Metadata of users and parties: annotations, and a resource version that changes with every update (B-PTY-006,
 * B-PTY-026 to B-PTY-031, B-USR-006, B-USR-018). A version is a number as text; for clients it is opaque.
 */
import { invalidArgument, invalidField } from '../model/request-errors.js';

export type Annotations = Readonly<Record<string, string>>;

/** The stored metadata. An empty resource version means that the object has no stored metadata. */
export interface ObjectMeta {
  readonly resourceVersion: string;
  readonly annotations: Annotations;
}

/** The metadata in a request. */
export interface RequestedMeta {
  readonly resourceVersion?: string;
  readonly annotations?: Annotations;
}

export const NO_META: ObjectMeta = { resourceVersion: '', annotations: {} };

/** The limit of all keys and values together, in UTF-8. */
const MAX_ANNOTATIONS_KIBIBYTES = 256;
const MAX_ANNOTATION_NAME_LENGTH = 63;
const MAX_ANNOTATION_PREFIX_LENGTH = 253;

const NAME = /^[a-zA-Z0-9](?:[a-zA-Z0-9._-]*[a-zA-Z0-9])?$/;
const DNS_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;

/**
 * Checks the annotations of a request: first the size, then keys, then empty values, which only an update may have.
 * @throws LedgerError INVALID_ARGUMENT
 */
export function checkAnnotations(
  annotations: Annotations,
  field: string,
  allowEmptyValues: boolean,
): void {
  const entries = Object.entries(annotations);
  if (!fitsAnnotations(Object.fromEntries(entries.filter(([, value]) => value !== ''))))
    throw invalidArgument(
      `annotations from field '${field}' are larger than the limit of ${MAX_ANNOTATIONS_KIBIBYTES}kb`,
    );
  for (const [key] of entries) {
    const error = annotationKeyError(key);
    if (error !== undefined) throw invalidArgument(error);
  }
  const empty = allowEmptyValues ? undefined : entries.find(([, value]) => value === '');
  if (empty !== undefined)
    throw invalidArgument(`The value of an annotation is empty for key: '${shorten(empty[0])}'`);
}

export function fitsAnnotations(annotations: Annotations): boolean {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations))
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  return bytes <= MAX_ANNOTATIONS_KIBIBYTES * 1024;
}

function annotationKeyError(key: string): string | undefined {
  const [first, second, ...more] = splitPath(key, '/');
  if (first === undefined || more.length > 0)
    return `Key '${shorten(key)}' contains more than one forward slash ('/') character`;
  const [prefix, name] = second === undefined ? [undefined, first] : [first, second];
  if (prefix !== undefined) {
    if (prefix.length > MAX_ANNOTATION_PREFIX_LENGTH)
      return `Key prefix segment '${shorten(prefix)}' exceeds maximum length of ${MAX_ANNOTATION_PREFIX_LENGTH} characters`;
    if (!prefix.split('.').every((label) => DNS_LABEL.test(label)))
      return `Key prefix segment '${shorten(prefix)}' has invalid syntax`;
  }
  if (name.length > MAX_ANNOTATION_NAME_LENGTH)
    return `Key name segment '${shorten(name)}' exceeds maximum length of ${MAX_ANNOTATION_NAME_LENGTH} characters`;
  return NAME.test(name) ? undefined : `Key name segment '${shorten(name)}' has invalid syntax`;
}

/** Adds new keys, replaces existing ones, and deletes those with an empty value. */
export function mergeAnnotations(existing: Annotations, update: Annotations): Annotations {
  return Object.fromEntries(
    Object.entries({ ...existing, ...update }).filter(([, value]) => value !== ''),
  );
}

/** @throws LedgerError INVALID_FIELD if the text is not a 64-bit number; undefined if the request has no version. */
export function requestedVersion(text: string | undefined, field: string): bigint | undefined {
  if (text === undefined || text === '') return undefined;
  const version = /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (version === undefined || BigInt.asIntN(64, version) !== version)
    throw invalidField(field, 'Invalid resource version number');
  return version;
}

/** @throws LedgerError INVALID_ARGUMENT: the participant chooses the version of a new object. */
export function refuseVersion(text: string | undefined, field: string): void {
  if (text) throw invalidArgument(`field ${field} must be not set`);
}

/** Splits text as Java does: empty parts at the end are dropped, so that `a/` names `a`. */
export function splitPath(text: string, separator: string): string[] {
  if (text === '') return [''];
  const parts = text.split(separator);
  while (parts.at(-1) === '') parts.pop();
  return parts;
}

/** For long texts in messages. */
export function shorten(text: string): string {
  return text.length > 53 ? `${text.slice(0, 50)}...` : text;
}
