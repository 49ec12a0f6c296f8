/** Messages of PostgreSQL's protocol 3.0 as bytes. */
import { FatalSqlError, violation, type SqlError } from './errors.js';

/** A message with a type. */
export interface Message {
  /** One letter. */
  readonly type: string;
  /** The content, without type and length. */
  readonly body: Buffer;
}

const HEADER = 5;

export function message(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(HEADER);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(length + 4, 1);
  return Buffer.concat([head, ...parts], HEADER + length);
}

export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

/** Text that ends with a zero byte. Text after a zero byte would be read as another field, so it ends there. */
export const text = (value: string): Buffer => {
  const [first = ''] = value.split('\0');
  return Buffer.from(`${first}\0`, 'utf8');
};

/** Reads fields from the start of a body. */
export class Fields {
  private at = 0;

  constructor(private readonly body: Buffer) {}

  /** Text up to the next zero byte. @throws FatalSqlError without such a byte */
  text(): string {
    const end = this.body.indexOf(0, this.at);
    if (end < 0) throw violation('invalid string in message');
    const value = this.body.toString('utf8', this.at, end);
    this.at = end + 1;
    return value;
  }

  /** @throws FatalSqlError at the end */
  byte(): string {
    const value = this.body[this.at];
    if (value === undefined) throw violation('no data left in message');
    this.at += 1;
    return String.fromCharCode(value);
  }

  /** @throws FatalSqlError at the end */
  int32(): number {
    if (this.at + 4 > this.body.length) throw violation('insufficient data left in message');
    this.at += 4;
    return this.body.readInt32BE(this.at - 4);
  }

  rest(): Buffer {
    return this.body.subarray(this.at);
  }
}

/** Splits bytes of a peer into messages, whose chunks can end anywhere. */
export class MessageReader {
  private chunks: Buffer[] = [];
  private size = 0;

  /** @param maxBytes of one message */
  constructor(private readonly maxBytes: number) {}

  /** Bytes of incomplete messages. */
  get pending(): number {
    return this.size;
  }

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
  }

  /** The next complete message with a type. @throws FatalSqlError if its length is impossible or too large */
  next(): Message | undefined {
    const length = this.length(1, this.maxBytes);
    if (length === undefined) return undefined;
    const bytes = this.take(1 + length);
    return { type: String.fromCharCode(bytes[0]!), body: bytes.subarray(HEADER) };
  }

  /** The body of the next message without a type: the first of a connection. @throws FatalSqlError as `next` */
  nextUntyped(maxBytes: number): Buffer | undefined {
    const length = this.length(0, maxBytes);
    return length === undefined ? undefined : this.take(length).subarray(4);
  }

  /** Removes and returns all bytes, for another reader. */
  rest(): Buffer {
    return this.take(this.size);
  }

  /** The length of the message in its own count, if the whole message has arrived. */
  private length(at: number, maxBytes: number): number | undefined {
    if (this.size < at + 4) return undefined;
    const length = this.joined(at + 4).readInt32BE(at);
    if (length < 4 || length > maxBytes) throw violation('invalid message length');
    return this.size < at + length ? undefined : length;
  }

  /** The first chunk, which has at least this many bytes. */
  private joined(bytes: number): Buffer {
    if (this.chunks[0]!.length < bytes) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0]!;
  }

  private take(bytes: number): Buffer {
    if (bytes === 0) return Buffer.alloc(0);
    const first = this.joined(bytes);
    this.size -= bytes;
    if (first.length === bytes) this.chunks.shift();
    else this.chunks[0] = first.subarray(bytes);
    return first.subarray(0, bytes);
  }
}

/** The complete messages of a back end. */
export function messagesOf(bytes: Uint8Array): Message[] {
  const reader = new MessageReader(0x7fff_ffff);
  reader.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const found: Message[] = [];
  for (let next = reader.next(); next !== undefined; next = reader.next()) found.push(next);
  return found;
}

export const bytesOf = ({ type, body }: Message): Buffer => message(type, body);

/** An ErrorResponse. */
export function errorResponse(cause: SqlError): Buffer {
  const { code, message: says, detail, hint } = cause.fields;
  const severity = cause instanceof FatalSqlError ? 'FATAL' : 'ERROR';
  const fields: [string, string | undefined][] = [
    ['S', severity],
    ['V', severity],
    ['C', code],
    ['M', says],
    ['D', detail],
    ['H', hint],
  ];
  const present = fields.filter(([, value]) => value !== undefined);
  return message('E', ...present.map(([key, value]) => text(key + value!)), Buffer.alloc(1));
}

/** The fields of an ErrorResponse or a NoticeResponse, by their letters. */
export function fieldsOf(body: Buffer): Record<string, string> {
  const parts = body.toString('utf8').split('\0');
  return Object.fromEntries(parts.filter(Boolean).map((part) => [part[0]!, part.slice(1)]));
}

export const parameterStatus = (name: string, value: string): Buffer =>
  message('S', text(name), text(value));

export const readyForQuery = (status: string): Buffer => message('Z', Buffer.from(status));

/** A simple query. */
export const query = (sql: string): Buffer => message('Q', text(sql));

/** The text columns of each row of a result. Null is null. */
export function rowsOf(messages: readonly Message[]): (string | null)[][] {
  return messages.filter(({ type }) => type === 'D').map(({ body }) => columnsOf(body));
}

function columnsOf(body: Buffer): (string | null)[] {
  const columns: (string | null)[] = [];
  let at = 2;
  for (let count = body.readInt16BE(0); count > 0; count -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    columns.push(length < 0 ? null : body.toString('utf8', at, at + length));
    at += Math.max(length, 0);
  }
  return columns;
}

/** A text as a literal of SQL. */
export const literal = (value: string): string =>
  `${value.includes('\\') ? ' E' : ''}'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** A name as an identifier of SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
