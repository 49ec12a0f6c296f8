/** Types of literals. */
import type { Literal } from '../archive/code/form.js';
import type { Type, Types } from './type.js';

export function literalType(types: Types, literal: Literal): Type {
  // The number of digits behind the point is the scale.
  if (literal.type === 'Numeric') return types.app(types.numeric, types.nat(literal.value.scale));
  return types.builtin(literal.type);
}
