/** The certificate that a LocalNet serves, and the host names that it does not cover. */
import { X509Certificate } from 'node:crypto';
import { checkServerIdentity } from 'node:tls';

export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** Names of the LocalNet that the certificate does not have. */
  readonly missing: readonly string[];
}

/** @param cert as PEM; the first certificate in it counts @param names host names and addresses */
export function certificateFacts(cert: string, names: readonly string[]): CertificateFacts {
  const read = new X509Certificate(cert);
  const known = read.toLegacyObject();
  return {
    subject: inOneLine(read.subject),
    issuer: inOneLine(read.issuer),
    missing: names.filter((name) => checkServerIdentity(name, known) !== undefined),
  };
}

const inOneLine = (name: string | undefined): string => (name ?? '').replaceAll('\n', ', ');
