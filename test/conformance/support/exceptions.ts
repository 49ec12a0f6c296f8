/** A DAR of Daml-LF 2.dev whose choices throw and catch exceptions, with contracts and keys used in between. */
import { e, p, u, type Code } from '../../support/daml/lf-code.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { encodePackage, type ChoiceSpec } from '../../support/daml/lf-encoder.js';
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
import { scopeArguments, scopeChoices, scopeTemplates } from './exception-scopes.js';

const OWNER = fieldOf('ExceptionTester', 'p');
const owners = parties(OWNER);
const tester = u.create('Main:ExceptionTester', e.record(own('ExceptionTester'), { p: OWNER }));
const simpleKey = u.create('Main:WithSimpleKey', e.record(own('WithSimpleKey'), { p: OWNER }));
const archived = (template: string, contractId: Code): readonly [LfTypeSpec, Code] => [
  t.unit,
  u.exercise(`Main:${template}`, 'Archive', contractId, e.unit),
];
/** Whether there is a contract with the owner's key, as `found`. */
const lookedUp = (rest: Code): Code =>
  u.block(
    [['id', t.optional(idOf('WithSimpleKey')), e.call(u.lookupByKey('Main:WithSimpleKey'), OWNER)]],
    e.let([['found', t.bool, e.match(e.var('id'), [p.none, e.false], [p.default, e.true])]], rest),
  );
/** No handler catches it. */
const unwanted = e.record(own('E2'), { t: e.text('found') });
const cid = { cid: idOf('ExceptionTester') };
const keyed = { cid: idOf('WithSimpleKey') };

/** Of the tester's owner, and not consuming. */
const CHOICES: Readonly<Record<string, Choice>> = {
  Noop: { update: done },
  ThrowUncaught: {
    update: raise('E', e.record(own('E'), { t: e.text('exception message') })),
  },
  ThrowCaught: {
    returns: t.text,
    update: attempt(
      steps(
        [t.unit, u.exercise('Main:ExceptionTester', 'ThrowUncaught', SELF, e.unit)],
        u.pure(t.text, e.text('uncaught')),
      ),
      u.pure(t.text, e.field(own('E'), 't', e.var('x'))),
      'E',
      t.text,
    ),
  },
  NestedCatchChild: {
    update: attempt(raise('E2', e.record(own('E2'), { t: e.text('nested') }))),
  },
  NestedCatch: {
    update: attempt(
      u.exercise('Main:ExceptionTester', 'NestedCatchChild', SELF, e.unit),
      done,
      'E2',
    ),
  },
  RollbackFetch: {
    argument: cid,
    update: attempt(
      steps(
        [own('ExceptionTester'), u.fetch('Main:ExceptionTester', argOf('RollbackFetch', 'cid'))],
        raise(),
      ),
    ),
  },
  RollbackFetchWithExercise: {
    argument: cid,
    update: attempt(
      steps(
        [
          own('ExceptionTester'),
          u.fetch('Main:ExceptionTester', argOf('RollbackFetchWithExercise', 'cid')),
        ],
        raise(),
      ),
      u.exercise('Main:ExceptionTester', 'Noop', argOf('RollbackFetchWithExercise', 'cid'), e.unit),
    ),
  },
  RollbackConsuming: {
    argument: cid,
    update: attempt(steps(archived('ExceptionTester', argOf('RollbackConsuming', 'cid')), raise())),
  },
  RollbackConsumingWithCreate: {
    argument: cid,
    update: attempt(
      steps(archived('ExceptionTester', argOf('RollbackConsumingWithCreate', 'cid')), raise()),
      steps([idOf('ExceptionTester'), tester], done),
    ),
  },
  RollbackNonConsuming: {
    argument: cid,
    update: attempt(
      steps(
        [
          t.unit,
          u.exercise('Main:ExceptionTester', 'Noop', argOf('RollbackNonConsuming', 'cid'), e.unit),
        ],
        raise(),
      ),
    ),
  },
  RolledBackChoice: { returns: idOf('ExceptionTester'), update: tester },
  RollbackCreate: {
    update: attempt(
      steps(
        [
          idOf('ExceptionTester'),
          u.exercise('Main:ExceptionTester', 'RolledBackChoice', SELF, e.unit),
        ],
        raise(),
      ),
    ),
  },
  RollbackCreateWithExercise: {
    update: attempt(
      steps(
        [
          idOf('ExceptionTester'),
          u.exercise('Main:ExceptionTester', 'RolledBackChoice', SELF, e.unit),
        ],
        raise(),
      ),
      u.exercise('Main:ExceptionTester', 'Noop', SELF, e.unit),
    ),
  },
  /** Finds by key, and takes it back. */
  FetchKey: {
    update: attempt(
      steps(
        [t.unit, u.exerciseByKey('Main:WithSimpleKey', 'WithKey_Noop', OWNER, e.unit)],
        raise(),
      ),
    ),
  },
  RolledbackArchiveConsuming: {
    argument: keyed,
    update: attempt(
      steps(archived('WithSimpleKey', argOf('RolledbackArchiveConsuming', 'cid')), raise()),
      archived('WithSimpleKey', argOf('RolledbackArchiveConsuming', 'cid'))[1],
    ),
  },
  RolledbackArchiveNonConsuming: {
    argument: keyed,
    update: attempt(
      steps(archived('WithSimpleKey', argOf('RolledbackArchiveNonConsuming', 'cid')), raise()),
      u.exercise(
        'Main:WithSimpleKey',
        'WithKey_Noop',
        argOf('RolledbackArchiveNonConsuming', 'cid'),
        e.unit,
      ),
    ),
  },
  RolledbackDuplicateKey: {
    update: attempt(
      steps([idOf('WithSimpleKey'), simpleKey], raise()),
      steps([idOf('WithSimpleKey'), simpleKey], done),
    ),
  },
  DuplicateKey: { update: attempt(steps([idOf('WithSimpleKey'), simpleKey], raise())) },
  RollbackExerciseCreateLookup: {
    argument: keyed,
    returns: t.bool,
    update: steps(
      [
        t.unit,
        attempt(
          steps(
            archived('WithSimpleKey', argOf('RollbackExerciseCreateLookup', 'cid')),
            [idOf('WithSimpleKey'), simpleKey],
            raise(),
          ),
        ),
      ],
      lookedUp(u.pure(t.bool, e.var('found'))),
    ),
  },
  RollbackCreateBecomesInactive: {
    update: attempt(
      u.block(
        [['cid', idOf('ExceptionTester'), tester]],
        raise('Ecid', e.record(own('Ecid'), { cid: e.var('cid') })),
      ),
      archived('ExceptionTester', e.field(own('Ecid'), 'cid', e.var('x')))[1],
      'Ecid',
    ),
  },
  RollbackGlobalArchivedLookup: {
    argument: keyed,
    returns: t.bool,
    update: steps(
      archived('WithSimpleKey', argOf('RollbackGlobalArchivedLookup', 'cid')),
      [t.unit, attempt(lookedUp(e.if(e.var('found'), raise('E2', unwanted), raise())))],
      lookedUp(u.pure(t.bool, e.var('found'))),
    ),
  },
  RollbackGlobalArchivedCreate: {
    argument: keyed,
    returns: idOf('WithSimpleKey'),
    update: steps(
      archived('WithSimpleKey', argOf('RollbackGlobalArchivedCreate', 'cid')),
      [t.unit, attempt(lookedUp(e.if(e.var('found'), raise('E2', unwanted), raise())))],
      simpleKey,
    ),
  },
  /** Tells in a contract what was found before the exception. */
  RollbackLookup: {
    returns: idOf('LookupResult'),
    update: attempt(
      lookedUp(
        raise(
          'LookupException',
          e.record(own('LookupException'), { found: e.var('found') }),
          idOf('LookupResult'),
        ),
      ),
      u.create(
        'Main:LookupResult',
        e.record(own('LookupResult'), {
          owner: OWNER,
          found: e.field(own('LookupException'), 'found', e.var('x')),
        }),
      ),
      'LookupException',
      idOf('LookupResult'),
    ),
  },
  ...scopeChoices,
};

const choices = Object.fromEntries(
  Object.entries(CHOICES).map(([name, { argument, returns, update }]): [string, ChoiceSpec] => [
    name,
    {
      consuming: false,
      argument: argument === undefined ? t.unit : own(name),
      returns: returns ?? t.unit,
      controllers: owners,
      update,
    },
  ]),
);
const argumentTypes = Object.fromEntries(
  Object.entries(CHOICES).flatMap(([name, { argument }]) =>
    argument === undefined ? [] : [[name, { record: argument }]],
  ),
);

const unit = { argument: t.unit, returns: t.unit, update: done };

const main = encodePackage({
  name: 'exceptions',
  lf: 'dev',
  modules: {
    Main: {
      types: {
        ...argumentTypes,
        ...scopeArguments,
        E: { record: { t: t.text } },
        E2: { record: { t: t.text } },
        Ecid: { record: { cid: idOf('ExceptionTester') } },
        LookupException: { record: { found: t.bool } },
      },
      exceptions: {
        E: e.lambda({ x: own('E') }, e.field(own('E'), 't', e.var('x'))),
        E2: e.lambda({ x: own('E2') }, e.field(own('E2'), 't', e.var('x'))),
        Ecid: e.lambda({ x: own('Ecid') }, e.text('Ecid')),
        LookupException: e.lambda({ x: own('LookupException') }, e.text('LookupException')),
      },
      templates: {
        ExceptionTester: signed('ExceptionTester', 'p', { choices }),
        WithSimpleKey: signed('WithSimpleKey', 'p', {
          key: {
            type: t.party,
            body: fieldOf('WithSimpleKey', 'p'),
            maintainers: e.lambda({ key: t.party }, parties(e.var('key'))),
          },
          choices: {
            WithKey_Noop: {
              ...unit,
              consuming: false,
              controllers: parties(fieldOf('WithSimpleKey', 'p')),
            },
          },
        }),
        LookupResult: signed('LookupResult', 'owner', {
          fields: { owner: t.party, found: t.bool },
        }),
        ...scopeTemplates,
      },
    },
  },
});

export const exceptionsDar = buildDar(main);

/** `#exceptions:Main:<entity>`. */
export const exceptions = (entity: string): string => `#exceptions:Main:${entity}`;
