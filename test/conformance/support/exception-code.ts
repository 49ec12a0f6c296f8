/** How the exceptions package (`exceptions.ts`) is written: a few words over the notation of Daml-LF. */
import { e, p, u, type BindingCode, type Code } from '../../support/daml/lf-code.js';
import type { TemplateSpec } from '../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';

export const own = (name: string) => t.con(`Main:${name}`);
export const idOf = (name: string) => t.contractId(own(name));
const updateOf = (type: LfTypeSpec) => t.builtin(17, type);
export const SELF = e.var('self');
const [THIS, ARG] = [e.var('this'), e.var('arg')];

/** A field of the contract, and one of the argument, which has the choice's name. */
export const fieldOf = (template: string, name: string) => e.field(own(template), name, THIS);
export const argOf = (choice: string, name: string) => e.field(own(choice), name, ARG);
export const parties = (...items: Code[]) => e.list(t.party, items);

export const done = u.pure(t.unit, e.unit);
const blank = e.record(own('E'), { t: e.text('') });
export const raise = (exception = 'E', payload = blank, type: LfTypeSpec = t.unit) =>
  e.throw(updateOf(type), own(exception), payload);

/** Steps one after the other, of which only the last one's result counts. */
export const steps = (...all: [...(readonly [LfTypeSpec, Code])[], Code]): Code =>
  u.block(
    (all.slice(0, -1) as (readonly [LfTypeSpec, Code])[]).map(([type, step]): BindingCode => [
      undefined,
      type,
      step,
    ]),
    all.at(-1) as Code,
  );
/** Catches exceptions of one type; `x` is the exception. */
export const attempt = (
  body: Code,
  handler: Code = done,
  exception = 'E',
  type: LfTypeSpec = t.unit,
) =>
  u.tryCatch(
    type,
    body,
    'any',
    e.match(
      e.fromAnyException(own(exception), e.var('any')),
      [p.none, e.none(updateOf(type))],
      [p.some('x'), e.some(updateOf(type), handler)],
    ),
  );

export interface Choice {
  readonly argument?: Readonly<Record<string, LfTypeSpec>>;
  readonly returns?: LfTypeSpec;
  readonly update: Code;
}
/** Signed by one field, with an archive choice. */
export function signed(
  name: string,
  signatory: string,
  more: Partial<TemplateSpec> = {},
): TemplateSpec {
  const signatories = parties(fieldOf(name, signatory));
  const archive = { argument: t.unit, returns: t.unit, controllers: signatories, update: done };
  return {
    fields: { [signatory]: t.party },
    precondition: e.true,
    signatories,
    ...more,
    choices: { Archive: archive, ...more.choices },
  };
}
