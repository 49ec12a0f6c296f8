/**
 * Reads the exchanges of a HAR from chunks of its text. Only one exchange is in memory, for files of any length.
 * Other content of the file is skipped. NOTE: the error texts are from Canticle, for the user who passes the file.
 */
import { spelledOut } from '../daml/errors/printable.js';
import {
  anObject,
  anObjectOf,
  aNumber,
  aText,
  listOf,
  optional,
  type Shape,
} from '../spec/shapes.js';
import type { HarEntry, HarPair } from './har.js';
import { MAX_ENTRY_CHARACTERS } from './limits.js';

/** The file is not a HAR, or is truncated. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly code = 'RECORDING_INVALID';

  constructor(why: string) {
    super(spelledOut(why));
  }
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [34, 92, 123, 125, 91, 93];
/** The depth inside `log`, then `entries`, then an exchange. */
const IN_ENTRIES = 3;
/** The length limit of the names of members of the file and its log. */
const MAX_NAME = 64;

/** An exchange whose end is in a later chunk, or later in this one. */
interface OpenExchange {
  /** Its position in the text. */
  readonly from: number;
  readonly parts: string[];
  length: number;
}

export class EntryScanner {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** The last string at a depth of one or two. */
  private name = '';
  private names: string[] = [];
  private isInEntries = false;
  private wasInEntries = false;
  private isOver = false;
  /** The current exchange. */
  private open: OpenExchange | undefined;
  private count = 0;
  private passed = 0;

  /**
   * @param decode turns the scanned text of an exchange into its real text; the scanned text may have one character
   * per byte
   * @param limit of the scanned characters of one exchange
   */
  constructor(
    private readonly decode = (text: string) => text,
    private readonly limit = MAX_ENTRY_CHARACTERS,
  ) {}

  /** The position of the last exchange in the text, in characters. */
  readonly last = { start: 0, length: 0 };

  /** The exchanges that end in this part of the text. @throws RecordingError for an entry that is not a HAR exchange */
  *push(chunk: string): Generator<HarEntry> {
    let start = this.open && 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (code === BACKSLASH) this.isEscaped = true;
        else if (code === QUOTE) this.isInString = false;
        else if (this.depth < IN_ENTRIES && this.name.length < MAX_NAME) this.name += chunk[at];
        continue;
      }
      if (code === QUOTE) {
        this.isInString = true;
        if (this.depth < IN_ENTRIES) this.name = '';
      } else if (code === OPEN || code === OPEN_LIST) {
        if (this.isInEntries && this.depth === IN_ENTRIES) {
          start = at;
          this.open = { from: this.passed + at, parts: [], length: 0 };
        }
        this.enter(code);
      } else if (code === CLOSE || code === CLOSE_LIST) {
        this.leave(code);
        if (start !== undefined && this.isInEntries && this.depth === IN_ENTRIES) {
          const { parts, from, length } = this.extended(chunk.slice(start, at + 1));
          const text = parts.join('');
          this.open = start = undefined;
          this.count += 1;
          Object.assign(this.last, { start: from, length });
          yield entryIn(this.decode(text), this.count);
        }
      } else if (this.depth === 0 && !isBlank(code)) throw noHar();
    }
    this.passed += chunk.length;
    if (start !== undefined) this.extended(chunk.slice(start));
  }

  /** Adds a part to the current exchange. @throws RecordingError if the exchange is longer than the limit */
  private extended(part: string): OpenExchange {
    const open = this.open!;
    open.length += part.length;
    if (open.length > this.limit)
      throw new RecordingError(
        `exchange ${this.count + 1} is longer than ${this.limit} characters.`,
      );
    open.parts.push(part);
    return open;
  }

  /** @throws RecordingError if the text is truncated, or is not a HAR */
  end(): void {
    if (this.isOver && this.wasInEntries) return;
    if (!this.wasInEntries && (this.isOver || this.depth === 0)) throw noHar();
    throw new RecordingError(`it is truncated: it ends after exchange ${this.count}.`);
  }

  private enter(code: number): void {
    if (this.isOver || (this.depth === 0 && code !== OPEN)) throw noHar();
    if (this.depth < IN_ENTRIES) this.names[this.depth] = this.name;
    this.depth += 1;
    const isEntries = this.names[1] === 'log' && this.names[2] === 'entries';
    if (this.depth === IN_ENTRIES && code === OPEN_LIST && isEntries)
      this.isInEntries = this.wasInEntries = true;
  }

  private leave(code: number): void {
    this.depth -= 1;
    if (this.depth < 0) throw noHar();
    if (this.depth < IN_ENTRIES && code === CLOSE_LIST) this.isInEntries = false;
    if (this.depth === 0) this.isOver = true;
  }
}

/** Tab, line feed, carriage return, space, and the byte order mark. NUL is not blank. */
const isBlank = (code: number): boolean =>
  code === 32 || code === 9 || code === 10 || code === 13 || code === 0xfeff;

const noHar = () => new RecordingError('it is not a HAR file: it has no log with entries.');

type Loose = Record<string, unknown>;

/** An exchange of HAR. Members that tools omit get defaults; required members must exist. */
export function entryIn(text: string, number: number): HarEntry {
  const entry = parsed(text, number);
  const error = ENTRY(entry, '');
  if (error !== undefined)
    throw new RecordingError(`exchange ${number} is not a valid HAR entry: ${error}.`);
  const { request, response } = entry as { request: Loose; response: Loose };
  const content = (response['content'] ?? {}) as Loose;
  const postData = request['postData'] as Loose | undefined;
  return {
    startedDateTime: '',
    time: 0,
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    ...entry,
    request: {
      httpVersion: '',
      headersSize: -1,
      bodySize: -1,
      ...request,
      headers: pairs(request['headers']),
      cookies: pairs(request['cookies']),
      queryString: pairs(request['queryString']),
      ...(postData && {
        postData: {
          mimeType: '',
          ...postData,
          ...(postData['params'] !== undefined && { params: pairs(postData['params']) }),
        },
      }),
    },
    response: {
      statusText: '',
      httpVersion: '',
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      ...response,
      headers: pairs(response['headers']),
      cookies: pairs(response['cookies']),
      content: { size: 0, mimeType: '', ...content },
    },
  } as unknown as HarEntry;
}

const aUrl: Shape = (value, path) =>
  typeof value === 'string' && URL.canParse(value) ? undefined : `${path} is not an absolute URL`;
/** 0 if there was no answer. */
const aStatus: Shape = (value, path) =>
  Number.isInteger(value) && (value === 0 || ((value as number) > 99 && (value as number) < 1000))
    ? undefined
    : `${path} is not a status code`;

/** The members of an exchange that are used; pairs of names and values are checked one by one. */
const ENTRY: Shape = anObjectOf({
  startedDateTime: optional(aText),
  time: optional(aNumber),
  cache: optional(anObject),
  timings: optional(anObject),
  comment: optional(aText),
  _resourceType: optional(aText),
  _webSocketMessages: optional(
    listOf(
      anObjectOf({
        type: aText,
        data: aText,
        time: optional(aNumber),
        opcode: optional(aNumber),
      }),
    ),
  ),
  request: anObjectOf({
    method: aText,
    url: aUrl,
    httpVersion: optional(aText),
    postData: optional(
      anObjectOf({
        mimeType: optional(aText),
        text: optional(aText),
        _encoding: optional(aText),
      }),
    ),
  }),
  response: anObjectOf({
    status: aStatus,
    statusText: optional(aText),
    httpVersion: optional(aText),
    redirectURL: optional(aText),
    content: optional(
      anObjectOf({
        size: optional(aNumber),
        mimeType: optional(aText),
        text: optional(aText),
        encoding: optional(aText),
        comment: optional(aText),
      }),
    ),
  }),
});

function parsed(text: string, number: number): Loose {
  try {
    return JSON.parse(text) as Loose;
  } catch {
    throw new RecordingError(`exchange ${number} is not JSON.`);
  }
}

const pairs = (given: unknown): HarPair[] =>
  (Array.isArray(given) ? (given as HarPair[]) : []).filter(
    (each) => typeof each?.name === 'string' && typeof each.value === 'string',
  );
