/** Signatures and options of external parties (B-INT-025 to B-INT-029), and keys for onboarding (B-EXT-005, B-EXT-011). */
import { TopologyTransaction } from '@canton-network/core-ledger-proto';
import { create, exercise, type LedgerApi, type JsonAnswer } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';
import {
  effects,
  execution,
  EXECUTE_AND_WAIT,
  EXECUTE_FOR_TRANSACTION,
  newKey,
  onboard,
  preparation,
  PREPARE,
  sign,
  signedBy,
  type Curve,
  type ExternalParty,
} from './external-party.js';

const ledger: LedgerApi = useLedgerApi();

const dummy = ({ party }: ExternalParty) => create(model('Dummy'), { operator: party });

/** Prepares a creation, and executes it as told. */
async function execute(signer: ExternalParty, more: (hash: string) => object): Promise<string> {
  const answer = await ledger.ok(PREPARE, preparation(dummy(signer), signer.party));
  const request = { ...execution(answer, signer), ...more(answer.preparedTransactionHash) };
  return ledger.refusal(EXECUTE_AND_WAIT, request);
}

it.each<[Curve, format: string]>([
  ['ed25519', 'CONCAT'],
  ['ed25519', 'RAW'],
  ['p256', 'DER'],
  ['p384', 'DER'],
  ['secp256k1', 'DER'],
])('a key of %s signs in %s (B-INT-025, B-INT-026)', async (curve, format) => {
  const key = newKey(curve);
  const signer = await onboard(ledger, 'alice', key);
  const partySignatures = (signature: object) => ({
    signatures: [{ party: signer.party, signatures: [signature] }],
  });
  expect(
    await execute(signer, (hash) => ({ partySignatures: partySignatures(key.sign(hash, format)) })),
  ).toBe('accepted');
  const signingAlgorithmSpec =
    curve === 'ed25519'
      ? 'SIGNING_ALGORITHM_SPEC_EC_DSA_SHA_256'
      : 'SIGNING_ALGORITHM_SPEC_ED25519';
  expect(
    await execute(signer, (hash) => ({
      partySignatures: partySignatures({ ...key.sign(hash, format), signingAlgorithmSpec }),
    })),
  ).toBe('FAILED_TO_EXECUTE_TRANSACTION');
});

it('rejects an unknown algorithm or format as invalid enum text', async () => {
  const signer = await onboard(ledger, 'alice');
  for (const wrong of [{ signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_RSA' }, { format: 'DER' }]) {
    const refused = await execute(signer, (hash) => {
      const { signatures } = signedBy({ ...signer, hash });
      const [{ signatures: own }] = signatures as [JsonAnswer];
      return {
        partySignatures: {
          signatures: [{ party: signer.party, signatures: [{ ...own[0], ...wrong }] }],
        },
      };
    });
    expect(refused).toBe('plain text');
  }
});

it('a request may contain a deduplication period (B-INT-027)', async () => {
  const signer = await onboard(ledger, 'alice');
  const period = (seconds: number) => ({
    deduplicationPeriod: { DeduplicationDuration: { value: { seconds, nanos: 0 } } },
  });
  expect(await execute(signer, () => period(600))).toBe('accepted');
  expect(await execute(signer, () => period(8 * 86_400))).toBe('accepted');
  expect(await execute(signer, () => period(3000 * 365 * 86_400))).toBe(
    'INVALID_DEDUPLICATION_PERIOD',
  );
  expect(await execute(signer, () => period(-1))).toBe('INVALID_FIELD');
});

it('omits a workflow id, which is not part of the signed data (B-INT-029)', async () => {
  const signer = await onboard(ledger, 'alice');
  const { transaction } = await sign(ledger, dummy(signer), signer, { workflowId: 'flow' });
  expect(transaction.workflowId).toBe('');
});

it.each([
  ['another serial', (topology: JsonAnswer) => (topology.serial = 2)],
  ['the removal of an existing mapping', (topology: JsonAnswer) => (topology.operation = 2)],
])('rejects an onboarding with %s (B-EXT-011)', async (_what, change) => {
  const key = newKey();
  const synchronizer = ledger.canticle.network.synchronizers[0]!.id;
  const { topologyTransactions } = await ledger.ok('/v2/parties/external/generate-topology', {
    synchronizer,
    partyHint: 'alice',
    publicKey: key.publicKey,
  });
  const whole = Buffer.from(topologyTransactions[0], 'base64');
  // UntypedVersionedMessage { bytes data = 1; int32 version = 2 }, whose data is longer than 127 bytes.
  const length = (whole[1]! & 0x7f) | (whole[2]! << 7);
  const topology = TopologyTransaction.fromBinary(whole.subarray(3, 3 + length));
  change(topology);
  const data = Buffer.from(TopologyTransaction.toBinary(topology));
  const changed = Buffer.concat([
    Buffer.from([0x0a, (data.length & 0x7f) | 0x80, data.length >> 7]),
    data,
    whole.subarray(3 + length),
  ]);
  const body = {
    synchronizer,
    onboardingTransactions: [{ transaction: changed.toString('base64') }],
    multiHashSignatures: [key.sign(Buffer.alloc(34).toString('base64'))],
  };
  const { status, body: refusal } = await ledger.post('/v2/parties/external/allocate', body);
  expect([status, refusal.code, refusal.cause]).toEqual([
    400,
    'INVALID_FIELD',
    expect.stringMatching(/serial|replace/i),
  ]);
});

it.each([undefined, true, false])(
  'a party exists when its allocation is answered, with waitForAllocation %s (B-EXT-005, B-EXT-007)',
  async (waitForAllocation) => {
    const key = newKey();
    const synchronizer = ledger.canticle.network.synchronizers[0]!.id;
    const generated = await ledger.ok('/v2/parties/external/generate-topology', {
      synchronizer,
      partyHint: 'alice',
      publicKey: key.publicKey,
    });
    const { partyId, ...more } = await ledger.ok('/v2/parties/external/allocate', {
      synchronizer,
      onboardingTransactions: generated.topologyTransactions.map((transaction: string) => ({
        transaction,
      })),
      multiHashSignatures: [key.sign(generated.multiHash)],
      identityProviderId: '',
      waitForAllocation,
    });
    expect([partyId, more]).toEqual([generated.partyId, {}]);
    expect(await execute({ party: partyId, key }, () => ({}))).toBe('accepted');
  },
);

it('decodes each base64 form of the same prepared transaction', async () => {
  const signer = await onboard(ledger, 'alice');
  const { transaction } = await sign(ledger, dummy(signer), signer);
  const { contractId } = transaction.events[0].CreatedEvent;
  const { canticle } = ledger;
  let padded = 0;
  for (const command of [dummy(signer), exercise(model('Dummy'), contractId, 'Clone')])
    // Of three lengths, so that two of them end in padding.
    for (const commandId of ['p', 'pp', 'ppp']) {
      const before = canticle.snapshot();
      const request = preparation(command, signer.party, { commandId });
      const answer = await ledger.ok(PREPARE, request);
      const sent = execution(answer, signer, { transactionFormat: effects(signer.party) });
      const unpadded = sent.preparedTransaction.replace(/=+$/, '');
      if (unpadded !== sent.preparedTransaction) padded += 1;
      const prepared = canticle.snapshot();
      const executed = await ledger.ok(EXECUTE_FOR_TRANSACTION, sent);
      canticle.revert(prepared);
      const reread = { ...sent, preparedTransaction: unpadded };
      expect(await ledger.ok(EXECUTE_FOR_TRANSACTION, reread)).toEqual(executed);
      canticle.revert(before);
    }
  expect(padded).toBe(4);
});
