/**
 * Onboarding secrets of an SV, in three forms: on the ledger, as the SV shows them, and as a validator presents them. A secret with a hint
 * is valid only for a party of that name.
 */
import { uniqueIdentifierError } from '../../daml/model/identifiers.js';
import { isJsonObject } from '../../daml/model/own-members.js';
import type { Party } from '../../daml/model/values.js';

export interface OnboardingSecret {
  readonly sponsoringSv: Party;
  readonly secret: string;
  /** The prefix of the only party for which it is valid. */
  readonly partyHint?: string | undefined;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Parses a secret. A text in neither form is a secret that the user chose, for the SV that receives the request. */
export function readSecret(text: string, receivingSv: Party): OnboardingSecret {
  const read = text.startsWith('{') ? noted(text) : shown(text);
  return read ?? { sponsoringSv: receivingSv, secret: text };
}

/** The form in a ValidatorOnboarding. */
export function notedSecret({ sponsoringSv, secret, partyHint }: OnboardingSecret): string {
  if (partyHint === undefined) return secret;
  return JSON.stringify({ sv: sponsoringSv, secret, validator_party_hint: partyHint });
}

/** The form in the SV's response: base64. */
export function shownSecret({ sponsoringSv, secret, partyHint }: OnboardingSecret): string {
  const members = { sponsoringSv, secret, partyHint: partyHint ?? null };
  return Buffer.from(JSON.stringify(members)).toString('base64');
}

function noted(text: string): OnboardingSecret | undefined {
  const { sv, secret, validator_party_hint: partyHint } = membersOf(text);
  if (!isParty(sv) || typeof secret !== 'string' || typeof partyHint !== 'string') return undefined;
  return { sponsoringSv: sv, secret, partyHint };
}

function shown(text: string): OnboardingSecret | undefined {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return undefined;
  const { sponsoringSv, secret, partyHint } = membersOf(
    Buffer.from(text, 'base64').toString('utf8'),
  );
  if (!isParty(sponsoringSv) || typeof secret !== 'string') return undefined;
  if (partyHint === undefined || partyHint === null) return { sponsoringSv, secret };
  return typeof partyHint === 'string' ? { sponsoringSv, secret, partyHint } : undefined;
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isParty(value: unknown): value is Party {
  return typeof value === 'string' && uniqueIdentifierError(value) === undefined;
}
