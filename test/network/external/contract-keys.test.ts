/** Contract keys in externally signed transactions: the prepared transaction shows them, and executes unchanged. */
import { createHash } from 'node:crypto';
import { Prepared, type ProtoNodeType } from '../../../src/network/external/prepared/messages.js';
import { create, eventFormat, exercise, wildcard } from '../../support/ledger-api.js';
import { key, keysPackage } from '../../support/daml/keys-package.js';
import { useLedgerApi } from '../../support/shared-ledger-api.js';
import {
  EXECUTE_AND_WAIT,
  execution,
  onboard,
  PREPARE,
  preparation,
  sign,
  type ExternalParty,
} from './external-party.js';

const V3 = { hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3' };
const api = useLedgerApi({ packages: [keysPackage] });
let alice: ExternalParty;
beforeEach(async () => {
  alice = await onboard(api, 'alice');
});

const account = async (number = 'one') => {
  const command = create(key('Account'), { owner: alice.party, number, readers: [] });
  const { transaction } = await sign(api, command, alice, V3);
  return transaction.events[0].CreatedEvent;
};
const at = (number: string) => ({ _1: alice.party, _2: number });
const byKey = (choice: string) => ({
  ExerciseByKeyCommand: {
    templateId: key('Account'),
    contractKey: at('one'),
    choice,
    choiceArgument: {},
  },
});
const prepare = (command: unknown, more: object = V3) =>
  api.ok(PREPARE, preparation(command, alice.party, { ...more }));

/** By id, whatever order they come in. */
function nodesOf(preparedTransaction: string): readonly ProtoNodeType[] {
  const { transaction } = Prepared.decode(Buffer.from(preparedTransaction, 'base64'));
  expect(transaction!.version).toBe('2');
  const nodes = [...transaction!.nodes].sort((a, b) => Number(a.nodeId) - Number(b.nodeId));
  return nodes.map(({ v1 }) => v1!);
}

/** An independent implementation of Canton's hash: framing, names, then the key's record with its fields. */
function keyHash(owner: string, number: string): string {
  const int = (value: number) => Buffer.from([0, 0, value >> 8, value & 255]);
  const text = (value: string) =>
    Buffer.concat([int(Buffer.byteLength(value)), Buffer.from(value)]);
  const dotted = (...parts: string[]) => Buffer.concat([int(parts.length), ...parts.map(text)]);
  const tag = (...bytes: number[]) => Buffer.from(bytes);
  return createHash('sha256')
    .update(Buffer.concat([tag(3, 9, 1), text('key-tests'), dotted('Keys'), dotted('Account')]))
    .update(Buffer.concat([tag(8), dotted('DA', 'Types'), dotted('Tuple2')]))
    .update(Buffer.concat([text('_1'), tag(4), text(owner), text('_2'), tag(2), text(number)]))
    .update(tag(0xff))
    .digest('base64');
}

it('a created event shows the key and its hash', async () => {
  expect(await account()).toMatchObject({
    contractKey: at('one'),
    contractKeyHash: keyHash(alice.party, 'one'),
  });
});

it('the signer of an exercise by key sees the key and the found contract', async () => {
  await account();
  const newest = await account();
  const answer = await prepare(byKey('Close'));
  const [{ exercise: shown }] = nodesOf(answer.preparedTransaction) as [ProtoNodeType];
  expect(shown).toMatchObject({
    lfVersion: '2',
    contractId: newest.contractId,
    byKey: true,
    key: {
      key: {
        packageName: 'key-tests',
        key: { record: { fields: [{ label: '_1' }, { label: '_2', value: { text: 'one' } }] } },
      },
      maintainers: [alice.party],
    },
  });
  expect(Buffer.from(shown!.key!.key!.hash).toString('base64')).toBe(newest.contractKeyHash);
});

it('the signer sees a contract that is fetched by key, and no other contract of the key', async () => {
  const [older, newest] = [await account(), await account()];
  const owner = alice.party;
  const clerk = create(key('Clerk'), { owner, delegate: owner });
  const { transaction } = await sign(api, clerk, alice, V3);
  const { contractId } = transaction.events[0].CreatedEvent;
  const prepared = async (choice: string, argument: object) => {
    const answer = await prepare(exercise(key('Clerk'), contractId, choice, argument));
    const { metadata } = Prepared.decode(Buffer.from(answer.preparedTransaction, 'base64'));
    const [outer, { fetch }] = nodesOf(answer.preparedTransaction) as [
      ProtoNodeType,
      ProtoNodeType,
    ];
    expect(outer.exercise).toMatchObject({ byKey: false });
    return { fetch, inputs: metadata!.inputContracts.map(({ v1 }) => v1!.contractId) };
  };
  expect(await prepared('Fetch', { key: at('one') })).toMatchObject({
    fetch: { contractId: newest.contractId, byKey: true },
    inputs: [contractId, newest.contractId].sort(),
  });
  expect(await prepared('FetchById', { id: older.contractId })).toMatchObject({
    fetch: { contractId: older.contractId, byKey: false },
  });
});

it('executes a signed transaction even if a newer contract has the key', async () => {
  const found = await account();
  const answer = await prepare(byKey('Close'));
  const later = await account();
  await api.ok(EXECUTE_AND_WAIT, execution(answer, alice));
  const active = await api.active(eventFormat([alice.party], wildcard()));
  expect(active.map(({ contractId }: { contractId: string }) => contractId)).toEqual([
    later.contractId,
  ]);
  expect(found.contractId).not.toBe(later.contractId);
});

it('a query shows its contracts, newest first, and whether the list is complete (R-34-082, R-34-085)', async () => {
  const ids = [await account(), await account()].map(({ contractId }) => contractId).reverse();
  const owner = alice.party;
  const clerk = create(key('Clerk'), { owner, delegate: owner });
  const { transaction } = await sign(api, clerk, alice, V3);
  const query = (count: string) =>
    exercise(key('Clerk'), transaction.events[0].CreatedEvent.contractId, 'Query', {
      key: at('one'),
      count,
    });
  for (const [count, result, exhaustive] of [
    ['1', ids.slice(0, 1), false],
    ['2', ids, false],
    ['3', ids, true],
  ] as const) {
    const answer = await prepare(query(count));
    const [, node] = nodesOf(answer.preparedTransaction);
    expect(node!.queryByKey).toMatchObject({ result, exhaustive, packageName: 'key-tests' });
    await account('another');
    await api.ok(EXECUTE_AND_WAIT, execution(answer, alice));
  }
});

it('a changed key invalidates the signature', async () => {
  await account();
  const answer = await prepare(byKey('Close'));
  const prepared = Prepared.decode(Buffer.from(answer.preparedTransaction, 'base64'));
  const nodes = prepared.transaction!.nodes.map((node) => {
    const exercised = node.v1!.exercise!;
    const shown = exercised.key!;
    const other = { ...shown, key: { ...shown.key!, hash: Buffer.alloc(32) } };
    return { ...node, v1: { exercise: { ...exercised, key: other } } };
  });
  const changed = Prepared.encode({
    ...prepared,
    transaction: { ...prepared.transaction!, nodes },
  });
  const preparedTransaction = Buffer.from(changed).toString('base64');
  const body = { ...execution(answer, alice), preparedTransaction };
  expect(await api.refusal(EXECUTE_AND_WAIT, body)).toBe('FAILED_TO_EXECUTE_TRANSACTION');
});

it('hashing scheme V2 cannot sign keys (R-34-085)', async () => {
  const command = create(key('Badge'), { owner: alice.party });
  const { status, body } = await api.post(PREPARE, preparation(command, alice.party));
  expect({ status, code: body.code }).toEqual({
    status: 400,
    code: 'FAILED_TO_PREPARE_TRANSACTION',
  });
  expect(body.cause).toContain('Does the transaction use contract keys?');
});
