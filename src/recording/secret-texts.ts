/** Removes secrets by their pattern, anywhere in a text: tokens, private keys, and secrets in links. */
import { isSecretParameter } from './secret-names.js';

/** The text that replaces a removed secret. */
export const REMOVED = '(removed)';

export type Note = (what: string) => void;

const JWT = /\beyJ[\w-]{4,}\.[\w-]{2,}(?:\.[\w-]*){0,3}/g;
/** A private key in PEM, complete or truncated. */
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const SUBPROTOCOL = /\bjwt\.token\.[^,\s"]+/g;
/** A token is not a plain word, and not a parameter of a challenge. */
const BEARER = /\b(Bearer|Basic) +(?=\S*[\dA-Z._~+/-])[\w.~+/-]{8,}={0,2}/g;
/** The user part of a link, before the host. */
const USER = /\b([a-z][a-z0-9+.-]{1,15}:\/\/)[^/@?#\s"'<>]+@/gi;
/** A parameter of a link, also of a link in HTML. */
const PARAMETER = /([?&#]|&amp;)([^=&#?;\s"'<>]{1,128})=([^&#\s"'<>;,)\]}]+)/g;

/** @param note receives the name of each removed secret */
export function withoutSecretShapes(text: string, note: Note): string {
  const by = (what: string, value: string) => () => {
    note(what);
    return value;
  };
  return text
    .replace(USER, (_, scheme: string) => {
      note('user in a URL');
      return scheme;
    })
    .replace(PARAMETER, (all, mark: string, name: string) => {
      const plain = decoded(name);
      if (!isSecretParameter(plain)) return all;
      note(`parameter ${plain}`);
      return `${mark}${name}=${encodeURIComponent(REMOVED)}`;
    })
    .replace(SUBPROTOCOL, by('subprotocol jwt.token', `jwt.token.${REMOVED}`))
    .replace(BEARER, (all: string, scheme: string, at: number, whole: string) => {
      if (all.endsWith('=') && whole[at + all.length] === '"') return all;
      note('token in a text');
      return `${scheme} ${REMOVED}`;
    })
    .replace(JWT, by('token in a text', REMOVED))
    .replace(PEM, by('private key', REMOVED));
}

/** The decoded name of a parameter. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}
