/** The ledger of a fuzzed model: steps, marks, and the ids of contracts. */
import fc from 'fast-check';
import { readDar } from '../../../src/daml/index.js';
import { sha256Hex } from '../../../src/daml/model/hash.js';
import { ActionSet } from '../../../src/fuzzing/actions/action-set.js';
import { scriptAction } from '../../../src/fuzzing/ledger/custom-action.js';
import { lookLimit, MAX_LOOKS } from '../../../src/fuzzing/ledger/fuzz-input.js';
import { FuzzLedger } from '../../../src/fuzzing/ledger/fuzz-ledger.js';
import { plainStart } from '../../../src/fuzzing/ledger/start-state.js';
import { Random } from '../../../src/fuzzing/values/random.js';
import { ValueSource } from '../../../src/fuzzing/values/values.js';
import { IdeContracts } from '../../../src/script/ide/ide-contracts.js';
import { scriptNamed } from '../../../src/script/find-scripts.js';
import { ScriptPackages } from '../../../src/script/packages.js';
import {
  allocate,
  ANSWER,
  asset,
  createCmd,
  darOf,
  packageOf,
  s,
  steps,
  submit as scriptSubmit,
} from '../../script/script-package.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { keysPackage } from '../../support/daml/keys-package.js';
import { modelId, modelPackage } from '../../support/daml/model-package.js';
import { check } from '../../support/property.js';
import { dividedBy, doing, e, self, t, u, updateOf, zooPackage } from '../zoo/notation.js';
import {
  contentsOf,
  create,
  exercise,
  packages,
  KEYED_AND_OTHERS,
  submission,
  submit,
} from '../models.js';

const start = plainStart(['alice', 'bob']);
const dummy = create('Dummy', { operator: 'alice' });
const opened = () => new FuzzLedger(packages, start);
const ids = (ledger: FuzzLedger) => [...ledger.active()].map(({ contractId }) => contractId);

it('applies accepted submissions, and reports rejected ones', () => {
  const ledger = opened();
  expect(ledger.run(submit(0, ['alice'], dummy)).submitted[0]!.error).toBeUndefined();
  expect(ledger.run(submit(1, ['bob'], dummy)).submitted[0]!.error?.code).toBe(
    'DAML_AUTHORIZATION_ERROR',
  );
  const [id] = ids(ledger);
  expect(ids(ledger)).toHaveLength(1);
  ledger.run(submit(2, ['alice'], exercise('Dummy', id!, 'Consume')));
  expect(ids(ledger)).toHaveLength(0);
  expect(ledger.contract(id!)).toBeDefined();
  expect(ledger.isActive(id!)).toBe(false);
});

it('names contracts by the number of the step alone', () => {
  const [one, other] = [opened(), opened()];
  one.run(submit(0, ['alice'], dummy));
  one.run(submit(1, ['alice'], dummy, dummy));
  other.run(submit(1, ['alice'], dummy, dummy));
  expect(ids(one).slice(1)).toEqual(ids(other));
  expect(new Set(ids(one)).size).toBe(3);
});

/** An id: the step, the submission, digits of the template's name, and the place in the order of creation. */
const idAt = (step: string, submission: string, name: string, place: string) =>
  `00${step.padStart(12, '0')}${submission.padStart(4, '0')}${name}${place.padStart(32, '0')}ca121220${'0'.repeat(64)}`;

it('has ids that stay the same, because corpora and reproductions name them', () => {
  const ledger = opened();
  ledger.run(submit(0x1f, ['alice'], dummy, dummy, create('Coin', { owner: 'alice', label: '' })));
  const race = submission(['alice'], dummy);
  ledger.run({ kind: 'race', number: 0x20, submissions: [race, race] });
  const name = sha256Hex('Test:Dummy').slice(0, 16);
  expect(ids(ledger)).toEqual([
    idAt('1f', '', name, ''),
    idAt('1f', '', name, '1'),
    idAt('1f', '', sha256Hex('Test:Coin').slice(0, 16), ''),
    idAt('20', '', name, ''),
    idAt('20', '1', name, ''),
  ]);
});

it('has ids of the first submission for the first one of a script', () => {
  const alice = e.var('alice');
  const code = steps(
    [['alice', t.party, allocate('alice')]],
    [ANSWER, scriptSubmit(alice, [createCmd(asset(alice))])],
  );
  const noted = {
    type: t.arrow(t.text, s.of(ANSWER)),
    expression: e.lambda({ name: t.text }, code),
  };
  const { main, packages: all } = readDar(darOf(packageOf({}, { values: { noted } })));
  const own = new ScriptPackages(all);
  const actions = new Map([['noted', scriptAction(scriptNamed(main, 'Main:noted'))]]);
  const ledger = new FuzzLedger(own, plainStart(), { actions });
  const step = { kind: 'custom', number: 3, action: 'noted', argument: 'x' } as const;
  expect(ledger.run(step).failure).toBeUndefined();
  expect(ledger.parties).toEqual([...plainStart().parties, 'alice']);
  const [id] = ids(ledger);
  expect(id!.slice(2, 18)).toBe('0000000000030000');
});

it('keeps a contract whose use was rolled back', () => {
  const spent = u.pure(t.int64, dividedBy(e.int(1), e.int(0)));
  const caught = u.tryCatch(
    t.int64,
    doing('Purse', self, 'Spend'),
    'x',
    e.some(updateOf(t.int64), u.pure(t.int64, e.int(42))),
  );
  const purse = zooPackage({
    templates: {
      Purse: {
        fields: { owner: t.party },
        signatories: ['owner'],
        choices: {
          Spend: { by: ['owner'], returns: t.int64, does: () => spent },
          TrySpend: { by: ['owner'], stays: true, returns: t.int64, does: () => caught },
        },
      },
    },
  });
  const { main, packages: all } = readDar(buildDar(purse));
  const ledger = new FuzzLedger(new ScriptPackages(all), start, { protocolVersion: 34 });
  const templateId = `${main.id}:Main:Purse`;
  ledger.run(submit(0, ['alice'], { kind: 'create', templateId, payload: { owner: 'alice' } }));
  const [contractId] = ids(ledger);
  const use = { kind: 'exercise', templateId, contractId: contractId!, argument: {} } as const;
  const [tried] = ledger.run(submit(1, ['alice'], { ...use, choice: 'TrySpend' })).submitted;
  expect(tried!.error).toBeUndefined();
  expect(ids(ledger)).toEqual([contractId]);
});

it('lists the contracts of a template and of an interface in the order of their creation', () => {
  const ledger = opened();
  const coin = create('Coin', { owner: 'alice', label: 'a' });
  const ticket = create('Ticket', { issuer: 'alice', owner: 'bob', seat: 1n });
  ledger.run(submit(0, ['alice'], coin, ticket, coin));
  const coins = [...ledger.ofTemplate('model-tests', 'Test:Coin')];
  expect(coins.map(({ contractId }) => contractId)).toEqual([ids(ledger)[0], ids(ledger)[2]]);
  const assets = [...ledger.ofInterface(modelId('Asset'))];
  expect(assets.map(({ contractId }) => contractId)).toEqual(ids(ledger));
});

it('lets code use every active contract, and names those that need disclosure', () => {
  const ledger = opened();
  ledger.run(submit(0, ['alice'], create('Delegated', { owner: 'alice' })));
  ledger.run(submit(1, ['alice'], create('Delegation', { owner: 'alice', delegate: 'bob' })));
  const [delegated, delegation] = ids(ledger);
  const step = submit(
    2,
    ['bob'],
    exercise('Delegation', delegation!, 'ArchiveDelegated', { delegated: delegated! }),
  );
  const [submitted] = ledger.run(step).submitted;
  expect(submitted!.error).toBeUndefined();
  expect(submitted!.disclosed.map(({ contractId }) => contractId)).toEqual([delegated]);
  // A reader that is a stakeholder sees it.
  const read = { ...submission(['bob'], ...submitted!.submission.commands), readAs: ['alice'] };
  expect(ledger.probe.submit(read).disclosed).toEqual([]);
});

it('commits both submissions of a race only if the first leaves the inputs of the second active', () => {
  const ledger = opened();
  ledger.run(submit(0, ['alice'], dummy));
  const [id] = ids(ledger);
  const consume = submission(['alice'], exercise('Dummy', id!, 'Consume'));
  const look = submission(['alice'], exercise('Dummy', id!, 'Look'));
  const mark = ledger.mark();
  const codes = (submissions: readonly [typeof look, typeof look]) =>
    ledger.run({ kind: 'race', number: 1, submissions }).submitted.map(({ error }) => error?.code);
  expect(codes([look, consume])).toEqual([undefined, undefined]);
  ledger.revert(mark);
  expect(codes([consume, look])).toEqual([undefined, 'LOCAL_VERDICT_INACTIVE_CONTRACTS']);
});

it('uses a contract with a key that the submitter does not see, after those that it sees', () => {
  const id = `${keysPackage.id}:Keys:Account`;
  const account = (owner: string, ...readers: readonly string[]) =>
    ({ kind: 'create', templateId: id, payload: { owner, number: '1', readers } }) as const;
  const close = {
    kind: 'exerciseByKey',
    templateId: id,
    key: { _1: 'alice', _2: '1' },
    choice: 'Close',
    argument: {},
  } as const;
  const ledger = opened();
  ledger.run(submit(0, ['alice'], account('alice')));
  expect(ledger.withKey(id, close.key)?.contractId).toBe(ids(ledger)[0]);
  expect(ledger.withKey(id, { ...close.key, _2: '2' })).toBeUndefined();
  const mark = ledger.mark();
  const [closed] = ledger.run(submit(1, ['alice'], close)).submitted;
  expect(closed!.error).toBeUndefined();
  expect(ids(ledger)).toEqual([]);
  // A revert restores the key.
  ledger.revert(mark);
  const [tried] = ledger.run(submit(2, ['bob'], close)).submitted;
  expect(tried!.error?.code).toBe('DAML_AUTHORIZATION_ERROR');
  expect(tried!.disclosed.map(({ contractId }) => contractId)).toEqual(ids(ledger));
});

it('forgets contracts and witnesses at a revert', () => {
  const contracts = new IdeContracts();
  const ledger = opened();
  ledger.run(submit(0, ['alice'], create('Delegated', { owner: 'alice' })));
  ledger.run(submit(1, ['alice'], create('Delegation', { owner: 'alice', delegate: 'bob' })));
  for (const contract of ledger.active()) contracts.put(contract);
  const [delegated, delegation] = ids(ledger);
  const look = exercise('Delegation', delegation!, 'FetchDelegated', { delegated: delegated! });
  const [looked] = ledger.run(
    submit(2, ['bob'], look, create('Coin', { owner: 'bob', label: 'x' })),
  ).submitted;
  const seen = () => [...contracts.get(delegated!)!.seenBy];
  const mark = contracts.mark();
  contracts.apply(looked!.transaction!, 1);
  expect(seen()).toStrictEqual(['alice', 'bob']);
  const coin = contracts.all().at(-1)!.instance.contractId;
  contracts.revert(mark);
  expect(seen()).toEqual(['alice']);
  expect(contracts.get(coin)).toBeUndefined();
  expect(contracts.ofTemplate(modelId('Coin'))).toEqual([]);
});

it('ends computations at the limit of looks, not before', () => {
  const isLate = lookLimit();
  for (let looks = 0; looks < MAX_LOOKS; looks++) expect(isLate()).toBe(false);
  expect(isLate()).toBe(true);
});

it('gives both submissions of a race, and tried ones, different ids', () => {
  const ledger = opened();
  const one = submission(['alice'], dummy);
  ledger.run({ kind: 'race', number: 7, submissions: [one, one] });
  const tried = ledger.probe.submit(one).transaction!.nodes[0]!;
  const triedId = tried.kind === 'create' ? tried.contract.contractId : '';
  expect(new Set([...ids(ledger), triedId]).size).toBe(3);
});

it('advances the time, at most to the last time of Daml', () => {
  const ledger = opened();
  ledger.run({ kind: 'advance', number: 0, micros: 5n });
  expect(ledger.now).toBe(5n);
  ledger.run({ kind: 'advance', number: 1, micros: 2n ** 62n });
  expect(ledger.now).toBe(253_402_300_799_999_999n);
});

it('tries a submission without an effect', () => {
  const ledger = opened();
  const tried = ledger.probe.submit(submission(['alice'], dummy));
  expect(tried.transaction?.nodes).toHaveLength(1);
  expect(ids(ledger)).toEqual([]);
});

it('runs functions of users as steps', () => {
  const name = 'twice';
  const actions = new Map([
    [
      name,
      {
        name,
        argument: { kind: 'text' } as const,
        act: (
          ledger: import('../../../src/fuzzing/ledger/custom-action.js').ActingLedger,
          argument: unknown,
        ) => {
          ledger.submit(submission(['alice'], dummy));
          ledger.advance(3n);
          if (argument === 'no') throw new Error('refused');
          ledger.submit(submission(['alice'], dummy));
        },
      },
    ],
  ]);
  const ledger = new FuzzLedger(packages, start, { actions });
  const run = (number: number, argument: string) =>
    ledger.run({ kind: 'custom', number, action: name, argument });
  expect(run(0, 'yes')).toMatchObject({ failure: undefined, submitted: [{}, {}] });
  expect(run(1, 'no')).toMatchObject({ failure: 'refused', submitted: [{}] });
  expect(ledger.now).toBe(6n);
  expect(new Set(ids(ledger)).size).toBe(3);
});

it('returns to a mark after any steps', () => {
  const chosen = [modelPackage, keysPackage];
  const actions = new ActionSet({ packages, chosen, only: KEYED_AND_OTHERS });
  check(
    fc.property(fc.string(), fc.nat(15), fc.nat(15), (seed, before, after) => {
      const ledger = opened();
      const values = new ValueSource(new Random(seed), ledger);
      for (let number = 0; number < before; number++) ledger.run(actions.next(values, number));
      const contents = contentsOf(ledger);
      const mark = ledger.mark();
      const steps = Array.from({ length: after }, (_, index) => {
        const step = actions.next(values, before + index);
        ledger.run(step);
        return step;
      });
      const later = contentsOf(ledger);
      ledger.revert(mark);
      expect(contentsOf(ledger)).toEqual(contents);
      // The same steps have the same effect again, with keys and ids.
      for (const step of steps) ledger.run(step);
      expect(contentsOf(ledger)).toEqual(later);
    }),
  );
});

it('ends a computation after the machine looked at the time twenty times', () => {
  const isOver = lookLimit();
  expect(Array.from({ length: 20 }, isOver)).not.toContain(true);
  expect(isOver()).toBe(true);
});
