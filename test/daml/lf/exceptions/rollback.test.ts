/** Rollbacks: reads leave node numbers and uses (B-EVT-004, B-EVT-007), and ledger changes cannot roll back (protocol version 35). */
import { e, p, u, type Code } from '../../../support/daml/lf-code.js';
import { eventFormat, updateFormat, type JsonAnswer } from '../../../support/ledger-api.js';
import { encodePackage, type ModuleSpec } from '../../../support/daml/lf-encoder.js';
import {
  earlierLedger,
  lfLedger,
  OWNER,
  probeModule,
  type Question,
  type Refusal,
} from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

const ERR = t.con('Main:Err');
const CARRY = t.con('Main:Carry');
const ITEM = t.con('Main:Item');
const CID = t.contractId(ITEM);
const UPDATE = 17;
const owners = e.list(t.party, [e.field(ITEM, 'owner', e.var('this'))]);
const fail = e.throw(t.builtin(UPDATE, t.unit), ERR, e.record(ERR, { code: e.int(1) }));
const createItem = (label: string) =>
  u.create('Main:Item', e.record(ITEM, { owner: OWNER, label: e.text(label) }));
/** The same update, for what it does alone. */
const discard = (type: LfTypeSpec, update: Code) =>
  u.block([[undefined, type, update]], u.pure(t.unit, e.unit));
const create = (label: string) => discard(CID, createItem(label));
const look = discard(t.con('Main:Probe'), u.fetch('Main:Probe', e.var('self')));
const attempt = (body: Code) =>
  u.tryCatch(t.unit, body, 'x', e.some(t.builtin(UPDATE, t.unit), u.pure(t.unit, e.unit)));
const sequence = (...steps: Code[]) =>
  u.block(
    steps.map((step) => [undefined, t.unit, step] as const),
    u.pure(t.unit, e.unit),
  );
const use = (choice: string) => u.exercise('Main:Item', choice, e.var('cid'), e.unit);
const withItem = (...steps: Code[]) =>
  u.block([['cid', CID, createItem('item')]], sequence(...steps));

const choice = (consuming: boolean) => ({
  consuming,
  argument: t.unit,
  returns: t.unit,
  controllers: owners,
  update: u.pure(t.unit, e.unit),
});
const definitions: ModuleSpec = {
  types: { Err: { record: { code: t.int64 } }, Carry: { record: { cid: CID } } },
  exceptions: {
    Err: e.lambda({ x: ERR }, e.text('an error')),
    Carry: e.lambda({ x: CARRY }, e.text('carries')),
  },
  templates: {
    Item: {
      fields: { owner: t.party, label: t.text },
      precondition: e.true,
      signatories: owners,
      choices: { Use: choice(true), Look: choice(false) },
    },
  },
};

/** The id of an item that is rolled back. */
const carried = u.tryCatch(
  CID,
  u.block(
    [['cid', CID, createItem('gone')]],
    e.throw(t.builtin(UPDATE, CID), CARRY, e.record(CARRY, { cid: e.var('cid') })),
  ),
  'x',
  e.match(
    e.fromAnyException(CARRY, e.var('x')),
    [p.none, e.none(t.builtin(UPDATE, CID))],
    [
      p.some('carry'),
      e.some(t.builtin(UPDATE, CID), u.pure(CID, e.field(CARRY, 'cid', e.var('carry')))),
    ],
  ),
);

const questions: Readonly<Record<string, Question>> = {
  FailsAfterLook: {
    type: t.unit,
    update: sequence(attempt(sequence(look, fail)), create('stays')),
  },
  Succeeds: {
    type: t.unit,
    update: sequence(attempt(sequence(create('first'))), create('second')),
  },
  FailsAtTheEnd: {
    type: t.unit,
    update: sequence(create('stays'), attempt(sequence(look, fail))),
  },
  Nested: {
    type: t.unit,
    update: sequence(attempt(sequence(attempt(sequence(look, fail)), look, fail)), create('stays')),
  },
  LookThenUse: { type: t.unit, update: withItem(attempt(sequence(use('Look'), fail)), use('Use')) },
  Use: { type: t.unit, update: withItem(attempt(sequence(use('Use'), fail)), use('Look')) },
  Create: { type: t.unit, update: attempt(sequence(create('gone'), fail)) },
  CreateInASuccess: {
    type: t.unit,
    update: attempt(sequence(attempt(sequence(create('gone'))), fail)),
  },
  CreateAndUse: { type: t.unit, update: attempt(withItem(use('Use'), fail)) },
  UseOfTheRolledBack: {
    type: t.unit,
    update: u.block([['cid', CID, carried]], use('Use')),
  },
  UseOfTheRolledBackAmongMany: {
    type: t.unit,
    update: u.block(
      [...Array(9).fill([undefined, CID, createItem('one of many')]), ['cid', CID, carried]],
      use('Use'),
    ),
  },
  CreatedAgain: {
    type: t.list(CID),
    update: u.block(
      [
        ['gone', CID, carried],
        ['made', CID, createItem('stays')],
      ],
      u.pure(t.list(CID), e.list(CID, [e.var('gone'), e.var('made')])),
    ),
  },
  NothingElse: { type: t.unit, update: attempt(fail) },
  CaughtFurtherOut: {
    type: t.unit,
    update: attempt(sequence(attempt(sequence(create('gone'), fail)))),
  },
};

const main = encodePackage({ modules: { Main: probeModule(questions, definitions) } });
const ledger = lfLedger(main);

/** Labels of the items that a question leaves. */
function itemsAfter(name: string): readonly unknown[] {
  const items = () =>
    ledger.canticle.participant
      .activeContracts()
      .filter(({ templateId }) => templateId.endsWith(':Item'))
      .map(({ payload }) => (payload as { label: string }).label);
  const before = items().length;
  expect(ledger.evaluate(name)).toEqual({});
  return items().slice(before);
}

/** Kind and number of each node that Alice sees of a question's transaction, and the last descendant of its root. */
async function nodesOf(name: string): Promise<readonly unknown[]> {
  const { canticle, alice } = ledger;
  ledger.evaluate(name);
  const answer = await canticle.handle({
    method: 'POST',
    path: '/v2/updates/update-by-offset',
    body: {
      offset: canticle.participant.ledgerEnd,
      updateFormat: updateFormat('LEDGER_EFFECTS', eventFormat([alice])),
    },
  });
  const { events } = (answer.json() as JsonAnswer)['update'].Transaction.value as {
    events: JsonAnswer[];
  };
  return events.map((event) => {
    const [[kind, { nodeId, lastDescendantNodeId }]] = Object.entries(event) as [
      [string, JsonAnswer],
    ];
    return [kind, nodeId, ...(lastDescendantNodeId === undefined ? [] : [lastDescendantNodeId])];
  });
}

test('keeps the effects before, after and inside try blocks that did not fail', () => {
  expect(itemsAfter('FailsAfterLook')).toEqual(['stays']);
  expect(itemsAfter('Succeeds')).toEqual(['first', 'second']);
  expect(itemsAfter('FailsAtTheEnd')).toEqual(['stays']);
  expect(itemsAfter('Nested')).toEqual(['stays']);
  expect(itemsAfter('LookThenUse')).toEqual([]);
});

const ITEM_ID = `Main:Item@${main.id.slice(0, 8)}`;
const CREATED = `Create of ${ITEM_ID} \\( 00[0-9a-f]{136} \\)`;
const USED = `Consuming exercise of Use on ${ITEM_ID} \\( 00[0-9a-f]{136} \\)`;

test.each([
  ['Use', USED],
  ['Create', CREATED],
  ['CreateInASuccess', CREATED],
  ['CreateAndUse', `${USED}, \n${CREATED}`],
  ['CaughtFurtherOut', CREATED],
])('rejects the rollback of a created or consumed contract: %s', (name, nodes) => {
  const { refused, cause } = ledger.evaluate(name) as Refusal;
  expect(refused).toBe('DAML_EFFECTFUL_ROLLBACK_ERROR');
  expect(cause).toMatch(
    new RegExp(
      `^Interpretation error: Error: Tried to rollback side-effectful node\\(s\\): ${nodes}$`,
    ),
  );
});

test('rolled-back nodes use node ids, and successful try blocks do not', async () => {
  expect(await nodesOf('FailsAfterLook')).toEqual([
    ['ExercisedEvent', 0, 3],
    ['CreatedEvent', 3],
  ]);
  expect(await nodesOf('Succeeds')).toEqual([
    ['ExercisedEvent', 0, 2],
    ['CreatedEvent', 1],
    ['CreatedEvent', 2],
  ]);
  expect(await nodesOf('FailsAtTheEnd')).toEqual([
    ['ExercisedEvent', 0, 1],
    ['CreatedEvent', 1],
  ]);
});

test('an exercise that only catches an exception is its own last descendant', async () => {
  expect(await nodesOf('NothingElse')).toEqual([['ExercisedEvent', 0, 0]]);
});

describe('up to protocol version 34', () => {
  const earlier = earlierLedger(main);
  const items = () =>
    earlier.canticle.participant
      .activeContracts()
      .filter(({ templateId }) => templateId.endsWith(':Item')).length;

  test.each(['Create', 'CreateInASuccess', 'CreateAndUse', 'CaughtFurtherOut'])(
    'a caught exception rolls back a created contract: %s',
    (name) => {
      const before = items();
      expect(earlier.evaluate(name)).toEqual({});
      expect(items()).toBe(before);
    },
  );

  test('a caught exception makes a consumed contract active again', () => {
    const before = items();
    expect(earlier.evaluate('Use')).toEqual({});
    expect(items()).toBe(before + 1);
  });

  test('a contract created afterwards has another id', () => {
    const [gone, made] = earlier.evaluate('CreatedAgain') as [string, string];
    expect(made.slice(0, 66)).not.toBe(gone.slice(0, 66));
    expect(earlier.canticle.participant.contract(gone)).toBeUndefined();
    expect(earlier.canticle.participant.contract(made)).toBeDefined();
  });

  test('a contract that was created in a rollback is unknown afterwards', () => {
    for (const name of ['UseOfTheRolledBack', 'UseOfTheRolledBackAmongMany'])
      expect(earlier.evaluate(name)).toMatchObject({ refused: 'CONTRACT_NOT_FOUND' });
  });
});
