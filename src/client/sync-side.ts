/**
 * The same as {@link HttpSide} for synchronous callers: a worker thread sends the requests, and the calling thread
 * blocks until the answer arrives.
 */
import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
  type MessagePort,
} from 'node:worker_threads';
import { headersOf, sentBody, type ApiRequest } from './requests.js';
import {
  HttpAnswer,
  MAX_ANSWER_BYTES,
  PATIENCE_MS,
  type HttpRequest,
  type SideOptions,
} from './http-side.js';

/** The code of the thread. It is CommonJS, because the bundler of this package does not process it. */
const THREAD = `
const { workerData: { port, signal, maxBytes } } = require('node:worker_threads');
port.on('message', ({ method, url, headers, body }) => {
  const answer = (told) => {
    port.postMessage(told);
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  };
  const { request } = url.startsWith('https:') ? require('node:https') : require('node:http');
  const asked = request(url, { method, headers }, (response) => {
    const chunks = [];
    let size = 0;
    response.on('data', (chunk) => {
      size += chunk.length;
      if (size > maxBytes) response.destroy(Object.assign(new Error('its answer has more than ' + maxBytes + ' bytes'), { code: 'EMSGSIZE' }));
      else chunks.push(chunk);
    });
    response.on('error', ({ message, code }) => answer({ error: message, code }));
    response.on('end', () => answer({ status: response.statusCode, bytes: Buffer.concat(chunks) }));
  });
  asked.on('error', ({ message, code }) => answer({ error: message || code, code }));
  asked.end(body);
});
`;

type ThreadAnswer =
  | { readonly status: number; readonly bytes: Uint8Array }
  | { readonly error: string; readonly code?: string };

export class SyncSide {
  private readonly signal = new Int32Array(new SharedArrayBuffer(4));
  private thread: { readonly worker: Worker; readonly port: MessagePort } | undefined;

  /** @param base address, without a slash at its end */
  constructor(
    private readonly base: string,
    private readonly options: Pick<SideOptions, 'token' | 'patience' | 'maxBytes'> = {},
  ) {}

  /** @throws Error if there is no answer */
  readonly send = (request: ApiRequest): HttpAnswer => {
    const { method, path: target } = request;
    const headers = headersOf(request, this.options.token);
    return this.request({ method, target, headers, body: sentBody(request)?.bytes });
  };

  /** The same for a request that is not an operation of the Ledger API. @throws Error with a code */
  request({ method = 'GET', target, headers, body }: HttpRequest): HttpAnswer {
    const { port } = (this.thread ??= this.started());
    const { patience = PATIENCE_MS } = this.options;
    const url = this.base + target;
    const fail = (why: string, code?: string) =>
      Object.assign(new Error(`${method} ${url} was not answered${why}.`), { code });
    Atomics.store(this.signal, 0, 0);
    port.postMessage({ method, url, headers, body });
    const isThere = Atomics.wait(this.signal, 0, 0, patience) !== 'timed-out';
    const answer = receiveMessageOnPort(port)?.message as ThreadAnswer | undefined;
    if (!isThere || answer === undefined) {
      // A late answer must not become the answer to the next request.
      this.close();
      throw fail(` in ${patience / 1000} s`, 'ETIMEDOUT');
    }
    if ('error' in answer) throw fail(`: ${answer.error}`, answer.code);
    return new HttpAnswer(answer.status, undefined, Buffer.from(answer.bytes));
  }

  close(): void {
    this.thread?.port.close();
    void this.thread?.worker.terminate();
    this.thread = undefined;
  }

  private started() {
    const { port1: port, port2 } = new MessageChannel();
    const { maxBytes = MAX_ANSWER_BYTES } = this.options;
    const worker = new Worker(THREAD, {
      eval: true,
      workerData: { port: port2, signal: this.signal, maxBytes },
      transferList: [port2],
    });
    worker.unref();
    port.unref();
    return { worker, port };
  }
}
