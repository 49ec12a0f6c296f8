/** Fields of the admin API's messages, as a participant reads them. Each throws a ConversionError. */
import { conversionError, parseInstant } from '../../../daml/codec/java-time.js';
import {
  anyFingerprintError,
  packageIdError,
  partyError,
  tooLong,
  uniqueIdentifierError,
} from '../../../daml/model/identifiers.js';
import type { Timestamp } from '../../../daml/model/values.js';
import { unsupportedProtocol } from '../../../network/model/ids.js';
import { readCron } from '../../../network/administration/cron.js';
import {
  fieldNotSet,
  invariantViolation,
  otherError,
  plainError,
  stringConversion,
  timestampConversion,
  valueConversion,
} from './conversion.js';

/** A `google.protobuf.Duration`. */
export interface DurationMessage {
  readonly seconds: number;
  readonly nanos: number;
}

export function required<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw fieldNotSet(field);
  return value;
}

/** The id of a party, a participant or a synchronizer. */
export function uniqueIdentifier(field: string, text: string): string {
  const error = uniqueIdentifierError(text);
  if (error !== undefined) throw valueConversion(field, error);
  return text;
}

export function partyId(field: string, text: string): string {
  const error = partyError(text);
  if (error !== undefined) throw valueConversion(field, error);
  return uniqueIdentifier(field, text);
}

/** The id of a synchronizer, or of one of its versions. */
export interface SynchronizerMessage {
  readonly id?: string;
  readonly physicalId?: string;
}

export interface SynchronizerReference {
  readonly id: string;
  /** Present if the request names a version. */
  readonly physicalId?: string;
}

/**
 * @param fields as the error names them
 * @param supported protocol versions of the participant
 */
export function synchronizerReference(
  { id, physicalId }: SynchronizerMessage,
  fields: Readonly<Record<'empty' | 'id' | 'physicalId', string>>,
  supported: readonly number[],
): SynchronizerReference {
  if (physicalId !== undefined)
    return physicalSynchronizer(fields.physicalId, physicalId, supported);
  return { id: uniqueIdentifier(fields.id, required(fields.empty, id)) };
}

export function physicalSynchronizer(
  field: string,
  physicalId: string,
  supported: readonly number[],
): SynchronizerReference {
  const [identifier = '', namespace = '', suffix, ...more] = physicalId.split('::');
  if (suffix === undefined || more.length > 0)
    throw valueConversion(field, `Unable to parse \`${physicalId}\` as physical synchronizer id`);
  const id = uniqueIdentifier(field, `${identifier}::${namespace}`);
  const [version = '', serial, ...rest] = suffix.split('-');
  if (serial === undefined || rest.length > 0)
    throw valueConversion(field, `Cannot parse ${suffix} as a physical synchronizer id suffix`);
  const error =
    versionError(version, supported) ??
    (/^\d+$/.test(serial) ? undefined : `Cannot parse ${serial} to an int`);
  if (error !== undefined) throw valueConversion(field, error);
  return { id, physicalId };
}

/** @param field as the error names it; undefined if the error names none */
export function packageId(text: string, field?: string): string {
  const error = packageIdError(text);
  if (error !== undefined) throw stringConversion(error, field);
  return text;
}

export function fingerprint(text: string): string {
  const error = anyFingerprintError(text);
  if (error !== undefined) throw stringConversion(error);
  return text;
}

/** The maximum number of characters of a synchronizer's alias. */
const LONGEST_ALIAS = 255;

export function synchronizerAlias(text: string): string {
  if (text.length > LONGEST_ALIAS)
    throw plainError(tooLong('SynchronizerAlias', LONGEST_ALIAS, text));
  return text;
}

export function instant(text: string): Timestamp {
  const micros = parseInstant(text);
  const error = conversionError(micros);
  if (error !== undefined) throw timestampConversion(error);
  return micros;
}

/** In nanoseconds. */
export function nonNegativeDuration(field: string, given: DurationMessage): bigint {
  const nanos = nanosOf(given);
  if (nanos < 0n)
    throw valueConversion(field, `Duration should be non-negative, found: ${shown(nanos)}`);
  return nanos;
}

/** In nanoseconds, for durations that a node's configuration can contain too. Errors print them in Scala's format. */
export function nonNegativeConfigDuration(field: string, given: DurationMessage): bigint {
  const nanos = nanosOf(given);
  if (nanos >= 0n) return nanos;
  const amount = given.nanos === 0 ? `${given.seconds} seconds` : `${nanos} nanoseconds`;
  throw valueConversion(field, `Duration ${amount} is negative!`);
}

/** In seconds. */
export function positiveSeconds(field: string, given: DurationMessage | undefined): number {
  const nanos = nanosOf(required(field, given));
  if (nanos <= 0n || nanos % NANOS_OF_SECOND !== 0n)
    throw valueConversion(
      field,
      `Duration should be positive and rounded to the second, found: ${shown(nanos)}`,
    );
  return Number(nanos / NANOS_OF_SECOND);
}

export function cronExpression(text: string): string {
  const read = readCron(text);
  if (typeof read === 'string')
    throw valueConversion('cron', `Invalid cron expression "${text}": ${read}`);
  return text;
}

export function positiveOffset(field: string, offset: number): number {
  const error = positiveOffsetError(offset);
  if (error !== undefined) throw invariantViolation(field, error);
  return offset;
}

export function positiveOffsetError(offset: number): string | undefined {
  return offset > 0 ? undefined : `Expecting positive value for offset, found ${offset}.`;
}

export function protocolVersion(version: number, supported: readonly number[]): number {
  const error = versionError(version, supported);
  if (error !== undefined) throw otherError(error);
  return version;
}

function versionError(version: number | string, supported: readonly number[]): string | undefined {
  return supported.includes(Number(version)) ? undefined : unsupportedProtocol(version, supported);
}

const NANOS_OF_SECOND = 1_000_000_000n;
const NANOS_OF_MINUTE = 60n * NANOS_OF_SECOND;
const NANOS_OF_HOUR = 60n * NANOS_OF_MINUTE;

const nanosOf = ({ seconds, nanos }: DurationMessage): bigint =>
  BigInt(seconds) * NANOS_OF_SECOND + BigInt(nanos);

/** In the format of `java.time.Duration`: every part that is not zero, each with its sign. */
function shown(nanos: bigint): string {
  const [hours, minutes] = [nanos / NANOS_OF_HOUR, (nanos % NANOS_OF_HOUR) / NANOS_OF_MINUTE];
  const rest = nanos % NANOS_OF_MINUTE;
  const magnitude = rest < 0n ? -rest : rest;
  const fraction = String(magnitude % NANOS_OF_SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const seconds = `${rest < 0n ? '-' : ''}${magnitude / NANOS_OF_SECOND}${fraction && `.${fraction}`}S`;
  const parts = [
    hours !== 0n && `${hours}H`,
    minutes !== 0n && `${minutes}M`,
    rest !== 0n && seconds,
  ];
  return `PT${parts.filter(Boolean).join('') || '0S'}`;
}
