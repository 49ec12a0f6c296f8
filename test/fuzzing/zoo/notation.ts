/**
 * The notation of the zoo's models: expressions, updates and whole packages. Each template gets the choice `Archive`
 * of its signatories, as the compiler adds it.
 */
import { e, p, u, type BindingCode, type Code } from '../../support/daml/lf-code.js';
import {
  encodePackage,
  type EncodedPackage,
  type ModuleSpec,
  type PackageSpec,
} from '../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';
import {
  templateOf,
  typeOf,
  type CaseChoice,
  type CaseTemplate,
} from '../../support/daml/short-templates.js';

export { e, p, t, u, type Code };
export {
  doing,
  idOf,
  make,
  typeOf,
  type CaseTemplate,
} from '../../support/daml/short-templates.js';

const UPDATE = 17;
export const updateOf = (type: LfTypeSpec): LfTypeSpec => t.builtin(UPDATE, type);
export const DONE = u.pure(t.unit, e.unit);
export const self = e.var('self');
export const it = e.var('this');

const operation =
  (name: string, ...types: LfTypeSpec[]) =>
  (...args: Code[]): Code =>
    e.call(e.builtin(name, ...types), ...args);

export const plus = operation('ADD_INT64');
export const minus = operation('SUB_INT64');
export const times = operation('MUL_INT64');
export const dividedBy = operation('DIV_INT64');
export const isLess = (left: Code, right: Code, type = t.int64): Code =>
  operation('LESS', type)(left, right);
export const isAtMost = (left: Code, right: Code, type = t.int64): Code =>
  operation('LESS_EQ', type)(left, right);
export const isEqual = (left: Code, right: Code, type: LfTypeSpec = t.int64): Code =>
  operation('EQUAL', type)(left, right);
export const isPositive = (value: Code): Code => isLess(e.int(0), value);
export const and = (left: Code, right: Code): Code => e.if(left, right, e.false);
export const not = (value: Code): Code => e.if(value, e.false, e.true);
/** Whether the list of parties contains the party. */
export const contains = (parties: Code, party: Code): Code =>
  e.call(
    e.builtin('FOLDL', t.party, t.bool),
    e.lambda(
      { found: t.bool, one: t.party },
      e.if(e.var('found'), e.true, isEqual(e.var('one'), party, t.party)),
    ),
    e.false,
    parties,
  );

/** The type of an expression that fails as Daml's `error` with this message. */
export const error = (type: LfTypeSpec, message: string): Code =>
  e.call(e.builtin('ERROR', type), e.text(message));

/** `assertMsg`. */
export const assert = (condition: Code, message: string): BindingCode => [
  '_',
  t.unit,
  e.if(
    condition,
    DONE,
    e.call(
      e.builtin('FAIL_WITH_STATUS', updateOf(t.unit)),
      e.text('UNHANDLED_EXCEPTION/DA.Exception.AssertionFailed:AssertionFailed'),
      e.failureCategory(0),
      e.text(message),
      e.builtin('TEXTMAP_EMPTY', t.text),
    ),
  ),
];

export const withNow: BindingCode = ['now', t.timestamp, u.getTime];
export const now = e.var('now');

/** The contract of the id, under the name. */
export const fetched = (name: string, template: string, id: Code): BindingCode => [
  name,
  typeOf(template),
  u.fetch(`Main:${template}`, id),
];
export const archived = (template: string, id: Code): BindingCode => [
  '_',
  t.unit,
  u.exercise(`Main:${template}`, 'Archive', id, e.record(typeOf('Archive'), {})),
];
export const created = (name: string, template: string, creation: Code): BindingCode => [
  name,
  t.contractId(typeOf(template)),
  creation,
];
/** The contract with other values in some fields. */
export const changed = (
  template: string,
  changes: Readonly<Record<string, Code>>,
  record: Code = it,
): Code =>
  Object.entries(changes).reduce<Code>(
    (changing, [name, value]) => e.with(typeOf(template), name, changing, value),
    record,
  );
export const renewed = (template: string, changes: Readonly<Record<string, Code>>): Code =>
  u.create(`Main:${template}`, changed(template, changes));
export const fieldOf = (template: string, name: string, record: string): Code =>
  e.field(typeOf(template), name, e.var(record));
/** Updates in sequence, without a result. */
export const inSequence = (...bindings: BindingCode[]): Code => u.block(bindings, DONE);
/** Updates in sequence; the last gives the result. */
export const lastly = (result: Code, ...bindings: BindingCode[]): Code => u.block(bindings, result);

export interface ZooPackage extends Omit<PackageSpec, 'modules'> {
  readonly templates: Readonly<Record<string, CaseTemplate>>;
  /** More definitions of the module. */
  readonly more?: ModuleSpec;
}

export function zooPackage({ templates, more, ...spec }: ZooPackage): EncodedPackage {
  const whole = Object.entries(templates).map(([name, template]) => {
    const Archive: CaseChoice = { by: template.signatories };
    return [name, { ...template, choices: { Archive, ...template.choices } }] as const;
  });
  const choices = whole.flatMap(([, template]) => Object.entries(template.choices));
  const Main: ModuleSpec = {
    ...more,
    types: {
      ...Object.fromEntries(
        choices.map(([name, { args = {} }]) => [name, { record: args }] as const),
      ),
      ...more?.types,
    },
    templates: Object.fromEntries(
      whole.map(([name, template]) => [name, templateOf(name, template)]),
    ),
  };
  return encodePackage({ name: 'zoo', ...spec, modules: { Main } });
}
