/**
 * Which names are of secrets: of headers, cookies, query parameters, fields of forms, parts, and members of JSON, however they are
 * written. What a name says decides, never who asks.
 */

/** In small letters, without what stands between words. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const SECRET =
  /passw|passphrase|^pwd$|secret|privatekey|apikey|accesskey|signingkey|keypair|mnemonic|^seed$|seedphrase|recoveryphrase|assertion$|codeverifier$|tokens?$|jwt$|^authorization$|^proxyauthorization$|cookie$|^t?otp$|^pin$|^sessionid$/;
/** Where a list goes on; how something is made, found or called, and what it is that may be public. */
const OPEN =
  /(?:page|continuation|begin|end|next|cursor)tokens?$|(?:expiresat|expiresin|endpoint|url|uri|type|types|format|name|alg|algorithm|supported|methods?)$/;

/** A member of JSON. */
export function isSecretField(name: string): boolean {
  const small = plain(name);
  return SECRET.test(small) && !OPEN.test(small);
}

/** In queries and forms alone: what they are elsewhere is open. Signatures of ledgers are in bodies, those of links open doors. */
const SECRET_PARAMETER =
  /^(?:token|code|sessioncode|key|sig|hmac|auth|session|sid)$|signature$|^x(?:amz|goog)credential$/;

/** A parameter of a query, a field of a form. */
export const isSecretParameter = (name: string): boolean =>
  isSecretField(name) || SECRET_PARAMETER.test(plain(name));

const SECRET_HEADER =
  /^(?:proxy-)?authorization$|^(?:set-)?cookie2?$|token|secret|passw|api-?_?key|access-?_?key|jwt|^x-auth|^x-amz-signature$/i;
/** Not those: they say nothing but how. */
const OPEN_HEADER = /^access-control-|^x-csrf-token-name$/i;

/** A header whose whole value is one. */
export const isSecretHeader = (name: string): boolean =>
  SECRET_HEADER.test(name) && !OPEN_HEADER.test(name);

/** Whether a number of that name may be one: what opens doors is seldom a number. */
export const isSecretNumber = (name: string): boolean =>
  /passw|secret|pin$|otp$/.test(plain(name)) && isSecretField(name);

/** The private parts of a key as JWK has them (RFC 7518, 6). */
export const isPrivateOfJwk = (name: string): boolean => /^(?:d|p|q|dp|dq|qi|k|oth)$/.test(name);

/** An id of a contract or a party, or an amount: of a ledger, whose tokens are money. */
export const isOfLedger = (value: string): boolean =>
  /^(?:00[0-9a-f]{64,}|[\w:. -]{0,255}::1220[0-9a-f]{64}|-?\d+\.\d+)$/.test(value);

/** What holds lists of secrets, each in a member of another name, and those names. */
export const isCredentials = (name: string): boolean => /^credentials?$/.test(plain(name));
export const isOfCredential = (name: string): boolean =>
  /^(?:value|secretdata|credentialdata|data)$/.test(plain(name));

/** Where the whole of an answer is one: Splice's SV gives a secret as a plain text. */
export const isSecretAnswer = (path: string): boolean =>
  /\/onboard\/validator\/prepare\/?$|\/validator\/onboarding\/prepare\/?$/.test(path);
