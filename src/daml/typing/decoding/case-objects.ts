/** The objects of case expressions and their patterns. */
import { parseError } from '../../archive/dar-refusals.js';
import { lf2, type Lf2 } from '../../archive/lf-tables.js';
import type { ExpressionDecoder } from './expression-decoder.js';
import { objectOf, type Form, type Forms } from './forms.js';
import { builtinCon } from './literal-objects.js';
import { immArray, scalaObject, type ScalaPart } from './scala-object.js';

const PATTERNS: Forms<Omit<Lf2<'CaseAlt'>, 'body'>> = {
  default: () => 'CPDefault',
  variant: (d, bytes) => {
    const { con, constructor_, binder } = lf2.decode('CaseAlt.Variant', bytes);
    return scalaObject('CPVariant', d.id(con), d.name(constructor_), d.name(binder));
  },
  builtinCon: (_, constant) => {
    if (constant > 2) throw parseError('Unknown BuiltinCon: UNRECOGNIZED');
    return scalaObject('CPBuiltinCon', builtinCon(constant));
  },
  nil: () => 'CPNil',
  cons: (d, bytes) => {
    const { head, tail } = lf2.decode('CaseAlt.Cons', bytes);
    return scalaObject('CPCons', d.name(head), d.name(tail));
  },
  none: () => 'CPNone',
  some: (d, bytes) => scalaObject('CPSome', d.name(lf2.decode('CaseAlt.OptionalSome', bytes).body)),
  enum: (d, bytes) => {
    const { con, constructor_ } = lf2.decode('CaseAlt.Enum', bytes);
    return scalaObject('CPEnum', d.id(con), d.name(constructor_));
  },
};

/** Of an alternative, apart from what it leads to. */
export function patternObject(
  d: ExpressionDecoder,
  { body: _, ...sum }: Lf2<'CaseAlt'>,
): ScalaPart {
  return objectOf(d, sum, PATTERNS, 'CaseAlt');
}

/** All patterns are read before what they lead to. */
export const caseObject: Form<Uint8Array> = (d, bytes) => {
  const { scrutinee, alternatives } = lf2.decode('Case', bytes);
  const matched = d.expression(scrutinee);
  const read = alternatives.map((part) => lf2.decode('CaseAlt', part));
  const patterns = read.map((alternative) => patternObject(d, alternative));
  const objects = read.map(({ body }, index) =>
    scalaObject('CaseAlt', patterns[index]!, d.expression(body)),
  );
  return scalaObject('ECase', matched, immArray(objects));
};
