/**
 * Removes secrets from an exchange: tokens, passwords, private keys, cookies. The rules are the same for all
 * clients, because recordings are stored with tests and shared. The user of a token stays, because the answer
 * depends on it. NOTE: signatures and public keys stay, because they are part of the ledger's data.
 */
import {
  harText,
  type HarEntry,
  type HarMessage,
  type HarPair,
  type HarRequest,
  type HarResponse,
} from './har.js';
import { looksLikeJson, withoutSecretsOfJson } from './secret-json.js';
import {
  isSecretAnswer,
  isSecretField,
  isSecretHeader,
  isSecretParameter,
} from './secret-names.js';
import { decoded, REMOVED, withoutSecretShapes, type Note } from './secret-texts.js';

/** The number of removals by kind, such as `header authorization`. */
export type Removals = ReadonlyMap<string, number>;

/** Cleans the exchanges of one recording, and counts the removals. */
export class SecretRules {
  private readonly counts = new Map<string, number>();

  /** The removals so far, in the order of their first occurrence. */
  get removed(): Removals {
    return this.counts;
  }

  clean(entry: HarEntry): HarEntry {
    const { _webSocketMessages: messages } = entry;
    return {
      ...entry,
      request: this.request(entry.request),
      response: this.response(entry.response, entry.request),
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
          ...(postData.text !== undefined && {
            text: this.encoded(postData.mimeType, postData.text, postData._encoding),
          }),
          ...(postData.params && { params: this.parameters(postData.params) }),
        },
      }),
    };
  }

  private response(response: HarResponse, { url }: HarRequest): HarResponse {
    const { content, redirectURL } = response;
    const { text, encoding, mimeType } = content;
    const isWhole = response.status < 400 && isSecretAnswer(new URL(url).pathname);
    const cleaned = (given: string): string =>
      isWhole && given !== ''
        ? this.take('answer with a secret')
        : this.encoded(mimeType, given, encoding);
    return {
      ...response,
      cookies: this.cookies(response.cookies),
      headers: this.headers(response.headers),
      redirectURL: redirectURL === '' ? '' : this.url(redirectURL),
      content: text === undefined ? content : { ...content, text: cleaned(text) },
    };
  }

  private message(message: HarMessage): HarMessage {
    const { opcode, data } = message;
    return { ...message, data: this.encoded('', data, opcode === 1 ? undefined : 'base64') };
  }

  private cookies(cookies: readonly HarPair[] = []): HarPair[] {
    return cookies.map(({ name }) => ({ name, value: this.take(`cookie ${name}`) }));
  }

  private headers(headers: readonly HarPair[]): HarPair[] {
    return headers.map(({ name, value }) => {
      if (isSecretHeader(name))
        return { name, value: withScheme(value, this.take(`header ${name.toLowerCase()}`)) };
      return { name, value: this.texts(value) };
    });
  }

  private parameters(pairs: readonly HarPair[] = [], count: Note = (name) => this.note(name)) {
    return pairs.map(({ name, value }) => {
      if (!isSecretParameter(name))
        return { name, value: withoutSecretShapes(value ?? '', () => {}) };
      count(`parameter ${name}`);
      return { name, value: REMOVED };
    });
  }

  private url(text: string): string {
    return this.texts(text);
  }

  /** Cleans a form. Parts without secrets stay unchanged. */
  private form(text: string): string {
    const parts = text.split('&').map((part) => {
      const [raw] = part.split('=', 1);
      const name = decoded(raw!);
      if (!part.includes('=')) return this.texts(part);
      if (isSecretParameter(name)) {
        this.note(`parameter ${name}`);
        return `${raw}=${encodeURIComponent(REMOVED)}`;
      }
      return `${raw}=${this.formValue(part.slice(raw!.length + 1))}`;
    });
    return parts.join('&');
  }

  /** The value, unchanged if its decoded text has no secret. */
  private formValue(raw: string): string {
    const value = decoded(raw);
    const cleaned = looksLikeJson(value)
      ? withoutSecretsOfJson(value, (what) => this.note(what))
      : this.texts(value);
    return cleaned === value ? raw : encodeURIComponent(cleaned);
  }

  /** Cleans encoded bytes as UTF-8 text or, if they are not UTF-8, as text with one character per byte. */
  private encoded(mimeType: string, text: string, encoding: string | undefined): string {
    if (encoding !== 'base64') return this.body(mimeType, text);
    const bytes = Buffer.from(text, 'base64');
    const form = harText(bytes).encoding === undefined ? 'utf8' : 'latin1';
    const before = bytes.toString(form);
    const cleaned = this.body(mimeType, before);
    return cleaned === before ? text : Buffer.from(cleaned, form).toString('base64');
  }

  private body(mimeType: string, text: string): string {
    // The content type may be wrong.
    if (looksLikeJson(text)) return withoutSecretsOfJson(text, (what) => this.note(what));
    if (/multipart\//i.test(mimeType) || /^--[^\r\n]+\r?\ncontent-/i.test(text))
      return this.parts(text);
    if (mimeType.includes('x-www-form-urlencoded')) return this.form(text);
    return this.texts(this.fields(text));
  }

  /** Cleans parts by their names, and other parts by their content. */
  private parts(text: string): string {
    return text.replace(PART, (_, head: string, body: string) => {
      const name = /\bname="?([^";\r\n]+)/i.exec(head)?.[1] ?? '';
      if (isSecretParameter(name) && body !== '') return head + this.take(`part ${name}`);
      return head + (looksLikeJson(body) ? this.body('', body) : this.texts(body));
    });
  }

  /** Cleans JSON members in a text of another type, such as an HTML page. */
  private fields(text: string): string {
    return text.replace(FIELD, (all, raw: string, between: string) => {
      const name = unescaped(raw);
      if (!isSecretField(name)) return all;
      return `"${raw}"${between}"${this.take(`field ${name}`)}"`;
    });
  }

  private texts(text: string): string {
    return withoutSecretShapes(text, (what) => this.note(what));
  }

  private take(what: string): string {
    this.note(what);
    return REMOVED;
  }

  private note(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}

/** The head of a part, and its content up to the next part. */
const PART = /(--[^\r\n]+\r?\n(?:[\w-]+:[^\r\n]*\r?\n)+\r?\n)([\s\S]*?)(?=\r?\n--|$)/g;
const FIELD = /"((?:[^"\\\r\n]|\\.){1,64})"(\s*:\s*)"[^"\\]*(?:\\.[^"\\]*)*"/g;

function unescaped(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}

/** Keeps `Bearer` and the user of the token. */
function withScheme(value: string, removed: string): string {
  const scheme = /^(Bearer|Basic|Digest|DPoP|Negotiate) \S/i.exec(value)?.[1];
  const user = userOf(value);
  const what = user === undefined ? removed : `(removed, of ${user})`;
  return scheme === undefined ? what : `${scheme} ${what}`;
}

/** The user of a token, from the original header or from the cleaned header. */
export function userOf(value: string): string | undefined {
  const user = /\(removed, of ([^)]+)\)/.exec(value)?.[1];
  if (user !== undefined) return user;
  const payload = /eyJ[\w-]*\.([\w-]+)\./.exec(value)?.[1] ?? '';
  try {
    const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub?: unknown };
    return typeof sub === 'string' && /^[\w@.:|/-]{1,128}$/.test(sub) ? sub : undefined;
  } catch {
    return undefined;
  }
}

/** `2 × header authorization, field access_token`; empty without removals. */
export function removalsText(removed: Removals): string {
  return [...removed]
    .map(([what, times]) => (times === 1 ? what : `${times} × ${what}`))
    .join(', ');
}
