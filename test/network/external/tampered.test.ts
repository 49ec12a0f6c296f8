/** Prepared transactions that were changed and signed again, and the order of their nodes (B-INT-036 to B-INT-044). */
import {
  decodePreparedTransaction,
  hashPreparedTransaction,
} from '@canton-network/core-tx-visualizer';
import { PreparedTransaction } from '@canton-network/core-ledger-proto';
import { create, exercise, type LedgerApi, type JsonAnswer } from '../../support/ledger-api.js';
import { model } from '../../support/daml/model-package.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';
import {
  execution,
  EXECUTE_AND_WAIT,
  newKey,
  onboard,
  preparation,
  PREPARE,
  sign,
  signedBy,
  type ExternalParty,
  type PreparedAnswer,
} from './external-party.js';

const ledger: LedgerApi = useLedgerApi();
let alice: ExternalParty;
beforeEach(async () => {
  alice = await onboard(ledger, 'alice');
});

type Change = (prepared: JsonAnswer) => unknown;

const prepare = (submitted: unknown, more = {}): Promise<PreparedAnswer> =>
  ledger.ok(PREPARE, preparation(submitted, alice.party, more));
const dummy = () => create(model('Dummy'), { operator: alice.party });
const created = async (template: string, payload: object): Promise<string> =>
  (await sign(ledger, create(model(template), payload), alice)).transaction.events[0].CreatedEvent
    .contractId;
const nodesOf = (answer: PreparedAnswer): JsonAnswer[] =>
  decodePreparedTransaction(answer.preparedTransaction).transaction!.nodes;
const rootOf = ({ transaction }: JsonAnswer) =>
  transaction.nodes.find((node: JsonAnswer) => node.nodeId === transaction.roots[0]).versionedNode
    .v1.nodeType;

function changed(answer: PreparedAnswer, change: Change): string {
  const prepared = decodePreparedTransaction(answer.preparedTransaction);
  change(prepared);
  return Buffer.from(PreparedTransaction.toBinary(prepared)).toString('base64');
}

/** Changes it and executes it with the signature of what was prepared. */
async function unsigned(answer: PreparedAnswer, change: Change) {
  const preparedTransaction = changed(answer, change);
  return ledger.post(EXECUTE_AND_WAIT, execution({ ...answer, preparedTransaction }, alice));
}

/** Changes it, and signs what it is then. */
async function signedAnew(answer: PreparedAnswer, change: Change) {
  const preparedTransaction = changed(answer, change);
  const preparedTransactionHash = await hashPreparedTransaction(preparedTransaction);
  const request = { ...answer, preparedTransaction, preparedTransactionHash };
  return ledger.post(EXECUTE_AND_WAIT, execution(request, alice));
}

describe('the nodes of a prepared transaction', () => {
  it('are in the order of their completion, up to four', async () => {
    const id = await created('Dummy', { operator: alice.party });
    const answer = await prepare(exercise(model('Dummy'), id, 'Clone'));
    expect(nodesOf(answer).map(({ nodeId }) => nodeId)).toEqual(['1', '2', '0']);
  });

  it('are in the order of a Scala hash map, if at least five', async () => {
    const id = await created('Nest', { owner: alice.party });
    const answer = await prepare(exercise(model('Nest'), id, 'Deepen', { levels: '1' }));
    expect(nodesOf(answer).map(({ nodeId }) => nodeId)).toEqual(['3', '1', '4', '2', '0', '5']);
    await ledger.ok(EXECUTE_AND_WAIT, execution(answer, alice));
  });

  it.each<[string, Change]>([
    ['in another order', ({ transaction }) => transaction.nodes.reverse()],
    ['with seeds in another order', ({ transaction }) => transaction.nodeSeeds.reverse()],
    ['twice', ({ transaction }) => transaction.nodes.push(transaction.nodes[0])],
    [
      'with a repeated seed',
      ({ transaction }) => transaction.nodeSeeds.push(transaction.nodeSeeds[0]),
    ],
    [
      'with a repeated input',
      ({ metadata }) => metadata.inputContracts.push(metadata.inputContracts[0]),
    ],
    ['with a sign before a node id', ({ transaction }) => (transaction.roots = ['+0'])],
  ])('are accepted %s', async (_what, change) => {
    const id = await created('Dummy', { operator: alice.party });
    const answer = await prepare(exercise(model('Dummy'), id, 'Clone'));
    expect((await unsigned(answer, change)).status).toBe(200);
  });
});

describe('decodes and executes a prepared transaction with equivalent bytes', () => {
  const seedTwice: Change = ({ transaction }) =>
    transaction.nodeSeeds.push(transaction.nodeSeeds[0]);

  it('with fetches among its nodes', async () => {
    const id = await created('Nest', { owner: alice.party });
    const answer = await prepare(exercise(model('Nest'), id, 'Deepen', { levels: '1' }));
    expect((await unsigned(answer, seedTwice)).status).toBe(200);
  });

  it('with a decimal in a contract, which must be valid', async () => {
    const { party } = alice;
    const answer = await prepare(
      create('#canticle-quickstart:Quickstart.Iou:Iou', {
        ...{ issuer: party, owner: party, currency: 'EUR', amount: '0.5', observers: [] },
      }),
    );
    const amountOf = (it: JsonAnswer) => {
      const { fields } = rootOf(it).create.argument.sum.record;
      return fields.find(({ value }: JsonAnswer) => value.sum.oneofKind === 'numeric');
    };
    for (const value of [text('0.5'), { sum: { oneofKind: 'numeric', numeric: 'half' } }]) {
      const { body } = await signedAnew(answer, (it) => (amountOf(it).value = value));
      expect([body.code, body.cause]).toEqual(['MALFORMED_REQUEST', 'Malformed request']);
    }
    expect((await unsigned(answer, seedTwice)).status).toBe(200);
  });
});

describe('the preparation time', () => {
  const NOW = 1_767_225_600_000_000n;
  const timesOf = (answer: PreparedAnswer) => {
    const { metadata } = decodePreparedTransaction(answer.preparedTransaction);
    return [metadata!.preparationTime, metadata!.minLedgerEffectiveTime];
  };
  const relative = (seconds: number) => ({
    minLedgerTime: {
      time: { MinLedgerTimeRel: { value: { seconds, nanos: 0, unknownFields: { fields: {} } } } },
    },
  });
  const absolute = (value: string) => ({
    minLedgerTime: { time: { MinLedgerTimeAbs: { value } } },
  });

  it.each([
    ['the requested ledger time', absolute('2026-01-01T00:01:00Z'), 60n],
    ['the current time, if the requested time is earlier', absolute('2025-01-01T00:00:00Z'), 0n],
    ['later by the requested duration', relative(30), 30n],
    ['earlier by the requested duration', relative(-30), -30n],
  ])('is %s', async (_what, more, seconds) => {
    const [time] = timesOf(await prepare(dummy(), more));
    const wanted = NOW + seconds * 1_000_000n;
    expect(Number(time! - wanted)).toBeLessThan(1000);
    expect(Number(time! - wanted)).toBeGreaterThanOrEqual(0);
  });
});

it('may have a latest record time before 1970', async () => {
  const answer = await prepare(dummy(), { maxRecordTime: '0001-01-01T00:00:00Z' });
  const { metadata } = decodePreparedTransaction(answer.preparedTransaction);
  expect(BigInt.asIntN(64, metadata!.maxRecordTime!)).toBe(-62_135_596_800_000_000n);
});

it('an error about an invalid signature has the short party id, and the hash as a multihash (B-INT-036)', async () => {
  const answer = await prepare(dummy());
  const hash = Buffer.from(answer.preparedTransactionHash, 'base64').toString('hex');
  const other = signedBy({
    party: alice.party,
    key: newKey(),
    hash: answer.preparedTransactionHash,
  });
  const { body } = await ledger.post(
    EXECUTE_AND_WAIT,
    execution(answer, alice, { partySignatures: other }),
  );
  const short = `${alice.party.slice(0, 'alice::'.length + 12)}...`;
  expect(body.cause).toBe(
    'The participant failed to execute the transaction: Received 0 valid signatures from distinct keys (1 invalid), ' +
      `but expected at least 1 valid for ${short}. Transaction hash to be signed: 1220${hash}. ` +
      'Ensure the correct transaction hash is signed with the correct key(s).',
  );
});

describe('decoding errors name the field (B-INT-039)', () => {
  it.each<[string, Change, reason: string]>([
    [
      'an empty command id',
      ({ metadata }) => (metadata.submitterInfo.commandId = ''),
      'submitter info: Daml-LF Ledger String is empty at path commandId',
    ],
    [
      'an invalid party',
      ({ metadata }) => (metadata.submitterInfo.actAs = ['a!']),
      'submitter info: non expected character 0x21 in Daml-LF Party "a!" at path actAs(0)',
    ],
    [
      'the version of the transaction',
      ({ transaction }) => (transaction.version = 'x'),
      "transaction: Unsupported serialization version 'x' at path version",
    ],
    [
      'an invalid root',
      ({ transaction }) => (transaction.roots = ['x']),
      'transaction: Node Id is not a valid integer at path roots',
    ],
    [
      'several faults',
      ({ transaction }) => {
        transaction.version = 'x';
        transaction.nodes[0].nodeId = 'y';
      },
      "transaction: Unsupported serialization version 'x' at path version, Node Id is not a valid integer at path nodes",
    ],
    [
      'a node without content',
      ({ transaction }) => (transaction.nodes[0].versionedNode = { oneofKind: undefined }),
      'transaction: Cannot decode empty versioned node at path nodes',
    ],
    [
      'the version of a node',
      (prepared) => (rootOf(prepared).create.lfVersion = 'x'),
      "transaction: Unsupported serialization version 'x' at path nodes",
    ],
    [
      'an invalid contract id',
      (prepared) => (rootOf(prepared).create.contractId = 'x'),
      'transaction: cannot parse HexString x at path nodes.contractId',
    ],
    [
      'a package name without a template',
      (prepared) => {
        rootOf(prepared).create.packageName = '!';
        rootOf(prepared).create.templateId = undefined;
      },
      'transaction: non expected character 0x21 in Daml-LF Package Name "!" at path nodes.packageName, empty value at path nodes.templateId',
    ],
    [
      'a missing argument',
      (prepared) => (rootOf(prepared).create.argument = undefined),
      'transaction: Missing argument value at path nodes.arg',
    ],
    [
      'a seed that is too short',
      ({ transaction }) => (transaction.nodeSeeds[0].seed = new Uint8Array(4)),
      'transaction meta: hash should have 32 bytes, got 4 at path optNodeSeeds',
    ],
    [
      'the time of preparation',
      ({ metadata }) => (metadata.preparationTime = 2n ** 60n),
      'transaction meta: cannot convert long 1152921504606846976 into Timestamp:out of bound Timestamp 1152921504606846976 at path preparationTime',
    ],
  ])('%s', async (_what, change, reason) => {
    const { status, body } = await unsigned(await prepare(dummy()), change);
    expect([status, body.cause]).toEqual([
      400,
      `The participant failed to execute the transaction: Failed to deserialize ${reason}`,
    ]);
  });

  it('an input contract without content, before its creation time', async () => {
    const id = await created('Dummy', { operator: alice.party });
    const { body } = await unsigned(
      await prepare(exercise(model('Dummy'), id, 'Look')),
      ({ metadata }) => (metadata.inputContracts[0].contract = { oneofKind: undefined }),
    );
    expect(body.cause).toMatch(
      /Failed to deserialize input contracts: Cannot decode empty disclosed contract$/,
    );
  });

  it('a missing seed, with the node that lacks it', async () => {
    const { body } = await unsigned(
      await prepare(dummy()),
      ({ transaction }) => (transaction.nodeSeeds = []),
    );
    expect(body.cause).toMatch(
      /^The participant failed to execute the transaction: Missing node seed for node Create\(ContractId\(00[0-9a-f]{64}\),[^,]+,[0-9a-f]{64}:Test:Dummy,Record\(Some\([0-9a-f]{64}:Test:Dummy\),ImmArray\(\(Some\(operator\),Party\(alice::/,
    );
  });

  it.each<[string, Change]>([
    ['an unknown root', ({ transaction }) => (transaction.roots = ['7'])],
    ['an empty list of nodes', ({ transaction }) => (transaction.nodes = [])],
    ['another id of the only node', ({ transaction }) => (transaction.nodes[0].nodeId = '5')],
  ])('%s causes an unexpected error', async (_what, change) => {
    const { status, body } = await unsigned(await prepare(dummy()), change);
    expect([status, body.code, body.correlationId, body.traceId]).toEqual([500, 'NA', null, null]);
  });

  it('a node that is its own child causes an error', async () => {
    const id = await created('Dummy', { operator: alice.party });
    const look = await prepare(exercise(model('Dummy'), id, 'Look'));
    const { status } = await unsigned(
      look,
      (prepared) => (rootOf(prepared).exercise.children = ['0']),
    );
    expect(status).toBe(500);
  });
});

describe('the synchronizer of a prepared transaction', () => {
  it.each([
    [
      'another synchronizer',
      (id: string) => id.replace(/^[^:]+/, 'other'),
      /^Participant is not connected to synchronizer `other::1220[0-9a-f]{8}\.\.\.::35-0`\.$/,
    ],
    [
      'the logical id of another synchronizer',
      (id: string) => id.replace(/^[^:]+/, 'other').replace(/::35-0$/, ''),
      /^Cannot find a physical synchronizer for other::1220[0-9a-f]{8}\.\.\.\. Make sure the participant is connected to the synchronizer\.$/,
    ],
    [
      'another serial of the synchronizer',
      (id: string) => id.replace(/-0$/, '-1'),
      /^The selected synchronizer [^:]+::1220[0-9a-f]{8}\.\.\.::35-0 is on Protocol Version 35\. Please use a Physical Synchronizer ID/,
    ],
  ])('%s is rejected with its short id (B-INT-016, R-34-054)', async (_what, other, text) => {
    const { status, body } = await unsigned(
      await prepare(dummy()),
      ({ metadata }) => (metadata.synchronizerId = other(metadata.synchronizerId)),
    );
    expect(status).toBe(400);
    expect(body.cause.replace('The participant failed to execute the transaction: ', '')).toMatch(
      text,
    );
  });
});

describe('with a signature of the changed transaction', () => {
  it.each<[string, Change]>([
    ['another preparation time', ({ metadata }) => (metadata.preparationTime += 1n)],
    ['no preparation time', ({ metadata }) => (metadata.preparationTime = 0n)],
    ['another seed', ({ transaction }) => (transaction.nodeSeeds[0].seed[0] ^= 1)],
    ['an additional stakeholder', (it) => rootOf(it).create.stakeholders.push('bob::1220')],
    ['another contract id', (it) => (rootOf(it).create.contractId = `00${'a'.repeat(64)}`)],
  ])('%s does not match the model (B-INT-040)', async (_what, change) => {
    const { status, body } = await signedAnew(await prepare(dummy()), change);
    expect([status, body.code, body.traceId]).toEqual([400, 'NA', null]);
  });

  it.each<[string, Change]>([
    ['another label', (it) => (fieldOf(it).label = 'other')],
    ['a missing type', (it) => (rootOf(it).create.argument.sum.record.recordId = undefined)],
    [
      'an earliest ledger time',
      ({ metadata }) => (metadata.minLedgerEffectiveTime = metadata.preparationTime),
    ],
    [
      'a latest ledger time',
      ({ metadata }) => (metadata.maxLedgerEffectiveTime = metadata.preparationTime + 1000n),
    ],
  ])('%s changes the hash at the confirming participants (B-INT-040)', async (_what, change) => {
    const { status, body } = await signedAnew(await prepare(dummy()), change);
    expect([status, body.code, body.traceId]).toEqual([400, 'NA', expect.any(String)]);
  });

  it.each<[string, Change]>([
    ['another result', (it) => (rootOf(it).exercise.exerciseResult = text('other'))],
    ['no result', (it) => (rootOf(it).exercise.exerciseResult = undefined)],
    ['an unknown choice', (it) => (rootOf(it).exercise.choiceId = 'Nope')],
    ['another actor', (it) => (rootOf(it).exercise.actingParties = [])],
  ])('%s of an exercise is rejected', async (_what, change) => {
    const id = await created('Dummy', { operator: alice.party });
    const look = await prepare(exercise(model('Dummy'), id, 'Look'));
    const { status, body } = await signedAnew(look, change);
    expect([status, body.code]).toEqual([400, 'NA']);
  });

  it.each<[string, Change]>([
    [
      'a signatory that is not a stakeholder',
      (it) => (rootOf(it).create.signatories = ['bob::1220']),
    ],
    ['no signatory', (it) => (rootOf(it).create.signatories = [])],
  ])('%s causes an unexpected error (B-INT-042)', async (_what, change) => {
    const { status, body } = await signedAnew(await prepare(dummy()), change);
    expect([status, body.code]).toEqual([500, 'NA']);
  });

  it.each<[string, Change]>([
    ['an exercise without its children', (it) => (rootOf(it).exercise.children = [])],
    ['a repeated child', (it) => rootOf(it).exercise.children.push('1')],
  ])('%s causes an unexpected error (B-INT-042)', async (_what, change) => {
    const id = await created('Dummy', { operator: alice.party });
    const clone = await prepare(exercise(model('Dummy'), id, 'Clone'));
    const preparedTransaction = changed(clone, change);
    const request = execution({ ...clone, preparedTransaction }, alice);
    const { body } = await ledger.post(EXECUTE_AND_WAIT, request);
    // The reference hasher reads no node twice: the refusal tells what is to be signed.
    const hash = /to be signed: 1220([0-9a-f]{64})\b/.exec(body.cause)![1]!;
    const base64 = Buffer.from(hash, 'hex').toString('base64');
    const partySignatures = signedBy({ ...alice, hash: base64 });
    const { status } = await ledger.post(EXECUTE_AND_WAIT, { ...request, partySignatures });
    expect(status).toBe(500);
  });

  const UNKNOWN_PACKAGE = '0'.repeat(64);
  it.each<[string, Change]>([
    ['a template', (it) => (rootOf(it).exercise.templateId.packageId = UNKNOWN_PACKAGE)],
    [
      'an interface',
      (it) => {
        const { exercise: node } = rootOf(it);
        node.interfaceId = { ...node.templateId, packageId: UNKNOWN_PACKAGE };
      },
    ],
  ])(
    'routing reports the package of %s that no participant has vetted (B-INT-044)',
    async (_what, change) => {
      const id = await created('Dummy', { operator: alice.party });
      const clone = await prepare(exercise(model('Dummy'), id, 'Clone'));
      const { status, body } = await signedAnew(clone, change);
      expect([status, body.code]).toEqual([400, 'INVALID_PRESCRIBED_SYNCHRONIZER_ID']);
      expect(body.context.reason).toMatch(
        /^Some packages are not known to all informees on synchronizer [^\n]+\nParticipant PAR::[^ ]+ has not vetted 000000000000\.\.\.$/,
      );
    },
  );

  it.each<[string, Change, reason: RegExp]>([
    [
      'an empty list of acting parties',
      ({ metadata }) => (metadata.submitterInfo.actAs = []),
      /^SubmitterMetadataError\(The actAs set must not be empty\.\)$/,
    ],
    [
      'a missing field',
      (it) => rootOf(it).create.argument.sum.record.fields.pop(),
      /^Interpretation\(DamlException\(Upgrade\(TranslationFailed\(Some\(ContractId\(00[0-9a-f]+\)\),([0-9a-f]+:Test:Dummy),\1,Record\(None,ImmArray\(\)\),TypeMismatch\(TTyCon\(\1\),Record\(None,ImmArray\(\)\),Unexpected non-optional extra template field type encountered during upgrading\.\)\)\),None\)$/,
    ],
    [
      'a value of another type',
      (it) => (fieldOf(it).value = text('x')),
      /TypeMismatch\(TBuiltin\(BTParty\),Text\(x\),mismatching type: Party and value: Text\(x\)\)\)\),None\)$/,
    ],
  ])('%s makes the request malformed (B-INT-041)', async (_what, change, reason) => {
    const { status, body } = await signedAnew(await prepare(dummy()), change);
    expect([status, body.code, body.cause, body.context.message]).toEqual([
      400,
      'MALFORMED_REQUEST',
      'Malformed request',
      'Transaction confirmation request creation failed',
    ]);
    expect(body.context.reason).toMatch(reason);
  });
});

it('a sequenced UUID counts as used, also after a rejection (B-INT-043)', async () => {
  const id = await created('Dummy', { operator: alice.party });
  const look = await prepare(exercise(model('Dummy'), id, 'Look'));
  await sign(ledger, exercise(model('Dummy'), id, 'Consume'), alice);
  const refusals: string[] = [];
  for (const _time of [1, 2])
    refusals.push(await ledger.refusal(EXECUTE_AND_WAIT, execution(look, alice)));
  expect(refusals).toEqual([
    'LOCAL_VERDICT_INACTIVE_CONTRACTS',
    'DUPLICATE_CONFIRMATION_REQUEST_UUID',
  ]);
});

const text = (value: string) => ({ sum: { oneofKind: 'text', text: value } });
const fieldOf = (prepared: JsonAnswer) => rootOf(prepared).create.argument.sum.record.fields[0];
