/** The changes between two versions of a template that upstream's UpgradesMatrix has, by its names, and how each ends. */
import { e, p, u, type Code } from '../../../support/daml/lf-code.js';
import type { DataTypeSpec, Fields } from '../../../support/daml/lf-encoder.js';
import { t } from '../../../support/daml/lf-types.js';
import { field, key, KEY, keyField, own, parties, throws, VIEW, type Version } from './model.js';

export type Outcome = 'success' | string;

export interface Change {
  readonly outcome: Outcome;
  readonly first?: Version;
  readonly second?: Version;
  /** More of a payload of the first version, whose types are `types`; and as JSON. */
  readonly payload?: (types: string) => Readonly<Record<string, Code>>;
  readonly payloadJson?: Readonly<Record<string, unknown>>;
  /** More of the key by which the second version finds it, of Bob's party; and as JSON. */
  readonly key?: (bob: Code) => Readonly<Record<string, Code>>;
  readonly keyJson?: (bob: string) => Readonly<Record<string, unknown>>;
  /** The argument of the template's choice. Changes with an argument run as commands only. */
  readonly argumentJson?: Readonly<Record<string, unknown>>;
}

const UPGRADE = 'INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED';
const AUTHENTICATION = 'INTERPRETATION_UPGRADE_ERROR_AUTHENTICATION_FAILED';
const TRANSLATION = 'INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED';
const failure = (text: string) => `DAML_FAILURE: ${text}`;
/** JSON is read by the version that runs, so what it does not have is refused before any command is preprocessed. */
const UNREADABLE = 'INVALID_ARGUMENT';
/** The code of a participant's codec for an unknown constructor of an enum. */
const UNREADABLE_ENUM = 'LEDGER_API_INTERNAL_ERROR';

/** The same value, of another expression. */
const again = (value: Code): Code => e.match(e.unit, [p.default, value]);
const PARTIES = t.list(t.party);
const EXTRA: Fields = { extra: t.optional(t.unit) };
const NONE = { extra: e.none(t.unit) };
const SOME = { extra: e.some(t.unit, e.unit) };

const metadata: Record<string, Change> = {
  UnchangedPrecondition: { outcome: 'success', second: { precondition: again(e.true) } },
  ChangedPrecondition: {
    outcome: 'TEMPLATE_PRECONDITION_VIOLATED',
    second: { precondition: e.false },
  },
  ThrowingPrecondition: {
    outcome: failure('ThrowingPrecondition'),
    second: { precondition: throws(t.bool, 'ThrowingPrecondition') },
  },
  UnchangedSignatories: { outcome: 'success', second: { signatories: again(own) } },
  ChangedSignatories: {
    outcome: UPGRADE,
    second: { signatories: parties(field('p1'), field('p2')) },
  },
  ThrowingSignatories: {
    outcome: failure('ThrowingSignatories'),
    second: { signatories: throws(PARTIES, 'ThrowingSignatories') },
  },
  UnchangedObservers: { outcome: 'success', second: { observers: again(parties()) } },
  ChangedObservers: { outcome: UPGRADE, second: { observers: parties(field('p2')) } },
  ThrowingObservers: {
    outcome: failure('ThrowingObservers'),
    second: { observers: throws(PARTIES, 'ThrowingObservers') },
  },
};

const none = { argument: t.unit, returns: t.text } as const;
const additions: Record<string, Change> = {
  AddingInterfaceInstance: { outcome: 'success', first: { isInstance: false } },
  AdditionalChoices: {
    outcome: 'success',
    second: {
      choices: {
        More: {
          ...none,
          consuming: false,
          controllers: own,
          update: u.pure(t.text, e.text('more')),
        },
      },
    },
  },
  AdditionalTemplates: {
    outcome: 'success',
    second: {
      templates: {
        More: {
          fields: { p: t.party },
          precondition: e.true,
          signatories: parties(e.field(t.con('Mod:More'), 'p', e.var('this'))),
        },
      },
    },
  },
};

/** A data type that differs, in a field of the payload: the versions, and the payload's value. */
function inPayload(
  outcome: Outcome,
  [first, second]: readonly [DataTypeSpec, DataTypeSpec],
  value: (type: string) => Code,
  json: unknown,
): Change {
  const fields = { data: t.con('Mod:Data') };
  return {
    outcome,
    first: { types: { Data: first }, fields },
    second: { types: { Data: second }, fields },
    payload: (types) => ({ data: value(`${types}:Mod:Data`) }),
    payloadJson: { data: json },
  };
}
/** The same in the argument of the choice. */
function inArgument(
  outcome: Outcome,
  [first, second]: readonly [DataTypeSpec, DataTypeSpec],
  json: unknown,
): Change {
  const argument = { data: t.con('Mod:Data') };
  return {
    outcome,
    first: { types: { Data: first }, argument },
    second: { types: { Data: second }, argument },
    argumentJson: { data: json },
  };
}
const record = (more: Fields = {}): DataTypeSpec => ({ record: { n: t.int64, ...more } });
const variant = { variant: { Ctor1: t.int64 } };
const [variant12, variant21] = [
  { variant: { Ctor1: t.int64, Ctor2: t.unit } },
  { variant: { Ctor2: t.unit, Ctor1: t.int64 } },
];
const one = { enum: ['Ctor1'] };
const [enum12, enum21] = [{ enum: ['Ctor1', 'Ctor2'] }, { enum: ['Ctor2', 'Ctor1'] }];
const n =
  (more: Readonly<Record<string, Code>> = {}) =>
  (type: string) =>
    e.record(t.con(type), { n: e.int(0), ...more });
const [ctor1, ctor2] = [
  (type: string) => e.variant(t.con(type), 'Ctor1', e.int(0)),
  (type: string) => e.variant(t.con(type), 'Ctor2', e.unit),
];
const [enum1, enum2] = ['Ctor1', 'Ctor2'].map((name) => (type: string) => e.enum(type, name)) as [
  (type: string) => Code,
  (type: string) => Code,
];
const N = { n: '0' };
const [CTOR1, CTOR2] = [
  { tag: 'Ctor1', value: '0' },
  { tag: 'Ctor2', value: {} },
];
const [UNIT_FIELD, RENAMED] = [{ extra: t.unit }, { extraRenamed: t.unit }];
const optional = { payload: () => SOME, payloadJson: { extra: {} } };

const payloads: Record<string, Change> = {
  AdditionalFieldInRecordArg: inPayload('success', [record(), record(EXTRA)], n(), N),
  DifferentlyNamedFieldInRecordArg: inPayload(
    AUTHENTICATION,
    [record(), { record: { nRenamed: t.int64 } }],
    n(),
    N,
  ),
  AdditionalConstructorInVariantArg: inPayload('success', [variant, variant12], ctor1, CTOR1),
  DifferentlyRankedConstructorInVariantArg: inPayload(
    AUTHENTICATION,
    [variant12, variant21],
    ctor1,
    CTOR1,
  ),
  AdditionalConstructorInEnumArg: inPayload('success', [one, enum12], enum1, 'Ctor1'),
  DifferentlyRankedConstructorInEnumArg: inPayload(
    AUTHENTICATION,
    [enum12, enum21],
    enum1,
    'Ctor1',
  ),
  AdditionalTemplateArg: { outcome: 'success', second: { fields: EXTRA } },
  DifferentlyNamedTemplateArg: {
    outcome: AUTHENTICATION,
    first: { fields: UNIT_FIELD },
    second: { fields: RENAMED },
    payload: () => ({ extra: e.unit }),
    payloadJson: { extra: {} },
  },
  ValidDowngradeAdditionalTemplateArg: {
    outcome: 'success',
    first: { fields: EXTRA },
    payload: () => NONE,
  },
  InvalidDowngradeAdditionalTemplateArg: {
    outcome: TRANSLATION,
    first: { fields: EXTRA },
    ...optional,
  },
  ValidDowngradeAdditionalFieldInRecordArg: inPayload(
    'success',
    [record(EXTRA), record()],
    n(NONE),
    N,
  ),
  InvalidDowngradeAdditionalFieldInRecordArg: inPayload(
    TRANSLATION,
    [record(EXTRA), record()],
    n(SOME),
    { ...N, extra: {} },
  ),
  ValidDowngradeAdditionalConstructorInVariantArg: inPayload(
    'success',
    [variant12, variant],
    ctor1,
    CTOR1,
  ),
  InvalidDowngradeAdditionalConstructorInVariantArg: inPayload(
    TRANSLATION,
    [variant12, variant],
    ctor2,
    CTOR2,
  ),
  ValidDowngradeAdditionalConstructorInEnumArg: inPayload('success', [enum12, one], enum1, 'Ctor1'),
  InvalidDowngradeAdditionalConstructorInEnumArg: inPayload(
    TRANSLATION,
    [enum12, one],
    enum2,
    'Ctor2',
  ),
};

const instances: Record<string, Change> = {
  ThrowingInterfaceChoiceControllers: {
    outcome: failure('ThrowingInterfaceChoiceControllers'),
    second: { controllers: throws(PARTIES, 'ThrowingInterfaceChoiceControllers') },
  },
  ThrowingInterfaceChoiceObservers: {
    outcome: failure('ThrowingInterfaceChoiceObservers'),
    first: { choiceObservers: own },
    second: { choiceObservers: throws(PARTIES, 'ThrowingInterfaceChoiceObservers') },
  },
  ThrowingView: { outcome: 'success', second: { view: throws(VIEW, 'View') } },
};

const maintainers2 = { maintainers2: parties(field('p2')) };
const keys: Record<string, Change> = {
  UnchangedKey: { outcome: 'success', second: { key: again(key()) } },
  ChangedKey: {
    outcome: UPGRADE,
    second: { key: key({}, e.call(e.builtin('APPEND_TEXT'), field('label'), e.text('-2'))) },
  },
  ThrowingKey: { outcome: failure('ThrowingKey'), second: { key: throws(KEY, 'ThrowingKey') } },
  UnchangedMaintainers: {
    outcome: 'success',
    second: { maintainers: again(keyField('maintainers')) },
  },
  ChangedMaintainers: {
    outcome: UPGRADE,
    first: { keyFields: { maintainers2: PARTIES }, key: key(maintainers2) },
    second: {
      keyFields: { maintainers2: PARTIES },
      key: key(maintainers2),
      maintainers: keyField('maintainers2'),
    },
    key: (bob) => ({ maintainers2: parties(bob) }),
    keyJson: (bob) => ({ maintainers2: [bob] }),
  },
  ThrowingMaintainers: {
    outcome: failure('ThrowingMaintainers'),
    second: { maintainersFunction: throws(t.arrow(KEY, PARTIES), 'ThrowingMaintainers') },
  },
  ThrowingMaintainersBody: {
    outcome: failure('ThrowingMaintainersBody'),
    second: { maintainers: throws(PARTIES, 'ThrowingMaintainersBody') },
  },
  ValidKeyUpgradeAdditionalField: {
    outcome: 'success',
    second: { keyFields: EXTRA, key: key(NONE) },
    key: () => NONE,
  },
  InvalidKeyUpgradeAdditionalField: {
    outcome: UPGRADE,
    second: { keyFields: EXTRA, key: key(SOME) },
    key: () => NONE,
  },
  ValidKeyDowngradeAdditionalField: {
    outcome: 'success',
    first: { keyFields: EXTRA, key: key(NONE) },
  },
  InvalidKeyDowngradeAdditionalField: {
    outcome: UPGRADE,
    first: { keyFields: EXTRA, key: key(SOME) },
  },
};

const INT: Fields = { n: t.int64 };
const choiceArguments: Record<string, Change> = {
  AdditionalFieldInChoiceArgRecordField: inArgument('success', [record(), record(EXTRA)], {
    ...N,
    extra: {},
  }),
  AdditionalConstructorInChoiceArgVariantField: inArgument('success', [variant, variant12], CTOR2),
  AdditionalConstructorInChoiceArgEnumField: inArgument('success', [one, enum12], 'Ctor2'),
  AdditionalChoiceArg: {
    outcome: 'success',
    first: { argument: INT },
    second: { argument: { ...INT, ...EXTRA } },
    argumentJson: N,
  },
  ValidDowngradeAdditionalFieldInChoiceArgRecordField: inArgument(
    'success',
    [record(EXTRA), record()],
    N,
  ),
  InvalidDowngradeAdditionalFieldInChoiceArgRecordField: inArgument(
    UNREADABLE,
    [record(EXTRA), record()],
    { ...N, extra: {} },
  ),
  ValidDowngradeAdditionalConstructorInChoiceArgVariantField: inArgument(
    'success',
    [variant12, variant],
    CTOR1,
  ),
  InvalidDowngradeAdditionalConstructorInChoiceArgVariantField: inArgument(
    UNREADABLE,
    [variant12, variant],
    CTOR2,
  ),
  ValidDowngradeAdditionalConstructorInChoiceArgEnumField: inArgument(
    'success',
    [enum12, one],
    'Ctor1',
  ),
  InvalidDowngradeAdditionalConstructorInChoiceArgEnumField: inArgument(
    UNREADABLE_ENUM,
    [enum12, one],
    'Ctor2',
  ),
  ValidDowngradeAdditionalChoiceArg: {
    outcome: 'success',
    first: { argument: { ...INT, ...EXTRA } },
    second: { argument: INT },
    argumentJson: N,
  },
  InvalidDowngradeAdditionalChoiceArg: {
    outcome: UNREADABLE,
    first: { argument: { ...INT, ...EXTRA } },
    second: { argument: INT },
    argumentJson: { ...N, extra: {} },
  },
};

/** Not upstream's: the payloads of two versions that no upgrade check let pass (ValueTranslator). */
const forced: Record<string, Change> = {
  DifferentlyTypedFieldInRecordArg: inPayload(
    TRANSLATION,
    [record(), { record: { n: t.text } }],
    n(),
    N,
  ),
  RecordAsVariantArg: inPayload(TRANSLATION, [record(), variant], n(), N),
};

/** Not upstream's: what a contract's hash covers besides (SValueHash), and what a key is compared by (checkContractUpgradable). */
const names: Record<string, Change> = {
  DifferentlyNamedTypeArg: {
    outcome: AUTHENTICATION,
    first: { types: { Data: record() }, fields: { data: t.con('Mod:Data') } },
    second: { types: { Other: record() }, fields: { data: t.con('Mod:Other') } },
    payload: (types) => ({ data: n()(`${types}:Mod:Data`) }),
    payloadJson: { data: N },
  },
  DifferentlyNamedTrailingNone: {
    outcome: 'success',
    first: { fields: EXTRA },
    second: { fields: { other: t.optional(t.unit) } },
    payload: () => NONE,
  },
  DifferentlyNamedKeyField: {
    outcome: 'success',
    first: { keyFields: { one: t.int64 }, key: key({ one: e.int(1) }) },
    second: { keyFields: { two: t.int64 }, key: key({ two: e.int(1) }) },
    key: () => ({ two: e.int(1) }),
    keyJson: () => ({ two: '1' }),
  },
};

export const CHANGES: Readonly<Record<string, Change>> = {
  ...metadata,
  ...additions,
  ...payloads,
  ...instances,
  ...keys,
  ...choiceArguments,
  ...forced,
  ...names,
};
