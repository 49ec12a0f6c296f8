/** The package that typing is shown with: each kind of definition once, and ways to put code into it. */
import { buildDar } from '../../../support/daml/dar-builder.js';
import { e, u, type Code } from '../../../support/daml/lf-code.js';
import {
  encodePackage,
  type ModuleSpec,
  type PackageSpec,
} from '../../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../../support/daml/lf-types.js';

const UPDATE = 17;
export const updateOf = (type: LfTypeSpec) => t.builtin(UPDATE, type);
export const PARTIES = t.list(t.party);
export const NO_PARTIES = e.nil(t.party);
export const ANY_EXCEPTION = t.builtin(14);
export const TYPE_REP = t.builtin(15);
export const R = (a: LfTypeSpec) => t.con('Mod:R', a);
export const TREE = (a: LfTypeSpec) => t.con('Mod:Tree', a);
export const T = t.con('Mod:T');
export const TI = t.con('Mod:Ti');
export const U = t.con('Mod:U');
export const I = t.con('Mod:I');
export const SUB_I = t.con('Mod:SubI');
export const J = t.con('Mod:J');
export const E = t.con('Mod:E');
export const COLOR = t.con('Mod:Color');
const MY_UNIT = t.con('Mod:MyUnit');
const PERSON = { person: t.party, name: t.text };
const choice = { argument: t.int64, returns: t.numeric(10) };
const view = e.record(MY_UNIT, {});

const model = (keys: boolean): ModuleSpec => ({
  types: {
    R: { params: ['a'], serializable: false, record: { f1: t.int64, f2: t.list(t.var('a')) } },
    Tree: {
      params: ['a'],
      serializable: false,
      variant: {
        Node: t.struct({ left: TREE(t.var('a')), right: TREE(t.var('a')) }),
        Leaf: t.var('a'),
      },
    },
    Color: { enum: ['Red', 'Green', 'Blue'] },
    MyUnit: { record: {} },
    U: { record: PERSON },
    E: { record: { message: t.text } },
  },
  synonyms: {
    S: { type: U },
    SynInt: { type: t.int64 },
    SynSynInt: { type: t.syn('Mod:SynInt') },
    SynIdentity: { params: ['a'], type: t.var('a') },
    SynList: { params: ['a'], type: t.list(t.var('a')) },
    SynSelfFunc: { params: ['a'], type: t.arrow(t.var('a'), t.var('a')) },
    SynFunc: { params: ['a', 'b'], type: t.arrow(t.var('a'), t.var('b')) },
    SynPair: { params: ['a', 'b'], type: t.struct({ one: t.var('a'), two: t.var('b') }) },
    SynForall: { type: t.forall('a', t.arrow(t.var('a'), t.var('a'))) },
    SynUpdate: { params: ['a'], type: updateOf(t.var('a')) },
  },
  templates: {
    T: { fields: PERSON, choices: { Ch: choice }, ...(keys && { key: t.party }) },
    Ti: {
      fields: PERSON,
      choices: { ChTmpl: choice },
      implements: { 'Mod:I': { view, methods: { getParties: NO_PARTIES } } },
    },
  },
  interfaces: {
    I: { view: MY_UNIT, methods: { getParties: PARTIES }, choices: { ChIface: choice } },
    SubI: { view: MY_UNIT, requires: ['Mod:I'] },
    J: { view: MY_UNIT },
  },
  exceptions: { E: e.lambda({ e: E }, e.field(E, 'message', e.var('e'))) },
  values: {
    f: { type: t.arrow(t.int64, t.bool), expression: e.lambda({ x: t.int64 }, e.true) },
  },
});

type Lf = NonNullable<PackageSpec['lf']>;

/** A DAR of the model and these values. */
export function darOf(
  values: Readonly<Record<string, { type: LfTypeSpec; expression: Code }>>,
  lf: Lf = '3',
): Uint8Array {
  const keys = lf === '3' || lf === 'dev';
  return buildDar(encodePackage({ lf, modules: { Mod: model(keys), X: { values } } }));
}

export type Variables = Readonly<Record<string, LfTypeSpec>>;

/** `body`, as a function of type variables and variables. */
export function abstracted(types: readonly string[], variables: Variables, body: Code): Code {
  const inner = Object.keys(variables).length === 0 ? body : e.lambda(variables, body);
  return types.reduceRight<Code>((code, variable) => e.forType(variable, code), inner);
}

/** The type of what `abstracted` makes of a body of type `result`. */
export function abstractedType(
  types: readonly string[],
  variables: Variables,
  result: LfTypeSpec,
): LfTypeSpec {
  const inner = Object.values(variables).reduceRight((to, from) => t.arrow(from, to), result);
  return types.reduceRight<LfTypeSpec>((body, variable) => t.forall(variable, body), inner);
}

export { e, t, u, type Code, type LfTypeSpec };
