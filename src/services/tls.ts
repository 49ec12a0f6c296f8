/** The TLS options of a port, for both transports. */
export interface TlsOptions {
  /** The certificate and its chain, as PEM. */
  readonly cert: string;
  /** Its private key, as PEM. */
  readonly key: string;
  /** The CA certificates for client certificates, as PEM; by default clients need none. */
  readonly clientCa?: string;
  /** The oldest version that is spoken, 1.2 by default. */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
}

/** The same as Node's own servers take it. */
export const secured = ({ cert, key, clientCa, minVersion = 'TLSv1.2' }: TlsOptions) => ({
  cert,
  key,
  minVersion,
  ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
});
