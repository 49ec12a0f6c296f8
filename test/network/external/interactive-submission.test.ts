/** Prepare, sign, execute: the participant commits exactly the transaction that an external party signs (B-INT-001 to B-INT-030). */
import {
  decodePreparedTransaction,
  hashPreparedTransaction,
} from '@canton-network/core-tx-visualizer';
import { PreparedTransaction } from '@canton-network/core-ledger-proto';
import fc from 'fast-check';
import {
  create,
  createAndExercise,
  exercise,
  eventFormat,
  startLedgerApi,
  wildcard,
  type LedgerApi,
} from '../../support/ledger-api.js';
import { ACCEPTED, expectOrder, SNOWMAN } from '../../support/error-order.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, u } from '../../support/daml/lf-code.js';
import { encodePackage } from '../../support/daml/lf-encoder.js';
import { t } from '../../support/daml/lf-types.js';
import { model } from '../../support/daml/model-package.js';
import {
  execution,
  EXECUTE,
  EXECUTE_AND_WAIT,
  EXECUTE_FOR_TRANSACTION,
  newKey,
  onboard,
  preparation,
  PREPARE,
  sign,
  signedBy,
  type ExternalParty,
  type PreparedAnswer,
} from './external-party.js';
import { check } from '../../support/property.js';

let ledger: LedgerApi;
let alice: ExternalParty;
beforeEach(async () => {
  ledger = await startLedgerApi();
  alice = await onboard(ledger, 'alice');
});
afterEach(() => ledger.client.close());

const dummy = () => create(model('Dummy'), { operator: alice.party });
const prepare = (submitted: unknown, more = {}): Promise<PreparedAnswer> =>
  ledger.ok(PREPARE, preparation(submitted, alice.party, more));
const changed = (answer: PreparedAnswer, change: (prepared: PreparedTransaction) => void) => {
  const prepared = decodePreparedTransaction(answer.preparedTransaction);
  change(prepared);
  return Buffer.from(PreparedTransaction.toBinary(prepared)).toString('base64');
};
const hashOf = (preparedTransaction: string) => hashPreparedTransaction(preparedTransaction);

describe('prepare', () => {
  it("checks in the participant's order: the fields, the commands, the fields of prepare only", async () => {
    const { party } = alice;
    const faulty = {
      ...preparation([dummy(), dummy()], party),
      userId: SNOWMAN,
      commandId: '',
      disclosedContracts: [{ createdEventBlob: '' }],
      tapsMaxPasses: 0,
      estimateTrafficCost: {
        disabled: false,
        expectedSignatures: ['SIGNING_ALGORITHM_SPEC_UNSPECIFIED'],
      },
      hashingSchemeVersion: 'HASHING_SCHEME_VERSION_UNSPECIFIED',
    };
    await expectOrder(ledger, PREPARE, faulty, [
      ['INVALID_FIELD', 'the user id', (it) => (it.userId = 'tester')],
      ['MISSING_FIELD', 'no command id', (it) => (it.commandId = 'prepared')],
      ['MISSING_FIELD', 'a disclosure without a blob', (it) => (it.disclosedContracts = [])],
      ['INVALID_ARGUMENT', 'no passes', (it) => (it.tapsMaxPasses = 1)],
      ['INVALID_FIELD', 'an unspecified algorithm', (it) => (it.estimateTrafficCost = null)],
      [
        'INVALID_FIELD',
        'an unspecified scheme',
        (it) => (it.hashingSchemeVersion = 'HASHING_SCHEME_VERSION_V2'),
      ],
      ['FAILED_TO_PREPARE_TRANSACTION', 'two commands', (it) => it.commands.pop()],
      ACCEPTED,
    ]);
  });

  it('returns a transaction, its hash and its cost, and changes no state (B-INT-001, B-INT-007, B-INT-010, B-INT-030)', async () => {
    const end = await ledger.ledgerEnd();
    const answer = await prepare(dummy());
    expect(answer.hashingSchemeVersion).toBe('HASHING_SCHEME_VERSION_V2');
    expect(await hashOf(answer.preparedTransaction)).toBe(answer.preparedTransactionHash);
    expect(Object.keys(answer.costEstimation ?? {}).sort()).toEqual([
      'confirmationRequestTrafficCostEstimation',
      'confirmationResponseTrafficCostEstimation',
      'estimationTimestamp',
      'totalTrafficCostEstimation',
    ]);
    expect(await ledger.ledgerEnd()).toBe(end);
  });

  it('omits the cost on request, and explains missing hashing details (B-INT-009, B-INT-010)', async () => {
    const answer = await prepare(dummy(), {
      estimateTrafficCost: { disabled: true, expectedSignatures: [] },
      verboseHashing: true,
    });
    expect(answer.costEstimation ?? null).toBeNull();
    expect(answer.hashingDetails).toMatch(/^Verbose hashing is disabled/);
  });

  it('returns the physical synchronizer, the submitters and the times (B-INT-015, B-INT-016, B-ID-014)', async () => {
    const maxRecordTime = '2026-01-01T01:00:00Z';
    const answer = await prepare(dummy(), { maxRecordTime });
    const { metadata } = decodePreparedTransaction(answer.preparedTransaction);
    const micros = BigInt(Date.parse(maxRecordTime)) * 1000n;
    expect(metadata).toMatchObject({
      submitterInfo: { actAs: [alice.party] },
      synchronizerId: ledger.canticle.network.synchronizers[0]!.physicalId,
      mediatorGroup: 0,
      maxRecordTime: micros,
      inputContracts: [],
    });
    expect(metadata?.minLedgerEffectiveTime).toBeUndefined();
  });

  it('includes labels and types, and contract ids without their suffix', async () => {
    const { transaction } = decodePreparedTransaction((await prepare(dummy())).preparedTransaction);
    const [node] = transaction!.nodes;
    const { packageId } = (node!.versionedNode as any).v1.nodeType.create.templateId;
    expect(transaction).toMatchObject({ version: '2.1', roots: ['0'], nodeSeeds: [{ nodeId: 0 }] });
    expect((node!.versionedNode as any).v1.nodeType.create).toMatchObject({
      lfVersion: '2.1',
      contractId: expect.stringMatching(/^00[0-9a-f]{64}$/),
      packageName: 'model-tests',
      argument: {
        sum: {
          record: {
            recordId: { packageId, moduleName: 'Test', entityName: 'Dummy' },
            fields: [{ label: 'operator', value: { sum: { party: alice.party } } }],
          },
        },
      },
    });
  });

  it('includes the used contracts, also disclosed ones (B-INT-014)', async () => {
    const [bank] = await ledger.parties('bank');
    const dummyId = await ledger.create(
      model('WithObservers'),
      { giver: bank, observers: [] },
      { actAs: bank },
    );
    const [{ createdEventBlob }] = await ledger.active(eventFormat([bank], wildcard(true)));
    const take = exercise(model('WithObservers'), dummyId, 'Take', { actor: alice.party });
    expect(await ledger.refusal(PREPARE, preparation(take, alice.party))).toBe(
      'CONTRACT_NOT_FOUND',
    );
    const disclosedContracts = [{ createdEventBlob }];
    const answer = await prepare(take, { disclosedContracts });
    const { metadata } = decodePreparedTransaction(answer.preparedTransaction);
    expect(metadata?.inputContracts.map(({ contract }: any) => contract.v1.contractId)).toEqual([
      dummyId,
    ]);
    const { updateId } = await ledger.ok(EXECUTE_AND_WAIT, execution(answer, alice));
    expect(updateId).toMatch(/^1220/);
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['two commands', 'FAILED_TO_PREPARE_TRANSACTION', { commands: 2 }],
    ['no command', 'MISSING_FIELD', { commands: [] }],
    [
      'an unknown hashing scheme',
      'INVALID_FIELD',
      { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_UNSPECIFIED' },
    ],
    [
      'an unknown synchronizer',
      'INVALID_PRESCRIBED_SYNCHRONIZER_ID',
      { synchronizerId: 'other::1220' },
    ],
    ['an unknown submitter', 'UNKNOWN_INFORMEES', { actAs: ['nobody::1220'] }],
    ['an empty command id', 'MISSING_FIELD', { commandId: '' }],
  ])('rejects %s (B-INT-008, B-INT-011)', async (_, code, change) => {
    const twice = change.commands === 2 ? { commands: [dummy(), dummy()] } : change;
    expect(await ledger.refusal(PREPARE, preparation(dummy(), alice.party, twice))).toBe(code);
  });
});

describe('execute', () => {
  it('commits the signed transaction with its hash (B-INT-002, B-INT-003, B-INT-005)', async () => {
    const { answer, transaction } = await sign(ledger, dummy(), alice);
    expect(transaction.externalTransactionHash).toBe(
      Buffer.from(answer.preparedTransactionHash, 'base64').toString('hex'),
    );
    const [{ CreatedEvent: created }] = transaction.events;
    const { transaction: shown } = decodePreparedTransaction(answer.preparedTransaction);
    const preparedId = (shown!.nodes[0]!.versionedNode as any).v1.nodeType.create.contractId;
    expect(created.contractId.startsWith(preparedId)).toBe(true);
    expect(created.createArgument).toEqual({ operator: alice.party });
    expect(transaction.commandId).toBe(
      decodePreparedTransaction(answer.preparedTransaction).metadata!.submitterInfo!.commandId,
    );
  });

  it('returns the update and its offset, or an empty answer (B-INT-003, B-INT-004)', async () => {
    expect(await ledger.ok(EXECUTE, execution(await prepare(dummy()), alice))).toEqual({});
    const { updateId, completionOffset } = await ledger.ok(
      EXECUTE_AND_WAIT,
      execution(await prepare(dummy()), alice),
    );
    expect(completionOffset).toBe(await ledger.ledgerEnd());
    const { update } = await ledger.ok('/v2/updates/update-by-id', {
      updateId,
      updateFormat: {
        includeTransactions: {
          eventFormat: eventFormat([alice.party], wildcard()),
          transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
        },
      },
    });
    expect(update.Transaction.value.offset).toBe(completionOffset);
  });

  it("returns the submitters' changes by default (B-INT-006)", async () => {
    const answer = await prepare(dummy());
    const { transaction } = await ledger.ok(EXECUTE_FOR_TRANSACTION, execution(answer, alice));
    expect(transaction.events).toMatchObject([{ CreatedEvent: { witnessParties: [alice.party] } }]);
    const [bob] = await ledger.parties('bob');
    const transactionFormat = {
      eventFormat: eventFormat([bob], wildcard()),
      transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
    };
    const hidden = await ledger.ok(
      EXECUTE_FOR_TRANSACTION,
      execution(await prepare(dummy()), alice, { transactionFormat }),
    );
    expect(hidden.transaction.events).toEqual([]);
  });

  it('runs choices with their consequences, and hashes each kind of node (B-INT-013)', async () => {
    const { transaction } = await sign(
      ledger,
      create(model('Nest'), { owner: alice.party }),
      alice,
    );
    const { contractId } = transaction.events[0].CreatedEvent;
    const deepen = exercise(model('Nest'), contractId, 'Deepen', { levels: '150' });
    const { answer, transaction: nested } = await sign(ledger, deepen, alice);
    expect(nested.events).toHaveLength(302);
    expect(await hashOf(answer.preparedTransaction)).toBe(answer.preparedTransactionHash);
  });

  it('exercises choices through interfaces', async () => {
    const { transaction } = await sign(
      ledger,
      create(model('Coin'), { owner: alice.party, label: 'one' }),
      alice,
    );
    const { contractId } = transaction.events[0].CreatedEvent;
    const { answer, transaction: touched } = await sign(
      ledger,
      exercise(model('Asset'), contractId, 'Touch'),
      alice,
    );
    expect(touched.events).toMatchObject([
      { ExercisedEvent: { choice: 'Touch', exerciseResult: 'one' } },
    ]);
    expect(await hashOf(answer.preparedTransaction)).toBe(answer.preparedTransactionHash);
  });

  it('accepts the hash of scheme V3, which includes the latest record time (B-INT-007, R-34-086)', async () => {
    const answer = await prepare(dummy(), {
      hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3',
      maxRecordTime: '2026-01-01T01:00:00Z',
    });
    const later = changed(
      answer,
      ({ metadata }) => (metadata!.maxRecordTime = metadata!.maxRecordTime! + 1n),
    );
    const refused = await ledger.post(
      EXECUTE_AND_WAIT,
      execution({ ...answer, preparedTransaction: later }, alice),
    );
    expect(refused.body.code).toBe('FAILED_TO_EXECUTE_TRANSACTION');
    await ledger.ok(EXECUTE_AND_WAIT, execution(answer, alice));
  });

  it('requires the signatures of all submitters, and no others', async () => {
    const bob = await onboard(ledger, 'bob', newKey('secp256k1'));
    const [operator] = await ledger.parties('operator');
    const payload = { operator, receiver: alice.party, giver: bob.party };
    const proposal = await ledger.create(model('TriProposal'), payload, { actAs: operator });
    const accept = exercise(model('TriProposal'), proposal, 'Accept');
    const answer: PreparedAnswer = await ledger.ok(
      PREPARE,
      preparation(accept, [alice.party, bob.party]),
    );
    const hash = answer.preparedTransactionHash;
    const alone = await ledger.post(EXECUTE_AND_WAIT, execution(answer, alice));
    expect(alone.body.cause).toContain(`did not provide an external signature: ${bob.party}`);
    const partySignatures = signedBy({ ...alice, hash }, { ...bob, hash });
    await ledger.ok(EXECUTE_AND_WAIT, execution(answer, alice, { partySignatures }));
  });
});

describe('rejects', () => {
  let answer: PreparedAnswer;
  beforeEach(async () => {
    answer = await prepare(dummy());
  });
  const refused = async (request: unknown) => {
    const end = await ledger.ledgerEnd();
    const { status, body } = await ledger.post(EXECUTE_AND_WAIT, request);
    expect(await ledger.ledgerEnd()).toBe(end);
    return [status, body.code ?? body, body.cause] as const;
  };

  it('one changed byte', async () => {
    const bytes = Buffer.from(answer.preparedTransaction, 'base64');
    const at = bytes.indexOf('prepared-');
    bytes[at] = 'q'.charCodeAt(0);
    const [status, code, cause] = await refused(
      execution({ ...answer, preparedTransaction: bytes.toString('base64') }, alice),
    );
    expect([status, code]).toEqual([400, 'FAILED_TO_EXECUTE_TRANSACTION']);
    expect(cause).toMatch(
      /Received 0 valid signatures from distinct keys \(1 invalid\), but expected at least 1 valid/,
    );
  });

  it('a signature of another party, or by a foreign key (B-INT-019, B-INT-020, B-INT-023)', async () => {
    const bob = await onboard(ledger, 'bob');
    const hash = answer.preparedTransactionHash;
    const [, code, cause] = await refused(execution(answer, bob));
    expect([code, cause]).toEqual([
      'FAILED_TO_EXECUTE_TRANSACTION',
      `The participant failed to execute the transaction: The following actAs parties did not provide an external signature: ${alice.party}`,
    ]);
    const foreign = signedBy({ party: alice.party, key: bob.key, hash });
    expect((await refused(execution(answer, alice, { partySignatures: foreign })))[1]).toBe(
      'FAILED_TO_EXECUTE_TRANSACTION',
    );
  });

  it('more signatures than keys, or none (B-INT-023)', async () => {
    const signature = alice.key.sign(answer.preparedTransactionHash);
    const signatures = (given: unknown[]) => ({
      partySignatures: { signatures: [{ party: alice.party, signatures: given }] },
    });
    expect(
      (await refused(execution(answer, alice, signatures([signature, signature]))))[2],
    ).toMatch(/2 external signatures were provided, which is more than/);
    const flood = execution(answer, alice, signatures(Array(51).fill(signature)));
    expect((await refused(flood))[2]).toMatch(/51 external signatures were provided/);
    // A separate limit applies only to requests that do not wait.
    expect((await ledger.post(EXECUTE, flood)).body.cause).toMatch(
      /more than the maximum number of signatures allowed \(50\)/,
    );
    expect((await refused(execution(answer, alice, signatures([]))))[2]).toMatch(
      /Received 0 valid signatures/,
    );
  });

  it('a replay by the same or another user (B-INT-022, B-DED-016, B-INT-028)', async () => {
    const request = execution(answer, alice);
    await ledger.ok(EXECUTE_AND_WAIT, request);
    expect(await ledger.refusal(EXECUTE_AND_WAIT, request)).toBe('DUPLICATE_COMMAND');
    const { body } = await ledger.post(EXECUTE_AND_WAIT, { ...request, userId: 'another' });
    expect(body.code).toBe('DUPLICATE_CONFIRMATION_REQUEST_UUID');
    const entries = [...ledger.canticle.participant.engine.log.backwards()];
    const { recordTime } = entries.find(({ update }) => update !== undefined)!.update!;
    // The mediator forgets it after two days.
    const twoDays = 48 * 3600 * 1000;
    expect(Date.parse(body.context.expireAfter)).toBe(Number(recordTime / 1000n) + twoDays);
    expect(await ledger.active(eventFormat([alice.party], wildcard()))).toHaveLength(1);
  });

  it('two roots (B-INT-012)', async () => {
    const two = await prepare(createAndExercise(model('Dummy'), { operator: alice.party }, 'Look'));
    expect((await refused(execution(two, alice)))[1]).toBe('FAILED_TO_EXECUTE_TRANSACTION');
  });

  it('a missing or an additional input contract (B-INT-021)', async () => {
    const { transaction } = await sign(ledger, dummy(), alice);
    const look = await prepare(
      exercise(model('Dummy'), transaction.events[0].CreatedEvent.contractId, 'Look'),
    );
    const stripped = changed(look, ({ metadata }) => (metadata!.inputContracts = []));
    const request = {
      ...look,
      preparedTransaction: stripped,
      preparedTransactionHash: await hashOf(stripped),
    };
    expect((await refused(execution(request, alice)))[2]).toMatch(/Missing input contracts/);
    const { inputContracts } = decodePreparedTransaction(look.preparedTransaction).metadata!;
    const padded = changed(answer, ({ metadata }) => (metadata!.inputContracts = inputContracts));
    const more = {
      ...answer,
      preparedTransaction: padded,
      preparedTransactionHash: await hashOf(padded),
    };
    expect((await refused(execution(more, alice)))[2]).toMatch(/Superfluous input contracts/);
  });

  it.each<[string, (metadata: any) => void, string]>([
    [
      'an invalid UUID',
      (it) => (it.transactionUuid = 'g-1-1-1-1'),
      'transaction UUID: Error at index 0 in: "g"',
    ],
    [
      'a UUID with a missing part',
      (it) => (it.transactionUuid = '1-1-1-1'),
      'transaction UUID: Invalid UUID string: 1-1-1-1',
    ],
    [
      'a record time that is out of bounds',
      (it) => (it.maxRecordTime = 2n ** 60n),
      'max record time: cannot convert long 1152921504606846976 into Timestamp:out of bound Timestamp 1152921504606846976',
    ],
    [
      'an input contract without a blob',
      (it) => it.inputContracts.forEach((each: any) => (each.eventBlob = new Uint8Array())),
      "input contracts: Unsupported serialization version ''",
    ],
  ])("%s, with Canton's error", async (_what, fault, reason) => {
    const { transaction } = await sign(ledger, dummy(), alice);
    const id = transaction.events[0].CreatedEvent.contractId;
    const look = await prepare(exercise(model('Dummy'), id, 'Look'));
    const preparedTransaction = changed(look, ({ metadata }) => fault(metadata));
    expect((await refused(execution({ ...look, preparedTransaction }, alice)))[2]).toBe(
      `The participant failed to execute the transaction: Failed to deserialize ${reason}`,
    );
  });

  it('a transaction that its commands do not produce, signed or not', async () => {
    const bob = await onboard(ledger, 'bob');
    const forged = changed(answer, ({ transaction }) => {
      (transaction!.nodes[0]!.versionedNode as any).v1.nodeType.create.stakeholders.push(bob.party);
    });
    const request = {
      ...answer,
      preparedTransaction: forged,
      preparedTransactionHash: await hashOf(forged),
    };
    const { status, body } = await ledger.post(EXECUTE_AND_WAIT, execution(request, alice));
    // The participant's own word for it is withheld from clients (B-ERR-012).
    expect([status, body.code]).toEqual([400, 'NA']);
    expect(await ledger.active(eventFormat([alice.party], wildcard()))).toEqual([]);
  });

  it('a changed input contract, signed or not', async () => {
    const { transaction } = await sign(ledger, dummy(), alice);
    const bob = await onboard(ledger, 'bob');
    const { contractId } = transaction.events[0].CreatedEvent;
    const consume = exercise(model('Dummy'), contractId, 'Consume');
    const prepared = await prepare(consume);
    const forged = changed(prepared, ({ metadata }) => {
      const { v1 } = metadata!.inputContracts[0]!.contract as any;
      v1.argument.sum.record.fields[0].value.sum.party = bob.party;
    });
    const request = {
      ...prepared,
      preparedTransaction: forged,
      preparedTransactionHash: await hashOf(forged),
    };
    const { status, body } = await ledger.post(EXECUTE_AND_WAIT, execution(request, alice));
    expect([status, body.code]).toEqual([400, 'NA']);
    // Its UUID was used (B-INT-043).
    await ledger.ok(EXECUTE_AND_WAIT, execution(await prepare(consume), alice));
  });

  it('the same creation, signed again with another command id', async () => {
    const clone = (id: string) => (prepared: PreparedTransaction) => {
      prepared.metadata!.transactionUuid = `00000000-0000-4000-8000-${id.repeat(12)}`;
      prepared.metadata!.submitterInfo!.commandId = id;
    };
    const signedAs = async (id: string) => {
      const preparedTransaction = changed(answer, clone(id));
      return execution(
        {
          ...answer,
          preparedTransaction,
          preparedTransactionHash: await hashOf(preparedTransaction),
        },
        alice,
        // At the same ledger time: only then are the contract ids the same.
        { minLedgerTime: { time: { MinLedgerTimeAbs: { value: '2026-01-01T00:00:30Z' } } } },
      );
    };
    await ledger.ok(EXECUTE_AND_WAIT, await signedAs('a'));
    const { status, body } = await ledger.post(EXECUTE_AND_WAIT, await signedAs('b'));
    expect([status, body.code]).toEqual([400, 'NA']);
  });

  it.each<[string, (metadata: NonNullable<PreparedTransaction['metadata']>) => void]>([
    ['an invalid UUID', (metadata) => (metadata.transactionUuid = 'none')],
    ['a preparation time above the maximum', (metadata) => (metadata.preparationTime = 2n ** 63n)],
    ['a latest record time above the maximum', (metadata) => (metadata.maxRecordTime = 2n ** 62n)],
    [
      'ledger time bounds above the maximum',
      (metadata) => (metadata.minLedgerEffectiveTime = 2n ** 62n),
    ],
    ['an invalid mediator group', (metadata) => (metadata.mediatorGroup = 2 ** 31)],
    ['an invalid submitter', (metadata) => (metadata.submitterInfo!.actAs = ['a,b'])],
  ])('%s', async (_, change) => {
    const preparedTransaction = changed(answer, ({ metadata }) => change(metadata!));
    const request = {
      ...answer,
      preparedTransaction,
      preparedTransactionHash: await hashOf(preparedTransaction),
    };
    expect((await refused(execution(request, alice)))[0]).toBe(400);
  });

  it('an unknown mediator group of the synchronizer', async () => {
    const preparedTransaction = changed(answer, ({ metadata }) => (metadata!.mediatorGroup = 1));
    const request = {
      ...answer,
      preparedTransaction,
      preparedTransactionHash: await hashOf(preparedTransaction),
    };
    expect((await refused(execution(request, alice))).slice(0, 2)).toEqual([
      404,
      'SYNCHRONIZER_WITHOUT_MEDIATOR',
    ]);
  });

  it('an input that another transaction consumed', async () => {
    const { transaction } = await sign(ledger, dummy(), alice);
    const consume = exercise(
      model('Dummy'),
      transaction.events[0].CreatedEvent.contractId,
      'Consume',
    );
    const late = await prepare(consume);
    await sign(ledger, consume, alice);
    expect(await ledger.refusal(EXECUTE_AND_WAIT, execution(late, alice))).toBe(
      'LOCAL_VERDICT_INACTIVE_CONTRACTS',
    );
  });

  it('a late execution (B-INT-018)', async () => {
    const { clock } = ledger.canticle.network;
    const limited = await prepare(dummy(), { maxRecordTime: '2026-01-01T00:10:00Z' });
    clock.advance(3_600_000_000n);
    expect(await ledger.refusal(EXECUTE_AND_WAIT, execution(limited, alice))).toBe(
      'LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED',
    );
    clock.advance(24n * 3_600_000_000n);
    expect(await ledger.refusal(EXECUTE_AND_WAIT, execution(answer, alice))).toBe(
      'LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND',
    );
  });

  it.each<[string, number, string, (request: any) => void]>([
    [
      'an unspecified hashing scheme (B-INT-008)',
      400,
      'INVALID_FIELD',
      (request) => (request.hashingSchemeVersion = 'HASHING_SCHEME_VERSION_UNSPECIFIED'),
    ],
    [
      'bytes that are not a prepared transaction (B-INT-024)',
      400,
      'INVALID_ARGUMENT',
      (request) => (request.preparedTransaction = 'AAAA'),
    ],
    ['an empty message', 400, 'MISSING_FIELD', (request) => (request.preparedTransaction = '')],
    [
      'an invalid party id',
      400,
      'INVALID_FIELD',
      (request) => (request.partySignatures.signatures[0].party = 'alice'),
    ],
    [
      'a signature without a format',
      400,
      'INVALID_FIELD',
      (request) =>
        (request.partySignatures.signatures[0].signatures[0].format =
          'SIGNATURE_FORMAT_UNSPECIFIED'),
    ],
    [
      'a negative deduplication period',
      400,
      'INVALID_FIELD',
      (request) =>
        (request.deduplicationPeriod = {
          DeduplicationDuration: { value: { seconds: -1, nanos: 0 } },
        }),
    ],
    ['an invalid submission id', 400, 'INVALID_FIELD', (request) => (request.submissionId = '€')],
  ])('%s', async (_, status, code, change) => {
    const request = structuredClone(execution(answer, alice));
    change(request);
    expect((await refused(request)).slice(0, 2)).toEqual([status, code]);
  });

  it('an invalid synchronizer, or its logical id (B-INT-016, B-INT-017)', async () => {
    const naming = async (synchronizerId: string) => {
      const preparedTransaction = changed(
        answer,
        ({ metadata }) => (metadata!.synchronizerId = synchronizerId),
      );
      const request = {
        ...answer,
        preparedTransaction,
        preparedTransactionHash: await hashOf(preparedTransaction),
      };
      return (await refused(execution(request, alice)))[1];
    };
    expect(await naming('no synchronizer')).toBe('INVALID_FIELD');
    expect(await naming(ledger.canticle.network.synchronizers[0]!.id)).toBe(
      'FAILED_TO_EXECUTE_TRANSACTION',
    );
  });

  it('a body without signatures (B-INT-024)', async () => {
    const { partySignatures: _, ...rest } = execution(answer, alice);
    expect(await ledger.refusal(EXECUTE_AND_WAIT, rest)).toBe('plain text');
  });
});

it('signs the logical synchronizer id up to protocol version 34, as release 3.4 does (B-INT-016)', async () => {
  const earlier = await startLedgerApi({ apiVersion: '3.4' });
  const party = await onboard(earlier, 'alice');
  const [{ id, physicalId }] = earlier.canticle.network.synchronizers as [any];
  expect(physicalId).toBe(`${id}::34-0`);
  const { answer } = await sign(earlier, create(model('Dummy'), { operator: party.party }), party);
  const { metadata } = decodePreparedTransaction(answer.preparedTransaction);
  expect(metadata!.synchronizerId).toBe(id);
  await earlier.client.close();
});

it('never executes unsigned bytes', async () => {
  const { transaction } = await sign(ledger, dummy(), alice);
  const clone = exercise(model('Dummy'), transaction.events[0].CreatedEvent.contractId, 'Clone');
  const answer = await prepare(clone);
  const bytes = Buffer.from(answer.preparedTransaction, 'base64');
  const before = await ledger.active(eventFormat([alice.party], wildcard()));
  await check(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 1, max: 255 }),
      async (at, flip) => {
        const mutated = Buffer.from(bytes);
        mutated[at]! ^= flip;
        const request = execution(
          { ...answer, preparedTransaction: mutated.toString('base64') },
          alice,
        );
        const { status } = await ledger.post(EXECUTE_AND_WAIT, request);
        expect([400, 404, 500]).toContain(status);
        expect(await ledger.active(eventFormat([alice.party], wildcard()))).toEqual(before);
      },
    ),
    { numRuns: 150 },
  );
  // A change of unsigned parts, such as the blobs of inputs, may have been sequenced and refused.
  await ledger.ok(EXECUTE_AND_WAIT, execution(await prepare(clone), alice));
});

it('acts for external parties in-process, without their signature', () => {
  const { participant, token } = ledger.canticle;
  const id = participant.create(
    model('Dummy'),
    { operator: alice.party },
    { actAs: [alice.party] },
  );
  participant.exercise(model('Dummy'), id, 'Consume', {}, { actAs: [alice.party] });
  token.mint(alice.party, '5.0');
  expect(token.holdings(alice.party)).toMatchObject([{ payload: { amount: '5.0000000000' } }]);
});

describe('ledger time', () => {
  /** A holding of the test token; transferring it looks at the clock. */
  const transfer = async (more: Record<string, unknown> = {}) => {
    const { token } = ledger.canticle;
    const [bank] = await ledger.parties('bank');
    token.mint(bank, '5.0');
    const { instruction } = token.transfer({ from: bank, to: alice.party, amount: '5.0' });
    const { body } = await ledger.client.registry(
      'POST',
      `/registry/transfer-instruction/v1/${instruction}/choice-contexts/accept`,
      {},
    );
    const id =
      '#splice-api-token-transfer-instruction-v1:Splice.Api.Token.TransferInstructionV1:TransferInstruction';
    const extraArgs = { context: body.choiceContextData, meta: { values: {} } };
    const accept = exercise(id, instruction!, 'TransferInstruction_Accept', { extraArgs });
    return prepare(accept, { disclosedContracts: body.disclosedContracts, ...more });
  };

  it('is fixed if the commands read it, and is part of the signature', async () => {
    const answer = await transfer();
    const { metadata } = decodePreparedTransaction(answer.preparedTransaction);
    expect(metadata!.minLedgerEffectiveTime).toBe(metadata!.preparationTime);
    expect(metadata!.maxLedgerEffectiveTime).toBe(metadata!.preparationTime);
    expect(await hashOf(answer.preparedTransaction)).toBe(answer.preparedTransactionHash);
    ledger.canticle.network.clock.advance(30_000_000n);
    const { updateId } = await ledger.ok(EXECUTE_AND_WAIT, execution(answer, alice));
    expect(ledger.canticle.network.updateById(updateId)).toMatchObject({
      effectiveAt: metadata!.preparationTime,
    });
  });

  // LEDGER_TIME_LT tells on which side of a time the ledger time is, and no more (upstream LedgerTimeTest).
  it('has one bound if the code compares it with a time', async () => {
    const CLOCK = t.con('Main:Clock');
    const field = (name: string) => e.list(t.party, [e.field(CLOCK, name, e.var('this'))]);
    const isBefore = u.ledgerTimeLt(e.var('arg'));
    const clocks = encodePackage({
      name: 'clocks',
      modules: {
        Main: {
          templates: {
            Clock: {
              fields: { owner: t.party, watcher: t.party },
              precondition: e.true,
              signatories: field('owner'),
              observers: field('watcher'),
              choices: {
                Before: {
                  consuming: false,
                  argument: t.timestamp,
                  returns: t.bool,
                  controllers: field('owner'),
                  update: u.block([['_', CLOCK, u.fetch('Main:Clock', e.var('self'))]], isBefore),
                },
              },
            },
          },
        },
      },
    });
    const { participant } = ledger.canticle;
    participant.uploadDar(buildDar(clocks));
    const [watcher] = await ledger.parties('watcher');
    const id = `${clocks.id}:Main:Clock`;
    const fields = { owner: alice.party, watcher };
    const clock = participant.create(id, fields, { actAs: [alice.party] });
    const compared = async (time: string) => {
      const answer = await prepare(exercise(id, clock, 'Before', time));
      return decodePreparedTransaction(answer.preparedTransaction);
    };
    const micros = (time: string) => BigInt(Date.parse(time)) * 1000n;
    const [past, future] = ['2025-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];
    const before = await compared(future);
    expect(before.metadata!.minLedgerEffectiveTime).toBeUndefined();
    expect(before.metadata!.maxLedgerEffectiveTime).toBe(micros(future) - 1n);
    const after = await compared(past);
    expect(after.metadata!.minLedgerEffectiveTime).toBe(micros(past));
    expect(after.metadata!.maxLedgerEffectiveTime).toBeUndefined();
    const actions = after.transaction!.nodes.map(({ versionedNode }) =>
      versionedNode.oneofKind === 'v1' ? versionedNode.v1.nodeType : undefined,
    );
    expect(actions).toContainEqual({
      oneofKind: 'fetch',
      fetch: expect.objectContaining({
        actingParties: [alice.party],
        stakeholders: [alice.party, watcher].sort(),
      }) as unknown,
    });
  });

  it.each<[string, unknown]>([
    ['absolute', { MinLedgerTimeAbs: { value: '2026-01-01T00:00:20Z' } }],
    ['relative', { MinLedgerTimeRel: { value: { seconds: 20, nanos: 0 } } }],
  ])('is not before the requested time, %s (B-INT-015)', async (_, time) => {
    const answer = await transfer({ minLedgerTime: { time } });
    const { metadata } = decodePreparedTransaction(answer.preparedTransaction);
    const requestedTime = BigInt(Date.UTC(2026, 0, 1, 0, 0, 20)) * 1000n;
    expect(metadata!.minLedgerEffectiveTime! / 1_000_000n).toBe(requestedTime / 1_000_000n);
    await ledger.ok(EXECUTE_AND_WAIT, execution(answer, alice));
  });

  it('limits execution to a minute if it is fixed, and to a day otherwise', async () => {
    const bound = await transfer();
    const free = await prepare(dummy());
    ledger.canticle.network.clock.advance(61_000_000n);
    expect(await ledger.refusal(EXECUTE_AND_WAIT, execution(bound, alice))).toBe(
      'LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND',
    );
    ledger.canticle.network.clock.advance(3_600_000_000n);
    await ledger.ok(EXECUTE_AND_WAIT, execution(free, alice));
  });
});

it('returns the same bytes for the same seed', async () => {
  const key = newKey();
  const run = async () => {
    const other = await startLedgerApi({ seed: 7 });
    try {
      const party = await onboard(other, 'carol', key);
      const body = {
        ...preparation(create(model('Dummy'), { operator: party.party }), party.party),
        commandId: 'fixed',
      };
      return (await other.ok(PREPARE, body)) as PreparedAnswer;
    } finally {
      await other.client.close();
    }
  };
  expect(await run()).toEqual(await run());
});
