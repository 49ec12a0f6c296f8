/** HTTP requests to a LocalNet that runs. They use HTTPS if it serves TLS. */
import { request as overHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { connect } from 'node:tls';

/** The certificates of a TLS client, as PEM. */
export interface Credentials {
  /** The authorities that it trusts; those of Node by default. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** The address and the protocol of a LocalNet. */
export interface Asked {
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly credentials: Credentials;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Milliseconds. */
const PATIENCE = 5000;
/** Characters: what is asked for is short. */
const MAX_ANSWER = 1024 * 1024;

/** Detects the protocol of a port. The result is `http` if nothing answers. */
export async function schemeAt(host: string, port: number): Promise<Asked['scheme']> {
  const isPlain = await ask(
    { host, scheme: 'http', credentials: {} },
    `http://${host}:${port}/livez`,
  ).then(
    () => true,
    () => false,
  );
  return !isPlain && (await speaksTls(host, port)) ? 'https' : 'http';
}

/** Whether a TLS handshake succeeds. It accepts any certificate, as it sends nothing. */
export function speaksTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (speaks: boolean) => {
      socket.destroy();
      resolve(speaks);
    };
    const socket = connect({ host, port, rejectUnauthorized: false }, () => settle(true));
    socket.setTimeout(PATIENCE, () => settle(false)).on('error', () => settle(false));
  });
}

/**
 * Names below `.localhost` need not resolve: the request goes to the host, with the name in the header Host and in the handshake.
 * @param form makes the request a POST
 */
export function ask(
  { host, credentials }: Asked,
  url: string,
  form?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  const isName = hostname.endsWith('.localhost');
  const body = form && new URLSearchParams(form).toString();
  const target = {
    host: isName ? host : hostname,
    port,
    path: pathname + search,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      host: `${hostname}:${port}`,
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    timeout: PATIENCE,
  };
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MAX_ANSWER) response.destroy(new Error('its answer is too long'));
      });
      response.on('end', () => resolve({ status: response.statusCode!, text }));
      response.on('error', reject);
    };
    const asked: ClientRequest =
      protocol === 'https:'
        ? overHttps({ ...target, ...credentials, ...(isName && { servername: hostname }) }, read)
        : overHttp(target, read);
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${PATIENCE} ms`)));
    asked.on('error', reject);
    asked.end(body);
  });
}

/** Why TLS failed, and what to do; undefined for other errors. @param error of {@link ask} */
export function tlsFault(error: unknown, { cert }: Credentials): string | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `the certificate has other names (${message.replace(/^.*? altnames: /, '')})`;
  if (/^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|INVALID_)/.test(code))
    return `the certificate is not trusted (${message}). Name its authority with --tls-ca, or in NODE_EXTRA_CA_CERTS`;
  if (/^ERR_SSL_\w*ALERT_/.test(code))
    return cert === undefined
      ? 'the LocalNet requires a client certificate. Give one with --tls-cert and --tls-key'
      : 'the LocalNet rejects the client certificate of --tls-cert';
  if (/^ERR_(?:OSSL|CRYPTO|SSL|TLS)_/.test(code)) return message;
  return undefined;
}
