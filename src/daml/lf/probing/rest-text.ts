/** The values of an alternative for all other values. */
import { Constant, type LfPattern } from '../../archive/code/form.js';
import { splitTypeId, type TypeId } from '../../model/types.js';

/** The most constructors that a text lists. */
export const MAX_LISTED = 8;

/**
 * @param patterns of all alternatives, in their order
 * @param constructorsOf the constructors of a variant or an enum, in their order
 * @returns the only value that is left, or a list of constructors; `_` if the values are unknown
 */
export function restText(
  patterns: readonly LfPattern[],
  constructorsOf: (id: TypeId) => readonly string[],
): string {
  const [first] = patterns;
  switch (first?.kind) {
    case 'variant':
    case 'enum': {
      const named = patterns.map((each) => ('name' in each ? each.name : ''));
      const rest = constructorsOf(first.id).filter((each) => !named.includes(each));
      if (rest.length === 1) return rest[0]!;
      const more = rest.length - MAX_LISTED;
      const listed = rest.slice(0, MAX_LISTED).join(', ');
      const { entity } = splitTypeId(first.id);
      return `any other value of ${entity} (${listed}${more > 0 ? ` and ${more} more` : ''})`;
    }
    case 'constant':
      if (first.constant === Constant.True) return 'False';
      return first.constant === Constant.False ? 'True' : '_';
    case 'none':
      return 'Some _';
    case 'some':
      return 'None';
    case 'nil':
      return '_ :: _';
    case 'cons':
      return '[]';
    default:
      return '_';
  }
}
