/** Those that would be SVs themselves: nobody is approved beforehand, and each is told why not (SvOnboardingToken). */
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { Versioned } from '../../../src/network/protobuf/messages.js';
import {
  FoundingMappingMessage,
  OnboardingStateMessage,
  StoredTransactionMessage,
} from '../../../src/network/topology/founding-messages.js';
import { HASH_PURPOSE, purposeHash } from '../../../src/network/keys.js';
import {
  SignedTransactionMessage,
  TransactionMessage,
} from '../../../src/network/topology/topology-messages.js';
import { describeWithDars } from '../../support/foreign-files.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';
import { asking } from '../../support/splice/validator-world.js';

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describeWithDars('a candidate', [...DSO_DARS], (...dars) => {
  const { canticle, sv, dso, ids } = sharedWorld(dars);
  const ask = asking(canticle, '/api/sv');
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [, , user] = canticle.participants;
  const { engine } = user!;
  const token = (claims: object, header: object = { alg: 'ES256' }, key = privateKey) => {
    const claim = JSON.stringify({
      name: 'acme',
      key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      party: `acme::${engine.namespace}`,
      participantId: `PAR::${engine.id}`,
      dso,
      ...claims,
    });
    const content = `${base64url(header)}.${base64url({ 'https://lfdecentralizedtrust.splice/sv': claim })}`;
    const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  };
  const start = async (given: string) => {
    const { status, body } = await ask('POST /v0/onboard/sv/start', { body: { token: given } });
    return [status, body.error];
  };

  test('is refused by its token, its namespace, its host, and at last as it is not approved', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const told = 'Could not verify and decode token: ';
    const cases: [string, number, string][] = [
      ['nonsense', 400, `${told}com.auth0.jwt.exceptions.JWTDecodeException: The token was`],
      [token({}, { alg: 'ES256' }, stranger), 400, `${told}com.auth0.jwt.exceptions.Signature`],
      [token({}, { alg: 'HS256' }), 400, `${told}com.auth0.jwt.exceptions.AlgorithmMismatch`],
      [token({ key: 'none' }), 400, `${told}could not parse public key`],
      [token({ party: 'no party' }), 400, `${told}DecodingFailure at .party`],
      [token({ party: sv }), 400, `Party ${sv} does not have the same namespace`],
      [
        token({}),
        409,
        `Candidate party acme::${engine.namespace} is not authorized by participant`,
      ],
    ];
    for (const [given, status, text] of cases)
      expect(await start(given)).toEqual([status, expect.stringContaining(text)]);
    user!.allocateParty('acme');
    expect(await start(token({}))).toEqual([
      401,
      'Could not approve SV Identity because of reason: no matching approved SV identity found for acme',
    ]);
  });

  test('asks how far it has come, by party or by name', async () => {
    const status = async (who: string) =>
      (await ask(`GET /v0/onboard/sv/status/${encodeURIComponent(who)}`)).body;
    const done = { state: 'completed', name: 'sv', contract_id: ids('DsoRules')[0] };
    expect(await status(sv)).toEqual(done);
    expect(await status('sv')).toEqual(done);
    expect(await status('acme')).toEqual({ state: 'unknown' });
    const body = { candidate_party_id: `acme::${engine.namespace}` };
    const authorized = await ask('POST /v0/onboard/sv/party-migration/authorize', { body });
    expect([authorized.status, authorized.body.error]).toEqual([
      404,
      'Candidate party is not an sv and no `SvOnboardingConfirmed` for the candidate party is found.',
    ]);
  });

  test('has for a sequencer the state that the synchronizer was begun with, each transaction signed', async () => {
    const { id, sequencerId, namespace } = canticle.network.synchronizers[0]!;
    const sequencer = (sequencer_id: string) =>
      ask('POST /v0/onboard/sv/sequencer', { body: { sequencer_id } });
    const told = await sequencer(`SEQ::${sequencerId}`);
    const [first, ...stored] = parted(Buffer.from(told.body.onboarding_state, 'base64')).map(
      (bytes) => OnboardingStateMessage.decode(unversioned(bytes)),
    );
    expect([told.status, first!.sequencerSnapshot!.memberPreviousTimestamps]).toEqual([
      200,
      [expect.anything(), { member: `SEQ::${sequencerId}` }],
    ]);
    const keys = new Map<string, Uint8Array>();
    const kinds = stored.map(({ topologyTransaction }) => {
      const item = StoredTransactionMessage.decode(unversioned(topologyTransaction!));
      const signed = SignedTransactionMessage.decode(unversioned(item.transaction));
      const transaction = unversioned(signed.transaction);
      const { mapping } = TransactionMessage.decode(transaction);
      const { namespaceDelegation, ownerToKey } = mapping!;
      if (namespaceDelegation)
        keys.set(namespaceDelegation.namespace, namespaceDelegation.targetKey!.publicKey);
      const hash = purposeHash(HASH_PURPOSE.topologyTransactionSignature, signed.transaction);
      for (const { signedBy, signature } of signed.signatures) {
        const der = keys.get(signedBy);
        if (der === undefined) expect(ownerToKey).toBeDefined();
        else {
          const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
          expect(verify(null, hash, key, signature)).toBe(true);
        }
      }
      return Object.entries(mapping!).find(([, value]) => value !== undefined)?.[0] ?? 'state';
    });
    expect(kinds).toEqual([
      ...Array(3).fill('namespaceDelegation'),
      'decentralizedNamespace',
      ...Array(3).fill('ownerToKey'),
      ...Array(3).fill('state'),
    ]);
    expect(namespace).toBe(id.split('::')[1]);
    const last = StoredTransactionMessage.decode(unversioned(stored.at(-1)!.topologyTransaction!));
    const signed = SignedTransactionMessage.decode(unversioned(last.transaction));
    // Behind operation and serial, two bytes each, the mapping's tag and length.
    const mapping = unversioned(signed.transaction).subarray(4);
    const { sequencerState } = FoundingMappingMessage.decode(parted(mapping.subarray(1))[0]!);
    expect(sequencerState).toEqual({ synchronizerId: id, threshold: 1, active: [sequencerId] });

    const { mediatorId } = canticle.network.synchronizers[0]!;
    const refused = await Promise.all(['SEQ', `MED::${mediatorId}`].map(sequencer));
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([
      [
        400,
        'Unable to convert field `sequencer`: Invalid member `SEQ`, expecting <three-letter-code>::id::fingerprint.',
      ],
      [400, expect.stringMatching(/^Value MED::sv::1220\w{8}\.{3} is not of type `SequencerId`$/)],
    ]);
  });

  test('waits for a sequencer that is not in the state of the synchronizer, until the server gives it up', async () => {
    jest.useFakeTimers();
    try {
      const body = { sequencer_id: `SEQ::other::${engine.namespace}` };
      const answer = ask('POST /v0/onboard/sv/sequencer', { body });
      await jest.advanceTimersByTimeAsync(38_000);
      const { status, body: told } = await answer;
      const late = 'The server is taking too long to respond to the (POST) request at';
      expect([status, told.error]).toEqual([503, expect.stringContaining(late)]);
    } finally {
      jest.useRealTimers();
    }
  });
});

const unversioned = (bytes: Uint8Array): Uint8Array => Versioned.decode(bytes).data;

/** Messages that stand behind their lengths. */
function parted(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    parts.push(bytes.subarray(at, (at += length)));
  }
  return parts;
}
