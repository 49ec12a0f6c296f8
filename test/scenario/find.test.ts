/** The verb `find`, and attempts, whose steps the ledger may reject. */
import { createCanticle, type Scenario } from 'canticle';
import { complaint, scenarioFile } from './scenario-files.js';

const IOU = 'canticle-quickstart:Quickstart.Iou:Iou';

function world(): Scenario {
  const { scenario } = createCanticle();
  for (const hint of ['bank', 'alice']) scenario.party(hint);
  const payload = { issuer: '$bank', owner: '$alice', currency: 'EUR', observers: [] };
  for (const amount of ['10.0', '2.0', '10.0'])
    scenario.create(IOU, { by: ['bank', 'alice'], with: { ...payload, amount } });
  return scenario;
}

test('find names a contract by the values of its fields', () => {
  const scenario = world();
  const found = scenario.find(IOU, { with: { amount: 10 }, of: 'alice', as: 'first' });
  scenario.expect({ contract: '$first', payload: { amount: '10.0' } });
  const second = scenario.find(IOU, { with: { amount: 10 }, nth: 2 });
  expect(second).not.toBe(found);
  expect(scenario.find(IOU)).toBe(found);
});

test('$name also refers to a party by the hint of its allocation', () => {
  const canticle = createCanticle();
  canticle.participant.allocateParty('carol');
  const payload = { issuer: '$carol', owner: '$carol', currency: 'EUR', observers: [] };
  canticle.scenario.create(IOU, { by: 'carol', with: { ...payload, amount: '1.0' } });
  expect(canticle.scenario.find(IOU, { with: { owner: '$carol' } })).toMatch(/^00/);
  expect(() => canticle.scenario.find(IOU, { with: { owner: '$dave' } })).toThrow('dave');
});

test.each([
  [{ with: { amount: 10 }, nth: 3 }, '2 contracts match'],
  [{ with: { amount: 2 }, nth: 2 }, '1 contract matches'],
  [{ with: { amount: 3 } }, '0 contracts match'],
])('find rejects %j', (fields, count) => {
  expect(() => world().find(IOU, fields)).toThrow(`There is no such contract: ${count}.`);
});

const split = (splitAmount: string) => ({
  choice: 'Iou_Split',
  with: { splitAmount },
  by: 'alice',
});

test('refused: ANY holds for each error of the ledger', () => {
  const scenario = world();
  const iou = scenario.find(IOU);
  scenario.exercise(iou, { ...split('11.0'), refused: 'ANY' });
  expect(() => scenario.exercise(iou, { ...split('1.0'), refused: 'ANY' })).toThrow(
    'refused: expected an error, but exercise was accepted',
  );
});

/** The complaint of a scenario whose attempt splits an IOU of 10, with these fields. */
function attempted(splitAmount: string, fields: string): string {
  const scenario = scenarioFile(`
parties: [bank, alice]
steps:
  - { create: '${IOU}', by: [bank, alice], as: iou,
      with: { issuer: $bank, owner: $alice, currency: EUR, amount: 10, observers: [] } }
  - attempt:
      - { exercise: $iou, choice: Iou_Split, with: { splitAmount: '${splitAmount}' }, by: alice }
      - { find: '${IOU}', with: { amount: 4 }, as: part }
      - { archive: $part }
    ${fields}
`);
  return complaint(() => createCanticle({ scenario }));
}

test.each([
  ['4.0', '', 'none'],
  ['5.0', '', 'none'],
  ['11.0', '', 'none'],
  ['4.0', 'refused: ANY', 'refused: expected an error, but all steps were accepted'],
  ['5.0', 'refused: CONTRACT_NOT_FOUND', 'none'],
  ['5.0', 'refused: ANY', 'none'],
  ['11.0', 'refused: CONTRACT_NOT_FOUND', 'refused: expected CONTRACT_NOT_FOUND, found'],
  ['4.0', 'notRefusedWith: amount', 'none'],
  ['11.0', 'notRefusedWith: ArithmeticError', 'none'],
  ['11.0', 'notRefusedWith: amount', "notRefusedWith: the error contains 'amount'"],
])('an attempt to split %s with { %s }: %s', (splitAmount, fields, found) => {
  expect(attempted(splitAmount, fields)).toContain(found);
});

test('a mistake in an attempt has its place', () => {
  const scenario = scenarioFile('steps:\n  - attempt:\n      - { archive: $absent }\n');
  expect(complaint(() => createCanticle({ scenario }))).toMatch(
    /^FILE:3:\d+: step 1.1 \(archive\)/,
  );
});
