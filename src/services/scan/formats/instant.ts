/** Times in requests of Scan, as `java.time.Instant` reads them, down to its words for what it cannot read (S-UPD-004). */
import { isTimestamp, parseTimestamp } from '../../../daml/model/time.js';
import type { Timestamp } from '../../../daml/model/values.js';
import { HttpRefusal } from '../../handler.js';

/** The parts of an instant in order: reading fails where the first that does not fit begins. */
const PARTS = [
  /[+-]?\d{4,10}/,
  /-/,
  /\d\d/,
  /-/,
  /\d\d/,
  /T/i,
  /\d\d/,
  /:/,
  /\d\d/,
  /:/,
  /\d\d/,
  /(?:\.\d{0,9})?/,
  /(?:Z|[+-]\d\d:\d\d(?::\d\d)?)/i,
];
/** Longer texts are cut in the message. */
const SHOWN = 64;

/** @throws HttpRefusal 400 */
export function readInstant(text: string): Timestamp {
  let at = 0;
  for (const part of PARTS) {
    const match = new RegExp(part.source, `${part.flags}y`);
    match.lastIndex = at;
    const found = match.exec(text);
    if (found === null) throw unreadable(text, `could not be parsed at index ${at}`);
    at += found[0].length;
  }
  if (at < text.length)
    throw unreadable(text, `could not be parsed, unparsed text found at index ${at}`);
  const time = parseTimestamp(text);
  if (time === undefined) throw unreadable(text, 'could not be parsed at index 0');
  if (!isTimestamp(time)) throw unreadable(text, 'is out of the bounds of a timestamp');
  return time;
}

/** A `date-time` that its schema has let through. @throws HttpRefusal 400 for one that no record time can be */
export function readDateTime(text: string): Timestamp {
  const time = parseTimestamp(text);
  if (time === undefined || !isTimestamp(time))
    throw unreadable(text, 'is out of the bounds of a timestamp');
  return time;
}

/** As `java.time.OffsetDateTime` prints itself: without seconds that are none, its fraction in groups of three digits. */
export function shownDateTime(text: string): string {
  const [, minute, second = '00', fraction = '', offset] =
    /^(.*T\d\d:\d\d)(?::(\d\d)(?:\.(\d*))?)?(Z|[+-].*)$/.exec(text.toUpperCase()) ?? [];
  if (minute === undefined) return text;
  const digits = fraction.replace(/0+$/, '');
  const shown = digits.padEnd(Math.ceil(digits.length / 3) * 3, '0');
  const seconds = second === '00' && shown === '' ? '' : `:${second}`;
  return `${minute}${seconds}${shown === '' ? '' : `.${shown}`}${offset!.replace(/^[+-]00:00$/, 'Z')}`;
}

function unreadable(text: string, reason: string): HttpRefusal {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
  return new HttpRefusal(400, `Invalid timestamp: Text '${shown}' ${reason}`);
}
