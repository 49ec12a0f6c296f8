/**
 * Exceptions of a contract's code that handlers catch: all at its creation, none at its use (upstream SBuiltinTest, `ensure clause
 * exception`). Both versions throw where the payload says. The second version throws at uses only.
 */
import { e, u, type Code } from '../../../support/daml/lf-code.js';
import { encodePackage, type TemplateSpec } from '../../../support/daml/lf-encoder.js';
import { lfLedger, OWNER, probeModule, type Question } from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

const ERR = t.con('Main:Err');
const BOMB = t.con('Main:Bomb');
const PARTIES = t.list(t.party);
const field = (name: string, of = e.var('this')) => e.field(BOMB, name, of);
const owners = e.list(t.party, [field('owner')]);
const fails = (type: LfTypeSpec) => e.throw(type, ERR, e.record(ERR, { code: e.int(1) }));
/** Throws if the payload names the point. */
const at = (point: string, type: LfTypeSpec, value: Code) =>
  e.if(e.call(e.builtin('EQUAL', t.text), field('point'), e.text(point)), fails(type), value);

const bomb = (ensure: Code): TemplateSpec => ({
  fields: { owner: t.party, point: t.text },
  precondition: ensure,
  signatories: at('signatories', PARTIES, owners),
  observers: at('observers', PARTIES, e.nil(t.party)),
  key: {
    type: t.party,
    body: at('key', t.party, field('owner')),
    maintainers: e.lambda({ key: t.party }, e.list(t.party, [e.var('key')])),
  },
  choices: {
    Use: {
      consuming: false,
      argument: t.unit,
      returns: t.int64,
      controllers: at('controllers', PARTIES, owners),
      observers: at('choice observers', PARTIES, e.nil(t.party)),
      update: at('body', t.builtin(17, t.int64), u.pure(t.int64, e.int(1))),
    },
  },
});
const shared = {
  types: { Err: { record: { code: t.int64 } } },
  exceptions: { Err: e.lambda({ x: ERR }, e.text('an error')) },
};
const pack = (version: string, ensure: Code) =>
  encodePackage({
    name: 'bombs',
    version,
    lf: '3',
    modules: { Main: { ...shared, templates: { Bomb: bomb(ensure) } } },
  });
const first = pack('1.0.0', at('precondition', t.bool, e.true));
const second = pack('2.0.0', at('other version', t.bool, e.true));

const made = t.con(`${first.id}:Main:Bomb`);
const create = (point: string) =>
  u.create(`${first.id}:Main:Bomb`, e.record(made, { owner: OWNER, point: e.text(point) }));
const caught = (body: Code): Question => ({
  type: t.int64,
  update: u.tryCatch(t.int64, body, 'x', e.some(t.builtin(17, t.int64), u.pure(t.int64, e.int(7)))),
});
const CREATION = ['precondition', 'signatories', 'observers', 'key'];
const USE = ['controllers', 'choice observers', 'other version'];
const used = (point: string, { id }: { id: string }): Question => ({
  type: t.int64,
  update: u.block(
    [['cid', t.contractId(made), create(point)]],
    caught(
      u.exercise(
        `${id}:Main:Bomb`,
        'Use',
        e.call(e.builtin('COERCE_CONTRACT_ID', made, t.con(`${id}:Main:Bomb`)), e.var('cid')),
        e.unit,
      ),
    ).update!,
  ),
});
const named = (point: string) => point.replace(' ', '');
const questions = Object.fromEntries([
  ...CREATION.map((point) => [
    named(point),
    caught(u.block([[undefined, t.contractId(made), create(point)]], u.pure(t.int64, e.int(1)))),
  ]),
  ...USE.map((point) => [named(point), used(point, point === 'other version' ? second : first)]),
  ['body', used('body', first)],
]) as Record<string, Question>;
const { evaluate } = lfLedger(
  encodePackage({
    name: 'caller',
    lf: '3',
    imports: [first.id, second.id],
    modules: { Main: probeModule(questions) },
  }),
  first,
  second,
);

test.each([...CREATION, 'body'])('a handler catches an exception of the %s', (point) => {
  expect(evaluate(named(point))).toBe('7');
});

test.each(USE)('no handler catches an exception of the %s', (point) => {
  expect(evaluate(named(point))).toMatchObject({ refused: 'DAML_FAILURE' });
});
