/** The package that every sandbox holds, on a network: what its choices do and refuse. */
import { acceptedNow, openNetwork, submit } from '../../../src/network/index.js';
import { Numeric } from '../../../src/daml/model/numeric.js';
import { Iou, quickstartPackage } from '../../../src/daml/define/quickstart.js';
import { STABLE_PACKAGES } from '../../../src/daml/define/stable-packages.js';
import type { Command, TransactionNode } from '../../../src/daml/model/transaction.js';
import type { ContractId, DamlRecord, Party } from '../../../src/daml/model/values.js';

function bank() {
  const network = openNetwork({ packages: [...STABLE_PACKAGES, quickstartPackage] });
  const participant = network.participants[0]!;
  const [issuer, alice, bob] = ['issuer', 'alice', 'bob'].map((hint) =>
    participant.allocateParty(hint),
  ) as [Party, Party, Party];
  let count = 0;
  const run = (actAs: readonly Party[], command: Command): readonly TransactionNode[] => {
    const result = acceptedNow(participant.ledger, () =>
      submit(participant, {
        commandId: `c${count++}`,
        userId: 'u',
        actAs,
        commands: [command],
      }),
    );
    return result.update.transaction.nodes;
  };
  const issue = (amount: string): ContractId => {
    const payload = {
      issuer,
      owner: alice,
      currency: 'EUR',
      amount: Numeric.of(amount),
      observers: [],
    };
    const [node] = run([issuer, alice], { kind: 'create', templateId: Iou.id, payload });
    return (node as Extract<TransactionNode, { kind: 'create' }>).contract.contractId;
  };
  const exercise = (
    actAs: readonly Party[],
    contractId: ContractId,
    choice: string,
    argument: DamlRecord,
  ) => run(actAs, { kind: 'exercise', templateId: Iou.id, contractId, choice, argument });
  const payloads = (nodes: readonly TransactionNode[]) =>
    nodes.flatMap((node) => (node.kind === 'create' ? [node.contract.payload] : []));
  return { issuer, alice, bob, issue, exercise, payloads };
}

test('Iou_Split creates two contracts', () => {
  const { alice, issue, exercise, payloads } = bank();
  const nodes = exercise([alice], issue('10'), 'Iou_Split', { splitAmount: Numeric.of('2.5') });
  expect(payloads(nodes).map(({ amount }) => String(amount))).toEqual([
    '2.5000000000',
    '7.5000000000',
  ]);
  expect(Object.keys((nodes[0] as { result?: DamlRecord }).result!)).toEqual(['_1', '_2']);
});

test.each(['0', '10', '11'])(
  'Iou_Split of %s out of 10 fails, because the amount of an Iou must be positive',
  (splitAmount) => {
    const { alice, issue, exercise } = bank();
    const iou = issue('10');
    expect(() =>
      exercise([alice], iou, 'Iou_Split', { splitAmount: Numeric.of(splitAmount) }),
    ).toThrow('TEMPLATE_PRECONDITION_VIOLATED');
  },
);

test('Iou_Transfer requires the old and the new owner', () => {
  const { alice, bob, issue, exercise, payloads } = bank();
  const iou = issue('10');
  expect(() => exercise([alice], iou, 'Iou_Transfer', { newOwner: bob })).toThrow(
    'DAML_AUTHORIZATION_ERROR',
  );
  expect(payloads(exercise([alice, bob], iou, 'Iou_Transfer', { newOwner: bob }))).toMatchObject([
    { owner: bob },
  ]);
});

test('Iou_AddObserver adds an observer', () => {
  const { alice, bob, issue, exercise, payloads } = bank();
  const nodes = exercise([alice], issue('10'), 'Iou_AddObserver', { newObserver: bob });
  expect(payloads(nodes)).toMatchObject([{ observers: [bob] }]);
});

test('archiving an Iou requires both signatories', () => {
  const { issuer, alice, issue, exercise } = bank();
  const iou = issue('10');
  expect(() => exercise([alice], iou, 'Archive', {})).toThrow('DAML_AUTHORIZATION_ERROR');
  exercise([issuer, alice], iou, 'Archive', {});
  expect(() => exercise([issuer, alice], iou, 'Archive', {})).toThrow('CONTRACT_NOT_FOUND');
});
