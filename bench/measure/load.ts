/** A bounded load on loopback: a fixed number of requests, a fixed number at a time, over kept connections. */
import { Agent, request } from 'node:http';

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly requests: number;
  readonly concurrency: number;
  /** The body of the n-th request. */
  body(n: number): string;
  /** Sees each answer. */
  answer?(n: number, body: string): void;
}

/** @returns requests per second */
export async function run(load: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.concurrency });
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < load.requests; n = next++) {
      const body = await send(agent, load, load.body(n));
      load.answer?.(n, body);
    }
  };
  const start = process.hrtime.bigint();
  await Promise.all(Array.from({ length: load.concurrency }, worker));
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  agent.destroy();
  return load.requests / seconds;
}

function send(agent: Agent, { port, path }: Load, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(
      { agent, host: '127.0.0.1', port, path, method: 'POST', headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(text)
            : reject(new Error(`${response.statusCode}: ${text}`)),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
