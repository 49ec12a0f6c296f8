/** Requests with headers that only browsers set. They use node:http, because fetch does not allow these headers. */
import { request } from 'node:http';

type Headers = Readonly<Record<string, string>>;

const UPGRADE: Headers = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  'sec-websocket-protocol': 'daml.ws.auth',
};

/** The status of the answer to a GET, and its text. */
export function requestAsPage(
  url: string,
  headers: Headers,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode!, text: '' });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** The same for a WebSocket request, which it closes at once. */
export const openAsPage = (url: string, headers: Headers) =>
  requestAsPage(url, { ...UPGRADE, ...headers });
