/** The contracts of a fuzzed ledger, as its scripts use them. */
import { stakeholdersOf, type ContractInstance } from '../../../src/daml/model/transaction.js';
import { IdeContracts } from '../../../src/script/ide/ide-contracts.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import { modelId } from '../../support/daml/model-package.js';
import { create, exercise, packages, submit } from '../models.js';

const NOW = 100n;

/** Contracts of Alice and of Bob, one of which is archived, and one of Alice from a later time. */
function stored() {
  const ledger = new FuzzLedger(packages, { ...plainStart(['alice', 'bob']), now: NOW });
  const dummy = (operator: string) => create('Dummy', { operator });
  const ticket = create('Ticket', { issuer: 'alice', owner: 'bob', seat: 7n });
  ledger.run(submit(0, ['alice', 'bob'], dummy('alice'), dummy('bob'), dummy('alice'), ticket));
  const all = [...ledger.active()];
  const contracts = new IdeContracts();
  for (const each of all) contracts.put(each);
  contracts.put({ ...all[0]!, contractId: 'later', createdAt: NOW + 1n });
  const consume = submit(1, ['alice'], exercise('Dummy', all[2]!.contractId, 'Consume'));
  contracts.apply(ledger.run(consume).submitted[0]!.transaction!, 2);
  return { contracts, all: all as readonly ContractInstance[] };
}
const idsOf = (all: readonly ContractInstance[]) => all.map(({ contractId }) => contractId);

it('are visible to their stakeholders, from their creation until they are archived', () => {
  const { contracts, all } = stored();
  const [first, second, third, fourth] = idsOf(all);
  const visible = (parties: readonly string[], time = NOW, templateId?: string) =>
    idsOf(contracts.visibleTo(parties, time, templateId));
  expect(stakeholdersOf(all[3]!)).toContain('bob');
  expect(visible(['alice'])).toEqual([first, fourth]);
  expect(visible(['bob'])).toEqual([second, fourth]);
  expect(visible(['alice', 'bob'])).toEqual([first, second, fourth]);
  expect(visible(['alice'], NOW, modelId('Dummy'))).toEqual([first]);
  expect(visible(['alice'], NOW + 1n)).toEqual([first, fourth, 'later']);
  expect(visible(['alice'], NOW - 1n)).toEqual([]);
  expect(visible(['carol'])).toEqual([]);
  expect(third).toBeDefined();
});

it('are found by stakeholders alone, with the reason why another look-up fails', () => {
  const { contracts, all } = stored();
  const [first, , third] = idsOf(all);
  const look = (id: string, actAs: readonly string[], readAs: readonly string[] = []) => {
    const found = contracts.lookup(id, actAs, readAs, NOW);
    return 'reason' in found ? found.reason!.kind : found.instance.contractId;
  };
  expect(look(first!, ['alice'])).toBe(first);
  expect(look(first!, [], ['alice'])).toBe(first);
  expect(look(first!, ['bob'])).toBe('NotVisible');
  expect(look(third!, ['alice'])).toBe('NotActive');
  expect(look('later', ['alice'])).toBe('NotEffective');
  expect(look('unknown', ['alice'])).toBe('NotFound');
});

it('are archived and active again after a revert', () => {
  const ledger = new FuzzLedger(packages, plainStart(['alice']));
  ledger.run(submit(0, ['alice'], create('Dummy', { operator: 'alice' })));
  const [{ contractId }] = [...ledger.active()] as [ContractInstance];
  const mark = ledger.mark();
  ledger.run(submit(1, ['alice'], exercise('Dummy', contractId, 'Consume')));
  expect(ledger.isActive(contractId)).toBe(false);
  ledger.revert(mark);
  expect(ledger.isActive(contractId)).toBe(true);
  expect([...ledger.active()]).toHaveLength(1);
});
