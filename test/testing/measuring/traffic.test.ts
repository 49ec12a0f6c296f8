/** The traffic of updates and flows in tests. */
import { measure, useCanticle } from '../../../src/testing/jest.js';
import { Asset, trades } from '../../support/daml/privacy-model.js';
import { messageOf } from '../matcher-messages.js';

const canticle = useCanticle({ seed: 7, listen: false, packages: [trades] });
const { participant } = canticle;
const [issuer, owner] = ['issuer', 'owner'].map((hint) => participant.allocateParty(hint)) as [
  string,
  string,
];
const newest = () => canticle.network.updates.at(canticle.network.updates.length - 1)!;
const issue = () => participant.create(Asset, { issuer, owner, amount: '1' }, { actAs: [issuer] });
const hand = () =>
  participant.exercise(issue(), Asset.Hand, { newOwner: owner }, { actAs: [owner] });

it('toCostAtMost compares the traffic of an update with a budget', () => {
  const update = hand();
  const { bytes } = measure('hand', () =>
    participant.exercise(
      update.created[0]!.contractId,
      Asset.Hand,
      { newOwner: owner },
      { actAs: [owner] },
    ),
  );
  expect(update).toCostAtMost(bytes + 100);
  expect(update.updateId).not.toCostAtMost(1000);
  const text = messageOf(() => expect(update).toCostAtMost(1));
  expect(text.replace(/It costs \d+/, 'It costs 1234')).toMatchInlineSnapshot(`
"expect(update).toCostAtMost(1)

It costs 1234 bytes.

It uses 1 contracts that it did not create, and has 1 views:
  exercise Trade:Asset Hand, for issuer::·, owner::·, sandbox::· on sandbox"
`);
});

it('toCostAtMost fails with and without not for a wrong subject or budget', () => {
  const update = hand();
  for (const [subject, budget, message] of [
    [7, 1000, 'Not an update: 7.'],
    ['1220', 1000, 'No ledger has the update 1220.'],
    [update, Number.NaN, 'Not a number of bytes: NaN.'],
    [canticle.network.updates.at(0)!.updateId, 1000, 'costs no traffic'],
  ] as const) {
    expect(messageOf(() => expect(subject).toCostAtMost(budget))).toContain(message);
    expect(messageOf(() => expect(subject).not.toCostAtMost(budget))).toContain(message);
  }
});

it('measure adds up the updates of a flow, also of an asynchronous one', async () => {
  issue();
  const both = measure('two', () => [issue(), issue()]);
  expect(both.result).toHaveLength(2);
  expect(both.updateIds).toHaveLength(2);
  const one = await measure('one', async () => {
    await Promise.resolve();
    return issue();
  });
  expect(one.updateIds).toHaveLength(1);
  expect(one.updateIds[0]).toBe(newest().updateId);
  expect(both.bytes).toBeGreaterThan(one.bytes);
  issue();
  expect(measure('none', () => 'x', canticle)).toEqual({ result: 'x', bytes: 0, updateIds: [] });
});
