/** Asks a port of a LocalNet by the host that a client would name, which need not resolve on this machine. */
import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** @param port of loopback @param host the header, without a port */
export function ask(
  port: number,
  host: string,
  path: string,
  { method = 'GET', headers = {}, body }: Asking = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = { host: `${host}:${port}`, ...headers };
    const asked = request({ host: '127.0.0.1', port, path, method, headers: sent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, text }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
