/**
 * Requests that are waited for where nothing may be awaited: a thread of its own sends them, and this one stands still until the answer
 * is there.
 */
import {
  MessageChannel,
  receiveMessageOnPort,
  Worker,
  type MessagePort,
} from 'node:worker_threads';
import type { ApiRequest, Asking } from './asking.js';
import { isBytes } from '../../daml/errors/realms.js';

/** Milliseconds that an answer may take. */
const PATIENCE = 60_000;

/** What the thread runs: CommonJS, as whatever builds this package does not see it. */
const THREAD = `
const { workerData: { port, signal } } = require('node:worker_threads');
port.on('message', ({ method, url, headers, body }) => {
  const answer = (told) => {
    port.postMessage(told);
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  };
  const { request } = url.startsWith('https:') ? require('node:https') : require('node:http');
  const asked = request(url, { method, headers }, (response) => {
    const chunks = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('error', ({ message }) => answer({ fault: message }));
    response.on('end', () => answer({ status: response.statusCode, bytes: Buffer.concat(chunks) }));
  });
  asked.on('error', ({ message, code }) => answer({ fault: message || code }));
  asked.end(body);
});
`;

export interface SyncAnswer {
  readonly status: number;
  readonly body: Buffer;
}

type Told = { readonly status: number; readonly bytes: Uint8Array } | { readonly fault: string };

export class SyncRequests {
  private readonly signal = new Int32Array(new SharedArrayBuffer(4));
  private thread: { readonly worker: Worker; readonly port: MessagePort } | undefined;

  /** @param base address, without a slash at its end */
  constructor(private readonly base: string) {}

  /** @throws Error where there is no answer */
  ask({ method, path, body }: ApiRequest, token: string | undefined): SyncAnswer {
    const { port } = (this.thread ??= this.started());
    const areBytes = isBytes(body);
    const headers = {
      ...(body !== undefined && {
        'content-type': areBytes ? 'application/octet-stream' : 'application/json',
      }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const sent = areBytes ? body : body && JSON.stringify(body);
    Atomics.store(this.signal, 0, 0);
    port.postMessage({ method, url: this.base + path, headers, body: sent });
    const isThere = Atomics.wait(this.signal, 0, 0, PATIENCE) !== 'timed-out';
    const told = receiveMessageOnPort(port)?.message as Told | undefined;
    if (!isThere || told === undefined)
      throw new Error(`${method} ${this.base}${path} was not answered in ${PATIENCE / 1000} s.`);
    if ('fault' in told)
      throw new Error(`${method} ${this.base}${path} was not answered: ${told.fault}.`);
    return { status: told.status, body: Buffer.from(told.bytes) };
  }

  close(): void {
    this.thread?.port.close();
    void this.thread?.worker.terminate();
    this.thread = undefined;
  }

  private started() {
    const { port1: port, port2 } = new MessageChannel();
    const worker = new Worker(THREAD, {
      eval: true,
      workerData: { port: port2, signal: this.signal },
      transferList: [port2],
    });
    worker.unref();
    port.unref();
    return { worker, port };
  }
}

/** Sends one request after another until it is done. */
export function drive<T>(
  asking: Asking<T>,
  send: (request: ApiRequest) => { readonly status: number; readonly body: unknown },
): T {
  let next = asking.next();
  while (next.done !== true) next = asking.next(send(next.value));
  return next.value;
}
