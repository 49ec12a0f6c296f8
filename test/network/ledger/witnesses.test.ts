/**
 * The witnesses of each node (upstream BlindingSpec): informees of the node itself and of every enclosing node, through exercises
 * and rollbacks. Every party has one part only, so that each way to become a witness shows.
 */
import { createCanticle, type ParticipantView } from 'canticle';
import { e, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage, type ChoiceSpec } from '../../support/daml/lf-encoder.js';
import { uncheckedPackage } from '../../support/daml/lf-probe.js';
import { t } from '../../support/daml/lf-types.js';

const [ITEM, RUNNER] = [t.con('Main:Item'), t.con('Main:Runner')];
const ID = t.contractId(ITEM);
const parties = (...items: Code[]) => e.list(t.party, items);
const item = (name: string) => e.field(ITEM, name, e.var('this'));
const runner = (name: string) => e.field(RUNNER, name, e.var('this'));
const EX = t.con('Main:Ex');
const fails = e.throw(t.builtin(17, t.unit), EX, e.record(EX, {}));
const exercise = (choice: string) => u.exercise('Main:Item', choice, e.var('arg'), e.unit);
const fetch = u.fetch('Main:Item', e.var('arg'));
const done = u.pure(t.unit, e.unit);

const ofItem = (consuming: boolean, update: Code): ChoiceSpec => ({
  consuming,
  argument: t.unit,
  returns: t.unit,
  controllers: parties(item('actor')),
  observers: parties(item('watcher')),
  update: u.block([[undefined, t.unit, update] as const], done),
});
/** Its body has the runner's own authority, or only that which the authorizer lends. */
const ofRunner = (update: Code, authorizers?: Code): ChoiceSpec => ({
  consuming: false,
  argument: ID,
  returns: t.unit,
  controllers: parties(runner('owner')),
  observers: parties(runner('seer')),
  ...(authorizers && { authorizers }),
  update,
});
const then = (...updates: Code[]) =>
  u.block(
    updates.map((update) => [undefined, t.unit, update] as const),
    done,
  );
const lent = parties(runner('lender'));
const createFor = (observer: string) => {
  const [signer, actor, watcher] = ['host', 'host', 'host'].map(runner) as [Code, Code, Code];
  const payload = { signer, observer: runner(observer), actor, watcher };
  return u.create('Main:Item', e.record(ITEM, payload));
};

const main = encodePackage({
  name: 'witnesses',
  lf: 'dev',
  modules: {
    Main: {
      types: { Ex: { record: {} } },
      exceptions: ['Ex'],
      templates: {
        Item: {
          fields: { signer: t.party, observer: t.party, actor: t.party, watcher: t.party },
          precondition: e.true,
          signatories: parties(item('signer')),
          observers: parties(item('observer')),
          choices: {
            Look: ofItem(false, u.fetch('Main:Item', e.var('self'))),
            Take: ofItem(true, done),
          },
          key: {
            type: t.party,
            body: item('signer'),
            maintainers: e.lambda({ key: t.party }, parties(e.var('key'))),
          },
        },
        Runner: {
          fields: {
            host: t.party,
            owner: t.party,
            seer: t.party,
            lender: t.party,
            outsider: t.party,
          },
          precondition: e.true,
          signatories: parties(runner('host')),
          observers: parties(runner('outsider')),
          choices: {
            Look: ofRunner(exercise('Look')),
            Take: ofRunner(exercise('Take')),
            Fetch: ofRunner(then(fetch)),
            LentFetch: ofRunner(then(fetch), lent),
            LentQuery: ofRunner(
              then(e.call(u.queryNByKey('Main:Item'), e.int(1), runner('lender'))),
              lent,
            ),
            Create: ofRunner(then(createFor('lender'))),
            LookAndCreate: ofRunner(then(exercise('Look'), createFor('owner'))),
            RollBack: ofRunner(
              u.tryCatch(
                t.unit,
                then(fetch, exercise('Look'), fails),
                'x',
                e.some(t.builtin(17, t.unit), done),
              ),
            ),
            Nest: ofRunner(u.exercise('Main:Runner', 'Fetch', e.var('self'), e.var('arg'))),
            /** Exercises itself as often as its argument says, then creates. */
            Descend: {
              ...ofRunner(
                e.if(
                  e.call(e.builtin('EQUAL', t.int64), e.var('arg'), e.int(0)),
                  then(createFor('lender')),
                  u.exercise(
                    'Main:Runner',
                    'Descend',
                    e.var('self'),
                    e.call(e.builtin('SUB_INT64'), e.var('arg'), e.int(1)),
                  ),
                ),
              ),
              argument: t.int64,
            },
          },
        },
      },
    },
  },
});

const PARTS = ['signer', 'observer', 'watcher', 'host', 'owner', 'seer', 'lender', 'outsider'];

const through = ({ through: id }: { through?: number }) => (id === undefined ? '' : ` by ${id}`);

function world() {
  const canticle = createCanticle({ seed: 1, packages: [uncheckedPackage(main)] });
  const { participant } = canticle;
  const ids = new Map(PARTS.map((hint) => [hint, participant.allocateParty(hint)]));
  const hintOf = new Map([...ids].map(([hint, id]) => [id, hint]));
  const all = { actAs: [...ids.values()] };
  const id = (hint: string): string => ids.get(hint)!;
  /** The owner of a runner is the actor of items. */
  const made = (more: object = {}) => {
    const parts = { signer: id('signer'), observer: id('observer'), watcher: id('watcher') };
    const payload = { ...parts, actor: id('owner'), ...more };
    return participant.create(`${main.id}:Main:Item`, payload, all);
  };
  const runs = participant.create(
    `${main.id}:Main:Runner`,
    Object.fromEntries(['host', 'owner', 'seer', 'lender', 'outsider'].map((h) => [h, id(h)])),
    all,
  );
  let reasons: string[][] = [];
  const last = (): string[] => {
    const { updates } = canticle.network;
    const update = updates.at(updates.length - 1)!;
    if (update.kind !== 'transaction') throw new Error('The last update is a transaction.');
    const trace = canticle.trace(update.updateId);
    expect(trace.retraced).toBe(true);
    const seen = trace.nodes.map(({ nodeId, witnesses }) => [
      nodeId,
      witnesses.map(({ party }) => party),
    ]);
    expect(seen).toEqual(update.witnesses.map((parties, nodeId) => [nodeId, [...parties]]));
    reasons = trace.nodes.map(({ witnesses }) =>
      witnesses
        .map((each) => `${hintOf.get(each.party)}: ${each.reasons.join(' ')}${through(each)}`)
        .sort(),
    );
    return update.transaction.nodes.map((node) => {
      const witnesses = update.witnesses[node.nodeId]!.map((party) => hintOf.get(party)!);
      const kind = node.kind === 'rolledBack' ? `${node.action.kind} rolled back` : node.kind;
      return `${kind}: ${witnesses.sort().join(' ')}`;
    });
  };
  return {
    last,
    /** Of the last update: who sees each node, and why. */
    why: () => reasons,
    made,
    id,
    take: (choice: string, itemId: string) => {
      participant.exercise(`${main.id}:Main:Item`, itemId, choice, {}, all);
      return last();
    },
    run: (choice: string, itemId: string) => {
      participant.exercise(`${main.id}:Main:Runner`, runs, choice, itemId, all);
      return last();
    },
  };
}

/** Of every choice of the runner. */
const RUN = ['host', 'owner', 'seer'];
const node = (kind: string, ...parts: string[]): string => `${kind}: ${parts.sort().join(' ')}`;

type Hosting = ParticipantView;
const allocated = (participant: Hosting, ...hints: string[]) =>
  hints.map((hint) => participant.allocateParty(hint));

test('stakeholders see a create', () => {
  const { made, last } = world();
  made();
  expect(last()).toEqual([node('create', 'signer', 'observer')]);
});

test('signatories, controllers and choice observers see an exercise, and observers a consuming one', () => {
  const { made, take } = world();
  const contract = made();
  expect(take('Look', contract)[0]).toBe(node('exercise', 'signer', 'owner', 'watcher'));
  expect(take('Take', contract)).toEqual([
    node('exercise', 'signer', 'owner', 'watcher', 'observer'),
  ]);
});

test('a trace has the reason for each witness', () => {
  const { made, run, take, why } = world();
  const contract = made();
  run('Look', contract);
  const divulged = ['host: divulged by 0', 'owner: controller', 'seer: divulged by 0'];
  expect(why()).toEqual([
    ['host: signatory', 'owner: controller', 'seer: choiceObserver'],
    [...divulged, 'signer: signatory', 'watcher: choiceObserver'],
    ['host: divulged by 0', 'owner: divulged by 1', 'seer: divulged by 0'].concat([
      'signer: signatory actor',
      'watcher: divulged by 1',
    ]),
  ]);
  run('LentQuery', contract);
  expect(why()[1]).toEqual([
    'host: divulged by 0',
    'lender: maintainer',
    'owner: divulged by 0',
    'seer: divulged by 0',
  ]);
  take('Take', contract);
  expect(why()).toEqual([
    ['observer: observer', 'owner: controller', 'signer: signatory', 'watcher: choiceObserver'],
  ]);
});

test('a witness of an exercise sees its consequences', () => {
  const { made, run } = world();
  const contract = made();
  expect(run('Look', contract)).toEqual([
    node('exercise', ...RUN),
    node('exercise', ...RUN, 'signer', 'watcher'),
    node('fetch', ...RUN, 'signer', 'watcher'),
  ]);
  expect(run('LookAndCreate', contract)).toEqual([
    node('exercise', ...RUN),
    node('exercise', ...RUN, 'signer', 'watcher'),
    node('fetch', ...RUN, 'signer', 'watcher'),
    node('create', ...RUN),
  ]);
  expect(run('Create', contract)).toEqual([
    node('exercise', ...RUN),
    node('create', ...RUN, 'lender'),
  ]);
  expect(run('Take', contract)).toEqual([
    node('exercise', ...RUN),
    node('exercise', ...RUN, 'signer', 'watcher', 'observer'),
  ]);
});

test('signatories and the fetching parties see a fetch, and other observers do not', () => {
  const { made, run, id } = world();
  const ownersItem = made({ observer: id('owner') });
  expect(run('Fetch', ownersItem)).toEqual([
    node('exercise', ...RUN),
    node('fetch', ...RUN, 'signer'),
  ]);
  expect(run('Nest', ownersItem)).toEqual([
    node('exercise', ...RUN),
    node('exercise', ...RUN),
    node('fetch', ...RUN, 'signer'),
  ]);
  const [byOwner] = [made({ signer: id('owner') })];
  expect(run('Fetch', byOwner)).toEqual([node('exercise', ...RUN), node('fetch', ...RUN)]);
  // A reader of the exercise does not get the lent authority.
  expect(run('LentFetch', made({ observer: id('lender') }))).toEqual([
    node('exercise', ...RUN),
    node('fetch', ...RUN, 'signer', 'lender'),
  ]);
});

test('maintainers of a key see a query by the key', () => {
  const { made, run, id } = world();
  expect(run('LentQuery', made({ signer: id('lender') }))).toEqual([
    node('exercise', ...RUN),
    node('queryByKey', ...RUN, 'lender'),
  ]);
});

test('maintainers of a key see a query that finds nothing', () => {
  const { made, run } = world();
  expect(run('LentQuery', made())).toEqual([
    node('exercise', ...RUN),
    node('queryByKey', ...RUN, 'lender'),
  ]);
});

test('witnesses of outer exercises see nested exercises at any depth', () => {
  const { run } = world();
  expect(run('Descend', '199')).toEqual([
    ...Array.from({ length: 200 }, () => node('exercise', ...RUN)),
    node('create', ...RUN, 'lender'),
  ]);
  expect(run('Descend', '5000')).toHaveLength(5002);
});

test('rolled-back nodes have the same witnesses as without the rollback', () => {
  const { made, run, id } = world();
  expect(run('RollBack', made({ observer: id('owner') }))).toEqual([
    node('exercise', ...RUN),
    node('rollback', ...RUN),
    node('fetch rolled back', ...RUN, 'signer'),
    node('exercise rolled back', ...RUN, 'signer', 'watcher'),
    node('fetch rolled back', ...RUN, 'signer', 'watcher'),
  ]);
});

describe('on participants', () => {
  const spread = (synchronizers: readonly string[], ...names: readonly string[]) => {
    const canticle = createCanticle({
      seed: 1,
      packages: [uncheckedPackage(main)],
      synchronizers: synchronizers.map((alias) => ({ alias })),
      participants: names.map((name, index) => ({
        name,
        synchronizers: [synchronizers[index % synchronizers.length]!],
      })),
    });
    return canticle.participants;
  };

  test('only participants of witnesses have an update, even a fetch', () => {
    const [one, two, three] = spread(['global'], 'one', 'two', 'three') as [
      Hosting,
      Hosting,
      Hosting,
    ];
    const [host, owner, seer, lender] = allocated(one, 'host', 'owner', 'seer', 'lender');
    const [signer, outsider] = [two.allocateParty('signer'), three.allocateParty('outsider')];
    const payload = { signer, observer: owner, actor: owner, watcher: owner };
    const contract = two.create(`${main.id}:Main:Item`, payload, { actAs: signer });
    const parts = { host, owner, seer, lender, outsider };
    const runs = one.create(`${main.id}:Main:Runner`, parts, { actAs: host! });
    const before = [two.ledgerEnd, three.ledgerEnd];
    const options = { actAs: owner!, readAs: host! };
    one.exercise(`${main.id}:Main:Runner`, runs, 'Fetch', contract, options);
    expect([two.ledgerEnd, three.ledgerEnd]).toEqual([before[0]! + 1, before[1]]);
  });

  test('each witness of any node must be on the synchronizer', () => {
    const [one, two] = spread(['first', 'second'], 'one', 'two') as [Hosting, Hosting];
    const [host, owner, seer] = allocated(one, 'host', 'owner', 'seer');
    const parts = { host, owner, seer, lender: host, outsider: host };
    const runs = one.create(`${main.id}:Main:Runner`, parts, { actAs: host! });
    const look = (watcher: string) => () => {
      const payload = { signer: owner, observer: owner, actor: owner, watcher };
      const contract = one.create(`${main.id}:Main:Item`, payload, { actAs: owner! });
      const options = { actAs: [owner!, host!] };
      one.exercise(`${main.id}:Main:Runner`, runs, 'LookAndCreate', contract, options);
    };
    expect(look(owner!)).not.toThrow();
    expect(look(two.allocateParty('watcher'))).toThrow(/INFORMEE/);
  });
});
