/**
 * Two versions of a template, and what code of the second does with contracts of the first: the packages of upstream's
 * UpgradesMatrix, one small set of them for each change.
 */
import { e, u, type Code } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type ChoiceSpec,
  type DataTypeSpec,
  type EncodedPackage,
  type Fields,
  type TemplateSpec,
} from '../../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

const lf = '3';
export const parties = (...items: Code[]) => e.list(t.party, items);
const PARTIES = t.list(t.party);
const EXCEPTION = t.con('Mod:Ex');

/** Definitions that both versions use: an interface and an exception. */
export const common = encodePackage({
  name: 'common-defs',
  lf,
  modules: {
    Mod: {
      types: { View: { record: { value: t.int64 } }, Ex: { record: { message: t.text } } },
      exceptions: { Ex: e.lambda({ e: EXCEPTION }, e.field(EXCEPTION, 'message', e.var('e'))) },
      interfaces: {
        Iface: {
          view: t.con('Mod:View'),
          methods: { controllers: PARTIES, observers: PARTIES },
          choices: {
            InterfaceChoice: {
              consuming: false,
              argument: t.unit,
              returns: t.text,
              controllers: e.callInterface('Mod:Iface', 'controllers', e.var('this')),
              observers: e.callInterface('Mod:Iface', 'observers', e.var('this')),
              update: u.pure(t.text, e.text('InterfaceChoice was called')),
            },
          },
        },
      },
    },
  },
});
export const IFACE = `${common.id}:Mod:Iface`;

/** Parts of a version's code; `this` is the contract, where there is one. */
const TEMPLATE = t.con('Mod:T');
export const KEY = t.con('Mod:Key');
export const field = (name: string): Code => e.field(TEMPLATE, name, e.var('this'));
export const own = parties(field('p1'));
export const keyField = (name: string): Code => e.field(KEY, name, e.var('key'));
export const key = (more: Readonly<Record<string, Code>> = {}, label = field('label')): Code =>
  e.record(KEY, { label, maintainers: own, ...more });
export const VIEW = t.con(`${common.id}:Mod:View`);
const view = e.record(VIEW, { value: e.int(0) });
export const throws = (type: LfTypeSpec, message: string): Code => {
  const exception = t.con(`${common.id}:Mod:Ex`);
  return e.throw(type, exception, e.record(exception, { message: e.text(message) }));
};

/** The parts of the template `T` that a version sets; the defaults are below. */
export interface Version {
  readonly types?: Readonly<Record<string, DataTypeSpec>>;
  readonly argument?: Fields;
  readonly fields?: Fields;
  readonly keyFields?: Fields;
  readonly choices?: Readonly<Record<string, ChoiceSpec>>;
  readonly templates?: Readonly<Record<string, TemplateSpec>>;
  readonly precondition?: Code;
  readonly signatories?: Code;
  readonly observers?: Code;
  readonly key?: Code;
  /** Of `key`. */
  readonly maintainers?: Code;
  /** The function that they are found by, in place of its body. */
  readonly maintainersFunction?: Code;
  readonly controllers?: Code;
  readonly choiceObservers?: Code;
  readonly view?: Code;
  readonly isInstance?: boolean;
}

function templateOf(spec: Version): TemplateSpec {
  const { maintainers = keyField('maintainers') } = spec;
  const methods = {
    controllers: spec.controllers ?? own,
    observers: spec.choiceObservers ?? parties(),
  };
  return {
    fields: { p1: t.party, p2: t.party, label: t.text, ...spec.fields },
    precondition: spec.precondition ?? e.true,
    signatories: spec.signatories ?? own,
    observers: spec.observers ?? parties(),
    choices: {
      TemplateChoice: {
        consuming: false,
        argument: t.con('Mod:Arg'),
        returns: t.text,
        controllers: own,
        update: u.pure(t.text, e.text('TemplateChoice was called')),
      },
      ...spec.choices,
    },
    ...(spec.isInstance !== false && {
      implements: { [IFACE]: { view: spec.view ?? view, methods } },
    }),
    key: {
      type: KEY,
      body: spec.key ?? key(),
      maintainers: spec.maintainersFunction ?? e.lambda({ key: KEY }, maintainers),
    },
  };
}

/** @param change the change, which gives the package its name */
export function versionOf(change: string, version: string, spec: Version): EncodedPackage {
  const { types, argument = {}, keyFields, templates } = spec;
  const Mod = {
    types: {
      ...types,
      Key: { record: { label: t.text, maintainers: PARTIES, ...keyFields } },
      Arg: { record: argument },
    },
    templates: { T: templateOf(spec), ...templates },
  };
  const name = `template-defs-${change}`;
  return encodePackage({ name, version, lf, imports: [common.id], modules: { Mod } });
}

const CLIENT = t.con('Mod:Client');
const client = (name: string): Code => e.field(CLIENT, name, e.var('this'));
export const BOB = client('bob');
const TYPES = '5aee9b21b8e9a4c4975b5f4c4198e6e6e8469df49e2010820e792f393db870f4:DA.Types';

export const BY_ID = ['Exercise', 'ExerciseInterface', 'Fetch', 'FetchInterface'] as const;
export const BY_KEY = ['ExerciseByKey', 'FetchByKey', 'QueryNByKey'] as const;
export type Operation = (typeof BY_ID)[number] | (typeof BY_KEY)[number];

/** An operation of the second version's code on a contract id, or on a key. */
function operations(second: EncodedPackage) {
  const id = `${second.id}:Mod:T`;
  const type = t.con(id);
  const pair = t.con(`${TYPES}:Tuple2`, t.contractId(type), type);
  const argument = e.record(t.con(`${second.id}:Mod:Arg`), {});
  return {
    Exercise: [t.text, (on: Code) => u.exercise(id, 'TemplateChoice', on, argument)],
    ExerciseInterface: [
      t.text,
      (on: Code) => u.exerciseInterface(IFACE, 'InterfaceChoice', on, e.unit),
    ],
    Fetch: [type, (on: Code) => u.fetch(id, on)],
    FetchInterface: [
      t.text,
      (on: Code) =>
        u.block(
          [['iface', t.con(IFACE), u.fetchInterface(IFACE, on)]],
          u.pure(t.text, e.text('fetched')),
        ),
    ],
    ExerciseByKey: [t.text, (on: Code) => u.exerciseByKey(id, 'TemplateChoice', on, argument)],
    FetchByKey: [pair, (on: Code) => e.call(u.fetchByKey(id), on)],
    QueryNByKey: [t.optional(t.list(pair)), (on: Code) => e.call(u.queryNByKey(id), e.int(4), on)],
  } satisfies Record<Operation, [LfTypeSpec, (on: Code) => Code]>;
}

/** A choice for each operation, and one that tries it and catches whatever may be caught. */
function clientOf(
  name: string,
  argumentOf: (operation: Operation) => LfTypeSpec,
  updateOf: (operation: Operation) => Code,
  second: EncodedPackage,
): EncodedPackage {
  const common_ = { consuming: false, controllers: parties(client('alice')) } as const;
  const choices = Object.entries(operations(second)).flatMap(([key_, [returns]]) => {
    const operation = key_ as Operation;
    const argument = argumentOf(operation);
    const said = (text: string) => u.pure(t.text, e.text(text));
    const body = u.block(
      [[undefined, returns, u.exercise('Mod:Client', operation, e.var('self'), e.var('arg'))]],
      said('no exception was caught'),
    );
    const handler = e.some(t.builtin(17, t.text), said('some exception was caught'));
    const tries = u.tryCatch(t.text, body, 'exception', handler);
    return [
      [operation, { ...common_, argument, returns, update: updateOf(operation) }],
      [`Try${operation}`, { ...common_, argument, returns: t.text, update: tries }],
    ] as const;
  });
  const template = {
    fields: { alice: t.party, bob: t.party, label: t.text },
    precondition: e.true,
    signatories: parties(client('alice')),
    choices: Object.fromEntries(choices),
  };
  return encodePackage({ name, lf, modules: { Mod: { templates: { Client: template } } } });
}

const isByKey = (operation: Operation): boolean =>
  (BY_KEY as readonly Operation[]).includes(operation);

/** Its choices use contracts of the ledger, without the first version. */
export function globalClient(second: EncodedPackage): EncodedPackage {
  const type = t.con(`${second.id}:Mod:T`);
  return clientOf(
    `client-of-${second.name}`,
    (operation) => (isByKey(operation) ? t.con(`${second.id}:Mod:Key`) : t.contractId(type)),
    (operation) => operations(second)[operation][1](e.var('arg')),
    second,
  );
}

/** Its choices create contracts of the first version, two where a query may find several, and use them at once. */
export function localClient(
  first: EncodedPackage,
  second: EncodedPackage,
  more: {
    readonly payload: Readonly<Record<string, Code>>;
    readonly key: Readonly<Record<string, Code>>;
  },
): EncodedPackage {
  const [made, used] = [first, second].map(({ id }) => t.con(`${id}:Mod:T`)) as [
    LfTypeSpec,
    LfTypeSpec,
  ];
  const { payload, key: keyParts } = more;
  const [p1, p2, label] = ['alice', 'bob', 'label'].map(client) as [Code, Code, Code];
  const create = u.create(`${first.id}:Mod:T`, e.record(made, { p1, p2, label, ...payload }));
  const maintainers = parties(p1);
  const keyType = t.con(`${second.id}:Mod:Key`);
  const itsKey = e.record(keyType, { label, maintainers, ...keyParts });
  const targets = { ExerciseInterface: t.con(IFACE), FetchInterface: t.con(IFACE) };
  const updateOf = (operation: Operation): Code => {
    const target = operation in targets ? t.con(IFACE) : used;
    const id = e.call(e.builtin('COERCE_CONTRACT_ID', made, target), e.var('cid'));
    const [, use] = operations(second)[operation];
    const creations = operation === 'QueryNByKey' ? ['cid', 'cid2'] : ['cid'];
    return u.block(
      creations.map((name) => [name, t.contractId(made), create] as const),
      use(isByKey(operation) ? itsKey : id),
    );
  };
  return clientOf(`local-client-of-${second.name}`, () => t.unit, updateOf, second);
}
