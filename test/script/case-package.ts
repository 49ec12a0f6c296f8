/**
 * Packages for the cases of other script suites, in a short notation: templates with parties, numbers and ids, and scripts with a
 * sequence of submissions. The results of submissions have names.
 */
import { e, p, type Code } from '../support/daml/lf-code.js';
import {
  encodePackage,
  type DataTypeSpec,
  type EncodedPackage,
  type ModuleSpec,
  type PackageSpec,
} from '../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../support/daml/lf-types.js';
import { idOf, templateOf, typeOf, type CaseTemplate } from '../support/daml/short-templates.js';
import { allocate, ANSWER, commandOf, s, steps, submit } from './script-package.js';

export {
  doing,
  idOf,
  make,
  typeOf,
  type CaseChoice,
  type CaseTemplate,
} from '../support/daml/short-templates.js';

export type CaseStep = readonly [name: string, type: LfTypeSpec, step: Code];

/** Parties by their names, then the steps; returns the result of the last step. */
export interface CaseScript {
  readonly parties: readonly string[];
  readonly steps: readonly CaseStep[];
}

const failed = (type: LfTypeSpec, message: string): Code =>
  e.call(e.builtin('ERROR', type), e.text(message));

/** The results of submissions, as these packages decode them. */
const DONE = typeOf('Done');
const OUTCOME = typeOf('Outcome');
const RESULT = typeOf('Result');
export const readTypes: Readonly<Record<string, DataTypeSpec>> = {
  Result: { variant: { Created: t.contractId(t.unit), Exercised: ANSWER }, serializable: false },
  Done: { record: { results: t.list(RESULT), tree: ANSWER }, serializable: false },
  Outcome: { variant: { Refused: ANSWER, Succeeded: DONE }, serializable: false },
};

/** One of the results of a submission, which are those of its commands; a create-and-exercise has two. */
function resultOf(of: string, from: LfTypeSpec, constructor: string, type: LfTypeSpec): Code {
  const read = e.match(
    e.var('result'),
    [p.variant('Main:Result', constructor, 'x'), s.cast(from, type, e.var('x'))],
    [p.default, failed(type, `the result is not ${constructor}`)],
  );
  const last = e.match(
    e.var('rest'),
    [p.cons('second', '_'), e.let([['result', RESULT, e.var('second')]], read)],
    [p.default, e.let([['result', RESULT, e.var('first')]], read)],
  );
  return e.match(
    s.cast(ANSWER, t.list(OUTCOME), e.var(of)),
    [
      p.cons('outcome', '_'),
      e.match(
        e.var('outcome'),
        [
          p.variant('Main:Outcome', 'Succeeded', 'done'),
          e.match(
            e.field(DONE, 'results', e.var('done')),
            [p.cons('first', 'rest'), last],
            [p.default, failed(type, 'there is no result')],
          ),
        ],
        [p.default, failed(type, 'it was refused')],
      ),
    ],
    [p.default, failed(type, 'nothing was submitted')],
  );
}

/** The id that a creation returned. @param template type of the returned id */
export const created = (step: string, template: string): Code =>
  resultOf(step, t.contractId(t.unit), 'Created', idOf(template));

export const exercised = (step: string, type: LfTypeSpec): Code =>
  resultOf(step, ANSWER, 'Exercised', type);

type Values = Readonly<Record<string, Code>>;

const anyId = (template: string, id: Code): Code =>
  e.call(e.builtin('COERCE_CONTRACT_ID', typeOf(template), t.unit), id);

export const creation = (template: string, fields: Values): Code =>
  commandOf('Create', {
    argC: s.anyTemplate(typeOf(template), e.record(typeOf(template), fields)),
  });

const anyChoice = (template: string, choice: string, fields: Values): Code =>
  s.anyChoice(typeOf(template), typeOf(choice), e.record(typeOf(choice), fields));

export const use = (template: string, id: Code, choice: string, fields: Values = {}): Code =>
  commandOf('Exercise', {
    tplId: s.rep(typeOf(template)),
    cId: anyId(template, id),
    argE: anyChoice(template, choice, fields),
  });

export const createAnd = (
  template: string,
  payload: Values,
  choice: string,
  fields: Values = {},
): Code =>
  commandOf('CreateAndExercise', {
    tplArgCE: s.anyTemplate(typeOf(template), e.record(typeOf(template), payload)),
    choiceArgCE: anyChoice(template, choice, fields),
  });

/** A submission whose result gets the name. */
export const by = (
  party: string,
  command: Code,
  name = '_',
  options: Parameters<typeof submit>[2] = {},
): CaseStep => [name, ANSWER, submit(e.var(party), [command], options)];

export const mustFail = (party: string, command: Code): CaseStep =>
  by(party, command, '_', { behaviour: 'MustFail' });

/** Fails the script unless the condition holds. */
export const check = (condition: Code, message = 'it is another value'): CaseStep => [
  '_',
  t.unit,
  e.if(condition, s.finish(t.unit, e.unit), failed(s.of(t.unit), message)),
];

export const equals = (type: LfTypeSpec, left: Code, right: Code): Code =>
  e.call(e.builtin('EQUAL', type), left, right);

export const abort = (message: string): CaseStep => ['_', t.unit, failed(s.of(t.unit), message)];

interface CaseOptions extends Pick<PackageSpec, 'lf'> {
  readonly interfaces?: ModuleSpec['interfaces'];
  readonly exceptions?: Readonly<Record<string, Code>>;
  readonly types?: Readonly<Record<string, DataTypeSpec>>;
  /** Top-level values besides the scripts. */
  readonly values?: ModuleSpec['values'];
}

/** The package. Scripts have the names of the cases, with an underscore instead of the colon. */
export function casePackage(
  templates: Readonly<Record<string, CaseTemplate>>,
  scripts: Readonly<Record<string, CaseScript>>,
  { lf, exceptions, types, interfaces, values: others }: CaseOptions = {},
): EncodedPackage {
  const choices = Object.values(templates).flatMap((each) => Object.entries(each.choices ?? {}));
  const values = Object.entries(scripts).map(([name, { parties, steps: all }]) => {
    const allocated = parties.map((hint) => [hint, t.party, allocate(hint)] as const);
    const code = steps([...allocated, ...all], [t.unit, s.finish(t.unit, e.unit)]);
    return [nameOf(name), { type: s.of(t.unit), expression: code }] as const;
  });
  const Main = {
    types: {
      ...readTypes,
      ...Object.fromEntries(choices.map(([name, { args = {} }]) => [name, { record: args }])),
      ...types,
    },
    ...(exceptions && { exceptions }),
    ...(interfaces && { interfaces }),
    templates: Object.fromEntries(
      Object.entries(templates).map(([name, each]) => [name, templateOf(name, each)]),
    ),
    values: { ...others, ...Object.fromEntries(values) },
  };
  return encodePackage({ name: 'script-cases', ...(lf && { lf }), modules: { Main } });
}

export const nameOf = (name: string): string => name.replace(':', '_');

const anyKey = (template: string, type: LfTypeSpec, key: Code): Code =>
  e.record(s.question('Commands:AnyContractKey'), {
    getAnyContractKey: s.cast(type, s.low('LedgerValue'), key),
    getAnyContractKeyTemplateTypeRep: s.rep(typeOf(template)),
  });

export const useByKey = (
  template: string,
  type: LfTypeSpec,
  key: Code,
  choice: string,
  fields: Values = {},
): Code =>
  commandOf('ExerciseByKey', {
    tplId: s.rep(typeOf(template)),
    keyE: anyKey(template, type, key),
    argE: anyChoice(template, choice, fields),
  });

/** The result of a query by id: the contract, its template, its blob. */
const SHOWN = s.low('Arguments3', s.low('AnyTemplate'), s.low('TemplateTypeRep'), t.text);

/** A stakeholder queries a contract, for {@link disclosed}. */
export const showing = (party: string, template: string, id: Code, name: string): CaseStep => {
  const fields = [
    [t.list(t.party), e.list(t.party, [e.var(party)])],
    [s.low('TemplateTypeRep'), s.rep(typeOf(template))],
    [t.contractId(t.unit), anyId(template, id)],
  ] as const;
  return [name, t.optional(SHOWN), s.ask('QueryContractId', 1, fields, t.optional(SHOWN))];
};

/** The result of {@link showing} as a disclosure for a submission. */
export const disclosed = (step: string, template: string, id: Code): Code =>
  e.record(s.question('Commands:Disclosure'), {
    templateId: s.rep(typeOf(template)),
    contractId: anyId(template, id),
    blob: e.match(
      e.var(step),
      [p.some('shown'), e.field(SHOWN, 'a2', e.var('shown'))],
      [p.default, failed(t.text, 'it is not found')],
    ),
  });

/** The result of {@link showing} as an optional contract of the template. */
export const payloadIn = (step: string, template: string): Code => {
  const type = typeOf(template);
  const any = e.field(s.low('AnyTemplate'), 'getAnyTemplate', e.field(SHOWN, 'a0', e.var('shown')));
  return e.match(e.var(step), [p.some('shown'), e.fromAny(type, any)], [p.default, e.none(type)]);
};

/** The ids of at most `most` contracts with a key, of which the party is a stakeholder. */
export const queryIdsByKey = (
  party: string,
  template: string,
  type: LfTypeSpec,
  key: Code,
  most: number,
  name: string,
): CaseStep => {
  const pairs = t.list(s.low('Pair', idOf(template)));
  const fields = [
    [t.list(t.party), e.list(t.party, [e.var(party)])],
    [s.low('TemplateTypeRep'), s.rep(typeOf(template))],
    [s.question('Commands:AnyContractKey'), anyKey(template, type, key)],
    [t.int64, e.int(most)],
  ] as const;
  return [name, pairs, s.ask('QueryNByKey', 1, fields, pairs)];
};

/** The ids in the result of {@link queryIdsByKey}. */
export const idsIn = (step: string, template: string): Code => {
  const pair = s.low('Pair', idOf(template));
  const one = e.field(pair, '_1', e.var('pair'));
  const rest = t.list(idOf(template));
  return e.call(
    e.builtin('FOLDR', pair, rest),
    e.lambda({ pair, rest }, e.cons(idOf(template), [one], e.var('rest'))),
    e.nil(idOf(template)),
    e.var(step),
  );
};

/** An optional contract with the key, of which the party is a stakeholder. */
export const queryByKey = (
  party: string,
  template: string,
  type: LfTypeSpec,
  key: Code,
  name: string,
): CaseStep => {
  const found = t.optional(ANSWER);
  const fields = [
    [t.list(t.party), e.list(t.party, [e.var(party)])],
    [s.low('TemplateTypeRep'), s.rep(typeOf(template))],
    [s.question('Commands:AnyContractKey'), anyKey(template, type, key)],
  ] as const;
  return [name, found, s.ask('QueryByKey', 2, fields, found)];
};

export const setTime = (micros: bigint): CaseStep => [
  '_',
  ANSWER,
  s.ask('SetTime', 1, [[t.timestamp, e.timestamp(micros)]], ANSWER),
];
