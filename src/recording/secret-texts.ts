/** What is a secret by its shape, wherever it stands in a text: tokens, private keys, and what a link carries. */
import { isSecretParameter } from './secret-names.js';

/** What stands where something was. */
export const REMOVED = '(removed)';

export type Note = (what: string) => void;

const JWT = /\beyJ[\w-]{4,}\.[\w-]{2,}(?:\.[\w-]*){0,3}/g;
/** Whole, or torn off. */
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const SUBPROTOCOL = /\bjwt\.token\.[^,\s"]+/g;
/** A token is no plain word, and no parameter of a challenge. */
const BEARER = /\b(Bearer|Basic) +(?=\S*[\dA-Z._~+/-])[\w.~+/-]{8,}={0,2}/g;
/** In front of the host of a link. */
const USER = /\b([a-z][a-z0-9+.-]{1,15}:\/\/)[^/@?#\s"'<>]+@/gi;
/** In a link, also in one that stands in HTML. */
const PARAMETER = /([?&#]|&amp;)([^=&#?;\s"'<>]{1,128})=([^&#\s"'<>;,)\]}]+)/g;

/** @param note told what was taken out */
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

/** The name of a parameter, as it is meant. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}
