/**
 * Exchanges out of the text of a HAR as it comes, one at a time: no more than one is in memory, however long the file is. What else
 * the file says is passed over.
 * NOTE: the texts are ours: they are told to whoever hands in the file.
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

/** A file that is no HAR, or is torn. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly code = 'RECORDING_INVALID';

  constructor(why: string) {
    super(spelledOut(why));
  }
}

const [QUOTE, BACKSLASH, OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [34, 92, 123, 125, 91, 93];
/** Of `log`, of `entries`, and of an exchange in them. */
const IN_ENTRIES = 3;
/** Members of the file and of its log have short names. */
const MAX_NAME = 64;

export class EntryScanner {
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  /** The string that was read last at a depth of one or two. */
  private name = '';
  private names: string[] = [];
  private isInEntries = false;
  private wasInEntries = false;
  private isOver = false;
  /** Of the exchange that is being read: what earlier chunks had of it. */
  private parts: string[] | undefined;
  private length = 0;
  private count = 0;
  private passed = 0;
  private from = 0;

  /** @param decode what makes the text of an exchange of the one that is scanned, which may be one of bytes */
  constructor(private readonly decode = (text: string) => text) {}

  /** Where the exchange that was given last stands in the text, in characters. */
  readonly last = { start: 0, length: 0 };

  /** The exchanges that end in this part of the text. @throws RecordingError for what is no exchange of HAR */
  *push(chunk: string): Generator<HarEntry> {
    let start = this.parts === undefined ? -1 : 0;
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
          this.from = this.passed + at;
          this.parts = [];
          this.length = 0;
        }
        this.enter(code);
      } else if (code === CLOSE || code === CLOSE_LIST) {
        this.leave(code);
        if (start >= 0 && this.isInEntries && this.depth === IN_ENTRIES) {
          this.parts!.push(chunk.slice(start, at + 1));
          const text = this.parts!.join('');
          this.parts = undefined;
          start = -1;
          this.count += 1;
          this.last.start = this.from;
          this.last.length = text.length;
          yield entryIn(this.decode(text), this.count);
        }
      } else if (this.depth === 0 && !isBlank(code)) throw noHar();
    }
    this.passed += chunk.length;
    if (start < 0) return;
    this.length += chunk.length - start;
    if (this.length > MAX_ENTRY_CHARACTERS)
      throw new RecordingError(`exchange ${this.count + 1} is longer than can be read.`);
    this.parts!.push(chunk.slice(start));
  }

  /** @throws RecordingError where the text has ended too soon, or was of something else */
  end(): void {
    if (this.isOver && this.wasInEntries) return;
    if (!this.wasInEntries && (this.isOver || this.depth === 0)) throw noHar();
    throw new RecordingError(`it is torn: it ends behind exchange ${this.count}.`);
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

/** Tab, line feed, carriage return, space; the mark of UTF-8. Zeros are none. */
const isBlank = (code: number): boolean =>
  code === 32 || code === 9 || code === 10 || code === 13 || code === 0xfeff;

const noHar = () => new RecordingError('it is no HAR: it has no log with entries.');

type Loose = Record<string, unknown>;

/** An exchange of HAR. What tools leave out is filled in; what an exchange cannot do without is asked for. */
export function entryIn(text: string, number: number): HarEntry {
  const entry = parsed(text, number);
  const fault = ENTRY(entry, '');
  if (fault !== undefined)
    throw new RecordingError(`exchange ${number} is none as HAR has them: ${fault}.`);
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
  typeof value === 'string' && URL.canParse(value) ? undefined : `${path} is no absolute URL`;
/** 0 where there was no answer. */
const aStatus: Shape = (value, path) =>
  Number.isInteger(value) && (value === 0 || ((value as number) > 99 && (value as number) < 1000))
    ? undefined
    : `${path} is no status`;

/** What is used of an exchange; pairs of names and values are looked at one by one. */
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
    throw new RecordingError(`exchange ${number} is no JSON.`);
  }
}

const pairs = (given: unknown): HarPair[] =>
  (Array.isArray(given) ? (given as HarPair[]) : []).filter(
    (each) => typeof each?.name === 'string' && typeof each.value === 'string',
  );
