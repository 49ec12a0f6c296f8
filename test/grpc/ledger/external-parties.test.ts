/** External parties over gRPC: numbers that no name of an enumeration goes with, keys that are none, and signatures that are bad. */
import { newKey } from '../../network/external/external-party.js';
import { GrpcClient, type GrpcFault } from '../../support/grpc/client.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';

const api = useLedgerApi({ grpc: true });
const PARTIES = 'admin.PartyManagementService/';
const SUBMISSION = 'interactive.InteractiveSubmissionService/';
const [DER, RAW, SPKI] = [1, 2, 3];

let grpc: GrpcClient;
let synchronizer: string;
beforeAll(async () => {
  grpc = await GrpcClient.connect(api.canticle.urls.grpc!);
  synchronizer = api.canticle.network.synchronizers[0]!.id;
});
afterAll(() => grpc.close());

const faultOf = (path: string, request: object): Promise<GrpcFault> =>
  grpc.call(path, request).then(
    (answer) => Promise.reject(new Error(`It was not refused: ${JSON.stringify(answer)}`)),
    (fault: GrpcFault) => fault,
  );
/** Without the code and the sentence of its kind. */
const reasonOf = async (path: string, request: object): Promise<string> =>
  (await faultOf(path, request)).message.replace(
    /^\w+\(8,\w+\): The submitted (request has invalid arguments|command has a field with invalid value): /,
    '',
  );

const key = newKey();
const spki = Buffer.from(key.publicKey.keyData, 'base64');
const generating = (publicKey: object, more: object = {}) => ({
  synchronizer,
  partyHint: 'ann',
  publicKey: { format: SPKI, keyData: spki.toString('base64'), keySpec: 1, ...publicKey },
  ...more,
});

describe('the public key of a generated party', () => {
  it.each<[object, object, string]>([
    // A number that Canton's own keys have.
    [{ format: 4 }, {}, 'Unrecognized value `4` in enum field `format`'],
    [{ format: 99 }, {}, 'Unrecognized value `99` in enum field `format`'],
    [{ format: 10000 }, {}, 'Unrecognized value `10000` in enum field `format`'],
    [{ format: RAW, keySpec: 0 }, {}, 'Field `key_spec and scheme` is not set'],
    [{ format: RAW, keySpec: 99 }, {}, 'Unrecognized value `99` in enum field `key_spec`'],
    [{}, { confirmationThreshold: 4294967295 }, 'Negative confirmation threshold observed'],
  ])('%j %j is rejected because of an unknown enum number', async (publicKey, more, reason) => {
    const request = generating(publicKey, more);
    expect(await reasonOf(`${PARTIES}GenerateExternalPartyTopology`, request)).toBe(reason);
  });

  it.each<[string, object, string]>([
    [
      'one byte too many',
      { keyData: Buffer.concat([spki, Buffer.of(0)]) },
      'KeyParseAndValidateError(KeyParseAndValidateError(Failed to parse public key: java.lang.IllegalArgumentException: failed to construct sequence from byte[]: Extra data detected in stream))',
    ],
    [
      'one byte too few',
      { keyData: spki.subarray(0, -1) },
      'KeyParseAndValidateError(KeyParseAndValidateError(Failed to parse public key: java.lang.IllegalArgumentException: failed to construct sequence from byte[]))',
    ],
    [
      'a raw key of 31 bytes',
      { format: RAW, keyData: spki.subarray(-31) },
      'KeyParseAndValidateError(Failed to deserialize or validate DER-encoded X.509 SubjectPublicKeyInfo public key: KeyParseAndValidateError(InvalidKey(java.security.spec.InvalidKeySpecException: raw key data not recognised)))',
    ],
    [
      'another format than declared',
      { format: DER, keyData: spki },
      'KeyParseAndValidateError(Failed to deserialize or validate DER public key: KeyParseAndValidateError(Invalid format for public key: DER))',
    ],
    [
      'a key of another curve',
      { keyData: Buffer.from(newKey('p256').publicKey.keyData, 'base64') },
      'KeyParseAndValidateError(Failed to deserialize or validate DER-encoded X.509 SubjectPublicKeyInfo public key: KeyParseAndValidateError(InvalidKey(java.security.spec.InvalidKeySpecException: encoded key spec not recognized)))',
    ],
  ])('must be complete: %s', async (_, publicKey, reason) => {
    const request = generating(
      Object.fromEntries(
        Object.entries(publicKey).map(([name, value]) => [
          name,
          Buffer.isBuffer(value) ? value.toString('base64') : value,
        ]),
      ),
    );
    expect(await reasonOf(`${PARTIES}GenerateExternalPartyTopology`, request)).toBe(reason);
  });

  it('may be raw, with the last 32 bytes of the DER form', async () => {
    const raw = { format: RAW, keyData: spki.subarray(-32).toString('base64') };
    const generate = `${PARTIES}GenerateExternalPartyTopology`;
    const { publicKeyFingerprint } = await grpc.call(generate, generating(raw));
    expect(publicKeyFingerprint).toBe(key.fingerprint);
  });
});

describe('the signature of an allocation', () => {
  const NUMBERS = { format: 3, signingAlgorithmSpec: 1 };
  const allocating = async (more: object) => {
    const request = generating({});
    const { topologyTransactions, multiHash } = await grpc.call(
      `${PARTIES}GenerateExternalPartyTopology`,
      request,
    );
    const { signature, signedBy } = key.sign(multiHash);
    return {
      synchronizer,
      onboardingTransactions: topologyTransactions.map((transaction: string) => ({ transaction })),
      multiHashSignatures: [{ ...NUMBERS, signature, signedBy, ...more }],
    };
  };

  it.each<[object, string]>([
    [{ format: 0 }, 'Invalid field format: Signature format must be specified'],
    [{ format: 99 }, 'Invalid field format: Signing algorithm spec UNRECOGNIZED not supported'],
    [
      { signingAlgorithmSpec: 0 },
      'Invalid field multi_hash_signatures.signatures: Signing algorithm spec SIGNING_ALGORITHM_SPEC_UNSPECIFIED not supported',
    ],
    [
      { signingAlgorithmSpec: 99 },
      'Invalid field multi_hash_signatures.signatures: Signing algorithm spec UNRECOGNIZED not supported',
    ],
  ])('%j is rejected because of an unknown enum number', async (numbers, reason) => {
    const request = await allocating(numbers);
    expect(await reasonOf(`${PARTIES}AllocateExternalParty`, request)).toBe(reason);
  });

  it('fails with an error without a code or details if it is invalid (B-GRPC-026)', async () => {
    const request = await allocating({ signature: Buffer.alloc(64, 1).toString('base64') });
    expect(await faultOf(`${PARTIES}AllocateExternalParty`, request)).toMatchObject({
      code: 3,
      message: 'Transaction signature verification failed',
      details: {},
    });
  });
});

it('accepts hashing schemes and signing algorithms by their numbers', async () => {
  const [ann] = await api.parties('ann');
  const templateId = { packageId: '#model-tests', moduleName: 'Test', entityName: 'Dummy' };
  const createArguments = { fields: [{ label: 'operator', value: { party: ann! } }] };
  const preparing = (more: object) => ({
    userId: 'u',
    commandId: 'c',
    actAs: [ann!],
    commands: [{ create: { templateId, createArguments } }],
    synchronizerId: synchronizer,
    ...more,
  });
  const path = `${SUBMISSION}PrepareSubmission`;
  expect(await reasonOf(path, preparing({ hashingSchemeVersion: 99 }))).toBe(
    'Invalid field hashing_scheme_version: Unrecognized version 99',
  );
  const estimateTrafficCost = { expectedSignatures: [99] };
  expect(await reasonOf(path, preparing({ estimateTrafficCost }))).toBe(
    'Invalid field estimate_traffic_cost: Signing algorithm spec UNRECOGNIZED not supported',
  );
});
