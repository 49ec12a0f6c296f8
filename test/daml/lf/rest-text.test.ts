/** The values of an alternative for all other values. */
import { Constant, type LfPattern } from '../../../src/daml/archive/code/form.js';
import { MAX_LISTED, restText } from '../../../src/daml/lf/probing/rest-text.js';

const ID = 'package:Main:Color';
const ofEnum = (name: string): LfPattern => ({ kind: 'enum', id: ID, name });
const ofVariant = (name: string): LfPattern => ({ kind: 'variant', id: ID, name, binder: 'x' });
const ofConstant = (constant: Constant): LfPattern => ({ kind: 'constant', constant });
const rest = (constructors: readonly string[], ...others: readonly LfPattern[]) =>
  restText(others, (id) => (id === ID ? constructors : []));

it('lists the constructors of an enum or a variant that no other alternative names', () => {
  const colors = ['Red', 'Green', 'Blue'];
  expect(rest(colors, ofEnum('Red'))).toBe('any other value of Color (Green, Blue)');
  expect(rest(colors, ofVariant('Green'))).toBe('any other value of Color (Red, Blue)');
  expect(rest(colors, ofEnum('Green'), ofEnum('Red'))).toBe('Blue');
});

it('lists a limited number of constructors', () => {
  const names = (count: number) => Array.from({ length: count }, (_, place) => `C${place}`);
  const listed = names(MAX_LISTED).join(', ');
  const of = (count: number) => rest(['Known', ...names(count)], ofEnum('Known'));
  expect(of(MAX_LISTED)).toBe(`any other value of Color (${listed})`);
  expect(of(MAX_LISTED + 1)).toBe(`any other value of Color (${listed} and 1 more)`);
});

it('names the only value that is left of a truth value, an optional or a list', () => {
  expect(rest([], ofConstant(Constant.True))).toBe('False');
  expect(rest([], ofConstant(Constant.False))).toBe('True');
  expect(rest([], { kind: 'none' })).toBe('Some _');
  expect(rest([], { kind: 'some', binder: 'x' })).toBe('None');
  expect(rest([], { kind: 'nil' })).toBe('_ :: _');
  expect(rest([], { kind: 'cons', head: 'x', tail: 'y' })).toBe('[]');
});

it('names no value if the others are unknown', () => {
  expect(rest([])).toBe('_');
  expect(rest([], ofConstant(Constant.Unit))).toBe('_');
});
