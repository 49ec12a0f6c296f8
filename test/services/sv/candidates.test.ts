/** SV candidates: no candidate is approved beforehand, and each gets the reason for its refusal (SvOnboardingToken). */
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { describeWithDars } from '../../support/foreign-files.js';
import { endingTimers } from '../../support/process/node-timers.js';
import { DSO_DARS, sharedWorld } from '../../support/splice/founded-world.js';
import { requestsTo } from '../../support/splice/validator-world.js';

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describeWithDars('a candidate', [...DSO_DARS], (...dars) => {
  const { canticle, sv, dso, ids } = sharedWorld(dars);
  const request = requestsTo(canticle, '/api/sv');
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
    const { status, body } = await request('POST /v0/onboard/sv/start', { body: { token: given } });
    return [status, body.error];
  };

  test('is rejected for its token, its namespace, its participant, and finally for a missing approval', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const prefix = 'Could not verify and decode token: ';
    const cases: [string, number, string][] = [
      ['nonsense', 400, `${prefix}com.auth0.jwt.exceptions.JWTDecodeException: The token was`],
      [token({}, { alg: 'ES256' }, stranger), 400, `${prefix}com.auth0.jwt.exceptions.Signature`],
      [token({}, { alg: 'HS256' }), 400, `${prefix}com.auth0.jwt.exceptions.AlgorithmMismatch`],
      [token({ key: 'none' }), 400, `${prefix}could not parse public key`],
      [token({ party: 'no party' }), 400, `${prefix}DecodingFailure at .party`],
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

  test('reads its progress, by party or by name', async () => {
    const status = async (who: string) =>
      (await request(`GET /v0/onboard/sv/status/${encodeURIComponent(who)}`)).body;
    const done = { state: 'completed', name: 'sv', contract_id: ids('DsoRules')[0] };
    expect(await status(sv)).toEqual(done);
    expect(await status('sv')).toEqual(done);
    expect(await status('acme')).toEqual({ state: 'unknown' });
    const body = { candidate_party_id: `acme::${engine.namespace}` };
    const authorized = await request('POST /v0/onboard/sv/party-migration/authorize', { body });
    expect([authorized.status, authorized.body.error]).toEqual([
      404,
      'Candidate party is not an sv and no `SvOnboardingConfirmed` for the candidate party is found.',
    ]);
  });

  test('gets the first topology state of the synchronizer for its sequencer, with signed transactions', async () => {
    const { id, sequencerId } = canticle.network.synchronizers[0]!;
    const sequencer = (sequencer_id: string) =>
      request('POST /v0/onboard/sv/sequencer', { body: { sequencer_id } });
    const answer = await sequencer(`SEQ::${sequencerId}`);
    expect(answer.status).toBe(200);
    const state = Buffer.from(answer.body.onboarding_state, 'base64');
    const digest = createHash('sha256').update(state).digest('hex');
    expect([state.length, digest]).toEqual([
      4958,
      'e1f4e86b956cfddfd87d480ed8cbed0e52ba02071c726829dd8cbb618ee49bff',
    ]);
    const [first, ...stored] = delimited(state);
    const [snapshot] = fields(unversioned(first!)).get(3)!;
    expect(`${fields(snapshot!).get(9)![1]}`).toContain(`SEQ::${sequencerId}`);
    const keys = new Map<string, Uint8Array>();
    let isLastOf = '';
    const kinds = stored.map((bytes) => {
      const [item] = fields(unversioned(bytes)).get(1)!;
      const signed = fields(unversioned(fields(unversioned(item!)).get(3)![0]!));
      const [transaction] = signed.get(1)!;
      const [mapping] = fields(unversioned(transaction!)).get(3)!;
      const [[kind, [content]]] = [...fields(mapping!)] as [[number, Uint8Array[]]];
      const parts = fields(content!);
      // Of a delegation, the namespace and its key; of a node, its keys, which sign as well.
      if (kind === 1) keys.set(`${text(parts.get(1)![0]!)}`, keyIn(parts.get(2)![0]!));
      const hash = createHash('sha256').update(HASH_PURPOSE).update(transaction!).digest();
      for (const each of signed.get(2)!) {
        const signature = fields(each);
        const der = keys.get(text(signature.get(3)![0]!));
        if (der === undefined) expect(kind).toBe(OWNER_TO_KEY);
        else {
          const key = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' });
          const multihash = Buffer.concat([Buffer.from([0x12, 0x20]), hash]);
          expect(verify(null, multihash, key, signature.get(2)![0]!)).toBe(true);
        }
      }
      isLastOf = text(parts.get(1)![0]!);
      return kind;
    });
    // Delegations, the decentralized namespace, owners' keys; parameters, mediators, sequencers.
    expect(kinds).toEqual([1, 1, 1, 3, OWNER_TO_KEY, OWNER_TO_KEY, OWNER_TO_KEY, 11, 12, 13]);
    expect(isLastOf).toBe(id);

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

  test('waits for a sequencer that is missing in the topology state, until the request times out', async () => {
    const body = { sequencer_id: `SEQ::other::${engine.namespace}` };
    const [, { status, body: refused }] = await endingTimers(38_000, () =>
      request('POST /v0/onboard/sv/sequencer', { body }),
    );
    const late = 'The server is taking too long to respond to the (POST) request at';
    expect([status, refused.error]).toEqual([503, expect.stringContaining(late)]);
  });
});

const OWNER_TO_KEY = 4;
/** Of the signature of a topology transaction. */
const HASH_PURPOSE = Buffer.from([0, 0, 0, 11]);

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const keyIn = (signingKey: Uint8Array): Uint8Array => fields(signingKey).get(3)![0]!;
const unversioned = (bytes: Uint8Array): Uint8Array => fields(bytes).get(1)![0]!;

/** Of a message, the members that have a length, by number. */
function fields(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const reader = new BinaryReader(bytes);
  const found = new Map<number, Uint8Array[]>();
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (wire !== WireType.LengthDelimited) reader.skip(wire);
    else found.set(number, [...(found.get(number) ?? []), reader.bytes()]);
  }
  return found;
}

/** Length-prefixed messages. */
function delimited(bytes: Uint8Array): Uint8Array[] {
  const reader = new BinaryReader(bytes);
  const parts: Uint8Array[] = [];
  while (reader.pos < reader.len) parts.push(reader.bytes());
  return parts;
}
