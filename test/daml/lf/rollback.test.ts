/** What is rolled back leaves numbers and uses, and nothing else (B-EVT-004, B-EVT-007). */
import { e, p, u, type Code } from '../../support/lf-code.js';
import { eventFormat, updateFormat, type Told } from '../../support/ledger-api.js';
import { encodePackage, type ModuleSpec } from '../../support/lf-encoder.js';
import { lfLedger, OWNER, probeModule, type Question } from '../../support/lf-probe.js';
import { t } from '../../support/lf-types.js';

const ERR = t.con('Main:Err');
const ITEM = t.con('Main:Item');
const CID = t.contractId(ITEM);
const UPDATE = 17;
const owners = e.list(t.party, [e.field(ITEM, 'owner', e.var('this'))]);
const fail = e.throw(t.builtin(UPDATE, t.unit), ERR, e.record(ERR, { code: e.int(1) }));
const create = (label: string) =>
  u.create('Main:Item', e.record(ITEM, { owner: OWNER, label: e.text(label) }));
const attempt = (body: Code) =>
  u.tryCatch(t.unit, body, 'x', e.some(t.builtin(UPDATE, t.unit), u.pure(t.unit, e.unit)));
const sequence = (...steps: Code[]) =>
  u.block(
    steps.map((step) => [undefined, t.unit, step] as const),
    u.pure(t.unit, e.unit),
  );

const definitions: ModuleSpec = {
  types: { Err: { record: { code: t.int64 } } },
  exceptions: { Err: e.lambda({ x: ERR }, e.text('an error')) },
  templates: {
    Item: {
      fields: { owner: t.party, label: t.text },
      precondition: e.true,
      signatories: owners,
      choices: {
        Use: {
          argument: t.unit,
          returns: t.unit,
          controllers: owners,
          update: u.pure(t.unit, e.unit),
        },
      },
    },
  },
};

const questions: Readonly<Record<string, Question>> = {
  FailsAfterCreate: {
    type: t.unit,
    update: sequence(attempt(sequence(create('gone'), fail)), create('stays')),
  },
  Succeeds: {
    type: t.unit,
    update: sequence(attempt(sequence(create('first'))), create('second')),
  },
  FailsAtTheEnd: {
    type: t.unit,
    update: sequence(create('stays'), attempt(sequence(create('gone'), fail))),
  },
  Nested: {
    type: t.unit,
    update: sequence(
      attempt(sequence(attempt(sequence(create('inner'), fail)), create('outer'), fail)),
      create('stays'),
    ),
  },
  ConsumeAgain: {
    type: t.unit,
    update: u.block(
      [
        ['cid', CID, create('used')],
        [
          undefined,
          t.unit,
          attempt(sequence(u.exercise('Main:Item', 'Use', e.var('cid'), e.unit), fail)),
        ],
      ],
      u.exercise('Main:Item', 'Use', e.var('cid'), e.unit),
    ),
  },
  UseOfTheRolledBack: {
    type: t.unit,
    update: u.block(
      [
        [
          'cid',
          CID,
          u.tryCatch(
            CID,
            u.block(
              [['cid', CID, create('gone')]],
              e.throw(
                t.builtin(UPDATE, CID),
                t.con('Main:Carry'),
                e.record(t.con('Main:Carry'), { cid: e.var('cid') }),
              ),
            ),
            'x',
            e.match(
              e.fromAnyException(t.con('Main:Carry'), e.var('x')),
              [p.none, e.none(t.builtin(UPDATE, CID))],
              [
                p.some('carry'),
                e.some(
                  t.builtin(UPDATE, CID),
                  u.pure(CID, e.field(t.con('Main:Carry'), 'cid', e.var('carry'))),
                ),
              ],
            ),
          ),
        ],
      ],
      u.exercise('Main:Item', 'Use', e.var('cid'), e.unit),
    ),
  },
};

const module_: ModuleSpec = {
  ...definitions,
  types: { ...definitions.types, Carry: { record: { cid: CID } } },
  exceptions: {
    Err: e.lambda({ x: ERR }, e.text('an error')),
    Carry: e.lambda({ x: t.con('Main:Carry') }, e.text('carries')),
  },
};

const ledger = lfLedger(encodePackage({ modules: { Main: probeModule(questions, module_) } }));

/** Labels of the items that a question leaves, new ones last. */
function asked(name: string): readonly unknown[] {
  expect(ledger.ask(name)).toEqual({});
  return ledger.canticle.participant
    .activeContracts()
    .filter(({ templateId }) => templateId.endsWith(':Item'))
    .map(({ payload }) => (payload as { label: string }).label);
}

/** Kind and number of each node that Alice sees of a question's transaction, and the last descendant of its root. */
async function nodesOf(name: string): Promise<readonly unknown[]> {
  const { canticle, alice } = ledger;
  ledger.ask(name);
  const answer = await canticle.handle({
    method: 'POST',
    path: '/v2/updates/update-by-offset',
    body: {
      offset: canticle.participant.ledgerEnd,
      updateFormat: updateFormat('LEDGER_EFFECTS', eventFormat([alice])),
    },
  });
  const { events } = (answer.json() as Told)['update'].Transaction.value as { events: Told[] };
  return events.map((event) => {
    const [[kind, { nodeId, lastDescendantNodeId }]] = Object.entries(event) as [[string, Told]];
    return [kind, nodeId, ...(lastDescendantNodeId === undefined ? [] : [lastDescendantNodeId])];
  });
}

test('creates inside of a scope that failed are gone; others stay', () => {
  expect(asked('FailsAfterCreate')).toEqual(['stays']);
  expect(asked('Succeeds')).toEqual(['stays', 'first', 'second']);
  expect(asked('FailsAtTheEnd').slice(3)).toEqual(['stays']);
  expect(asked('Nested').slice(4)).toEqual(['stays']);
});

test('a contract that was consumed inside is active again', () => {
  expect(ledger.ask('ConsumeAgain')).toEqual({});
});

test('a contract that was created inside is not known afterwards', () => {
  expect(ledger.ask('UseOfTheRolledBack')).toMatchObject({ refused: 'CONTRACT_NOT_FOUND' });
});

test('nodes that were rolled back are not shown, and count; scopes that were not leave no gap', async () => {
  expect(await nodesOf('FailsAfterCreate')).toEqual([
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
