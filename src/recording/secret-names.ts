/**
 * Names that mark secrets: of headers, cookies, query parameters, form fields, parts, and JSON members, in any
 * spelling. Only the name decides, not the client.
 */

/** The name in lower case, without separators. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const SECRET =
  /passw|passphrase|^pwd$|secret|privatekey|apikey|accesskey|signingkey|keypair|mnemonic|^seed$|seedphrase|recoveryphrase|assertion$|codeverifier$|tokens?$|jwt$|^authorization$|^proxyauthorization$|cookie$|^t?otp$|^pin$|^sessionid$/;
/** Names that are not secret: page tokens, the metadata of a secret, and public values. */
const OPEN =
  /(?:page|continuation|begin|end|next|cursor)tokens?$|(?:expiresat|expiresin|endpoint|url|uri|type|types|format|name|alg|algorithm|supported|methods?)$/;

/** Whether a JSON member is secret. */
export function isSecretField(name: string): boolean {
  const small = plain(name);
  return SECRET.test(small) && !OPEN.test(small);
}

/**
 * Names that are secret only in queries and forms. In bodies, signatures belong to the ledger; in links, a
 * signature grants access.
 */
const SECRET_PARAMETER =
  /^(?:token|code|sessioncode|key|sig|hmac|auth|session|sid)$|signature$|^x(?:amz|goog)credential$/;

/** Whether a query parameter or form field is secret. */
export const isSecretParameter = (name: string): boolean =>
  isSecretField(name) || SECRET_PARAMETER.test(plain(name));

const SECRET_HEADER =
  /^(?:proxy-)?authorization$|^(?:set-)?cookie2?$|token|secret|passw|api-?_?key|access-?_?key|jwt|^x-auth|^x-amz-signature$/i;
/** Headers that are not secret, because they contain only settings. */
const OPEN_HEADER = /^access-control-|^x-csrf-token-name$/i;

/** Whether the whole value of a header is secret. */
export const isSecretHeader = (name: string): boolean =>
  SECRET_HEADER.test(name) && !OPEN_HEADER.test(name);

/** Whether a number with this name may be secret. Few secrets are numbers. */
export const isSecretNumber = (name: string): boolean =>
  /passw|secret|pin$|otp$/.test(plain(name)) && isSecretField(name);

/** Whether the name is a private part of a JWK key (RFC 7518, 6). */
export const isPrivateOfJwk = (name: string): boolean => /^(?:d|p|q|dp|dq|qi|k|oth)$/.test(name);

/** Whether the value is a contract id, a party id or an amount. On a ledger, a "token" may be money. */
export const isOfLedger = (value: string): boolean =>
  /^(?:00[0-9a-f]{64,}|[\w:. -]{0,255}::1220[0-9a-f]{64}|-?\d+\.\d+)$/.test(value);

/** Names of lists of secrets, and the members of their elements that have the secret. */
export const isCredentials = (name: string): boolean => /^credentials?$/.test(plain(name));
export const isOfCredential = (name: string): boolean =>
  /^(?:value|secretdata|credentialdata|data)$/.test(plain(name));

/** Whether the whole answer is secret: Splice's SV sends a secret as plain text. */
export const isSecretAnswer = (path: string): boolean =>
  /\/onboard\/validator\/prepare\/?$|\/validator\/onboarding\/prepare\/?$/.test(path);
