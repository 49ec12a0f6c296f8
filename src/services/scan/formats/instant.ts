/** Reads times in requests of Scan like `java.time`, with its error texts (S-UPD-004). */
import {
  boundsError,
  conversionError,
  instantError,
  parseInstant,
  parseOffsetDateTime,
  shownSeconds,
} from '../../../daml/codec/java-time.js';
import type { Timestamp } from '../../../daml/model/values.js';
import { HttpRefusal } from '../../handler.js';

/** @throws HttpRefusal 400 */
export function readInstant(text: string): Timestamp {
  const error = instantError(text) ?? conversionError(parseInstant(text));
  if (error !== undefined) throw new HttpRefusal(400, `Invalid timestamp: ${error}`);
  return parseInstant(text);
}

/** A `date-time` that its schema accepts. @throws HttpRefusal 400 for a time that cannot be a record time */
export function readDateTime(text: string): Timestamp {
  const time = parseOffsetDateTime(text);
  const error = conversionError(time);
  if (error !== undefined) throw new HttpRefusal(400, `Failed to decode: ${error}`);
  return time;
}

/** Like {@link readDateTime}, for a time that limits the requested updates. @throws HttpRefusal 400 */
export function readBound(text: string): Timestamp {
  const time = parseOffsetDateTime(text);
  const error = boundsError(time);
  if (error !== undefined) throw new HttpRefusal(400, error);
  return time;
}

/** In the format of `java.time.OffsetDateTime`. */
export function shownDateTime(text: string): string {
  const [, minute, second = '00', fraction = '', offset] =
    /^(.*T\d\d:\d\d)(?::(\d\d)(?:\.(\d*))?)?(Z|[+-].*)$/.exec(text.toUpperCase()) ?? [];
  if (minute === undefined) return text;
  const shown = /^[+-]00(?::00)*$/.test(offset!) ? 'Z' : offset!.replace(/^([+-]\d\d)$/, '$1:00');
  return `${minute}${shownSeconds(second, fraction)}${shown}`;
}
