/** HTTP requests to a LocalNet that runs. They use HTTPS if it serves TLS. */
import { connect } from 'node:tls';
import { HttpSide, type ClientTls, type HttpAnswer } from '../../client/http-side.js';

/** The address and the protocol of a LocalNet. */
export interface LocalnetAddress {
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly credentials: ClientTls;
}

/** Milliseconds. */
const PATIENCE = 5000;
/** Bytes: the answers are short. */
const MAX_ANSWER = 1024 * 1024;

/** Detects the protocol of a port. The result is `http` if nothing answers. */
export const schemeAt = async (host: string, port: number): Promise<LocalnetAddress['scheme']> =>
  (await speaksTls(host, port)) ? 'https' : 'http';

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
 * The host names need not resolve: the request goes to the address of the LocalNet, with the name in the header Host
 * and in the TLS handshake.
 * @param form makes the request a POST
 */
export function request(
  { host, credentials: tls }: LocalnetAddress,
  url: string,
  form?: Readonly<Record<string, string>>,
): Promise<HttpAnswer> {
  const { origin, hostname, pathname, search } = new URL(url);
  return new HttpSide(origin, { tls, patience: PATIENCE, maxBytes: MAX_ANSWER }).request({
    target: pathname + search,
    ...(hostname.endsWith('.localhost') && { connectTo: host }),
    ...(form && {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    }),
  });
}

/** The reason why TLS failed, with the fix; undefined for other errors. @param error of {@link request} */
export function tlsError(error: unknown, { cert }: ClientTls): string | undefined {
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
