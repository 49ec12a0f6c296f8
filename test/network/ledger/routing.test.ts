/** Which synchronizer a submission goes to that names none: Canton's SynchronizerRank, and what does name one. */
import { IOU, iouWorld } from '../../support/ledger.js';

const GLOBAL = { alias: 'global', identifier: 'global-domain' };
const APP = { alias: 'app' };

function world(synchronizers = [GLOBAL, APP]) {
  const { canticle, ...rest } = iouWorld({ synchronizers });
  const { network, participant, token } = canticle;
  const on = (contract: string) => {
    const id = participant.contract(contract)?.synchronizerId;
    return network.synchronizers.find((each) => each.id === id)?.alias;
  };
  return { ...rest, network, participant, token, on };
}

describe('of two suitable synchronizers', () => {
  it.each([
    ['last', [GLOBAL, APP]],
    ['first', [APP, GLOBAL]],
  ])('selects the first by id among equals, also if connected %s (SynchronizerRank)', (_, both) => {
    const { issue, network, on } = world(both);
    const [global, app] = ['global', 'app'].map((alias) => network.synchronizer(alias)!.id);
    expect(app! < global!).toBe(true);
    expect(on(issue())).toBe('app');
  });

  it('selects the one with fewer reassignments before the first by id (SynchronizerRank)', () => {
    const { alice, issue, network, on, participant } = world();
    const iou = issue({ synchronizer: 'global' });
    const before = network.updates.length;
    participant.exercise(IOU, iou, 'Iou_Split', { splitAmount: '25.0' }, { actAs: [alice] });
    const [split, ...more] = participant.activeContracts({ party: alice, template: IOU });
    expect([on(split!.contractId), more.map((each) => on(each.contractId))]).toEqual([
      'global',
      ['global'],
    ]);
    expect(network.updates.length).toBe(before + 1); // nothing was moved
  });
});

it("the test token's contracts are on the first connected synchronizer, like Splice's", () => {
  const { alice, bob, on, token } = world();
  const { instruction, change } = token.transfer({
    from: alice,
    to: bob,
    amount: '4.0',
    inputs: [token.mint(alice, '10.0')],
  });
  expect([token.rules, instruction!, ...change].map(on)).toEqual(['global', 'global', 'global']);
});
