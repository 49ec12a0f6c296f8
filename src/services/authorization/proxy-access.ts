/**
 * Who may pass the validator's proxy, with authorization on: whoever has a token that is known, user of the participant or not
 * (V-GEN-002 to V-GEN-004). Scan itself, its registry and what the validator tells of itself are open.
 */
import type { Authenticator } from './authenticator.js';

/** What the answer to a caller without a valid token says. */
export interface Challenge {
  readonly text: string;
  /** Of the header `WWW-Authenticate`. */
  readonly challenge: string;
  /** Why, for the journal alone. */
  readonly reason: string;
}

const CHALLENGE = 'Bearer realm="splice scan proxy realm"';
const MISSING = 'The resource requires authentication, which was not supplied with the request';
const REJECTED = 'The supplied authentication is invalid';

/** As RFC 6750 has it; what is none of these is as if it were not there. */
const BEARER = /^bearer +([\w\-.~+/]{1,65536}={0,2}) *$/i;

/** @returns undefined for a caller that may pass */
export async function proxyChallenge(
  auth: Authenticator,
  header: (name: string) => string | undefined,
  query: string,
): Promise<Challenge | undefined> {
  const authorization = header('authorization');
  const token =
    (authorization && BEARER.exec(authorization)?.[1]) ??
    new URLSearchParams(query).get('access_token') ??
    undefined;
  if (!token)
    return { text: MISSING, challenge: CHALLENGE, reason: 'The request has no bearer token' };
  const reason = await auth.refusal(token);
  return reason === undefined ? undefined : { text: REJECTED, challenge: CHALLENGE, reason };
}
