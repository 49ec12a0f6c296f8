/** The ways by which a request comes to an instance, each asked alike: what one answers, all do. */
import { request as httpRequest } from 'node:http';
import type { Canticle } from 'canticle';

export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  /** Without the headers about the connection and the system time. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type Way = (canticle: Canticle, request: SentRequest) => Promise<Answer>;

const OF_THE_CONNECTION = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'server'];

const answerOf = (status: number, headers: Iterable<[string, unknown]>, text: string): Answer => ({
  status,
  headers: Object.fromEntries(
    [...headers]
      .filter(([name]) => !OF_THE_CONNECTION.includes(name))
      .map(([name, value]) => [name, String(value)]),
  ),
  text,
});

/** By node:http, which can also send a GET with a body. Each request has a separate connection. */
export function overPort(url: string, { method = 'GET', path, headers = {}, body }: SentRequest) {
  const { hostname, port, pathname } = new URL(url);
  return new Promise<Answer>((resolve, reject) => {
    const options = {
      agent: false,
      hostname,
      port,
      method,
      headers,
      path: pathname.replace(/\/$/, '') + path,
    };
    const outgoing = httpRequest(options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve(
          answerOf(
            incoming.statusCode!,
            Object.entries(incoming.headers),
            `${Buffer.concat(chunks)}`,
          ),
        ),
      );
    });
    outgoing.on('error', reject);
    if (body !== undefined) outgoing.setHeader('content-length', Buffer.byteLength(body));
    outgoing.end(body);
  });
}

export const byPort: Way = (canticle, request) => overPort(canticle.url, request);

export const byHandle: Way = async (canticle, request) => {
  // Every client sends the host to the port.
  const { status, headers, body } = await canticle.handle({ ...request, root: canticle.url });
  return answerOf(status, Object.entries(headers), body.toString());
};

export const byFetch: Way = async ({ url, fetch }, { path, ...init }) => {
  const answer = await fetch(new Request(url + path, init));
  return answerOf(answer.status, answer.headers, await answer.text());
};
