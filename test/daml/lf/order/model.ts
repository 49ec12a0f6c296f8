/**
 * A package whose every part says that it runs, with TRACE: a template with a key, an interface and a template that
 * implements it, a template that is neither. A test runs an update in it and gets the log in order, and the outcome.
 */
import { createCanticle } from 'canticle';
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e, u, type BindingCode, type Code } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type ModuleSpec,
  type TemplateSpec,
} from '../../../support/daml/lf-encoder.js';
import { uncheckedPackage } from '../../../support/daml/lf-probe.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';
import { refusalOf } from '../../../network/explanation/explained.js';

const UPDATE = 17;
export const NESTED = t.con('Main:Nested');
const KEY = t.con('Main:Key');
export const ITEM = t.con('Main:Item');
export const HUMAN = t.con('Main:Human');
export const OTHER = t.con('Main:Other');
export const PERSON = t.con('Main:Person');
const ERR = t.con('Main:Err');
export const ITEM_ID = t.contractId(ITEM);
const HELPER = t.con('Main:Helper');
const RUNNER = t.con('Main:Runner');
const ARGUMENT = t.con('Main:Argument');
const EITHER = t.con('Main:Either');
const PARTIES = t.list(t.party);
const ANY_ID = t.optional(t.contractId(OTHER));

export const says = (type: LfTypeSpec, message: string, value: Code): Code =>
  e.call(e.builtin('TRACE', type), e.text(message), value);
const parties = (...items: Code[]) => e.list(t.party, items);
const saying = (message: string, ...items: Code[]) => says(PARTIES, message, parties(...items));
export const fails = (type: LfTypeSpec): Code =>
  e.throw(type, ERR, e.record(ERR, { code: e.int(1) }));
const of = (type: LfTypeSpec, name: string) => e.field(type, name, e.var('this'));

/** The submitters, and the contracts on the ledger. */
export const arg = (
  name: 'item' | 'human' | 'other' | 'unknown' | 'alien' | 'stranger' | 'helper',
) => e.field(ARGUMENT, name, e.var('arg'));
const ALICE = e.field(RUNNER, 'owner', e.var('this'));
export const BOB = e.field(RUNNER, 'friend', e.var('this'));
const nested = (depth: number) => e.call(e.value('Main:nested'), e.int(depth));

interface KeyParts {
  readonly maintainers?: Code;
  readonly id?: Code;
  readonly depth?: number;
}
export const key = ({
  maintainers = parties(ALICE),
  id = e.none(t.contractId(OTHER)),
  depth = 0,
}: KeyParts = {}) => e.record(KEY, { maintainers, id, nested: nested(depth) });
export const noParties = parties();

interface Parts {
  readonly signatory?: Code;
  readonly observer?: Code;
  readonly ensure?: boolean;
  readonly key?: KeyParts;
  readonly depth?: number;
}
const payload = (
  type: LfTypeSpec,
  { signatory = ALICE, observer = BOB, ensure = true, depth = 0, ...rest }: Parts,
) =>
  e.record(type, {
    signatory,
    observer,
    ensure: e.bool(ensure),
    key: key(rest.key),
    nested: nested(depth),
  });
const item = (parts: Parts = {}) => payload(ITEM, parts);
export const human = (parts: Parts = {}) => payload(HUMAN, parts);
export const createItem = (parts: Parts = {}) => u.create('Main:Item', item(parts));
export const createHuman = (parts: Parts = {}) => u.create('Main:Human', human(parts));
export const createOther = u.create('Main:Other', e.record(OTHER, { signatory: ALICE }));
export const archive = (template: string, id: Code): BindingCode => [
  undefined,
  t.unit,
  u.exercise(`Main:${template}`, 'Archive', id, e.unit),
];
export const as = (from: LfTypeSpec, to: LfTypeSpec, id: Code) =>
  e.call(e.builtin('COERCE_CONTRACT_ID', from, to), id);
/** The argument of an item's choice: too deep itself, or of a result that is. */
export const choiceArgument = (depth = 0, resultDepth = 0) =>
  e.record(EITHER, { argument: nested(depth), depth: e.int(resultDepth) });

const contract = (name: string): TemplateSpec => {
  const type = t.con(`Main:${name}`);
  return {
    fields: { signatory: t.party, observer: t.party, ensure: t.bool, key: KEY, nested: NESTED },
    precondition: says(t.bool, 'precondition', of(type, 'ensure')),
    signatories: saying('signatories', of(type, 'signatory')),
    observers: saying('observers', of(type, 'observer')),
    choices: {
      Archive: {
        argument: t.unit,
        returns: t.unit,
        controllers: parties(of(type, 'signatory')),
        update: u.pure(t.unit, e.unit),
      },
    },
  };
};
const keyed = (name: string): TemplateSpec['key'] => ({
  type: KEY,
  body: says(KEY, 'key', of(t.con(`Main:${name}`), 'key')),
  maintainers: e.lambda(
    { key: KEY },
    says(PARTIES, 'maintainers', e.field(KEY, 'maintainers', e.var('key'))),
  ),
});

const itemChoice = (authorizers: boolean) => ({
  argument: EITHER,
  returns: NESTED,
  controllers: saying('controllers', of(ITEM, 'signatory')),
  observers: saying('choice observers'),
  ...(authorizers && { authorizers: saying('authorizers', of(ITEM, 'signatory')) }),
  update: u.pure(
    NESTED,
    says(NESTED, 'body', e.call(e.value('Main:nested'), e.field(EITHER, 'depth', e.var('arg')))),
  ),
});

const NESTING: NonNullable<ModuleSpec['values']> = {
  nested: {
    type: t.arrow(t.int64, NESTED),
    expression: e.lambda(
      { n: t.int64 },
      e.record(NESTED, {
        inner: e.if(
          e.call(e.builtin('EQUAL', t.int64), e.var('n'), e.int(0)),
          e.none(NESTED),
          e.some(
            NESTED,
            e.call(e.value('Main:nested'), e.call(e.builtin('SUB_INT64'), e.var('n'), e.int(1))),
          ),
        ),
      }),
    ),
  },
};

function model(withKeys: boolean, isDev: boolean): ModuleSpec {
  const withKey = (name: string): TemplateSpec => ({
    ...contract(name),
    ...(withKeys && { key: keyed(name) }),
  });
  const personView = { view: says(t.con('Main:View'), 'view', e.record(t.con('Main:View'), {})) };
  const items = withKey('Item');
  return {
    types: {
      Nested: { record: { inner: t.optional(NESTED) } },
      Key: { record: { maintainers: PARTIES, id: ANY_ID, nested: NESTED } },
      Either: { record: { argument: NESTED, depth: t.int64 } },
      View: { record: {} },
      Err: { record: { code: t.int64 } },
      Argument: {
        record: {
          item: ITEM_ID,
          human: t.contractId(HUMAN),
          other: t.contractId(OTHER),
          unknown: ITEM_ID,
          alien: ITEM_ID,
          stranger: t.contractId(HUMAN),
          helper: t.contractId(HELPER),
        },
      },
    },
    exceptions: { Err: e.lambda({ x: ERR }, e.text('an error')) },
    values: NESTING,
    interfaces: {
      Person: {
        view: t.con('Main:View'),
        methods: { boss: t.party },
        choices: {
          Nap: {
            consuming: false,
            argument: t.int64,
            returns: t.int64,
            controllers: saying(
              'controllers',
              e.callInterface('Main:Person', 'boss', e.var('this')),
            ),
            observers: saying('choice observers'),
            update: u.pure(t.int64, says(t.int64, 'body', e.var('arg'))),
          },
        },
      },
    },
    templates: {
      Item: { ...items, choices: { ...items.choices, Use: itemChoice(isDev) } },
      Human: {
        ...withKey('Human'),
        implements: { 'Main:Person': { ...personView, methods: { boss: of(HUMAN, 'signatory') } } },
      },
      Other: {
        ...contract('Other'),
        fields: { signatory: t.party },
        precondition: e.true,
        signatories: parties(of(OTHER, 'signatory')),
        observers: parties(),
      },
      ...(withKeys && {
        /** Its maintainers cannot be computed. */
        Broken: {
          ...contract('Broken'),
          key: {
            type: KEY,
            body: of(t.con('Main:Broken'), 'key'),
            maintainers: e.lambda({ key: KEY }, fails(PARTIES)),
          },
        },
      }),
    },
  };
}

const bobs = (): Parts => ({
  signatory: of(HELPER, 'owner'),
  observer: of(HELPER, 'owner'),
  key: { maintainers: parties(of(HELPER, 'owner')) },
});
/** Bob lends Alice his authority, to make an item or a human of his or to look at one. */
const helper: TemplateSpec = {
  fields: { owner: t.party, user: t.party },
  precondition: e.true,
  signatories: parties(of(HELPER, 'owner')),
  observers: parties(of(HELPER, 'user')),
  choices: {
    Make: {
      consuming: false,
      argument: t.unit,
      returns: ITEM_ID,
      controllers: parties(of(HELPER, 'user')),
      update: createItem(bobs()),
    },
    MakeStranger: {
      consuming: false,
      argument: t.unit,
      returns: t.contractId(HUMAN),
      controllers: parties(of(HELPER, 'user')),
      update: createHuman(bobs()),
    },
    LookAtStranger: {
      consuming: false,
      argument: t.contractId(HUMAN),
      returns: HUMAN,
      controllers: parties(of(HELPER, 'user')),
      update: u.fetch('Main:Human', e.var('arg')),
    },
    Look: {
      consuming: false,
      argument: ITEM_ID,
      returns: ITEM,
      controllers: parties(of(HELPER, 'user')),
      update: u.fetch('Main:Item', e.var('arg')),
    },
  },
};
export const makeAlien = u.exercise('Main:Helper', 'Make', arg('helper'), e.unit);
export const makeStranger = u.exercise('Main:Helper', 'MakeStranger', arg('helper'), e.unit);
export const lookAtStranger = u.exercise(
  'Main:Helper',
  'LookAtStranger',
  arg('helper'),
  arg('stranger'),
);
export const lookAtAlien = u.exercise('Main:Helper', 'Look', arg('helper'), arg('alien'));

/** An update, and the updates before it. */
export interface Row {
  readonly type: LfTypeSpec;
  readonly update: Code;
  readonly before?: readonly BindingCode[];
}

/** The update between two messages; then the submission fails on purpose, for only failures are explained. */
const run = ({ type, update, before = [] }: Row): Code =>
  u.block(
    [
      ...before,
      [undefined, t.unit, u.pure(t.unit, says(t.unit, 'starts', e.unit))],
      [undefined, type, update],
      [undefined, t.unit, u.pure(t.unit, says(t.unit, 'ends', e.unit))],
    ],
    e.call(e.builtin('ERROR', t.builtin(UPDATE, t.unit)), e.text('on purpose')),
  );

export interface Outcome {
  /** `done`, or the code of the refusal. */
  readonly end: string;
  readonly log: string;
}

/**
 * Runs each row in a matching world. Alice submits, and may see Bob's contracts. The ledger has an item, a human and another
 * contract signed by Alice, and an item and a human signed by Bob only.
 */
export function orderOf(
  rows: Readonly<Record<string, Row>>,
  options: { lf: '2' | '3' | 'dev'; withKeys: boolean; isItemInFlight?: boolean },
): (name: string) => Outcome {
  const choices = Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [
      name,
      {
        consuming: false,
        argument: ARGUMENT,
        returns: t.unit,
        controllers: parties(ALICE),
        update: run(row),
      },
    ]),
  );
  const definitions = model(options.withKeys, options.lf === 'dev');
  const main = encodePackage({
    lf: options.lf,
    modules: {
      Main: {
        ...definitions,
        templates: {
          ...definitions.templates,
          Helper: helper,
          Runner: {
            fields: { owner: t.party, friend: t.party },
            precondition: e.true,
            signatories: parties(ALICE),
            choices,
          },
        },
      },
    },
  });
  const canticle = createCanticle({
    seed: 1,
    alphaVersionSupport: true,
    synchronizers: [{ alias: 'global' }, { alias: 'other' }],
    ...(options.withKeys && { packages: [uncheckedPackage(main)] }),
  });
  const { participant } = canticle;
  if (!options.withKeys) participant.uploadDar(buildDar(main));
  const [alice, bob] = ['alice', 'bob'].map((hint) => participant.allocateParty(hint)) as [
    string,
    string,
  ];
  const create = (template: string, fields: object, actAs: string) =>
    participant.create(`${main.id}:Main:${template}`, fields, { actAs: [actAs] });
  const fields = (signatory: string) => ({
    signatory,
    observer: bob,
    ensure: true,
    key: { maintainers: [signatory], id: null, nested: { inner: null } },
    nested: { inner: null },
  });
  const runner = create('Runner', { owner: alice, friend: bob }, alice);
  const item_ = create('Item', fields(alice), alice);
  const argument = {
    item: item_,
    human: create('Human', fields(alice), alice),
    other: create('Other', { signatory: alice }, alice),
    unknown: `00${'ab'.repeat(32)}${item_.slice(66)}`,
    alien: create('Item', fields(bob), bob),
    stranger: create('Human', fields(bob), bob),
    helper: create('Helper', { owner: bob, user: alice }, bob),
  };
  if (options.isItemInFlight) participant.unassign(item_, { to: 'other' });
  return (name) => {
    const refusal = refusalOf(() =>
      participant.exercise(`${main.id}:Main:Runner`, runner, name, argument, {
        actAs: [alice],
        readAs: [bob],
      }),
    );
    const messages = [...refusal.explanation!.text().matchAll(/trace: (.*)$/gm)].map(
      ([, message]) => message,
    );
    const log = messages.slice(messages.indexOf('starts') + 1);
    const isDone = log.at(-1) === 'ends';
    return {
      end: isDone ? 'done' : refusal.code,
      log: (isDone ? log.slice(0, -1) : log).join(', '),
    };
  };
}
