/** The hashing schemes, and the hashing details that a participant returns on request (B-INT-007, B-INT-009). */
import { create, exercise, startLedgerApi, type LedgerApi } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import {
  EXECUTE,
  execution,
  onboard,
  PREPARE,
  preparation,
  sign,
  type ExternalParty,
  type PreparedAnswer,
} from './external-party.js';
import { addedUp } from './hashing-details.js';

const scheme = (version: number) => `HASHING_SCHEME_VERSION_V${version}`;

async function onLedger(
  options: Parameters<typeof startLedgerApi>[0],
  use: (ledger: LedgerApi, alice: ExternalParty) => Promise<void>,
): Promise<void> {
  const ledger = await startLedgerApi(options);
  try {
    await use(ledger, await onboard(ledger, 'alice'));
  } finally {
    await ledger.client.close();
  }
}
const dummy = (operator: ExternalParty) => create(model('Dummy'), { operator: operator.party });

describe('hashing details', () => {
  const verbose = (version: number) => ({
    verboseHashing: true,
    hashingSchemeVersion: scheme(version),
  });

  it('combine to the hash, if the option and the request enable them', () =>
    onLedger({ enableVerboseHashing: true }, async (ledger, alice) => {
      const { transaction } = await sign(ledger, dummy(alice), alice);
      const { contractId } = transaction.events[0].CreatedEvent;
      const clone = exercise(model('Dummy'), contractId, 'Clone');
      for (const version of [2, 3]) {
        const answer: PreparedAnswer = await ledger.ok(
          PREPARE,
          preparation(clone, alice.party, verbose(version)),
        );
        const details = answer.hashingDetails!;
        const hash = Buffer.from(answer.preparedTransactionHash, 'base64').toString('hex');
        expect(addedUp(details)).toBe(hash);
        expect(
          details.startsWith(`'00000030' # Hash Purpose\n'0${version}' # 0${version} (H`),
        ).toBe(true);
        expect(details).toContain(`    # Exercise Node\n    # Node Version\n`);
        expect(details).toContain(`# ${alice.party} (string)\n`);
        expect(details.includes('# Max Record Time\n')).toBe(version === 3);
        expect(details.includes(`'01' # 01 (Node Encoding Version)\n`)).toBe(version === 2);
      }
      const silent = await ledger.ok(PREPARE, preparation(clone, alice.party));
      expect(silent.hashingDetails).toBeNull();
    }));

  it('are omitted by default, with an explanation if a request asks for them', () =>
    onLedger({}, async (ledger, alice) => {
      const answer = await ledger.ok(PREPARE, preparation(dummy(alice), alice.party, verbose(2)));
      expect(answer.hashingDetails).toBe(
        'Verbose hashing is disabled on this participant. Contact the node administrator for more details.',
      );
      const silent = await ledger.ok(PREPARE, preparation(dummy(alice), alice.party));
      expect(silent.hashingDetails).toBeNull();
    }));
});

it('rejects V4 on protocol version 35, before and after the signature (R-36-062)', () =>
  onLedger({ apiVersion: '3.6' }, async (ledger, alice) => {
    const V4 = { hashingSchemeVersion: scheme(4) };
    const cause =
      'Hashing scheme version V4 is not supported on protocol version 35. ' +
      'Minimum protocol version for hashing version V4: 36. ' +
      'Supported hashing version on protocol version 35: V2, V3';
    const refused = await ledger.post(PREPARE, preparation(dummy(alice), alice.party, V4));
    expect([refused.body.code, refused.body.cause]).toEqual([
      'FAILED_TO_PREPARE_TRANSACTION',
      `The participant failed to prepare the transaction: ${cause}`,
    ]);
    const answer = await ledger.ok(PREPARE, preparation(dummy(alice), alice.party));
    const { body } = await ledger.post(EXECUTE, execution({ ...answer, ...V4 }, alice));
    expect([body.code, body.cause]).toEqual([
      'FAILED_TO_EXECUTE_TRANSACTION',
      `The participant failed to execute the transaction: ${cause}`,
    ]);
  }));
