/** Keys that tests hold themselves, and external parties onboarded with them. */
import { createHash, generateKeyPairSync, sign as signBytes, type KeyObject } from 'node:crypto';
import type { LedgerApi } from '../../support/ledger-api.js';

export type Curve = 'ed25519' | 'p256' | 'p384' | 'secp256k1';

const CURVES = {
  ed25519: { spec: 'EC_CURVE25519', algorithm: 'ED25519', format: 'CONCAT', digest: null },
  p256: { spec: 'EC_P256', algorithm: 'EC_DSA_SHA_256', format: 'DER', digest: 'sha256' },
  p384: { spec: 'EC_P384', algorithm: 'EC_DSA_SHA_384', format: 'DER', digest: 'sha384' },
  secp256k1: { spec: 'EC_SECP256K1', algorithm: 'EC_DSA_SHA_256', format: 'DER', digest: 'sha256' },
} as const;

export interface TestKey {
  readonly publicKey: {
    readonly format: string;
    readonly keyData: string;
    readonly keySpec: string;
  };
  /** As Canton defines it, computed here once more. */
  readonly fingerprint: string;
  sign(base64: string, format?: string): Record<string, string>;
}

export function newKey(
  curve: Curve = 'ed25519',
  format: 'DER_X509_SUBJECT_PUBLIC_KEY_INFO' | 'RAW' | 'DER' = 'DER_X509_SUBJECT_PUBLIC_KEY_INFO',
): TestKey {
  const { spec, algorithm, digest, format: ownFormat } = CURVES[curve];
  const { privateKey, publicKey } = keyPair(curve);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const hashed = curve === 'ed25519' ? spki.subarray(-32) : spki;
  const fingerprint = `1220${createHash('sha256')
    .update(Buffer.from([0, 0, 0, 12]))
    .update(hashed)
    .digest('hex')}`;
  return {
    publicKey: {
      format: `CRYPTO_KEY_FORMAT_${format}`,
      keyData: (format === 'RAW' ? spki.subarray(-32) : spki).toString('base64'),
      keySpec: `SIGNING_KEY_SPEC_${spec}`,
    },
    fingerprint,
    sign: (base64, signatureFormat = ownFormat) => ({
      format: `SIGNATURE_FORMAT_${signatureFormat}`,
      signature: signBytes(digest, Buffer.from(base64, 'base64'), privateKey).toString('base64'),
      signedBy: fingerprint,
      signingAlgorithmSpec: `SIGNING_ALGORITHM_SPEC_${algorithm}`,
    }),
  };
}

function keyPair(curve: Curve): { privateKey: KeyObject; publicKey: KeyObject } {
  if (curve === 'ed25519') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('ec', {
    namedCurve: { p256: 'P-256', p384: 'P-384', secp256k1: 'secp256k1' }[curve],
  });
}

export interface ExternalParty {
  readonly party: string;
  readonly key: TestKey;
}

/** Generates, signs the multi-hash, allocates. */
export async function onboard(
  ledger: LedgerApi,
  partyHint: string,
  key = newKey(),
): Promise<ExternalParty> {
  const synchronizer = ledger.canticle.network.synchronizers[0]!.id;
  const generated = await ledger.ok('/v2/parties/external/generate-topology', {
    synchronizer,
    partyHint,
    publicKey: key.publicKey,
  });
  const { topologyTransactions, multiHash } = generated;
  const { partyId } = await ledger.ok('/v2/parties/external/allocate', {
    synchronizer,
    onboardingTransactions: topologyTransactions.map((transaction: string) => ({ transaction })),
    multiHashSignatures: [key.sign(multiHash)],
  });
  expect(partyId).toBe(generated.partyId);
  return { party: partyId, key };
}

export interface PreparedAnswer {
  readonly preparedTransaction: string;
  readonly preparedTransactionHash: string;
  readonly hashingSchemeVersion: string;
  readonly hashingDetails?: string | null;
  readonly costEstimation?: Record<string, unknown> | null;
}

export const PREPARE = '/v2/interactive-submission/prepare';
export const EXECUTE = '/v2/interactive-submission/execute';
export const EXECUTE_AND_WAIT = '/v2/interactive-submission/executeAndWait';
export const EXECUTE_FOR_TRANSACTION = '/v2/interactive-submission/executeAndWaitForTransaction';

let prepared = 0;

export const preparation = (
  submitted: unknown,
  actAs: string | readonly string[],
  more: Record<string, unknown> = {},
) => ({
  userId: 'tester',
  commandId: `prepared-${++prepared}`,
  commands: Array.isArray(submitted) ? submitted : [submitted],
  actAs: typeof actAs === 'string' ? [actAs] : actAs,
  synchronizerId: '',
  packageIdSelectionPreference: [],
  ...more,
});

export const signedBy = (...signers: readonly { party: string; key: TestKey; hash: string }[]) => ({
  signatures: signers.map(({ party, key, hash }) => ({ party, signatures: [key.sign(hash)] })),
});

/** A request that executes what one party signed. */
export const execution = (
  answer: PreparedAnswer,
  { party, key }: ExternalParty,
  more: Record<string, unknown> = {},
) => ({
  preparedTransaction: answer.preparedTransaction,
  hashingSchemeVersion: answer.hashingSchemeVersion,
  partySignatures: signedBy({ party, key, hash: answer.preparedTransactionHash }),
  deduplicationPeriod: { Empty: {} },
  submissionId: `submission-${prepared}`,
  userId: 'tester',
  ...more,
});

/** Prepares, signs, executes. @returns the transaction with all its events */
export async function sign(
  ledger: LedgerApi,
  submitted: unknown,
  signer: ExternalParty,
  more: Record<string, unknown> = {},
) {
  const answer: PreparedAnswer = await ledger.ok(
    PREPARE,
    preparation(submitted, signer.party, more),
  );
  const { transaction } = await ledger.ok(
    EXECUTE_FOR_TRANSACTION,
    execution(answer, signer, { transactionFormat: effects(signer.party) }),
  );
  return { answer, transaction };
}

export const effects = (party: string) => ({
  eventFormat: {
    filtersByParty: {
      [party]: {
        cumulative: [
          { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } },
        ],
      },
    },
    verbose: true,
  },
  transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
});
