/** The verb `find`, and steps that may be rejected. */
import { createCanticle, type Scenario } from 'canticle';

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

test('refused: MAYBE accepts a success and each error of the ledger', () => {
  const scenario = world();
  const iou = scenario.find(IOU);
  scenario.exercise(iou, { ...split('11.0'), refused: 'MAYBE' });
  scenario.exercise(iou, { ...split('1.0'), refused: 'MAYBE' });
  scenario.expect({ contract: iou, is: 'archived' });
});

test('notRefusedWith accepts a success and other errors', () => {
  const scenario = world();
  const iou = scenario.find(IOU);
  scenario.exercise(iou, { ...split('11.0'), notRefusedWith: 'ArithmeticError' });
  expect(() => scenario.exercise(iou, { ...split('11.0'), notRefusedWith: 'amount' })).toThrow(
    "notRefusedWith: the error contains 'amount'",
  );
  scenario.exercise(iou, { ...split('1.0'), notRefusedWith: 'amount' });
  scenario.expect({ contract: iou, is: 'archived' });
});
