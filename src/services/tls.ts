/** The TLS options of a port, for both transports. */
export interface TlsOptions {
  /** The certificate and its chain, as PEM. */
  readonly cert: string;
  /** Its private key, as PEM. */
  readonly key: string;
  /** The CA certificates for client certificates, as PEM; by default clients need none. */
  readonly clientCa?: string;
  /** The lowest accepted version, 1.2 by default. */
  readonly minVersion?: 'TLSv1.2' | 'TLSv1.3';
}

/** The options for Node's servers. */
export const secured = ({ cert, key, clientCa, minVersion = 'TLSv1.2' }: TlsOptions) => ({
  cert,
  key,
  minVersion,
  ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: true }),
});
