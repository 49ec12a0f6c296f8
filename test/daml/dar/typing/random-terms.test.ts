/** Accepts generated well-typed terms, and refuses them if a part has another type. */
import fc from 'fast-check';
import { readDar } from '../../../../src/daml/dar/dar-file.js';
import { p } from '../../../support/daml/lf-code.js';
import { check } from '../../../support/property.js';
import { refusalOf } from '../refused.js';
import { COLOR, darOf, e, t, u, updateOf, type Code, type LfTypeSpec } from './model.js';

/** Numbers that select the parts of a term, one after the other. The same numbers make the same term. */
class Choices {
  private at = 0;
  constructor(private readonly numbers: readonly number[]) {}

  next(below: number): number {
    return this.numbers[this.at++ % this.numbers.length]! % below;
  }
}

type Scope = readonly (readonly [name: string, type: LfTypeSpec])[];
const SCALARS: readonly (readonly [LfTypeSpec, Code])[] = [
  [t.int64, e.int(1)],
  [t.text, e.text('x')],
  [t.bool, e.true],
  [t.unit, e.unit],
  [t.numeric(2), e.numeric('1.25')],
  [COLOR, e.enum('Mod:Color', 'Red')],
];
const same = (a: LfTypeSpec, b: LfTypeSpec): boolean => JSON.stringify(a) === JSON.stringify(b);

function randomType(choices: Choices, depth: number): LfTypeSpec {
  const inner = (): LfTypeSpec => randomType(choices, depth - 1);
  switch (depth === 0 ? 0 : choices.next(7)) {
    case 1:
      return t.list(inner());
    case 2:
      return t.optional(inner());
    case 3:
      return t.arrow(inner(), inner());
    case 4:
      return t.struct({ a: inner(), b: inner() });
    case 5:
      return t.con('Mod:R', inner());
    case 6:
      return updateOf(inner());
    default:
      return SCALARS[choices.next(SCALARS.length)]![0];
  }
}

/** Makes terms. The term with the number `spoilt` has another type than the expected one. */
class Maker {
  made = 0;
  constructor(
    private readonly choices: Choices,
    private readonly spoilt: number,
  ) {}

  term(type: LfTypeSpec, scope: Scope, depth: number): Code {
    const number = this.made;
    this.made += 1;
    const wanted = number === this.spoilt ? t.struct({ a: type, b: type }) : type;
    return this.sound(wanted, scope, depth);
  }

  private sound(type: LfTypeSpec, scope: Scope, depth: number): Code {
    const fitting = scope.filter(([, one]) => same(one, type));
    if (fitting.length > 0 && this.choices.next(2) === 0)
      return e.var(fitting[this.choices.next(fitting.length)]![0]);
    if (depth > 0 && this.choices.next(2) === 0) return this.elimination(type, scope, depth - 1);
    return this.introduction(type, scope, depth - 1);
  }

  /** A term whose form is its type's own. */
  private introduction(type: LfTypeSpec, scope: Scope, depth: number): Code {
    const of = (inner: LfTypeSpec): Code => this.term(inner, scope, Math.max(depth, 0));
    if (type.tag === 'struct')
      return e.struct({ b: of(type.fields['b']!), a: of(type.fields['a']!) });
    if (type.tag === 'con' && type.args.length === 1)
      return e.record(type, { f1: of(t.int64), f2: of(t.list(type.args[0]!)) });
    const scalar = SCALARS.find(([one]) => same(one, type));
    if (scalar !== undefined) return scalar[1];
    const { number, args } = type as { number: number; args: readonly LfTypeSpec[] };
    const [first, second] = args as [LfTypeSpec, LfTypeSpec];
    if (number === 10) return depth > 0 ? e.list(first, [of(first), of(first)]) : e.nil(first);
    if (number === 9) return depth > 0 ? e.some(first, of(first)) : e.none(first);
    if (number === 17) return u.pure(first, of(first));
    const name = `x${scope.length}`;
    return e.lambda(
      { [name]: first },
      this.term(second, [...scope, [name, first]], Math.max(depth, 0)),
    );
  }

  /** A term that takes another apart. */
  private elimination(type: LfTypeSpec, scope: Scope, depth: number): Code {
    const { choices } = this;
    const other = randomType(choices, 1);
    const name = `x${scope.length}`;
    const within: Scope = [...scope, [name, other]];
    const of = (inner: LfTypeSpec, inside = scope): Code => this.term(inner, inside, depth);
    switch (choices.next(6)) {
      case 0:
        return e.call(of(t.arrow(other, type)), of(other));
      case 1:
        return e.let([[name, other, of(other)]], of(type, within));
      case 2:
        return e.match(of(t.optional(other)), [p.some(name), of(type, within)], [p.none, of(type)]);
      case 3: {
        // Otherwise the type of the other member would be unknown.
        const struct = t.struct({ a: type, b: other });
        return e.let([[name, struct, of(struct)]], e.member('a', e.var(name)));
      }
      case 4:
        return e.at(e.forType('z', of(type)), other);
      default:
        return e.if(of(t.bool), of(type), of(type));
    }
  }
}

const numbers = fc.array(fc.nat({ max: 5_039 }), { minLength: 40, maxLength: 40 });

function made(seed: readonly number[], spoilt: number) {
  const choices = new Choices(seed);
  const type = randomType(choices, 2);
  const maker = new Maker(choices, spoilt);
  return { type, expression: maker.term(type, [], 4), parts: maker.made };
}

const dar = ({ type, expression }: ReturnType<typeof made>) => darOf({ x: { type, expression } });

test('accepts a term that is generated from its type', () => {
  check(
    fc.property(numbers, (seed) => {
      expect(readDar(dar(made(seed, -1))).main.name).toBe('test-package');
    }),
    { numRuns: 50 },
  );
});

test('rejects a term in which one part has another type', () => {
  check(
    fc.property(numbers, fc.nat(), (seed, place) => {
      const { parts } = made(seed, -1);
      const spoilt = made(seed, place % parts);
      expect(refusalOf(dar(spoilt)).code).toBe('DAR_VALIDATION_ERROR');
    }),
    { numRuns: 50 },
  );
});
