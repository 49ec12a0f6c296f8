/**
 * Exceptions in a contract's metadata, which the ledger computes: a handler catches them at the creation, but never at a use by
 * another version (upstream ExceptionTest, `metadata exceptions`). The template's name says which part throws in its second version.
 */
import { createCanticle } from 'canticle';
import { e, u, type BindingCode, type Code } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type ModuleSpec,
  type TemplateSpec,
} from '../../../support/daml/lf-encoder.js';
import { answer, uncheckedPackages } from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

const PARTIES = t.list(t.party);
const VIEW = { record: {} };
const [UPDATE_TEXT, PAIRS] = [
  t.builtin(17, t.text),
  '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types:Tuple2',
];
const method = (name: string) => e.callInterface('Main:Face', name, e.var('this'));

const common = encodePackage({
  name: 'common',
  lf: '3',
  modules: {
    Main: {
      types: { View: VIEW, Ex: { record: { message: t.text } } },
      exceptions: {
        Ex: e.lambda({ x: t.con('Main:Ex') }, e.field(t.con('Main:Ex'), 'message', e.var('x'))),
      },
      interfaces: {
        Face: {
          view: t.con('Main:View'),
          methods: { controllers: PARTIES, observers: PARTIES, body: UPDATE_TEXT },
          choices: {
            Use: {
              consuming: false,
              argument: t.unit,
              returns: t.text,
              controllers: method('controllers'),
              observers: method('observers'),
              update: method('body'),
            },
          },
        },
      },
    },
  },
});
const FACE = `${common.id}:Main:Face`;
const EX = t.con(`${common.id}:Main:Ex`);
const throws = (type: LfTypeSpec, message: string) =>
  e.throw(type, EX, e.record(EX, { message: e.text(message) }));

const METADATA = ['Precondition', 'Signatories', 'Observers', 'Key', 'Maintainers'].concat(
  'MaintainersFunction',
);
const CHOICE = ['ChoiceControllers', 'ChoiceObservers'];
/** Of the last, nothing throws. */
const POINTS = [...METADATA, ...CHOICE, 'ChoiceBody', 'Nothing'];
const USED = [...METADATA, 'Nothing'];

/** The template in which, in the second version, one point throws. */
function template(point: string, isSecond: boolean): TemplateSpec {
  const T = t.con(`Main:${point}`);
  const owners = e.list(t.party, [e.field(T, 'owner', e.var('this'))]);
  const at = (here: string, type: LfTypeSpec, value: Code) =>
    isSecond && here === point ? throws(type, point) : value;
  const choiceParts = {
    controllers: at('ChoiceControllers', PARTIES, owners),
    observers: at('ChoiceObservers', PARTIES, e.nil(t.party)),
  };
  const body = u.pure(t.text, at('ChoiceBody', t.text, e.text('used')));
  return {
    fields: { owner: t.party },
    precondition: at('Precondition', t.bool, e.true),
    signatories: at('Signatories', PARTIES, owners),
    observers: at('Observers', PARTIES, e.nil(t.party)),
    key: {
      type: t.party,
      body: at('Key', t.party, e.field(T, 'owner', e.var('this'))),
      maintainers: at(
        'MaintainersFunction',
        t.arrow(t.party, PARTIES),
        e.lambda({ key: t.party }, at('Maintainers', PARTIES, e.list(t.party, [e.var('key')]))),
      ),
    },
    choices: {
      Use: {
        consuming: false,
        argument: t.unit,
        returns: t.text,
        ...choiceParts,
        update: body,
      },
    },
    implements: {
      [FACE]: {
        view: e.record(t.con(`${common.id}:Main:View`), {}),
        methods: { ...choiceParts, body },
      },
    },
  };
}
const version = (number: 1 | 2) =>
  encodePackage({
    name: 'failing',
    version: `${number}.0.0`,
    lf: '3',
    imports: [common.id],
    modules: {
      Main: {
        templates: Object.fromEntries(
          POINTS.map((point) => [point, template(point, number === 2)]),
        ),
      },
    },
  });
const [first, second] = [version(1), version(2)];

const RUNNER = t.con('Main:Runner');
const ARGUMENT = t.con('Main:Argument');
const OWNER = e.field(RUNNER, 'owner', e.var('this'));
const made = (point: string, of = first) => {
  const type = t.con(`${of.id}:Main:${point}`);
  return [type, u.create(`${of.id}:Main:${point}`, e.record(type, { owner: OWNER }))] as const;
};
const caught = (body: Code) =>
  u.tryCatch(t.text, body, 'x', e.some(UPDATE_TEXT, u.pure(t.text, e.text('caught'))));
const alone = (type: LfTypeSpec, update: Code) =>
  u.block([[undefined, type, update]], u.pure(t.text, e.text('used')));

interface Use {
  readonly points: readonly string[];
  readonly use: (point: string, id: Code) => Code;
}
const as = (point: string, to: LfTypeSpec, id: Code) =>
  e.call(e.builtin('COERCE_CONTRACT_ID', t.con(`${first.id}:Main:${point}`), to), id);
const wanted = (point: string) => `${second.id}:Main:${point}`;
const pairOf = (point: string) =>
  t.con(PAIRS, t.contractId(t.con(wanted(point))), t.con(wanted(point)));
const USES: Readonly<Record<string, Use>> = {
  Exercise: {
    points: POINTS,
    use: (point, id) =>
      u.exercise(wanted(point), 'Use', as(point, t.con(wanted(point)), id), e.unit),
  },
  ExerciseByKey: {
    points: USED,
    use: (point) => u.exerciseByKey(wanted(point), 'Use', OWNER, e.unit),
  },
  ExerciseByInterface: {
    points: POINTS,
    use: (point, id) => u.exerciseInterface(FACE, 'Use', as(point, t.con(FACE), id), e.unit),
  },
  Fetch: {
    points: USED,
    use: (point, id) =>
      alone(t.con(wanted(point)), u.fetch(wanted(point), as(point, t.con(wanted(point)), id))),
  },
  FetchByInterface: {
    points: USED,
    use: (point, id) => alone(t.con(FACE), u.fetchInterface(FACE, as(point, t.con(FACE), id))),
  },
  FetchByKey: {
    points: USED,
    use: (point) => alone(pairOf(point), e.call(u.fetchByKey(wanted(point)), OWNER)),
  },
  QueryByKey: {
    points: USED,
    use: (point) =>
      alone(
        t.optional(t.list(pairOf(point))),
        e.call(u.queryNByKey(wanted(point)), e.int(1), OWNER),
      ),
  },
};

const given = (point: string) => e.field(ARGUMENT, point, e.var('arg'));
const ORIGINS: Readonly<Record<string, (point: string) => readonly [BindingCode[], Code]>> = {
  known: (point) => [[], given(point)],
  made: (point) => {
    const [type, create] = made(point);
    return [[['id', t.contractId(type), create]], e.var('id')];
  },
};
const questions: Record<string, Code> = {};
for (const point of POINTS) {
  const [type, create] = made(point, second);
  questions[`Create${point}`] = caught(alone(t.contractId(type), create));
}
for (const [way, { points, use }] of Object.entries(USES))
  for (const point of points)
    for (const [origin, of] of Object.entries(ORIGINS)) {
      const [before, id] = of(point);
      const used = caught(use(point, id));
      questions[`${way}${origin}${point}`] = before.length === 0 ? used : u.block(before, used);
    }

const owners = e.list(t.party, [OWNER]);
const runner: ModuleSpec = {
  types: {
    Argument: {
      record: Object.fromEntries(
        POINTS.map((point) => [point, t.contractId(t.con(`${first.id}:Main:${point}`))]),
      ),
    },
  },
  templates: {
    Runner: {
      fields: { owner: t.party },
      precondition: e.true,
      signatories: owners,
      choices: Object.fromEntries(
        Object.entries(questions).map(([name, update]) => [
          name,
          { consuming: false, argument: ARGUMENT, returns: t.text, controllers: owners, update },
        ]),
      ),
    },
  },
};
const main = encodePackage({
  name: 'runner',
  lf: '3',
  imports: [common.id, first.id, second.id],
  modules: { Main: runner },
});

const packages = uncheckedPackages([common, first, second, main]);
const { participant } = createCanticle({ seed: 1, packages: [...packages] });
const owner = participant.allocateParty('alice');
const create = (template: string) => participant.create(template, { owner }, { actAs: owner });
const known = Object.fromEntries(
  POINTS.map((point) => [point, create(`${first.id}:Main:${point}`)]),
);
const running = create(`${main.id}:Main:Runner`);
const outcomeOf = (name: string) =>
  answer(
    () =>
      participant.exercise(`${main.id}:Main:Runner`, running, name, known, { actAs: owner }).result,
  );

test.each(METADATA)("a handler catches an exception of a new contract's %s", (point) => {
  expect(outcomeOf(`Create${point}`)).toBe('caught');
});

describe.each(Object.entries(USES))('%s', (way, { points }) => {
  describe.each(Object.keys(ORIGINS))('a contract that was %s', (origin) => {
    test.each(points.filter((point) => METADATA.includes(point) || CHOICE.includes(point)))(
      'no handler catches an exception of its %s',
      (point) => {
        expect(outcomeOf(`${way}${origin}${point}`)).toMatchObject({
          refused: 'DAML_FAILURE',
          context: { error_id: 'UNHANDLED_EXCEPTION/Main:Ex' },
          cause: expect.stringMatching(new RegExp(`: ${point}$`)) as string,
        });
      },
    );

    test('works if nothing throws', () => {
      expect(outcomeOf(`${way}${origin}Nothing`)).toBe('used');
    });
  });
});

test.each(['Exercise', 'ExerciseByInterface'])(
  '%s: a handler catches an exception of the choice body',
  (way) => {
    for (const origin of Object.keys(ORIGINS))
      expect(outcomeOf(`${way}${origin}ChoiceBody`)).toBe('caught');
  },
);
