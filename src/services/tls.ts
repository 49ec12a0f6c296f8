/** What a port needs to be served over TLS, as both transports take it. */
export interface TlsOptions {
  /** The certificate and those that vouch for it, as PEM. */
  readonly cert: string;
  /** Its private key, as PEM. */
  readonly key: string;
  /** Whose certificates clients must have one of, as PEM; none is asked for by default. */
  readonly clientCa?: string;
}

/** The same as Node's own servers take it. Participants take TLS 1.2 and 1.3. */
export const secured = ({ cert, key, clientCa }: TlsOptions) => ({
  cert,
  key,
  minVersion: 'TLSv1.2' as const,
  ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
});
