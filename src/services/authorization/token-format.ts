/**
 * What a verified token says: Canton's readings of a payload. With a target audience or scope configured, the token must
 * name it; else it must be in one of the two formats of Canton itself, by audience or by scope.
 * NOTE: why a token is refused is told to nobody but the log, partly in words of ours.
 */
import type { JWTPayload } from 'jose';
import type { TokenFacts } from './claim-set.js';

/** Why a token is none of ours; it is told to nobody but the log. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

const AUDIENCE_PREFIX = 'https://daml.com/jwt/aud/participant/';
const LEDGER_API_SCOPE = 'daml_ledger_api';

export interface Targets {
  readonly targetAudience?: string;
  readonly targetScope?: string;
}

/** @throws TokenRefused */
export function readPayload(
  payload: JWTPayload,
  { targetAudience, targetScope }: Targets,
): TokenFacts & { userId: string } {
  if (targetAudience !== undefined) {
    if (!audiences(payload).includes(targetAudience))
      throw new TokenRefused("Audience doesn't match the target value");
    return facts(payload, undefined);
  }
  if (targetScope !== undefined) {
    if (!scopes(payload).includes(targetScope))
      throw new TokenRefused("Scope doesn't match the target value");
    return facts(payload, undefined);
  }
  return facts(payload, participantIn(payload));
}

/**
 * What a validator asks of a payload: the audience, if there is one to name, and whom it is of (L-AUTH-007, L-AUTH-008). A scope says
 * nothing to it.
 * @returns the user that it names
 * @throws TokenRefused
 */
export function callerIn(payload: JWTPayload, { targetAudience }: Targets): string {
  if (targetAudience !== undefined && !audiences(payload).includes(targetAudience))
    throw new TokenRefused("Audience doesn't match the target value");
  const user = userNamedIn(payload);
  if (user === undefined) throw new TokenRefused('No daml user found in token');
  return user;
}

function userNamedIn(payload: Readonly<Record<string, unknown>>): string | undefined {
  const claims = payload['https://canton-network'] as { daml_user?: unknown } | null | undefined;
  const user = claims?.daml_user ?? payload.sub;
  return typeof user === 'string' ? user : undefined;
}

/** Whom a token names that nobody verifies; undefined for what is no token. */
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

/** Without any target of its own, a token names its participant, or none. */
function participantIn(payload: JWTPayload): string | undefined {
  const named = audiences(payload).filter((each) => each.startsWith(AUDIENCE_PREFIX));
  if (named.length > 0) {
    const ids = named
      .map((each) => each.slice(AUDIENCE_PREFIX.length))
      .filter((each) => each !== '');
    if (ids.length === 1) return ids[0];
    throw new TokenRefused(
      `\`aud\` must include a single participantId value prefixed by ${AUDIENCE_PREFIX}`,
    );
  }
  if (!scopes(payload).includes(LEDGER_API_SCOPE))
    throw new TokenRefused(`Access token with unknown scope "${scopes(payload).join('')}"`);
  const all = audiences(payload);
  if (all.length > 1) throw new TokenRefused('`aud` must be empty or a single participantId.');
  return all[0];
}

function facts({ sub, exp }: JWTPayload, participantId: string | undefined) {
  if (typeof sub !== 'string') throw new TokenRefused('Could not read string value for sub');
  const expiresAt = exp === undefined ? undefined : exp * 1000;
  return { userId: sub, participantId, expiresAt, identityProviderId: undefined };
}

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (each): each is string => typeof each === 'string',
  );

const audiences = ({ aud }: JWTPayload): string[] => texts(aud);

const scopes = ({ scope, scp }: JWTPayload): string[] =>
  [...texts(scope), ...texts(scp)].flatMap((each) => each.split(' ')).filter((each) => each !== '');
