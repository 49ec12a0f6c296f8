/** Reads an answer as a server of node:http writes it on a connection (RFC 9112). The connection ends with it. */
import type { Duplex } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import type { LocalAnswer, LocalHeader } from './local-request.js';

/** Rejects where the connection ends before the answer has begun. */
export async function readAnswer(connection: Duplex, method: string): Promise<LocalAnswer> {
  const bytes = new WireReader(connection);
  let head: Head;
  // Interim answers, such as early hints, announce another.
  do head = await readHead(bytes);
  while (head.status < 200);
  const { status, headers } = head;
  const whole = { status, headers: headers.filter(isOfTheAnswer) };
  const length = valueOf(headers, 'content-length');
  if (method !== 'HEAD' && length !== '0' && status !== 204 && status !== 304)
    return { ...whole, body: streamOf(bodyOf(bytes, headers), connection) };
  connection.destroy();
  return { ...whole, body: Buffer.alloc(0) };
}

interface Head {
  readonly status: number;
  readonly headers: readonly LocalHeader[];
}

async function readHead(bytes: WireReader): Promise<Head> {
  const status = Number((await bytes.line()).split(' ', 2)[1]);
  const headers: LocalHeader[] = [];
  for (let line = await bytes.line(); line !== ''; line = await bytes.line()) {
    const colon = line.indexOf(':');
    headers.push([line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return { status, headers };
}

const isOfTheAnswer = ([name]: LocalHeader): boolean =>
  !['connection', 'keep-alive', 'transfer-encoding'].includes(name);

const valueOf = (headers: readonly LocalHeader[], name: string): string | undefined =>
  headers.find(([each]) => each === name)?.[1];

function bodyOf(
  bytes: WireReader,
  headers: readonly LocalHeader[],
): AsyncGenerator<Uint8Array, void> {
  if (valueOf(headers, 'transfer-encoding') !== undefined) return chunks(bytes);
  const length = valueOf(headers, 'content-length');
  return length === undefined ? bytes.rest() : bytes.take(Number(length));
}

async function* chunks(bytes: WireReader): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const length = parseInt(await bytes.line(), 16);
    if (length === 0) return;
    yield* bytes.take(length);
    await bytes.line();
  }
}

function streamOf(
  body: AsyncGenerator<Uint8Array, void>,
  connection: Duplex,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await body.next();
        if (done) {
          controller.close();
          connection.destroy();
        } else controller.enqueue(new Uint8Array(value));
      },
      cancel: () => void connection.destroy(),
    },
    { highWaterMark: 0 },
  );
}

class WireReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private held: Buffer = Buffer.alloc(0);

  constructor(connection: Duplex) {
    this.chunks = connection[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Up to the next line break, which is read and not given. */
  async line(): Promise<string> {
    let end = this.held.indexOf('\r\n');
    while (end < 0) {
      this.held = Buffer.concat([this.held, await this.more()]);
      end = this.held.indexOf('\r\n');
    }
    const line = this.held.toString('latin1', 0, end);
    this.held = this.held.subarray(end + 2);
    return line;
  }

  async *take(length: number): AsyncGenerator<Buffer, void> {
    for (let left = length; left > 0;) {
      if (this.held.length === 0) this.held = await this.more();
      const part = this.held.subarray(0, left);
      this.held = this.held.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async *rest(): AsyncGenerator<Buffer, void> {
    if (this.held.length > 0) yield this.held;
    for (;;) {
      const { value, done } = await this.chunks.next();
      if (done === true) return;
      yield value;
    }
  }

  private async more(): Promise<Buffer> {
    const { value, done } = await this.chunks.next();
    if (done === true) throw new TypeError('The connection ended before the answer did.');
    return value;
  }
}
