/** Facts about who learns parts of transactions: roles, reasons, and their snapshot. */
import fc from 'fast-check';
import { createCanticle, d, definePackage, defineTemplate, type Canticle } from 'canticle';
import {
  MAX_FACTS,
  mergedPrivacy,
  PrivacyRecord,
} from '../../../src/network/privacy/privacy-record.js';
import {
  comparePrivacy,
  parsePrivacySnapshot,
  privacyChangesText,
  privacySnapshot,
} from '../../../src/network/privacy/privacy-snapshot.js';
import { MAX_SEARCHED_PARTS } from '../../../src/network/privacy/roles.js';
import { sightsOf } from '../../../src/network/privacy/sights.js';
import { ledgerHistory } from '../../../src/testing/fast-check.js';
import { model, modelPackage } from '../../support/daml/model-package.js';
import { Asset, Deal, Offer, trades } from '../../support/daml/privacy-model.js';
import { check } from '../../support/property.js';

const recordOf = (canticle: Canticle): PrivacyRecord => {
  const record = new PrivacyRecord();
  record.watch(canticle.network);
  return record;
};
const partiesOf = (canticle: Canticle, ...hints: string[]) =>
  hints.map((hint) => canticle.participant.allocateParty(hint));

/** One trade, with a broker who sees it only because the deal names it. */
function trade(canticle: Canticle, hints = ['issuer', 'seller', 'buyer', 'broker']): void {
  const { participant } = canticle;
  const [issuer, seller, buyer, broker] = partiesOf(canticle, ...hints) as [
    string,
    string,
    string,
    string,
  ];
  const owned = { issuer, owner: seller, amount: '5' };
  const asset = participant.create(Asset, owned, { actAs: [issuer] });
  const deal = participant.create(Deal, { broker, buyer, seller, asset }, { actAs: [seller] });
  participant.exercise(deal, Deal.Settle, {}, { actAs: [buyer], readAs: [seller] });
}

test('a snapshot lists roles and reasons by template and choice', () => {
  const canticle = createCanticle({ packages: [trades] });
  const record = recordOf(canticle);
  trade(canticle);
  expect(privacySnapshot(record.report())).toMatchInlineSnapshot(`
"# Who learns what, and why. \`payload\` is the contents of a contract; a choice is its argument and result.
# Canticle wrote this file. Accept changes with: canticle privacy --update

#trades:Trade:Asset
  payload
    argument.newOwner: choice observer of Hand
    broker of Trade:Deal: divulged by Trade:Deal Settle
    issuer: signatory
    owner: controller of Hand; observer
    owner of Trade:Asset: divulged by Trade:Asset Hand
  Hand
    argument.newOwner: choice observer
    broker of Trade:Deal: divulged by Trade:Deal Settle
    issuer: signatory
    owner: controller; observer

#trades:Trade:Deal
  payload
    broker: observer
    buyer: controller of Settle; observer
    seller: signatory
  Settle
    broker: observer
    buyer: controller; observer
    seller: signatory
"
`);
});

test('a contract of the same transaction is not disclosed to its submitter', () => {
  const canticle = createCanticle({ packages: [trades] });
  const record = recordOf(canticle);
  const [issuer, viewer] = partiesOf(canticle, 'issuer', 'viewer') as [string, string];
  const offer = canticle.participant.create(Offer, { issuer, viewer }, { actAs: [issuer] });
  canticle.participant.exercise(offer, Offer.Peek, {}, { actAs: [viewer] });
  const { facts } = record.report();
  const reasons = facts.filter(({ what }) => what === 'Show').map(({ who, why }) => [who, why]);
  expect(reasons).toEqual([
    ['argument.viewer', 'controller'],
    ['issuer+owner', 'signatory'],
  ]);
});

test('with several participants, it lists those that learn with their parties', () => {
  const canticle = createCanticle({ packages: [trades], participants: ['bank', 'market'] });
  const record = recordOf(canticle);
  const [bank, market] = canticle.participants;
  const issuer = bank!.allocateParty('issuer');
  const owner = market!.allocateParty('owner');
  bank!.create(Asset, { issuer, owner, amount: '5' }, { actAs: [issuer] });
  bank!.create(Asset, { issuer, owner: issuer, amount: '5' }, { actAs: [issuer] });
  expect(privacySnapshot(record.report()).split('\n').slice(4)).toEqual([
    '  payload',
    '    issuer: signatory',
    '    owner: observer',
    '    participant bank: hosts issuer',
    '    participant market: hosts owner',
    '',
  ]);
});

test('it includes what happened before it began, and survives a revert', () => {
  const canticle = createCanticle({ packages: [trades] });
  const start = canticle.snapshot();
  trade(canticle);
  const record = recordOf(canticle);
  const { facts } = record.report();
  expect(facts.length).toBeGreaterThan(10);
  canticle.revert(start);
  trade(canticle, ['a', 'b', 'c', 'd']);
  // The same roles, so the same facts, with the place where they were seen first.
  expect(record.report()).toEqual({ facts });
});

test('one party with two roles adds no fact to those of the single roles', () => {
  const canticle = createCanticle({ packages: [trades] });
  const record = recordOf(canticle);
  const [issuer, owner] = partiesOf(canticle, 'issuer', 'owner') as [string, string];
  const create = (other: string) =>
    canticle.participant.create(Asset, { issuer, owner: other, amount: '1' }, { actAs: [issuer] });
  create(issuer);
  expect(record.report().facts.map(({ who }) => who)).toEqual(['issuer+owner']);
  create(owner);
  expect(record.report().facts.map(({ who }) => who)).toEqual(['issuer', 'owner']);
});

const Crowd = defineTemplate({
  name: 'Crowds:Crowd',
  fields: { host: d.party, names: d.list(d.text), guest: d.optional(d.party) },
  signatories: (it) => [it.host],
  observers: (it) => (it.guest === null ? [] : [it.guest.value]),
});
const crowds = definePackage({ name: 'crowds', version: '1.0.0', templates: [Crowd] });

test('it searches the named number of parts of a value for parties', () => {
  // The record, the host, the list, the optional and the guest are parts, too.
  const roleWith = (names: number): string => {
    const canticle = createCanticle({ packages: [crowds] });
    const record = recordOf(canticle);
    const [host, guest] = partiesOf(canticle, 'host', 'guest') as [string, string];
    const payload = { host, names: Array.from({ length: names }, () => 'x'), guest };
    canticle.participant.create(Crowd, payload, { actAs: [host] });
    return record.report().facts.find(({ why }) => why === 'observer')!.who;
  };
  expect(MAX_SEARCHED_PARTS).toBe(10_000);
  expect(roleWith(MAX_SEARCHED_PARTS - 5)).toBe('guest');
  expect(roleWith(MAX_SEARCHED_PARTS - 4)).toBe('another party');
});

test('a record has at most the named number of facts', () => {
  expect(MAX_FACTS).toBe(100_000);
  const factsWith = (max: number): number => {
    const canticle = createCanticle({ packages: [trades] });
    const record = new PrivacyRecord({ max });
    record.watch(canticle.network);
    trade(canticle);
    return record.report().facts.length;
  };
  const all = factsWith(MAX_FACTS);
  expect(factsWith(all)).toBe(all);
  expect(factsWith(all - 1)).toBe(all - 1);
});

test('a change shows the test and the path of nodes, outermost first', () => {
  const canticle = createCanticle({ packages: [trades] });
  const record = new PrivacyRecord({ test: () => 'settles a deal' });
  record.watch(canticle.network);
  trade(canticle);
  const report = record.report();
  const isNew = ({ who, what }: { who: string; what: string }): boolean =>
    who === 'broker of Trade:Deal' && what === 'payload';
  const before = parsePrivacySnapshot(privacySnapshot(report)).filter((fact) => !isNew(fact));
  const gone = { template: '#trades:Trade:Deal', what: 'Cancel', who: 'seller', why: 'signatory' };
  const changes = comparePrivacy([...before, gone], report);
  const text = privacyChangesText(changes).replace(/::[0-9a-f]+/g, '::·');
  expect(text).toMatchInlineSnapshot(`
"+ #trades:Trade:Asset payload: broker of Trade:Deal (divulged by Trade:Deal Settle)
    test  settles a deal
    party broker::·
    path  exercise Trade:Deal Settle
            exercise Trade:Asset Hand
- #trades:Trade:Deal Cancel: seller (signatory)
"
`);
});

test('the witnesses of each node are those of the update', async () => {
  let nodes = 0;
  const history = ledgerHistory(
    [modelPackage],
    ['WithObservers', 'Delegated', 'Delegation', 'TriProposal', 'Nest'].map(model),
    { parties: ['alice', 'bob', 'carol'], maxLength: 30 },
  );
  await check(
    fc.property(history, (steps) => {
      const canticle = createCanticle({ seed: 3, packages: [modelPackage] });
      steps.run(canticle);
      const { updates } = canticle.network;
      for (let index = 0; index < updates.length; index += 1) {
        const update = updates.at(index)!;
        if (update.kind !== 'transaction') continue;
        for (const { nodeId, witnesses } of sightsOf(update)) {
          nodes += 1;
          expect(witnesses.map(({ party }) => party)).toEqual(update.witnesses[nodeId]);
        }
      }
    }),
    { numRuns: 20 },
  );
  expect(nodes).toBeGreaterThan(50);
});

const text = fc.stringMatching(/^[A-Za-z][A-Za-z0-9.[\]+ ]{0,8}[a-z]$/);
const fact = fc.record({
  template: text.map((name) => `#p:${name}:T`),
  what: fc.oneof(fc.constant('payload'), text),
  who: text,
  why: text,
});

test('a snapshot contains all facts of a report, sorted', async () => {
  const first = { updateId: '', party: '', path: [] };
  await check(
    fc.property(fc.array(fact), (facts) => {
      const given = facts.map((each) => ({ ...each, first }));
      const report = mergedPrivacy({ facts: [] }, { facts: given });
      const parsed = parsePrivacySnapshot(privacySnapshot(report));
      expect(parsed).toEqual(report.facts.map(({ first: _, ...each }) => each));
      expect(comparePrivacy(parsed, report)).toEqual({ more: [], less: [] });
    }),
  );
});

test.each([
  ['    owner: signatory', 'line 1 has no place: check its indentation'],
  ['#a:B:C\n    owner: signatory', 'line 2 has no place: check its indentation'],
  ['#a:B:C\n payload', 'line 2 has no place: check its indentation'],
  ['#a:B:C\n  payload\n    owner', 'line 3 has no role or no reason'],
  ['#a:B:C\n  payload\n    : signatory', 'line 3 has no role or no reason'],
])('a snapshot with a wrong line is rejected: %j', (wrong, message) => {
  expect(() => parsePrivacySnapshot(wrong)).toThrow(message);
});
