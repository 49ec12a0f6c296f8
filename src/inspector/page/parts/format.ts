/** Formats texts for display: the content is never markup, and invisible characters are shown by name. */

/** Invisible characters, and characters that change the direction of text. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Names such characters: `⟨202E⟩`. */
export const visible = (text: string): string =>
  text.replace(
    UNSEEN,
    (character) => `⟨${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );

/** Shortens a long text to its beginning and its end. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.ceil(most * 0.6);
  return `${text.slice(0, head)}…${text.slice(head - most + 1)}`;
}

export const shortId = (id: string): string => shortened(id, 16);

/** The hint of a party, and the beginning of its namespace's fingerprint. */
export function partyParts(party: string): readonly [string, string] {
  const at = party.indexOf('::');
  return at < 0 ? [party, ''] : [party.slice(0, at), party.slice(at + 2)];
}

export const partyName = (party: string): string => visible(shortened(partyParts(party)[0], 36));

/** Parties in a row, where each has few characters. */
export const shortParty = (party: string): string => visible(shortened(partyParts(party)[0], 20));

const PARTY = /([^\s:]{1,185})::1220[0-9a-f]{64}/g;

/** A sentence with its parties by their names. */
export const withShortParties = (text: string): string => text.replace(PARTY, shortParty);

/** Splits `#package:Module:Entity` or `hash:Module:Entity`. */
export function nameParts(id: string): { package: string; module: string; entity: string } {
  const [first = '', module = '', entity = ''] = id.replace(/^#/, '').split(':');
  return entity === ''
    ? { package: '', module: first, entity: module || first }
    : { package: first, module, entity };
}

export const entityOf = (id: string | undefined): string =>
  id === undefined ? '' : nameParts(id).entity;

/** `2026-01-01 12:00:00.000001`, with all digits; without the fraction if it is 0. */
export const wholeTime = (time: string): string =>
  time
    .replace('T', ' ')
    .replace(/(?:\.0+)?Z$/, '')
    .replace(/(\.\d*?[1-9])0+Z?$/, '$1')
    .replace(/Z$/, '');

/** To the millisecond: `2026-01-01 12:00:00.001`. */
export const timeText = (time: string): string =>
  wholeTime(time.replace(/(\.\d{3})\d*(Z?)$/, '$1$2'));

/** To the second, as a clock shows it. */
export const clockText = (time: string): string => wholeTime(time).replace(/\.\d*$/, '');

/** Times of a list: to the millisecond, but whole where that would make two neighbours look the same. */
export function timeTexts(times: readonly string[]): readonly string[] {
  const short = times.map(timeText);
  return times.map((time, place) => {
    const isLike = (other: number) => short[other] === short[place] && times[other] !== time;
    return isLike(place - 1) || isLike(place + 1) ? microseconds(time) : short[place]!;
  });
}

/** Times with as many digits each. */
export function microseconds(time: string): string {
  const [whole = '', fraction = ''] = time.replace('T', ' ').replace('Z', '').split('.');
  return `${whole}.${fraction.padEnd(6, '0')}`;
}

export const isContractId = (text: string): boolean => /^00[0-9a-f]{64,}$/.test(text);
export const isPartyId = (text: string): boolean => /^[^\s:]{1,185}::1220[0-9a-f]{64}$/.test(text);
export const isUpdateId = (text: string): boolean => /^1220[0-9a-f]{64}$/.test(text);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
