/**
 * Of the exceptions package: scopes in scopes, of which parties of several participants are informed, with keys that are made and
 * used in them.
 */
import { e, u, type Code } from '../../support/daml/lf-code.js';
import type { TemplateSpec } from '../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';
import {
  argOf,
  attempt,
  done,
  fieldOf,
  idOf,
  own,
  parties,
  raise,
  SELF,
  signed,
  steps,
  type Choice,
} from './exception-code.js';

type Step = readonly [LfTypeSpec, Code];
const OWNER = fieldOf('ExceptionTester', 'p');
const at = (p: Code, v: number) => e.record(own('NumberKey'), { p, v: e.int(v) });

const consumed = (owner: Code, actor: Code): Step => [
  t.unit,
  u.exerciseByKey('Main:WithKey', 'Consume', at(owner, 1), e.record(own('Consume'), { a: actor })),
];
const made = (delegate: Code, v: number): Step => [
  idOf('WithKey'),
  u.exercise(
    'Main:WithKeyDelegate',
    'CreateWithKey',
    delegate,
    e.record(own('CreateWithKey'), { v: e.int(v) }),
  ),
];
const informed = (informer: Code): Step => [
  t.unit,
  u.exercise('Main:Informer', 'Inform', informer, e.unit),
];
/** A scope that is always taken back. */
const scope = (...all: Step[]): Step => [t.unit, attempt(steps(...all, raise()))];

const normalization = (name: string) => argOf('ProjectionNormalization', name);
const nesting = (name: string) => argOf('ProjectionNesting', name);
const inner = (name: string) => argOf('ProjectionNestingInner', name);

/** Of the tester. */
export const scopeChoices: Readonly<Record<string, Choice>> = {
  ProjectionNormalization: {
    argument: {
      b: t.party,
      keyDelegate: idOf('WithKeyDelegate'),
      pbInformer: idOf('Informer'),
      pcInformer: idOf('Informer'),
      pbcInformer: idOf('Informer'),
    },
    update: steps(
      scope(
        made(normalization('keyDelegate'), 1),
        scope(
          informed(normalization('pbcInformer')),
          consumed(normalization('b'), OWNER),
          made(normalization('keyDelegate'), 2),
        ),
        informed(normalization('pbInformer')),
        scope(consumed(normalization('b'), OWNER), made(normalization('keyDelegate'), 2)),
        informed(normalization('pcInformer')),
      ),
      made(normalization('keyDelegate'), 1),
      done,
    ),
  },
  ProjectionNesting: {
    argument: {
      b: t.party,
      keyDelegate: idOf('WithKeyDelegate'),
      cid: idOf('RollbackNestingHelper'),
    },
    update: steps(
      made(nesting('keyDelegate'), 1),
      [
        t.unit,
        u.exercise(
          'Main:ExceptionTester',
          'ProjectionNestingInner',
          SELF,
          e.record(own('ProjectionNestingInner'), { b: nesting('b'), cid: nesting('cid') }),
        ),
      ],
      consumed(nesting('b'), OWNER),
      done,
    ),
  },
  ProjectionNestingInner: {
    argument: { b: t.party, cid: idOf('RollbackNestingHelper') },
    update: steps(
      scope(
        [
          idOf('Informer'),
          u.create(
            'Main:Informer',
            e.record(own('Informer'), { a: OWNER, obs: parties(inner('b')) }),
          ),
        ],
        scope(consumed(inner('b'), OWNER)),
        [t.unit, u.exercise('Main:RollbackNestingHelper', 'Rollback', inner('cid'), e.unit)],
      ),
      done,
    ),
  },
};

const unit = { argument: t.unit, returns: t.unit, update: done };
const helper = (name: string) => fieldOf('RollbackNestingHelper', name);

export const scopeArguments = {
  NumberKey: { record: { p: t.party, v: t.int64 } },
  Consume: { record: { a: t.party } },
  CreateWithKey: { record: { v: t.int64 } },
};

export const scopeTemplates: Readonly<Record<string, TemplateSpec>> = {
  WithKey: signed('WithKey', 'p', {
    fields: { p: t.party, v: t.int64, obs: t.list(t.party) },
    observers: fieldOf('WithKey', 'obs'),
    key: {
      type: own('NumberKey'),
      body: e.record(own('NumberKey'), {
        p: fieldOf('WithKey', 'p'),
        v: fieldOf('WithKey', 'v'),
      }),
      maintainers: e.lambda(
        { key: own('NumberKey') },
        parties(e.field(own('NumberKey'), 'p', e.var('key'))),
      ),
    },
    choices: {
      Consume: { ...unit, argument: own('Consume'), controllers: parties(argOf('Consume', 'a')) },
    },
  }),
  WithKeyDelegate: signed('WithKeyDelegate', 'b', {
    fields: { a: t.party, b: t.party },
    observers: parties(fieldOf('WithKeyDelegate', 'a')),
    choices: {
      CreateWithKey: {
        consuming: false,
        argument: own('CreateWithKey'),
        returns: idOf('WithKey'),
        controllers: parties(fieldOf('WithKeyDelegate', 'a')),
        update: u.create(
          'Main:WithKey',
          e.record(own('WithKey'), {
            p: fieldOf('WithKeyDelegate', 'b'),
            v: argOf('CreateWithKey', 'v'),
            obs: parties(fieldOf('WithKeyDelegate', 'a')),
          }),
        ),
      },
    },
  }),
  RollbackNestingHelper: signed('RollbackNestingHelper', 'c', {
    fields: { a: t.party, b: t.party, c: t.party },
    observers: parties(helper('a')),
    choices: {
      Rollback: {
        ...unit,
        controllers: parties(helper('a')),
        update: attempt(
          steps(
            [
              idOf('WithSimpleKey'),
              u.create('Main:WithSimpleKey', e.record(own('WithSimpleKey'), { p: helper('a') })),
            ],
            scope(consumed(helper('b'), helper('a'))),
            consumed(helper('b'), helper('a')),
            done,
          ),
        ),
      },
    },
  }),
  Informer: signed('Informer', 'a', {
    fields: { a: t.party, obs: t.list(t.party) },
    observers: fieldOf('Informer', 'obs'),
    choices: {
      Inform: {
        ...unit,
        consuming: false,
        controllers: parties(fieldOf('Informer', 'a')),
        observers: fieldOf('Informer', 'obs'),
      },
    },
  }),
};
