/**
 * External parties and exceptions of compiled Daml. The prepared transaction shows rolled-back nodes in the scopes of Canton's normal
 * form. Both hash and effects match the message (B-INT-013, B-EVT-004, B-EVT-007).
 */
import {
  decodePreparedTransaction,
  hashPreparedTransaction,
} from '@canton-network/core-tx-visualizer';
import { diffTraces, type TraceNode, type TransactionTrace } from 'canticle';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, u, type Code } from '../../support/daml/lf-code.js';
import {
  create,
  eventFormat,
  exercise,
  startLedgerApi,
  wildcard,
  type LedgerApi,
  type JsonAnswer,
} from '../../support/ledger-api.js';
import { encodePackage, type ModuleSpec } from '../../support/daml/lf-encoder.js';
import { OWNER, probeModule, type Question } from '../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';
import {
  onboard,
  PREPARE,
  preparation,
  sign,
  type ExternalParty,
  type PreparedAnswer,
} from './external-party.js';

const ERR = t.con('Main:Err');
const ITEM = t.con('Main:Item');
const owners = e.list(t.party, [e.field(ITEM, 'owner', e.var('this'))]);
const FAIL = e.throw(t.builtin(17, t.unit), ERR, e.record(ERR, { code: e.int(1) }));
/** The same update, for what it does alone. */
const discard = (type: LfTypeSpec, update: Code) =>
  u.block([[undefined, type, update]], u.pure(t.unit, e.unit));
const sequence = (...steps: Code[]) =>
  u.block(
    steps.map((step) => [undefined, t.unit, step] as const),
    u.pure(t.unit, e.unit),
  );
const attempt = (...steps: Code[]) =>
  u.tryCatch(
    t.unit,
    sequence(...steps),
    'x',
    e.some(t.builtin(17, t.unit), u.pure(t.unit, e.unit)),
  );
/** A scope that is rolled back. */
const roll = (...steps: Code[]) => attempt(...steps, FAIL);

const newItem = (label: string) =>
  u.create('Main:Item', e.record(ITEM, { owner: OWNER, label: e.text(label) }));
const C = (label: string) => discard(t.contractId(ITEM), newItem(label));
const F = discard(t.con('Main:Probe'), u.fetch('Main:Probe', e.var('self')));
const X = (choice: string) => u.exercise('Main:Probe', choice, e.var('self'), e.unit);
const STAYS = C('stays');
const split = u.exercise('Main:Item', 'Split', e.var('cid'), e.unit);

/** The body of a choice, and its expected form in the message: F fetch, C create, X exercise, R rollback; ! for no result. */
const SHAPES: Readonly<Record<string, readonly [Code, string]>> = {
  Look: [F, 'X(F)'],
  LookAndFail: [sequence(F, FAIL), ''],
  Succeeds: [sequence(attempt(C('first')), STAYS), 'X(C C)'],
  OneFetch: [sequence(roll(F), STAYS), 'X(R(F) C)'],
  Exercise: [roll(X('Look')), 'X(R(X(F)))'],
  AbortedExercise: [sequence(attempt(X('LookAndFail')), STAYS), 'X(R(X!(F)) C)'],
  SuccessInside: [roll(F, attempt(F), F), 'X(R(F F F))'],
  // The cases of the upstream NormalizeRollbacksSpec, in an exercise, with looks for what it creates.
  Two: [sequence(F, F), 'X(F F)'],
  NotEmpty: [roll(F), 'X(R(F))'],
  NotEmptyBetween: [sequence(F, roll(F), F), 'X(F R(F) F)'],
  EmptyExercise: [X('Empty'), 'X(X)'],
  ExerciseBetween: [sequence(F, X('Empty'), F), 'X(F X F)'],
  Empty: [roll(), 'X'],
  EmptyAfter: [sequence(F, roll()), 'X(F)'],
  EmptyBefore: [sequence(roll(), F), 'X(F)'],
  EmptyInEmpty: [roll(roll()), 'X'],
  EmptyInAnExercise: [X('EmptyBetween'), 'X(X(F F))'],
  EmptyBetween: [sequence(F, roll(), F), 'X(F F)'],
  EmptySiblings: [sequence(roll(), roll()), 'X'],
  EmptyInside: [roll(F, roll(), F), 'X(R(F F))'],
  EmptyNested: [roll(roll(), roll()), 'X'],
  Nested: [roll(roll(F)), 'X(R(F))'],
  HeadNested: [roll(roll(F), F), 'X(R(F) R(F))'],
  HeadNestedTwice: [roll(roll(roll(F), F), F), 'X(R(F) R(F) R(F))'],
  TailNested: [roll(F, roll(F)), 'X(R(F F))'],
  TailNestedCascade: [roll(F, roll(F, roll(F))), 'X(R(F F F))'],
  TailNestedTwice: [roll(F, F, roll(F, roll(F))), 'X(R(F F F F))'],
  MixedNarrow: [roll(roll(F), F, roll(F)), 'X(R(F) R(F F))'],
  Mixed: [roll(roll(F), F, F, roll(F)), 'X(R(F) R(F F F))'],
  MixedInTail: [roll(F, roll(roll(F), F)), 'X(R(F R(F) F))'],
  MixedInHead: [roll(roll(F, roll(F)), F), 'X(R(F F) R(F))'],
  // Those of RollbackTest that take nothing back.
  CreatesNothing: [u.pure(t.unit, e.unit), 'X'],
  CreatesOne: [C('one'), 'X(C)'],
  CreatesThree: [sequence(C('one'), C('two'), C('three')), 'X(C C C)'],
  CreatesThreeNested: [sequence(sequence(C('one'), C('two')), C('three')), 'X(C C C)'],
  CatchesNothing: [sequence(attempt(C('one'), C('two')), C('three')), 'X(C C C)'],
  ExerciseInAScope: [
    u.block([['cid', t.contractId(ITEM), newItem('one')]], sequence(attempt(split, STAYS), STAYS)),
    'X(C X(C C) C C)',
  ],
};

/** Rollbacks that only protocol version 34 allows. */
const EFFECTS: Readonly<Record<string, readonly [Code, string]>> = {
  RollsBackACreate: [sequence(roll(C('gone')), STAYS), 'X(R(C) C)'],
  RollsBackTwoCreates: [sequence(roll(C('gone'), C('too')), STAYS), 'X(R(C C) C)'],
  RollsBackWhatTheOuterCatches: [
    sequence(
      attempt(
        u.tryCatch(t.unit, sequence(C('gone'), C('too'), FAIL), 'x', e.none(t.builtin(17, t.unit))),
      ),
      STAYS,
    ),
    'X(R(C C) C)',
  ],
  RollsBackAnAbortedExercise: [
    u.block(
      [['cid', t.contractId(ITEM), newItem('stays')]],
      attempt(u.exercise('Main:Item', 'SplitAndFail', e.var('cid'), e.unit), C('gone')),
    ),
    'X(C R(X!(C)))',
  ],
  RollsBackAnArchival: [
    u.block(
      [['cid', t.contractId(ITEM), newItem('stays')]],
      roll(u.exercise('Main:Item', 'Archive', e.var('cid'), e.unit), C('gone')),
    ),
    'X(C R(X C))',
  ],
  RollsBackACreateInAnExercise: [
    sequence(roll(X('RollsBackACreate'), F), STAYS),
    'X(R(X(R(C) C) F) C)',
  ],
};

const questions = Object.fromEntries(
  Object.entries({ ...SHAPES, ...EFFECTS }).map(([name, [update]]): [string, Question] => [
    name,
    { type: t.unit, update },
  ]),
);
const half = discard(t.contractId(ITEM), u.create('Main:Item', e.var('this')));
const ofItem = { argument: t.unit, returns: t.unit, controllers: owners };
const definitions: ModuleSpec = {
  types: { Err: { record: { code: t.int64 } } },
  exceptions: { Err: e.lambda({ x: ERR }, e.text('an error')) },
  templates: {
    Item: {
      fields: { owner: t.party, label: t.text },
      precondition: e.true,
      signatories: owners,
      choices: {
        Archive: {
          consuming: true,
          argument: t.unit,
          returns: t.unit,
          controllers: owners,
          update: u.pure(t.unit, e.unit),
        },
        Split: { ...ofItem, update: sequence(half, half) },
        SplitAndFail: { ...ofItem, update: sequence(half, FAIL, half) },
      },
    },
  },
};
const main = encodePackage({ modules: { Main: probeModule(questions, definitions) } });
const PROBE = `${main.id}:Main:Probe`;

interface World {
  readonly ledger: LedgerApi;
  readonly alice: ExternalParty;
  readonly probe: string;
}

async function worldOf(options: { protocolVersion?: 34 } = {}): Promise<World> {
  const ledger = await startLedgerApi({ dars: [buildDar(main)], ...options });
  const alice = await onboard(ledger, 'alice');
  const made = await sign(ledger, create(PROBE, { owner: alice.party }), alice);
  return { ledger, alice, probe: made.transaction.events[0].CreatedEvent.contractId };
}

/** The nodes of a message by kind, those below each in brackets. */
function shapeOf({ preparedTransaction }: PreparedAnswer): string {
  const { nodes, roots } = decodePreparedTransaction(preparedTransaction).transaction!;
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const text = (id: string): string => {
    const { versionedNode } = byId.get(id)!;
    const type = versionedNode.oneofKind === 'v1' ? versionedNode.v1.nodeType : undefined;
    const below = (children: readonly string[]) =>
      children.length === 0 ? '' : `(${children.map(text).join(' ')})`;
    switch (type?.oneofKind) {
      case 'exercise': {
        const { exerciseResult, children } = type.exercise;
        return `X${exerciseResult === undefined ? '!' : ''}${below(children)}`;
      }
      case 'rollback':
        return `R${below(type.rollback.children)}`;
      default:
        return { create: 'C', fetch: 'F' }[type?.oneofKind as 'create' | 'fetch'];
    }
  };
  return roots.map(text).join(' ');
}

/** The same of a trace. */
function tracedShape({ nodes }: TransactionTrace): string {
  const text = ({ id, kind, result }: TraceNode): string => {
    const children = nodes.filter(({ parent }) => parent === id);
    const below = children.length === 0 ? '' : `(${children.map(text).join(' ')})`;
    const letter = { exercise: 'X', create: 'C', fetch: 'F', rollback: 'R' } as JsonAnswer;
    return letter[kind] + (kind === 'exercise' && result === undefined ? '!' : '') + below;
  };
  return nodes
    .filter(({ parent }) => parent === undefined)
    .map(text)
    .join(' ');
}

const expectHash = async ({ preparedTransaction, preparedTransactionHash }: PreparedAnswer) =>
  expect(await hashPreparedTransaction(preparedTransaction)).toBe(preparedTransactionHash);

/** Events by kind and number, as the committed transaction shows them. */
const numbersOf = (events: readonly JsonAnswer[]) =>
  events.map((event) => {
    const [[kind, { nodeId }]] = Object.entries<JsonAnswer>(event) as [[string, JsonAnswer]];
    return `${kind === 'CreatedEvent' ? 'C' : 'X'}${nodeId}`;
  });
const labels = ({ ledger, alice }: World) =>
  ledger
    .active(eventFormat([alice.party], wildcard()))
    .then((active) =>
      active.flatMap(({ createArgument }: JsonAnswer) => createArgument.label ?? []),
    );

describe('at protocol version 35', () => {
  let world: World;
  beforeAll(async () => {
    world = await worldOf();
  });
  afterAll(() => world.ledger.client.close());

  it.each(Object.entries(SHAPES).filter(([, [, shown]]) => shown !== ''))(
    '%s',
    async (choice, [, shown]) => {
      const { ledger, alice, probe } = world;
      const command = exercise(PROBE, probe, choice);
      const answer = await ledger.ok(PREPARE, preparation(command, alice.party));
      expect(shapeOf(answer)).toBe(shown);
      expect(tracedShape(ledger.canticle.trace(answer))).toBe(shown);
      await expectHash(answer);
    },
  );

  it('executes the signed transaction, whose events have the node ids of the prepared one', async () => {
    const { ledger, alice, probe } = world;
    for (const [choice, numbers] of [
      ['OneFetch', ['X0', 'C3']],
      ['AbortedExercise', ['X0', 'C4']],
      ['HeadNestedTwice', ['X0']],
    ] as const) {
      const before = (await labels(world)).length;
      const { transaction } = await sign(ledger, exercise(PROBE, probe, choice), alice);
      expect(numbersOf(transaction.events)).toEqual(numbers);
      expect((await labels(world)).length - before).toBe(numbers.length - 1);
    }
  });

  it.each(Object.keys(EFFECTS))(
    'does not prepare a transaction that cannot roll back: %s (R-34-080)',
    async (choice) => {
      const { ledger, alice, probe } = world;
      const command = exercise(PROBE, probe, choice);
      expect(await ledger.refusal(PREPARE, preparation(command, alice.party))).toBe(
        'DAML_EFFECTFUL_ROLLBACK_ERROR',
      );
    },
  );
});

describe('at protocol version 34', () => {
  let world: World;
  beforeAll(async () => {
    world = await worldOf({ protocolVersion: 34 });
  });
  afterAll(() => world.ledger.client.close());

  it.each(Object.entries(EFFECTS))(
    'signs and rolls back creates and archivals: %s (R-34-080)',
    async (choice, [, shown]) => {
      const { ledger, alice, probe } = world;
      const before = (await labels(world)).length;
      const { answer, transaction } = await sign(ledger, exercise(PROBE, probe, choice), alice);
      expect(shapeOf(answer)).toBe(shown);
      await expectHash(answer);
      const executed = ledger.canticle.trace(transaction.updateId);
      expect(tracedShape(executed)).toBe(shown);
      expect(diffTraces(ledger.canticle.trace(answer), executed)).toEqual([]);
      expect(numbersOf(transaction.events)).toHaveLength(2);
      const after = await labels(world);
      expect([after.length - before, after.includes('gone')]).toEqual([1, false]);
      const { nodes, nodeSeeds } = decodePreparedTransaction(
        answer.preparedTransaction,
      ).transaction!;
      const seeded = nodes.filter(({ versionedNode }) =>
        ['create', 'exercise'].includes((versionedNode as JsonAnswer).v1.nodeType.oneofKind),
      );
      expect(nodeSeeds.map(({ nodeId }) => nodeId)).toEqual(
        seeded.map(({ nodeId }) => Number(nodeId)).sort((a, b) => a - b),
      );
    },
  );
});
