/**
 * Requests and answers as sent over the wire, for a journal that stores them (`journal: 'full'`). An entry is made
 * while its request is handled, so it waits here until its answer is complete.
 */
import { TextDecoder } from 'node:util';
import type { JournalEntry } from '../../spec/generated/control.js';
import { shortCopy } from '../../daml/errors/short-copy.js';
import { MAX_JOURNAL_BODY, MAX_JOURNAL_TEXT } from '../limits.js';
import type { Explained } from '../request-journal.js';
import type { IncomingCall, SentBody } from './call.js';

type Message = NonNullable<JournalEntry['request']>;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A call of a transport that handles headers and bodies as a whole. */
export interface WholeCall extends IncomingCall {
  readonly headers: () => Headers;
  readonly readBody: (limit: number) => Promise<SentBody>;
}

export interface WholeAnswer {
  readonly headers: Headers;
  readonly body?: string | Uint8Array;
}

interface Waiting {
  readonly add: (more: Pick<JournalEntry, 'durationMs' | 'request' | 'answer'>) => void;
}

export class WholeExchanges {
  private readonly waiting = new WeakMap<IncomingCall, Waiting[]>();

  /** @param complete gets each entry with its request and answer */
  constructor(
    private readonly complete: (
      entry: JournalEntry,
      explained: Explained | undefined,
      call: IncomingCall,
    ) => void,
  ) {}

  /** Answers a call, and then adds its notes to the journal, with the request and the answer. */
  async record<C extends WholeCall, A extends WholeAnswer>(
    call: C,
    answer: (call: C) => Promise<A>,
  ): Promise<A> {
    let sent: SentBody | undefined;
    const watched: C = {
      ...call,
      readBody: async (limit: number) => (sent = await call.readBody(limit)),
    };
    const noted: Waiting[] = [];
    this.waiting.set(watched, noted);
    const start = performance.now();
    try {
      const given = await answer(watched);
      const durationMs = Math.round((performance.now() - start) * 1000) / 1000;
      const request = messageOf(call.headers(), sent);
      for (const { add } of noted)
        add({ durationMs, request, answer: messageOf(given.headers, given.body) });
      return given;
    } catch (error) {
      for (const { add } of noted) add({});
      throw error;
    }
  }

  /** An entry of a request; immediately if no code waits for its answer. */
  add(call: IncomingCall, entry: JournalEntry, explained?: Explained): void {
    const add: Waiting['add'] = (more) => this.complete({ ...entry, ...more }, explained, call);
    const waiting = this.waiting.get(call);
    if (waiting === undefined) add({});
    else waiting.push({ add });
  }
}

/** An entry with only the request. */
export const sentBody = (sent: SentBody): Message =>
  sent.length === 0 ? { headers: {} } : { headers: {}, body: bodyText(sent) };

function messageOf(headers: Headers, body: string | Uint8Array | undefined): Message {
  const shown = Object.entries(headers).map(([name, value]) => [name, headerText(name, value)]);
  return {
    headers: Object.fromEntries(shown) as Message['headers'],
    ...(body !== undefined && body.length > 0 && { body: bodyText(body) }),
  };
}

/** Only the scheme of a token, because journals are shared. */
function headerText(name: string, value: string | readonly string[] = ''): string {
  const text = typeof value === 'string' ? value : value.join(', ');
  if (name === 'authorization' || name === 'cookie') return `${text.split(' ', 1)[0]} …`;
  return shortCopy(text, MAX_JOURNAL_TEXT);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** A body that is not text, such as a DAR, appears as its length. */
function bodyText(body: string | Uint8Array): string {
  if (typeof body === 'string') return shortCopy(body, MAX_JOURNAL_BODY);
  if (body.length > MAX_JOURNAL_BODY * 4) return `(${body.length} bytes)`;
  try {
    const text = UTF8.decode(body);
    return text.length > MAX_JOURNAL_BODY ? shortCopy(text, MAX_JOURNAL_BODY) : text;
  } catch {
    return `(${body.length} bytes)`;
  }
}
