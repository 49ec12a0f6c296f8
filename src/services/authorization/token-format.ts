/**
 * The facts in a verified token, as Canton reads a payload. If a target audience or scope is configured, the token
 * must name it. Otherwise it must have one of Canton's two formats, by audience or by scope.
 * NOTE: only the log has the reason for rejecting a token, partly in Canticle's words.
 */
import type { TokenFacts } from './claim-set.js';
import { TokenRefused, type Payload } from './jwt.js';

export const AUDIENCE_PREFIX = 'https://daml.com/jwt/aud/participant/';
const LEDGER_API_SCOPE = 'daml_ledger_api';

export interface TokenRules {
  readonly rejectsTokensWithoutAudience?: boolean;
  readonly takesPartyTokens?: boolean;
}

export interface Targets {
  readonly targetAudience?: string;
  readonly targetScope?: string;
}

/** @throws TokenRefused */
export function readPayload(
  payload: Payload,
  { targetAudience, targetScope }: Targets,
  { rejectsTokensWithoutAudience = false }: TokenRules,
): TokenFacts & { userId: string } {
  const audiences = textsIn(payload, 'aud');
  if (rejectsTokensWithoutAudience && audiences.length === 0)
    throw new TokenRefused('The token has no audience');
  const scopes = scopesIn(payload);
  if (targetAudience !== undefined) {
    if (!audiences.includes(targetAudience))
      throw new TokenRefused("Audience doesn't match the target value");
    return facts(payload, undefined);
  }
  if (targetScope !== undefined) {
    if (!scopes.join(' ').split(' ').includes(targetScope))
      throw new TokenRefused("Scope doesn't match the target value");
    return facts(payload, undefined);
  }
  return facts(payload, participantIn(audiences, scopes));
}

/**
 * Checks a payload as a validator does: the audience, if configured, and the subject (L-AUTH-007, L-AUTH-008). It
 * ignores scopes.
 * @returns the user that it names
 * @throws TokenRefused
 */
export function callerIn(payload: Payload, { targetAudience }: Targets): string {
  const { aud } = payload;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (targetAudience !== undefined && !audiences.includes(targetAudience))
    throw new TokenRefused("Audience doesn't match the target value");
  const user = userNamedIn(payload);
  if (user === undefined) throw new TokenRefused('No daml user found in token');
  return user;
}

function userNamedIn(payload: Readonly<Record<string, unknown>>): string | undefined {
  const claims = payload['https://canton-network'] as { daml_user?: unknown } | null | undefined;
  const user = claims?.daml_user ?? payload['sub'];
  return typeof user === 'string' ? user : undefined;
}

/** The subject of an unverified token; undefined if the text is not a token. */
export function subjectOf(token: string): string | undefined {
  try {
    const payload: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'),
    );
    return payload !== null && typeof payload === 'object'
      ? userNamedIn(payload as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The audience that names a participant. */
export function participantAudience(participantId: string): string {
  return AUDIENCE_PREFIX + participantId;
}

/** Without a configured target, a token names its participant, or none. */
function participantIn(
  audiences: readonly string[],
  scopes: readonly string[],
): string | undefined {
  const named = audiences.filter((each) => each.startsWith(AUDIENCE_PREFIX));
  if (named.length > 0) {
    const ids = named
      .map((each) => each.slice(AUDIENCE_PREFIX.length))
      .filter((each) => each !== '');
    if (ids.length === 1) return ids[0];
    throw new TokenRefused(
      `\`aud\` must include a single participantId value prefixed by ${AUDIENCE_PREFIX}`,
    );
  }
  if (!scopes.includes(LEDGER_API_SCOPE))
    throw new TokenRefused(`Access token with unknown scope "${scopes.join('')}"`);
  if (audiences.length > 1)
    throw new TokenRefused('`aud` must be empty or a single participantId.');
  return audiences[0];
}

function facts(payload: Payload, participantId: string | undefined) {
  const { sub, iss, exp } = payload;
  if (typeof sub !== 'string') throw new TokenRefused('Could not read string value for sub');
  if (iss !== undefined && iss !== null && typeof iss !== 'string')
    throw new TokenRefused('Could not read string value for iss');
  // Its type is already checked; here it must be an integer.
  if (typeof exp === 'number' && !Number.isInteger(exp))
    throw new TokenRefused('Could not read epoch seconds for exp');
  const expiresAt = typeof exp === 'number' ? exp * 1000 : undefined;
  return { userId: sub, participantId, expiresAt, identityProviderId: undefined };
}

/** A text, or a list of texts; none if it is absent or null. */
function textsIn(payload: Payload, claim: 'aud' | 'scp'): readonly string[] {
  const value = payload[claim];
  if (value === undefined || value === null) return [];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (all.every((each): each is string => typeof each === 'string')) return all;
  throw new TokenRefused(`Could not read string value for ${claim}`);
}

/** The scopes in `scope`, which is split at spaces; otherwise those in `scp`, which are not split (B-AUTH-036). */
function scopesIn(payload: Payload): readonly string[] {
  const { scope } = payload;
  const cut = typeof scope === 'string' ? withoutEmptyEnd(scope.split(' ')) : [];
  return cut.length > 0 ? cut : textsIn(payload, 'scp');
}

/** As Java splits a text. */
function withoutEmptyEnd(parts: readonly string[]): readonly string[] {
  if (parts.length === 1) return parts;
  return parts.slice(0, parts.findLastIndex((each) => each !== '') + 1);
}
