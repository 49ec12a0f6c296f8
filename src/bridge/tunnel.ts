/**
 * A WebSocket through a proxy. It forwards bytes unchanged, so that subprotocols, pings and close codes reach the other
 * side, and it reads the messages for the recording. It does not offer compression, because it cannot read compressed
 * messages.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { FrameReader, type FrameMessage } from '../recording/frames.js';
import type { HarEntry, HarMessage } from '../recording/har.js';
import { MAX_RECORDED_BYTES } from '../recording/limits.js';
import { entryOf, type ReceivedRequest } from './exchange-entry.js';
import { RecordedBody } from './recorded-body.js';
import { requesterOf } from '../client/http-side.js';
import { forwarded } from './forward.js';

/** Calls back with the exchange once both ways are closed. */
export function tunnel(
  request: ReceivedRequest,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  done: (entry: HarEntry) => void,
): void {
  const rawHeaders = request.rawHeaders;
  const none = new RecordedBody();
  const fail = (error: Error) => {
    socket.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    const comment = `No answer: ${error.message}`;
    done(entryOf(request, none, { status: 0, statusText: '', rawHeaders: [], comment }, none));
  };
  const outgoing = requesterOf(request.url)(request.url, {
    method: request.method,
    headers: forwarded(rawHeaders, request.url, 'upgrade').filter(isNoExtension).flat(),
  });
  socket.on('error', () => outgoing.destroy());
  outgoing.on('error', fail);
  outgoing.on('response', (response) => refuse(response, socket, request, done));
  outgoing.on('upgrade', (response: IncomingMessage, other: Duplex, first: Buffer) => {
    outgoing.off('error', fail);
    socket.write(headOf(response, response.rawHeaders));
    const messages = new MessageLog();
    const [there, back] = [messages.reader('send'), messages.reader('receive')];
    other.on('data', (chunk: Buffer) => back.push(chunk));
    socket.on('data', (chunk: Buffer) => there.push(chunk));
    if (first.length > 0) other.unshift(first);
    if (head.length > 0) socket.unshift(head);
    socket.pipe(other).pipe(socket);
    const end = () => {
      socket.destroy();
      other.destroy();
    };
    let open = 2;
    for (const each of [socket, other]) {
      each.on('error', end);
      each.on('close', () => {
        end();
        open -= 1;
        if (open === 0) done(messages.entry(request, response));
      });
    }
  });
  outgoing.end();
}

/** Names and values are pairs by now. */
const isNoExtension = ([name]: readonly string[]): boolean =>
  name!.toLowerCase() !== 'sec-websocket-extensions';

function headOf(
  { statusCode, statusMessage }: IncomingMessage,
  rawHeaders: readonly string[],
): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The other side would rather answer than open a WebSocket. */
function refuse(
  response: IncomingMessage,
  socket: Duplex,
  request: ReceivedRequest,
  done: (entry: HarEntry) => void,
): void {
  const received = new RecordedBody();
  const { rawHeaders } = response;
  const plain = forwarded(rawHeaders, undefined)
    .filter(([name]) => name.toLowerCase() !== 'transfer-encoding')
    .flat();
  socket.write(headOf(response, [...plain, 'Connection', 'close']));
  response.on('data', (chunk: Buffer) => {
    received.push(chunk);
    socket.write(chunk);
  });
  response.on('close', () => {
    socket.end();
    const { statusCode: status = 0, statusMessage: statusText = '' } = response;
    done(entryOf(request, new RecordedBody(), { status, statusText, rawHeaders }, received));
  });
}

/** Messages in the order in which they passed, up to a limit. */
class MessageLog {
  private readonly messages: HarMessage[] = [];
  private bytes = 0;
  private missing = 0;

  reader(type: HarMessage['type']): FrameReader {
    return new FrameReader((message) => this.add(type, message), MAX_RECORDED_BYTES);
  }

  private add(type: HarMessage['type'], { isText, data, length }: FrameMessage): void {
    this.bytes += length;
    if (data === undefined || this.bytes > MAX_RECORDED_BYTES) return void (this.missing += 1);
    this.messages.push({
      type,
      time: Date.now() / 1000,
      opcode: isText ? 1 : 2,
      data: data.toString(isText ? 'utf8' : 'base64'),
    });
  }

  entry(
    request: ReceivedRequest,
    { statusCode = 101, statusMessage = '', rawHeaders }: IncomingMessage,
  ) {
    const answered = { status: statusCode, statusText: statusMessage, rawHeaders };
    const entry = entryOf(request, new RecordedBody(), answered, new RecordedBody());
    const url = entry.request.url.replace(/^http/, 'ws');
    const { missing } = this;
    return {
      ...entry,
      request: { ...entry.request, url },
      ...(missing > 0 && { comment: `${missing} messages more than are kept: left out.` }),
      _resourceType: 'websocket',
      _webSocketMessages: this.messages,
    };
  }
}
