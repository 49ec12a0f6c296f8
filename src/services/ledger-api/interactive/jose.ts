/** The keys of external parties in the format of web applications, JWKS (RFC 7517). New in release 3.6. */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { uniqueIdentifierError } from '../../../daml/model/identifiers.js';
import { sha256 } from '../../../daml/model/hash.js';
import { ledgerError } from '../../../daml/errors/ledger-error.js';
import { KEY_SPEC, KEY_USAGE, type PartyKey } from '../../../network/topology/party-keys.js';
import { invalidArgument } from '../../../network/model/request-errors.js';
import type { SomeHandlers } from '../../handler.js';

export const jose = {
  getV2JoseJwks: ({ participant, network }, { path }) => {
    const { synchronizer: synchronizerId, party } = path;
    requireId(synchronizerId, 'synchronizerId');
    requireId(party, 'partyId');
    if (!participant.isConnectedTo(synchronizerId))
      throw ledgerError('SYNCHRONIZER_NOT_FOUND', {
        cause: 'Could not find synchronizer.',
        resources: [['SYNCHRONIZER_ID', synchronizerId]],
      });
    const found = network.externalParties.get(party, synchronizerId);
    if (found === undefined)
      throw ledgerError('PARTY_SIGNING_KEYS_NOT_FOUND', {
        cause: 'Could not find signing keys for the requested party.',
        resources: [['PARTY', party]],
      });
    const usable = found.keys.filter(({ usage }) => usage.includes(KEY_USAGE.PROTOCOL));
    return { keys: usable.map(toJwk) };
  },
} satisfies SomeHandlers<'ledger'>;

function requireId(id: string, field: string): void {
  const error = uniqueIdentifierError(id);
  if (error !== undefined) throw invalidArgument(`ValueConversionError(${field},${error})`);
}

const ALGORITHMS: Readonly<Record<number, string>> = {
  [KEY_SPEC.EC_CURVE25519]: 'EdDSA',
  [KEY_SPEC.EC_P256]: 'ES256',
  [KEY_SPEC.EC_P384]: 'ES384',
  [KEY_SPEC.EC_SECP256K1]: 'ES256K',
};

function toJwk({ publicKey, keySpec }: PartyKey): Record<string, unknown> {
  const key = createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'spki' });
  const jwk = key.export({ format: 'jwk' });
  return { ...jwk, alg: ALGORITHMS[keySpec], kid: thumbprint(jwk), use: 'sig' };
}

/** RFC 7638: the hash of the members that define the key, sorted by name. */
function thumbprint(jwk: JsonWebKey): string {
  const members = Object.entries(jwk).sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = sha256(Buffer.from(JSON.stringify(Object.fromEntries(members))));
  return Buffer.from(digest).toString('base64url');
}
