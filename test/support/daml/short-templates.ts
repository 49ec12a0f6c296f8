/**
 * A short notation for templates in tests: parties by the names of fields, and choices whose argument type has the
 * name of the choice. All are in the module `Main`.
 */
import { e, u, type Code } from './lf-code.js';
import type { ChoiceSpec, Fields, TemplateSpec } from './lf-encoder.js';
import { t, type LfTypeSpec } from './lf-types.js';

export const typeOf = (name: string): LfTypeSpec => t.con(`Main:${name}`);
export const idOf = (template: string): LfTypeSpec => t.contractId(typeOf(template));

/** In the code of a template: creates a contract. */
export const make = (template: string, fields: Readonly<Record<string, Code>>) =>
  u.create(`Main:${template}`, e.record(typeOf(template), fields));
/** In the code of a template: exercises a choice. */
export const doing = (template: string, id: Code, choice: string, fields = {}) =>
  u.exercise(`Main:${template}`, choice, id, e.record(typeOf(choice), fields));

/** Values that the code of a template refers to: fields of the contract and of the argument. */
export interface Inside {
  readonly my: (field: string) => Code;
  readonly given: (field: string) => Code;
}

export interface CaseChoice {
  readonly args?: Fields;
  /** Fields of the contract, or of the argument with a leading dot; or a list of parties. */
  readonly by: readonly string[] | ((inside: Inside) => Code);
  readonly observers?: CaseChoice['by'];
  readonly stays?: true;
  readonly returns?: LfTypeSpec;
  readonly does?: (inside: Inside) => Code;
}

export interface CaseTemplate {
  readonly fields: Fields;
  readonly signatories: readonly string[] | ((inside: Inside) => Code);
  readonly observers?: readonly string[] | ((inside: Inside) => Code);
  readonly ensure?: (inside: Inside) => Code;
  readonly implements?: TemplateSpec['implements'];
  /** By their names, which are unique in the package. */
  readonly choices?: Readonly<Record<string, CaseChoice>>;
  /** A party, or a record that the template defines, with the `maintainers`. */
  readonly key?: {
    readonly type: LfTypeSpec;
    readonly of: (inside: Inside) => Code;
    readonly maintainers: Code;
  };
}

const insideOf = (template: string, choice = template): Inside => ({
  my: (field) => e.field(typeOf(template), field, e.var('this')),
  given: (field) => e.field(typeOf(choice), field, e.var('arg')),
});

const partiesOf = (inside: Inside, by: CaseChoice['by'] = []): Code => {
  const { my, given } = inside;
  if (typeof by === 'function') return by(inside);
  return e.list(
    t.party,
    by.map((name) => (name.startsWith('.') ? given(name.slice(1)) : my(name))),
  );
};

const UNIT = u.pure(t.unit, e.unit);

function choiceOf(template: string, name: string, choice: CaseChoice): ChoiceSpec {
  const inside = insideOf(template, name);
  const { by, observers, stays, returns = t.unit, does } = choice;
  return {
    consuming: stays !== true,
    argument: typeOf(name),
    returns,
    controllers: partiesOf(inside, by),
    ...(observers && { observers: partiesOf(inside, observers) }),
    update: does?.(inside) ?? UNIT,
  };
}

export function templateOf(name: string, template: CaseTemplate): TemplateSpec {
  const inside = insideOf(name);
  const { fields, signatories, observers, ensure, choices = {}, key } = template;
  const { implements: interfaces } = template;
  return {
    fields,
    precondition: ensure?.(inside) ?? e.true,
    signatories: partiesOf(inside, signatories),
    observers: partiesOf(inside, observers),
    choices: Object.fromEntries(
      Object.entries(choices).map(([each, choice]) => [each, choiceOf(name, each, choice)]),
    ),
    ...(interfaces && { implements: interfaces }),
    ...(key && {
      key: {
        type: key.type,
        body: key.of(inside),
        maintainers: e.lambda({ key: key.type }, key.maintainers),
      },
    }),
  };
}
