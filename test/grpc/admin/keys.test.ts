/** Keys over a participant's admin API: new ones, those that others bring, and what each may be used for. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { startCanticle, type Canticle } from 'canticle';
import { newKey } from '../../network/external/external-party.js';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';

const VAULT = 'com.digitalasset.canton.crypto.admin.v30.VaultService/';
const WRITE = 'com.digitalasset.canton.topology.admin.v30.TopologyManagerWriteService/';
const READ = 'com.digitalasset.canton.topology.admin.v30.TopologyManagerReadService/';
const [NAMESPACE, DELEGATION, PROTOCOL, PROOF] = [1, 2, 4, 5];
const SPKI = 4;

let canticle: Canticle;
let admin: GrpcClient;
beforeAll(async () => {
  canticle = await startCanticle({ grpc: { adminApiPort: 0 } });
  admin = await GrpcClient.connect(canticle.urls.grpcAdmin!);
});
afterAll(async () => {
  admin.close();
  await canticle.close();
});

const faultOf = (path: string, request: object): Promise<GrpcFault> =>
  admin.call(path, request).then(
    (answer) => Promise.reject(new Error(`It was not refused: ${JSON.stringify(answer)}`)),
    (fault: GrpcFault) => fault,
  );
const unreadable = async (path: string, request: object): Promise<string> =>
  (await faultOf(path, request)).details['ErrorInfo'].metadata.reason;
const named = async (list: 'ListMyKeys' | 'ListPublicKeys', name: string): Promise<any[]> => {
  const answer = await admin.call(`${VAULT}${list}`, { filters: { name } });
  return list === 'ListPublicKeys'
    ? answer.publicKeys
    : answer.privateKeysMetadata.map((each: any) => each.publicKeyWithName);
};

describe('encryption keys (B-GRPC-028)', () => {
  it.each([
    [0, 91, 'EC_P256', 'ec'],
    [1, 91, 'EC_P256', 'ec'],
    [2, 294, 'RSA_2048', 'rsa'],
  ])('have the requested specification %i', async (keySpec, length, spec, type) => {
    const name = `encrypts-${keySpec}`;
    const { publicKey } = await admin.call(`${VAULT}GenerateEncryptionKey`, { keySpec, name });
    expect(publicKey).toMatchObject({
      format: 'CRYPTO_KEY_FORMAT_DER_X509_SUBJECT_PUBLIC_KEY_INFO',
      keySpec: `ENCRYPTION_KEY_SPEC_${spec}`,
    });
    const der = Buffer.from(publicKey.publicKey, 'base64');
    expect(der).toHaveLength(length);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    expect(key.asymmetricKeyType).toBe(type);
    expect(await named('ListMyKeys', name)).toMatchObject([
      { name, publicKey: { encryptionPublicKey: publicKey } },
    ]);
  });

  it('differ from each other, and are the same for the same seed', async () => {
    const made = async (of: GrpcClient) =>
      (await of.call(`${VAULT}GenerateEncryptionKey`, { keySpec: 2, name: 'k' })).publicKey
        .publicKey;
    const again = await startCanticle({ seed: 9, grpc: { adminApiPort: 0 } });
    const other = await startCanticle({ seed: 9, grpc: { adminApiPort: 0 } });
    const [one, two] = await Promise.all(
      [again, other].map((each) => GrpcClient.connect(each.urls.grpcAdmin!)),
    );
    const first = await made(one!);
    expect(await made(two!)).toBe(first);
    expect(await made(one!)).not.toBe(first);
    one!.close();
    two!.close();
    await Promise.all([again.close(), other.close()]);
  });

  it('have known specifications, and names of at most 300 characters', async () => {
    const generate = `${VAULT}GenerateEncryptionKey`;
    expect(await unreadable(generate, { keySpec: 3, name: 'n'.repeat(301) })).toBe(
      'UnrecognizedEnum(key_spec,3,List())',
    );
    await admin.call(generate, { name: 'n'.repeat(300) });
    expect(await unreadable(generate, { name: 'n'.repeat(301) })).toMatch(/^InvariantViolation\(/);
  });
});

describe('deleting a key (B-GRPC-028)', () => {
  const remove = `${VAULT}DeleteKeyPair`;

  it('removes that key only', async () => {
    const generate = async (name: string) => {
      const request = { name, usage: [PROTOCOL] };
      return (await admin.call(`${VAULT}GenerateSigningKey`, request)).publicKey.publicKey;
    };
    await generate('goes');
    await generate('stays');
    const [{ publicKey }] = await named('ListMyKeys', 'goes');
    const imported = `${VAULT}ImportPublicKey`;
    const written = keyBytes({ ...publicKey.signingPublicKey, usage: [PROTOCOL] });
    // Its fingerprint: it is known already, so nothing else comes of it.
    const { fingerprint } = await admin.call(imported, { publicKey: written, name: 'other' });
    expect(await named('ListPublicKeys', 'other')).toEqual([]);
    expect(await admin.call(remove, { fingerprint })).toEqual({});
    expect(await named('ListMyKeys', 'goes')).toEqual([]);
    expect(await named('ListMyKeys', 'stays')).toHaveLength(1);
    expect(await admin.call(remove, { fingerprint })).toEqual({});
  });

  it("requires a fingerprint, and rejects the keys of the participant's identity", async () => {
    expect(await unreadable(remove, {})).toBe(
      'Failed to parse key fingerprint: StringConversionError(Daml-LF Party is empty,None)',
    );
    const fingerprint = canticle.participant.id.split('::')[1]!;
    expect(await faultOf(remove, { fingerprint })).toMatchObject({ code: 12 });
  });
});

/** A `PublicKey` with a key to sign with, or one to encrypt with, in base64. */
function keyBytes(signing: any, member = 1): string {
  const publicKey = Buffer.from(signing.publicKey, 'base64');
  const inner = [
    field(2, signing.format === 'CRYPTO_KEY_FORMAT_RAW' ? 3 : (signing.formatNumber ?? SPKI)),
    bytesField(3, publicKey),
    ...(signing.usage ?? []).map((usage: number) => field(5, usage)),
    field(member === 1 ? 6 : 5, signing.keySpecNumber ?? 1),
  ];
  return bytesField(member, Buffer.concat(inner)).toString('base64');
}
const field = (number: number, value: number): Buffer => Buffer.from([number << 3, value]);
const bytesField = (number: number, value: Buffer): Buffer => {
  const length =
    value.length < 128 ? [value.length] : [(value.length & 127) | 128, value.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), value]);
};

describe('an imported public key (B-GRPC-028)', () => {
  const bring = (publicKey: string, name: string) =>
    admin.call(`${VAULT}ImportPublicKey`, { publicKey, name });

  it("is listed with the other public keys, but not with the participant's own keys", async () => {
    const key = newKey();
    const signing = { publicKey: key.publicKey.keyData, usage: [NAMESPACE, PROTOCOL] };
    expect(await bring(keyBytes(signing), 'brought')).toEqual({ fingerprint: key.fingerprint });
    expect(await named('ListMyKeys', 'brought')).toEqual([]);
    expect(await named('ListPublicKeys', 'brought')).toMatchObject([
      {
        publicKey: {
          signingPublicKey: {
            usage: [
              'SIGNING_KEY_USAGE_NAMESPACE',
              'SIGNING_KEY_USAGE_PROTOCOL',
              'SIGNING_KEY_USAGE_PROOF_OF_OWNERSHIP',
            ],
          },
        },
      },
    ]);
    expect(await admin.call(`${VAULT}DeleteKeyPair`, { fingerprint: key.fingerprint })).toEqual({});
    expect(await named('ListPublicKeys', 'brought')).toEqual([]);
  });

  it.each([
    ['P-256', 1],
    ['2048 bits', 2],
  ])('can be an encryption key: %s', async (kind, keySpecNumber) => {
    const { publicKey } =
      keySpecNumber === 1
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
    const der = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    await bring(keyBytes({ publicKey: der, keySpecNumber }, 2), `brought ${kind}`);
    expect(await named('ListPublicKeys', `brought ${kind}`)).toMatchObject([
      { publicKey: { encryptionPublicKey: { publicKey: der } } },
    ]);
    const other = { publicKey: der, keySpecNumber: 3 - keySpecNumber };
    const reason = await unreadable(`${VAULT}ImportPublicKey`, { publicKey: keyBytes(other, 2) });
    expect(reason).toMatch(
      /^CryptoDeserializationError\(CryptoParseAndValidationError\(KeyParseAndValidateError\(/,
    );
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'FieldNotSet(key)'],
    [
      'an invalid message',
      Buffer.from('garbage').toString('base64'),
      'BufferException(com.google.protobuf.InvalidProtocolBufferException$InvalidWireTypeException: Protocol message tag had invalid wire type.)',
    ],
    [
      'an unknown usage',
      keyBytes({ publicKey: '', usage: [9] }),
      'UnrecognizedEnum(usage,9,List())',
    ],
    ['an unspecified usage', keyBytes({ publicKey: '', usage: [0] }), 'FieldNotSet(usage)'],
    [
      'proof of ownership as the only usage',
      keyBytes({ publicKey: '', usage: [PROOF] }),
      'CryptoDeserializationError(CryptoParseAndValidationError(InvalidKeyUsage(keyUsage = proof-of-ownership)))',
    ],
    [
      'a missing format of an encryption key',
      keyBytes({ publicKey: '', formatNumber: 0 }, 2),
      'FieldNotSet(format)',
    ],
    [
      'an unknown format of an encryption key',
      keyBytes({ publicKey: '', formatNumber: 9 }, 2),
      'UnrecognizedEnum(format,9,List())',
    ],
    [
      'a missing specification of an encryption key',
      keyBytes({ publicKey: '', keySpecNumber: 0 }, 2),
      'FieldNotSet(scheme)',
    ],
    [
      'an unknown specification of an encryption key',
      keyBytes({ publicKey: '', keySpecNumber: 3 }, 2),
      'UnrecognizedEnum(key_spec,3,List())',
    ],
  ])('is rejected: %s', async (_, publicKey, reason) => {
    expect(await unreadable(`${VAULT}ImportPublicKey`, { publicKey })).toBe(reason);
  });
});

describe("the usage of a delegation's key (B-EXT-029)", () => {
  const store = { authorized: {} };
  const proposal = (usage: number[], publicKey = newKey().publicKey.keyData) => ({
    operation: 'TOPOLOGY_CHANGE_OP_ADD_REPLACE',
    serial: 1,
    store,
    mapping: {
      namespaceDelegation: {
        namespace: newKey().fingerprint,
        targetKey: { format: SPKI, publicKey, usage, keySpec: 1 },
        canSignAllMappings: {},
      },
    },
  });
  const generate = `${WRITE}GenerateTransactions`;

  it.each<[string, number[], string]>([
    [
      'proof of ownership as the only usage',
      [PROOF],
      'InvalidKeyUsage(keyUsage = proof-of-ownership)',
    ],
    [
      'namespace and proof of ownership',
      [NAMESPACE, PROOF],
      'InvalidKeyUsage(keyUsage = Set(namespace, proof-of-ownership))',
    ],
  ])('must not be %s', async (_, usage, reason) => {
    expect(await unreadable(generate, { proposals: [proposal(usage)] })).toBe(
      `CryptoDeserializationError(CryptoParseAndValidationError(${reason}))`,
    );
  });

  it('must have a known kind', async () => {
    expect(await unreadable(generate, { proposals: [proposal([9])] })).toBe(
      'UnrecognizedEnum(usage,9,List())',
    );
    expect(await unreadable(generate, { proposals: [proposal([0])] })).toBe('FieldNotSet(usage)');
  });

  it.each<[number[], string[]]>([
    [[NAMESPACE], ['NAMESPACE']],
    [[NAMESPACE, DELEGATION], ['NAMESPACE']],
    [
      [NAMESPACE, PROTOCOL],
      ['NAMESPACE', 'PROTOCOL', 'PROOF_OF_OWNERSHIP'],
    ],
    [[], ['NAMESPACE', 'SEQUENCER_AUTHENTICATION', 'PROTOCOL', 'PROOF_OF_OWNERSHIP']],
    [[DELEGATION], ['NAMESPACE', 'SEQUENCER_AUTHENTICATION', 'PROTOCOL', 'PROOF_OF_OWNERSHIP']],
  ])('%j is stored completely', async (usage, stored) => {
    const name = `usages-${usage.join('-')}`;
    await admin.call(`${WRITE}CreateTemporaryTopologyStore`, { name, protocolVersion: 35 });
    const key = newKey();
    const { mapping, operation } = proposal(usage, key.publicKey.keyData);
    const temporary = { temporary: { name } };
    const rooted = {
      namespaceDelegation: { ...mapping.namespaceDelegation, namespace: key.fingerprint },
    };
    const proposals = [{ operation, serial: 1, store: temporary, mapping: rooted }];
    const { generatedTransactions } = await admin.call(generate, { proposals });
    const [{ serializedTransaction: transaction, transactionHash }] = generatedTransactions;
    await admin.call(`${WRITE}AddTransactions`, {
      store: temporary,
      transactions: [{ transaction, signatures: [key.sign(transactionHash)] }],
    });
    const { results } = await admin.call(`${READ}ListNamespaceDelegation`, {
      baseQuery: { store: temporary, headState: {} },
    });
    expect(results[0].item.targetKey.usage).toEqual(
      stored.map((each) => `SIGNING_KEY_USAGE_${each}`),
    );
    await admin.call(`${WRITE}DropTemporaryTopologyStore`, { storeId: { name } });
  });
});
