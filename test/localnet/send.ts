/** Asks a port of a LocalNet by the host that a client would name, which need not resolve on this machine. */
import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client's trusted authority and its certificate; without it the connection is not encrypted. */
  readonly tls?: { readonly ca: string; readonly cert?: string; readonly key?: string };
}

/** @param port of loopback @param host the header, without a port */
export function send(
  port: number,
  host: string,
  path: string,
  { method = 'GET', headers = {}, body, tls }: RequestOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = { host: `${host}:${port}`, ...headers };
    const target = { host: '127.0.0.1', port, path, method, headers: sent };
    const read = (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, text }),
      );
    };
    const outgoing =
      tls === undefined
        ? overHttp(target, read)
        : overHttps({ ...target, ...tls, servername: isIP(host) ? '' : host, agent: false }, read);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
