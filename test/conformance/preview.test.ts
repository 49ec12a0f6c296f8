/** Conformance: suites that came with release 3.6. */
import { createPublicKey } from 'node:crypto';
import { create, type JsonAnswer } from '../support/ledger-api.js';
import { model } from '../support/daml/model-package.js';
import { useLedgerApi } from '../support/shared-ledger-api.js';
import { newKey, onboard, type Curve } from '../network/external/external-party.js';
import { conformanceSuite } from './support/suite.js';

const api = useLedgerApi({
  grpc: true,
  apiVersion: '3.6',
  synchronizers: [{ alias: 'one' }, { alias: 'two' }],
});
const [one, two] = api.canticle.network.synchronizers.map(({ id }) => id) as [string, string];

conformanceSuite('JoseServiceIT', {}, (reproduce) => {
  const CURVES: Record<string, Curve> = {
    GetJwksBasicEcCurve25519: 'ed25519',
    GetJwksBasicEcP256: 'p256',
    GetJwksBasicEcP384: 'p384',
    GetJwksBasicEcSecp256k1: 'secp256k1',
  };
  reproduce(
    [
      'GetJwksBasicEcCurve25519',
      'GetJwksBasicEcP256',
      'GetJwksBasicEcP384',
      'GetJwksBasicEcSecp256k1',
    ],
    'returns the public key of the external party',
    async (caseId) => {
      const { party, key } = await onboard(api, 'alice', newKey(CURVES[caseId]));
      const path = `/v2/jose/jwks/synchronizer/${encodeURIComponent(one)}/party/${encodeURIComponent(party)}`;
      const { status, body } = await api.client.ledger('GET', path);
      expect([status, body.keys.length]).toEqual([200, 1]);
      const shown = createPublicKey({ key: body.keys[0], format: 'jwk' });
      expect(shown.export({ type: 'spki', format: 'der' }).toString('base64')).toBe(
        key.publicKey.keyData,
      );
    },
  );
});

conformanceSuite('StateServiceGetLedgerEndIT', {}, (reproduce) => {
  reproduce(
    'StateServiceGetLedgerEnd',
    'returns the record time of each synchronizer',
    async () => {
      const alice = api.canticle.participant.allocateParty('alice', {
        synchronizers: ['one', 'two'],
      });
      const end = async (): Promise<JsonAnswer> =>
        (await api.client.ledger('GET', '/v2/state/ledger-end')).body;
      const timeAt = ({ synchronizerTimes }: JsonAnswer, synchronizer: string): string =>
        synchronizerTimes.find(({ synchronizerId }: JsonAnswer) => synchronizerId === synchronizer)
          .recordTime;
      const submitted = (synchronizerId: string) =>
        api.transact(create(model('Dummy'), { operator: alice }), { actAs: alice, synchronizerId });
      const first = await submitted(one);
      const afterFirst = await end();
      expect(afterFirst.offset).toBe(first.offset);
      expect(timeAt(afterFirst, one)).toBe(first.recordTime);
      const second = await submitted(two);
      const afterSecond = await end();
      expect(afterSecond.offset).toBe(second.offset);
      expect(timeAt(afterSecond, one)).toBe(first.recordTime);
      expect(timeAt(afterSecond, two)).toBe(second.recordTime);
    },
  );
});
