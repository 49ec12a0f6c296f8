/** External parties: the topology that they sign, and how they come to be hosted (B-EXT-001 to B-EXT-015). */
import {
  computeMultiHashForTopology,
  computeSha256CantonHash,
  decodeTopologyTransaction,
} from '@canton-network/core-tx-visualizer';
import { createHash } from 'node:crypto';
import { TopologyTransaction } from '@canton-network/core-ledger-proto';
import fc from 'fast-check';
import { encodeHosting } from '../../../src/network/topology/party-hosting.js';
import { create, startLedgerApi, type LedgerApi } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import {
  execution,
  EXECUTE_AND_WAIT,
  newKey,
  onboard,
  preparation,
  PREPARE,
  type Curve,
  type PreparedAnswer,
  type TestKey,
} from './external-party.js';
import { check } from '../../support/property.js';

const GENERATE = '/v2/parties/external/generate-topology';
const ALLOCATE = '/v2/parties/external/allocate';
const HASH_OF_TRANSACTION = 11;
const HASH_OF_SEVERAL = 55;

let ledger: LedgerApi;
beforeEach(async () => {
  ledger = await startLedgerApi();
});
afterEach(() => ledger.client.close());

const synchronizer = () => ledger.canticle.network.synchronizers[0]!.id;

function generate(key: TestKey, more: Record<string, unknown> = {}) {
  return ledger.ok(GENERATE, {
    synchronizer: synchronizer(),
    partyHint: 'alice',
    publicKey: key.publicKey,
    ...more,
  });
}

/** As Canton prints an id. */
const cut = (id: string) => id.replace(/(::.{12}).*$/, '$1...');

function allocation(
  transactions: readonly string[],
  multiHashSignatures: readonly unknown[],
  more = {},
) {
  return {
    synchronizer: synchronizer(),
    onboardingTransactions: transactions.map((transaction) => ({ transaction })),
    multiHashSignatures,
    ...more,
  };
}

/** A transaction of an empty mapping, by the number of its field. */
const mapping = (field: number): string =>
  Buffer.from([0x0a, 8, 8, 1, 0x10, 1, 0x1a, 2, (field << 3) | 2, 0, 0x10, 30]).toString('base64');
const UNSUPPORTED =
  'Unsupported transactions found: PartyHostingLimits, ParticipantSynchronizerPermission. Supported transactions are: NamespaceDelegation, DecentralizedNamespaceDefinition, PartyToParticipant, PartyToKeyMapping';

describe('the generated topology', () => {
  it('is one transaction that hosts the party and contains its key (B-EXT-001, B-EXT-002, B-EXT-003)', async () => {
    const key = newKey();
    const { partyId, publicKeyFingerprint, topologyTransactions } = await generate(key);
    expect(publicKeyFingerprint).toBe(key.fingerprint);
    expect(partyId).toBe(`alice::${key.fingerprint}`);
    expect(topologyTransactions).toHaveLength(1);
    // The version around the message is not part of what the official package decodes.
    const inner = Buffer.from(topologyTransactions[0], 'base64');
    const transaction = decodeTopologyTransaction(unwrapped(inner).toString('base64'));
    expect(transaction).toMatchObject({
      serial: 1,
      mapping: {
        mapping: {
          partyToParticipant: {
            party: partyId,
            threshold: 1,
            participants: [{ participantUid: ledger.canticle.participant.id, permission: 2 }],
          },
        },
      },
    });
    // The official package is older than this field.
    expect(inner.includes(Buffer.from(key.publicKey.keyData, 'base64'))).toBe(true);
  });

  it('has the same hash as in the official package', async () => {
    const { topologyTransactions, multiHash } = await generate(newKey());
    const hashes = await Promise.all(
      topologyTransactions.map((each: string) =>
        computeSha256CantonHash(HASH_OF_TRANSACTION, Buffer.from(each, 'base64')),
      ),
    );
    const combined = await computeMultiHashForTopology(hashes as Uint8Array[]);
    const expected = await computeSha256CantonHash(HASH_OF_SEVERAL, combined);
    expect(multiHash).toBe(Buffer.from(expected).toString('base64'));
  });

  it('is the same for a raw key and its DER form', async () => {
    const key = newKey();
    const raw = {
      ...key.publicKey,
      format: 'CRYPTO_KEY_FORMAT_RAW',
      keyData: Buffer.from(key.publicKey.keyData, 'base64').subarray(-32).toString('base64'),
    };
    expect(await generate(key, { publicKey: raw })).toEqual(await generate(key));
  });

  it.each(['p256', 'p384'] as const)(
    'is the same for a %s key with the older format name',
    async (curve) => {
      const key = newKey(curve);
      const older = { ...key.publicKey, format: 'CRYPTO_KEY_FORMAT_DER' };
      expect(await generate(key, { publicKey: older })).toEqual(await generate(key));
    },
  );

  it.each<[string, Record<string, unknown>, string]>([
    ['an empty hint', { partyHint: '' }, 'Party hint is empty'],
    [
      'a hint with a delimiter',
      { partyHint: 'a::b' },
      'party_hint: String contains reserved delimiter `::`.',
    ],
    [
      'a hint without characters',
      { partyHint: 'a!' },
      `party_hint: non expected character 0x21 in Daml-LF Party "a!"`,
    ],
    [
      'a hint that is too long',
      { partyHint: 'a'.repeat(186) },
      `The given string has a maximum length of 185 but a string of length 186 ('${'a'.repeat(186)}.') was given`,
    ],
    [
      'more confirmations than confirmers',
      { confirmationThreshold: 2 },
      'Confirmation threshold exceeds number of confirming participants',
    ],
    [
      'a negative threshold',
      { confirmationThreshold: -1 },
      'Negative confirmation threshold observed',
    ],
    [
      'an unknown synchronizer',
      { synchronizer: `other::1220${'ab'.repeat(32)}` },
      'Unknown or not connected synchronizer other::1220abababab...',
    ],
    ['no synchronizer', { synchronizer: '' }, 'Empty string is not a valid unique identifier.'],
    [
      'a synchronizer with two delimiters',
      { synchronizer: 'a::b::c' },
      'Fingerprint decoding of `a::b::c` failed with: StringConversionError(String contains reserved delimiter `::`.,None)',
    ],
    [
      'a key on another curve',
      { publicKey: { ...newKey('p256').publicKey, keySpec: 'SIGNING_KEY_SPEC_EC_SECP256K1' } },
      "KeyParseAndValidateError(Failed to deserialize or validate DER-encoded X.509 SubjectPublicKeyInfo public key: KeyParseAndValidateError(EC key not in curve 'secp256k1'.))",
    ],
    [
      'an invalid key',
      { publicKey: { ...newKey().publicKey, keyData: 'AAAA' } },
      'KeyParseAndValidateError(KeyParseAndValidateError(Failed to parse public key: java.lang.IllegalArgumentException: failed to construct sequence from byte[]))',
    ],
    [
      'a raw key with another length',
      { publicKey: { ...newKey().publicKey, format: 'CRYPTO_KEY_FORMAT_RAW', keyData: 'AAAA' } },
      'KeyParseAndValidateError(Failed to deserialize or validate DER-encoded X.509 SubjectPublicKeyInfo public key: KeyParseAndValidateError(InvalidKey(java.security.spec.InvalidKeySpecException: raw key data not recognised)))',
    ],
    [
      'a raw key for a curve that has none',
      { publicKey: { ...newKey('p256').publicKey, format: 'CRYPTO_KEY_FORMAT_RAW' } },
      'KeyParseAndValidateError(Failed to deserialize or validate Raw public key: KeyParseAndValidateError(Invalid format for public key: Raw))',
    ],
    [
      'a repeated participant',
      { otherConfirmingParticipantUids: ['p::1220'], observingParticipantUids: ['p::1220'] },
      "The following participant IDs are referenced multiple times in the request: p::1220. Please ensure all IDs are referenced only once across 'otherConfirmingParticipantUids' and 'observingParticipantUids' fields.",
    ],
  ])('is rejected for %s (B-EXT-010)', async (_, change, reason) => {
    const body = {
      synchronizer: synchronizer(),
      partyHint: 'alice',
      publicKey: newKey().publicKey,
      ...change,
    };
    const { status, body: refusal } = await ledger.post(GENERATE, body);
    expect([status, refusal.code, refusal.cause]).toEqual([
      400,
      'INVALID_ARGUMENT',
      `The submitted request has invalid arguments: ${reason}`,
    ]);
  });

  it('fails for a 384-bit key with a 256-bit spec, like a participant', async () => {
    for (const keySpec of ['SIGNING_KEY_SPEC_EC_P256', 'SIGNING_KEY_SPEC_EC_SECP256K1']) {
      const publicKey = { ...newKey('p384').publicKey, keySpec };
      const body = { synchronizer: synchronizer(), partyHint: 'alice', publicKey };
      expect((await ledger.post(GENERATE, body)).status).toBe(500);
    }
  });

  it('is rejected if it lists this participant as another one, or has a physical synchronizer id (B-EXT-009)', async () => {
    const { id } = ledger.canticle.participant;
    const body = {
      synchronizer: synchronizer(),
      partyHint: 'alice',
      publicKey: newKey().publicKey,
    };
    const listed = await ledger.post(GENERATE, { ...body, otherConfirmingParticipantUids: [id] });
    expect([listed.status, listed.body.code, listed.body.cause]).toEqual([
      400,
      'INVALID_ARGUMENT',
      `The submitted request has invalid arguments: This participant node (PAR::${cut(id)}) is also listed in 'otherConfirmingParticipantUids'. By sending the request to this node, it is de facto a hosting node and must not be listed in 'otherConfirmingParticipantUids'.`,
    ]);
    expect(await ledger.refusal(GENERATE, { ...body, observingParticipantUids: [id] })).toBe(
      'INVALID_ARGUMENT',
    );
    const { physicalId } = ledger.canticle.network.synchronizers[0]!;
    expect(await ledger.refusal(GENERATE, { ...body, synchronizer: physicalId })).toBe(
      'INVALID_ARGUMENT',
    );
  });
});

describe('allocation', () => {
  it.each<[Curve, 'DER_X509_SUBJECT_PUBLIC_KEY_INFO' | 'RAW' | 'DER', string | undefined]>([
    ['ed25519', 'DER_X509_SUBJECT_PUBLIC_KEY_INFO', 'CONCAT'],
    ['ed25519', 'RAW', 'RAW'],
    ['p256', 'DER_X509_SUBJECT_PUBLIC_KEY_INFO', 'DER'],
    ['p256', 'DER', 'RAW'],
    ['p384', 'DER_X509_SUBJECT_PUBLIC_KEY_INFO', 'DER'],
    ['secp256k1', 'DER_X509_SUBJECT_PUBLIC_KEY_INFO', 'DER'],
  ])(
    'hosts a party whose key is %s in %s and signs in %s (B-EXT-004, B-EXT-006)',
    async (curve, keyFormat, signatureFormat) => {
      const key = newKey(curve, keyFormat);
      const { partyId, topologyTransactions, multiHash } = await generate(key);
      expect(partyId).toBe(`alice::${key.fingerprint}`);
      const answer = await ledger.ok(
        ALLOCATE,
        allocation(topologyTransactions, [key.sign(multiHash, signatureFormat)]),
      );
      expect(answer).toEqual({ partyId });
      const known = await ledger.client.ledger('GET', `/v2/parties/${encodeURIComponent(partyId)}`);
      expect(known.body.partyDetails).toMatchObject([{ party: partyId, isLocal: true }]);
    },
  );

  it('accepts signatures of single transactions (B-EXT-006)', async () => {
    const key = newKey();
    const { partyId, topologyTransactions } = await generate(key);
    const [transaction] = topologyTransactions;
    const hash = await computeSha256CantonHash(
      HASH_OF_TRANSACTION,
      Buffer.from(transaction, 'base64'),
    );
    const signatures = [key.sign(Buffer.from(hash).toString('base64'))];
    const { physicalId } = ledger.canticle.network.synchronizers[0]!;
    const body = {
      synchronizer: physicalId,
      onboardingTransactions: [{ transaction, signatures }],
    };
    expect(await ledger.ok(ALLOCATE, body)).toEqual({ partyId });
    expect(ledger.canticle.network.topology.knows(partyId)).toBe(true);
  });

  it('rejects an existing party (B-EXT-013)', async () => {
    const key = newKey();
    await onboard(ledger, 'alice', key);
    const { topologyTransactions, multiHash } = await generate(key);
    const { status, body } = await ledger.post(
      ALLOCATE,
      allocation(topologyTransactions, [key.sign(multiHash)]),
    );
    expect([status, body.code, body.cause]).toEqual([
      400,
      'INVALID_ARGUMENT',
      `The submitted request has invalid arguments: Party alice::${key.fingerprint.slice(0, 12)}... already exists on synchronizer ${cut(synchronizer())}`,
    ]);
  });

  it('changes nothing for an unknown user, and then accepts the same bytes (B-EXT-008)', async () => {
    const key = newKey();
    const { partyId, topologyTransactions, multiHash } = await generate(key);
    const body = allocation(topologyTransactions, [key.sign(multiHash)], { userId: 'wallet' });
    expect(await ledger.refusal(ALLOCATE, body)).toBe('USER_NOT_FOUND');
    expect(ledger.canticle.network.topology.knows(partyId)).toBe(false);
    await ledger.ok('/v2/users', { user: { id: 'wallet' } });
    await ledger.ok(ALLOCATE, body);
    const { body: rights } = await ledger.client.ledger('GET', '/v2/users/wallet/rights');
    expect(rights.rights).toEqual([{ kind: { CanActAs: { value: { party: partyId } } } }]);
  });

  it('does not host a party without signatures', async () => {
    const { partyId, topologyTransactions } = await generate(newKey());
    expect(await ledger.ok(ALLOCATE, allocation(topologyTransactions, []))).toEqual({ partyId });
    expect(ledger.canticle.network.topology.knows(partyId)).toBe(false);
  });

  it('does not accept a foreign signature', async () => {
    const { partyId, topologyTransactions, multiHash } = await generate(newKey());
    await ledger.ok(ALLOCATE, allocation(topologyTransactions, [newKey().sign(multiHash)]));
    expect(ledger.canticle.network.topology.knows(partyId)).toBe(false);
  });

  it('rejects a signature of another hash, with only a status (B-ERR-004)', async () => {
    const key = newKey();
    const { topologyTransactions } = await generate(key);
    const { multiHash: other } = await generate(key, { partyHint: 'bob' });
    const { status, body } = await ledger.post(
      ALLOCATE,
      allocation(topologyTransactions, [key.sign(other)]),
    );
    expect([status, body.code, body.errorCategory]).toEqual([
      400,
      'Transaction signature verification failed',
      -1,
    ]);
  });

  it('uses only the first signature of each key', async () => {
    const key = newKey();
    const { partyId, topologyTransactions, multiHash } = await generate(key);
    const { multiHash: other } = await generate(key, { partyHint: 'bob' });
    const [valid, invalid] = [key.sign(multiHash), key.sign(other)];
    const { status, body } = await ledger.post(
      ALLOCATE,
      allocation(topologyTransactions, [invalid, valid]),
    );
    expect([status, body.code]).toEqual([400, 'Transaction signature verification failed']);
    expect(ledger.canticle.network.topology.knows(partyId)).toBe(false);
    await ledger.ok(ALLOCATE, allocation(topologyTransactions, [valid, invalid]));
    expect(ledger.canticle.network.topology.knows(partyId)).toBe(true);
  });

  it('rejects a transaction with one changed byte', async () => {
    const key = newKey();
    const { topologyTransactions, multiHash } = await generate(key);
    const bytes = Buffer.from(topologyTransactions[0], 'base64');
    const at = bytes.indexOf('alice');
    bytes[at] = 'b'.charCodeAt(0);
    const { status } = await ledger.post(
      ALLOCATE,
      allocation([bytes.toString('base64')], [key.sign(multiHash)]),
    );
    expect(status).toBe(400);
    expect(ledger.canticle.network.topology.knows(`blice::${key.fingerprint}`)).toBe(false);
  });

  it('never hosts a party with bytes that its key did not sign', async () => {
    const key = newKey();
    const { topologyTransactions, multiHash } = await generate(key);
    const bytes = Buffer.from(topologyTransactions[0], 'base64');
    const before = ledger.canticle.network.topology.parties();
    await check(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const mutated = Buffer.from(bytes);
          mutated[at]! ^= flip;
          await ledger.post(
            ALLOCATE,
            allocation([mutated.toString('base64')], [key.sign(multiHash)]),
          );
          expect(ledger.canticle.network.topology.parties()).toEqual(before);
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each<[string, string, (body: any, key: TestKey) => void, string]>([
    [
      'an empty list of transactions',
      'INVALID_FIELD',
      (body) => (body.onboardingTransactions = []),
      'onboarding_transactions.transactions: Transactions field is empty',
    ],
    [
      'invalid bytes of a transaction',
      'INVALID_FIELD',
      (body) => (body.onboardingTransactions[0].transaction = 'AAAA'),
      'onboarding_transactions.transaction: Invalid transaction: Protocol message contained an invalid tag (zero).',
    ],
    [
      'a signature without a format',
      'INVALID_FIELD',
      (body) => (body.multiHashSignatures[0].format = 'SIGNATURE_FORMAT_UNSPECIFIED'),
      'format: Signature format must be specified',
    ],
    [
      'a signature without an algorithm',
      'INVALID_FIELD',
      (body) =>
        (body.multiHashSignatures[0].signingAlgorithmSpec = 'SIGNING_ALGORITHM_SPEC_UNSPECIFIED'),
      'multi_hash_signatures.signatures: Signing algorithm spec SIGNING_ALGORITHM_SPEC_UNSPECIFIED not supported',
    ],
    [
      'a signature without a signer',
      'INVALID_FIELD',
      (body) => (body.multiHashSignatures[0].signedBy = ''),
      'multi_hash_signatures.signatures: Daml-LF Party is empty',
    ],
    [
      'a synchronizer that is not connected',
      'INVALID_ARGUMENT',
      (body) => (body.synchronizer = `other::1220${'ab'.repeat(32)}`),
      'This node is not connected to the requested synchronizer other::1220abababab....',
    ],
    [
      'the same transaction twice',
      'INVALID_ARGUMENT',
      (body) => body.onboardingTransactions.push(body.onboardingTransactions[0]),
      'Only one transaction of type com.digitalasset.canton.topology.transaction.PartyToParticipant can be provided, got 2',
    ],
    [
      'unsupported kinds of mappings, one transaction twice',
      'INVALID_ARGUMENT',
      (body) =>
        body.onboardingTransactions.push(
          ...[7, 6, 7].map((field) => ({ transaction: mapping(field) })),
        ),
      UNSUPPORTED,
    ],
    [
      'unsupported kinds of mappings without signatures',
      'INVALID_ARGUMENT',
      (body) => {
        body.multiHashSignatures = [];
        body.onboardingTransactions.push(
          ...[7, 6].map((field) => ({ transaction: mapping(field) })),
        );
      },
      UNSUPPORTED,
    ],
    [
      'an unknown mapping',
      'INVALID_FIELD',
      (body) => body.onboardingTransactions.push({ transaction: mapping(2) }),
      'onboarding_transactions.transaction: Invalid transaction: Field `mapping` is not set',
    ],
    [
      'an unknown identity provider',
      'INVALID_ARGUMENT',
      (body) => (body.identityProviderId = 'nobody'),
      'Provided identity_provider_id Id(nobody) has not been found.',
    ],
  ])('rejects %s', async (_, code, change, reason) => {
    const key = newKey();
    const { topologyTransactions, multiHash } = await generate(key);
    const body = allocation(topologyTransactions, [key.sign(multiHash)]);
    change(body, key);
    const { status, body: refusal } = await ledger.post(ALLOCATE, body);
    expect([status, refusal.code]).toEqual([400, code]);
    expect(refusal.cause).toBe(
      code === 'INVALID_FIELD'
        ? `The submitted command has a field with invalid value: Invalid field ${reason}`
        : `The submitted request has invalid arguments: ${reason}`,
    );
    expect(ledger.canticle.network.topology.knows(`alice::${key.fingerprint}`)).toBe(false);
  });

  it('grants the permission to confirm, not to submit (B-EXT-015)', async () => {
    const { party } = await onboard(ledger, 'alice');
    const command = create(model('Dummy'), { operator: party });
    expect(await ledger.submitRefusal(command, { actAs: party })).toBe(
      'NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT',
    );
    expect(
      ledger.canticle.network.topology.permission(
        party,
        ledger.canticle.participant.id,
        synchronizer(),
      ),
    ).toBe('confirmation');
  });
});

/** Field 1 of the version wrapper: the message in it. */
function unwrapped(versioned: Buffer): Buffer {
  let length = 0;
  let at = 1;
  for (let shift = 0; ; shift += 7) {
    const byte = versioned[at++]!;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return versioned.subarray(at, at + length);
}

/** As clients of 3.4 wrote it: a root delegation, the hosting without keys, and the keys apart. */
describe('the older onboarding with three transactions', () => {
  const publicKey = ({ publicKey: { keyData } }: TestKey, usage: number[]) => ({
    format: 4,
    publicKey: Uint8Array.from(Buffer.from(keyData, 'base64')),
    scheme: 0,
    usage,
    keySpec: 1,
  });
  const encoded = (kind: string, value: unknown) => {
    const mapping = { oneofKind: kind, [kind]: value };
    const data = TopologyTransaction.toBinary({
      operation: 1,
      serial: 1,
      mapping: { mapping },
    } as never);
    return Buffer.concat([
      Buffer.from([0x0a]),
      varint(data.length),
      data,
      Buffer.from([0x10, 30]),
    ]).toString('base64');
  };
  const delegation = (key: TestKey, isRootDelegation = true) =>
    encoded('namespaceDelegation', {
      namespace: key.fingerprint,
      targetKey: publicKey(key, [1]),
      isRootDelegation,
      restriction: { oneofKind: undefined },
    });
  const hosting = (party: string) => {
    const participants = [{ participantUid: ledger.canticle.participant.id, permission: 2 }];
    return encoded('partyToParticipant', { party, threshold: 1, participants });
  };
  const hostingWithKeys = (party: string, signing: readonly TestKey[], threshold: number) => {
    const participantId = ledger.canticle.participant.id;
    const keys = signing.map((key) => ({ ...publicKey(key, [4]), fingerprint: key.fingerprint }));
    const bytes = encodeHosting({
      party,
      threshold: 1,
      hosts: [{ participantId, permission: 'confirmation' }],
      signing: { keys, threshold },
    });
    return Buffer.from(bytes).toString('base64');
  };
  const keyMapping = (party: string, signing: readonly TestKey[], threshold = 1) =>
    encoded('partyToKeyMapping', {
      party,
      threshold,
      signingKeys: signing.map((each) => publicKey(each, [4])),
    });
  const older = (key: TestKey, signing: readonly TestKey[] = [key], threshold = 1) => {
    const party = `alice::${key.fingerprint}`;
    return {
      party,
      transactions: [delegation(key), hosting(party), keyMapping(party, signing, threshold)],
    };
  };
  const combined = async (transactions: readonly string[]) => {
    const hashes = await Promise.all(
      transactions.map((each) =>
        computeSha256CantonHash(HASH_OF_TRANSACTION, Buffer.from(each, 'base64')),
      ),
    );
    const hash = await computeSha256CantonHash(
      HASH_OF_SEVERAL,
      await computeMultiHashForTopology(hashes),
    );
    return Buffer.from(hash).toString('base64');
  };

  it('hosts the party with one signature of all transactions, without signatures of the mapped keys (B-EXT-038)', async () => {
    const [key, signing] = [newKey(), newKey()];
    // The mapping needs more keys than it has, and no key of it signed.
    const { party, transactions } = older(key, [signing], 2);
    expect(
      await ledger.ok(ALLOCATE, allocation(transactions, [key.sign(await combined(transactions))])),
    ).toEqual({ partyId: party });
    const { topology, externalParties } = ledger.canticle.network;
    expect(topology.knows(party)).toBe(true);
    expect(externalParties.get(party, synchronizer())).toBeUndefined();
    const answer: PreparedAnswer = await ledger.ok(
      PREPARE,
      preparation(create(model('Dummy'), { operator: party }), party),
    );
    const signed = await ledger.post(EXECUTE_AND_WAIT, execution(answer, { party, key }));
    expect(signed.body.cause).toMatch(/Could not find party signing keys for alice::/);
  });

  it("requires the party's threshold of keys for a submission (B-INT-023)", async () => {
    const [key, ...signing] = [newKey(), newKey(), newKey(), newKey()];
    const party = `alice::${key!.fingerprint}`;
    const transactions = [delegation(key!), hostingWithKeys(party, signing, 2)];
    const all = [key!, ...signing];
    const hash = await combined(transactions);
    await ledger.ok(
      ALLOCATE,
      allocation(
        transactions,
        all.map((each) => each.sign(hash)),
      ),
    );
    const answer: PreparedAnswer = await ledger.ok(
      PREPARE,
      preparation(create(model('Dummy'), { operator: party }), party),
    );
    const by = (...signers: readonly TestKey[]) => {
      const signatures = signers.map((each) => each.sign(answer.preparedTransactionHash));
      return execution(
        answer,
        { party, key: key! },
        { partySignatures: { signatures: [{ party, signatures }] } },
      );
    };
    const below = await ledger.post(EXECUTE_AND_WAIT, by(signing[0]!));
    expect(below.body.cause).toMatch(
      /Received 1 valid signatures from distinct keys \(0 invalid\), but expected at least 2 valid/,
    );
    const twice = await ledger.post(EXECUTE_AND_WAIT, by(signing[0]!, signing[0]!));
    expect(twice.body.cause).toMatch(/Received 1 valid signatures/);
    const wrong = await ledger.post(EXECUTE_AND_WAIT, by(signing[0]!, key!));
    expect(wrong.body.cause).toMatch(
      /Received 1 valid signatures from distinct keys \(1 invalid\)/,
    );
    await ledger.ok(EXECUTE_AND_WAIT, by(signing[2]!, key!, signing[0]!));
  });

  const fingerprintsOf = (owners: readonly TestKey[]) =>
    owners.map(({ fingerprint }) => fingerprint).sort();
  function sharedBy(owners: readonly TestKey[]): string {
    const hasher = createHash('sha256').update(Buffer.from([0, 0, 0, 37]));
    for (const each of fingerprintsOf(owners))
      hasher.update(Buffer.from([0, 0, 0, each.length])).update(each);
    return `1220${hasher.digest('hex')}`;
  }
  const definitionOf = (
    decentralizedNamespace: string,
    owners: readonly TestKey[],
    threshold = 2,
  ) =>
    encoded('decentralizedNamespaceDefinition', {
      decentralizedNamespace,
      threshold,
      owners: fingerprintsOf(owners),
    });

  it('checks the delegations of up to ten owners', async () => {
    const attempt = async (count: number) => {
      const owners = Array.from({ length: count }, () => newKey());
      const [signing, stranger] = [newKey(), newKey()];
      const namespace = sharedBy(owners);
      const party = `club::${namespace}`;
      const transactions = [
        definitionOf(namespace, owners),
        ...[...owners, stranger].map((each) => delegation(each)),
        hosting(party),
        keyMapping(party, [signing]),
      ];
      const hash = await combined(transactions);
      const signatures = [...owners, stranger, signing].map((each) => each.sign(hash));
      const { status, body } = await ledger.post(ALLOCATE, allocation(transactions, signatures));
      return [status, body.cause];
    };
    expect(await attempt(10)).toEqual([200, undefined]);
    expect(await attempt(11)).toEqual([
      400,
      'The submitted request has invalid arguments: Decentralized namespaces cannot have more than 10 individual namespace owners, got 11',
    ]);
  });

  it("accepts an owner's signature for a new namespace if the owner has a root delegation", async () => {
    const owners = [newKey(), newKey()];
    const signing = newKey();
    const namespace = sharedBy(owners);
    const party = `club::${namespace}`;
    const attempt = async (isRoot: boolean) => {
      const transactions = [
        definitionOf(namespace, owners),
        delegation(owners[0]!),
        delegation(owners[1]!, isRoot),
        hosting(party),
        keyMapping(party, [signing]),
      ];
      const hash = await combined(transactions);
      const signatures = [...owners, signing].map((each) => each.sign(hash));
      const { status, body } = await ledger.post(ALLOCATE, allocation(transactions, signatures));
      return [status, ledger.canticle.network.topology.knows(party), body.code];
    };
    const missing = expect.stringMatching(/due to missing namespace delegations for keys 1220/);
    expect(await attempt(false)).toEqual([400, false, missing]);
    expect(await attempt(true)).toEqual([200, true, undefined]);
  });

  it('stores the key of an owner whose delegation is signed', async () => {
    const owners = [newKey(), newKey()];
    const [signing, stranger] = [newKey(), newKey()];
    const namespace = sharedBy(owners);
    /** Whether owners speak for two parties of the namespace. */
    const speakAfter = async (delegating: (owner: TestKey) => TestKey, name: string) => {
      const party = `club-${name}::${namespace}`;
      const signed = async (transaction: string, ...keys: readonly TestKey[]) => {
        const bytes = Buffer.from(transaction, 'base64');
        const hash = await computeSha256CantonHash(HASH_OF_TRANSACTION, bytes);
        const signatures = keys.map((each) => each.sign(Buffer.from(hash).toString('base64')));
        return { transaction, signatures };
      };
      const onboardingTransactions = await Promise.all([
        signed(definitionOf(namespace, owners), ...owners),
        ...owners.map((each) => signed(delegation(each), delegating(each))),
        signed(hosting(party), ...owners),
        signed(keyMapping(party, [signing]), signing),
      ]);
      await ledger.ok(ALLOCATE, { synchronizer: synchronizer(), onboardingTransactions });
      const other = `union-${name}::${namespace}`;
      const more = [hosting(other), keyMapping(other, [signing])];
      const hash = await combined(more);
      const signatures = [...owners, signing].map((each) => each.sign(hash));
      await ledger.ok(ALLOCATE, allocation(more, signatures));
      return [party, other].map((each) => ledger.canticle.network.topology.knows(each));
    };
    expect(await speakAfter(() => stranger, 'foreign')).toEqual([false, false]);
    expect(await speakAfter((owner) => owner, 'own')).toEqual([true, true]);
  });

  it('hosts the party of a decentralized namespace if enough of its owners sign', async () => {
    const owners = [newKey(), newKey(), newKey()];
    const namespace = sharedBy(owners);
    const party = `club::${namespace}`;
    const definition = (decentralizedNamespace: string) =>
      definitionOf(decentralizedNamespace, owners);
    const signing = newKey();
    const rest = [
      ...owners.map((each) => delegation(each)),
      hosting(party),
      keyMapping(party, [signing]),
    ];
    const transactions = [definition(namespace), ...rest];
    const hash = await combined(transactions);
    const signed = (...keys: readonly TestKey[]) =>
      allocation(
        transactions,
        keys.map((each) => each.sign(hash)),
      );
    // Every owner must sign the definition of a new namespace.
    for (const each of owners.slice(0, 2)) {
      await ledger.ok(ALLOCATE, signed(each, signing));
      expect(ledger.canticle.network.topology.knows(party)).toBe(false);
    }
    await ledger.ok(ALLOCATE, signed(...owners, signing));
    expect(ledger.canticle.network.topology.knows(party)).toBe(true);
    const other = `association::${namespace}`;
    const more = [hosting(other), keyMapping(other, [signing])];
    const moreHash = await combined(more);
    // The namespace exists: as many owners as its threshold sign for it, one after the other.
    const signedBy = (key: TestKey) => allocation(more, [key.sign(moreHash)]);
    for (const each of [signing, owners[2]!]) {
      await ledger.ok(ALLOCATE, signedBy(each));
      expect(ledger.canticle.network.topology.knows(other)).toBe(false);
    }
    await ledger.ok(ALLOCATE, signedBy(owners[0]!));
    expect(ledger.canticle.network.topology.knows(other)).toBe(true);
    const made = `1220${'ab'.repeat(32)}`;
    const forged = [
      definition(made),
      ...owners.map((each) => delegation(each)),
      hosting(`club::${made}`),
      keyMapping(`club::${made}`, [signing]),
    ];
    const forgedHash = await combined(forged);
    const { status } = await ledger.post(
      ALLOCATE,
      allocation(
        forged,
        [...owners, signing].map((each) => each.sign(forgedHash)),
      ),
    );
    expect(status).toBe(400);
  });

  it('rejects another first definition of an existing namespace', async () => {
    const owners = [newKey(), newKey()];
    const signing = newKey();
    const namespace = sharedBy(owners);
    const allocate = async (hint: string, threshold: number) => {
      const party = `${hint}::${namespace}`;
      const transactions = [
        definitionOf(namespace, owners, threshold),
        ...owners.map((each) => delegation(each)),
        hosting(party),
        keyMapping(party, [signing]),
      ];
      const hash = await combined(transactions);
      const signatures = [...owners, signing].map((each) => each.sign(hash));
      const { body } = await ledger.post(ALLOCATE, allocation(transactions, signatures));
      return [ledger.canticle.network.topology.knows(party), body.cause];
    };
    expect(await allocate('club', 2)).toEqual([true, undefined]);
    expect(await allocate('union', 1)).toEqual([
      false,
      'The provided serial Some(1) did not match the expected serial Some(2).',
    ]);
  });

  const supported =
    'NamespaceDelegation, DecentralizedNamespaceDefinition, PartyToParticipant, PartyToKeyMapping';
  it.each([
    ['PartyHostingLimits', (party: string) => ['partyHostingLimits', { party }] as const],
    [
      'SynchronizerTrustCertificate',
      () => {
        const participantUid = ledger.canticle.participant.id;
        const certificate = { participantUid, synchronizerId: synchronizer() };
        return ['synchronizerTrustCertificate', { ...certificate, featureFlags: [] }] as const;
      },
    ],
  ])('rejects an additional %s and names it', async (name, mappingFor) => {
    const key = newKey();
    const { party, transactions } = older(key);
    const [kind, value] = mappingFor(party);
    const all = [...transactions, encoded(kind, { synchronizerId: synchronizer(), ...value })];
    const request = allocation(all, [key.sign(await combined(all))]);
    expect((await ledger.post(ALLOCATE, request)).body).toMatchObject({
      code: 'INVALID_ARGUMENT',
      cause: `The submitted request has invalid arguments: Unsupported transactions found: ${name}. Supported transactions are: ${supported}`,
    });
    expect(ledger.canticle.network.topology.knows(party)).toBe(false);
  });

  it('requires the mapping of keys', async () => {
    const key = newKey();
    const transactions = older(key).transactions.slice(0, 2);
    expect(
      await ledger.refusal(
        ALLOCATE,
        allocation(transactions, [key.sign(await combined(transactions))]),
      ),
    ).toBe('INVALID_ARGUMENT');
  });
});

function varint(value: number): Buffer {
  return value < 0x80 ? Buffer.from([value]) : Buffer.from([(value & 0x7f) | 0x80, value >> 7]);
}
