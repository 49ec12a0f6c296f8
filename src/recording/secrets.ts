/**
 * Takes out of an exchange what opens doors: tokens, passwords, private keys, cookies. By rule, never by looking at who asks: a
 * recording is kept beside tests and shown around. Of a token stays whose it was, as that decides what is answered.
 * NOTE: signatures and public keys stay; they are part of what the ledger is told.
 */
import type { HarEntry, HarMessage, HarPair, HarRequest, HarResponse } from './har.js';

/** What stands where something was. */
const REMOVED = '(removed)';

/** Headers whose whole value is one, by parts of their names. */
const SECRET_HEADER =
  /^(?:proxy-)?authorization$|^(?:set-)?cookie$|token|secret|passw|api[-_]?key/i;
/** Not those: they say nothing but how. */
const OPEN_HEADER = /^access-control-|^x-csrf-token-name$/i;

/** Fields of queries, forms and JSON, in small letters without dashes and underscores. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(
  `accesstoken refreshtoken idtoken clientsecret clientassertion assertion subjecttoken actortoken password passwd secret
  privatekey secretkey signingkey seed mnemonic apikey onboardingsecret candidatetoken sessiontoken authtoken bearertoken codeverifier
  keypair encryptedprivatekey`.split(/\s+/),
);
/** In queries and forms alone: what they are elsewhere is open. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(['token', 'code', 'key']);

const JWT = /\beyJ[\w-]{4,}\.[\w-]{2,}\.[\w-]*/g;
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/g;
const SUBPROTOCOL = /\bjwt\.token\.[^,\s]+/g;

const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');
const isSecretField = (name: string): boolean => SECRET_FIELDS.has(plain(name));
const isSecretParameter = (name: string): boolean =>
  isSecretField(name) || SECRET_PARAMETERS.has(plain(name));

/** How often what was taken out, such as `header authorization`. */
export type Removals = ReadonlyMap<string, number>;

/** Cleans the exchanges of one recording, and counts. */
export class SecretRules {
  private readonly counts = new Map<string, number>();

  /** What has been taken out so far, in the order in which it first came. */
  get removed(): Removals {
    return this.counts;
  }

  clean(entry: HarEntry): HarEntry {
    const { _webSocketMessages: messages } = entry;
    return {
      ...entry,
      request: this.request(entry.request),
      response: this.response(entry.response),
      ...(messages && { _webSocketMessages: messages.map((each) => this.message(each)) }),
    };
  }

  private request(request: HarRequest): HarRequest {
    const { postData } = request;
    return {
      ...request,
      url: this.url(request.url),
      cookies: this.cookies(request.cookies),
      headers: this.headers(request.headers),
      queryString: this.parameters(request.queryString, () => {}),
      ...(postData && {
        postData: {
          ...postData,
          ...(postData.text !== undefined &&
            postData._encoding === undefined && {
              text: this.body(postData.mimeType, postData.text),
            }),
          ...(postData.params && { params: this.parameters(postData.params) }),
        },
      }),
    };
  }

  private response(response: HarResponse): HarResponse {
    const { content, redirectURL } = response;
    const { text, encoding, mimeType } = content;
    return {
      ...response,
      cookies: this.cookies(response.cookies),
      headers: this.headers(response.headers),
      redirectURL: redirectURL === '' ? '' : this.url(redirectURL),
      content:
        text === undefined || encoding !== undefined
          ? content
          : { ...content, text: this.body(mimeType, text) },
    };
  }

  private message(message: HarMessage): HarMessage {
    return message.opcode === 1 ? { ...message, data: this.body('json', message.data) } : message;
  }

  private cookies(cookies: readonly HarPair[] = []): HarPair[] {
    return cookies.map(({ name }) => ({ name, value: this.take(`cookie ${name}`) }));
  }

  private headers(headers: readonly HarPair[]): HarPair[] {
    return headers.map(({ name, value }) => {
      const small = name.toLowerCase();
      if (small === 'location') return { name, value: this.url(value) };
      if (SECRET_HEADER.test(name) && !OPEN_HEADER.test(name))
        return { name, value: withScheme(value, this.take(`header ${small}`)) };
      return { name, value: this.texts(value) };
    });
  }

  private parameters(pairs: readonly HarPair[] = [], count = (name: string) => this.note(name)) {
    return pairs.map(({ name, value }) => {
      if (!isSecretParameter(name)) return { name, value: replaced(value ?? '', () => {}) };
      count(`parameter ${name}`);
      return { name, value: REMOVED };
    });
  }

  private url(text: string): string {
    const user = /^([a-z]+:\/\/)[^/@?#]*@/i.exec(text);
    const open = user === null ? text : user[1]! + text.slice(user[0].length);
    if (user !== null) this.note('user in a URL');
    const at = open.search(/[?#]/);
    if (at < 0) return this.texts(open);
    return this.texts(open.slice(0, at)) + open[at]! + this.form(open.slice(at + 1));
  }

  /** What is not one of the secrets stays as it was written. */
  private form(text: string): string {
    const parts = text.split('&').map((part) => {
      const name = decoded(part.split('=', 1)[0]!);
      if (!part.includes('=') || !isSecretParameter(name)) return this.texts(part);
      this.note(`parameter ${name}`);
      return `${part.split('=', 1)[0]}=${encodeURIComponent(REMOVED)}`;
    });
    return parts.join('&');
  }

  private body(mimeType: string, text: string): string {
    // Not everything is what it is called.
    const isForm = mimeType.includes('x-www-form-urlencoded') && !/^\s*[{["]/.test(text);
    return isForm ? this.form(text) : this.texts(this.fields(text));
  }

  /** String values of JSON by the names of their fields. The text is not written anew: digits and order stay. */
  private fields(text: string): string {
    return text.replace(
      /"([A-Za-z_-]{4,32})"(\s*:\s*)"[^"\\]*(?:\\.[^"\\]*)*"/g,
      (all, name: string, between: string) =>
        isSecretField(name) ? `"${name}"${between}"${this.take(`field ${name}`)}"` : all,
    );
  }

  private texts(text: string): string {
    return replaced(text, (what) => this.note(what));
  }

  private take(what: string): string {
    this.note(what);
    return REMOVED;
  }

  private note(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

function replaced(text: string, note: (what: string) => void): string {
  const by = (what: string, value: (match: string) => string) => (match: string) => {
    note(what);
    return value(match);
  };
  return text
    .replace(
      SUBPROTOCOL,
      by('subprotocol jwt.token', () => `jwt.token.${REMOVED}`),
    )
    .replace(
      JWT,
      by('token in a text', () => REMOVED),
    )
    .replace(
      PEM,
      by('private key', () => REMOVED),
    );
}

/** `Bearer`, and whose token it was, stay. */
function withScheme(value: string, removed: string): string {
  const scheme = /^(Bearer|Basic|Digest|DPoP|Negotiate) \S/i.exec(value)?.[1];
  const user = userOf(value);
  const what = user === undefined ? removed : `(removed, of ${user})`;
  return scheme === undefined ? what : `${scheme} ${what}`;
}

/** Whose token it is or was: the header as it came, or as it was left here. */
export function userOf(value: string): string | undefined {
  const kept = /\(removed, of ([^)]+)\)/.exec(value)?.[1];
  if (kept !== undefined) return kept;
  const payload = /eyJ[\w-]*\.([\w-]+)\./.exec(value)?.[1];
  if (payload === undefined) return undefined;
  try {
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub?: unknown };
    return typeof sub === 'string' && /^[\w@.:|/-]{1,128}$/.test(sub) ? sub : undefined;
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `2 × header authorization, field access_token`; empty where there was nothing. */
export function removalsText(removed: Removals): string {
  return [...removed]
    .map(([what, times]) => (times === 1 ? what : `${times} × ${what}`))
    .join(', ');
}
