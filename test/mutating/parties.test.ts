/** The parties of a template that mutants drop, replace and add: fields, also in records and lists, found through calls. */
import { CheckedPackages } from '../../src/daml/dar/checked-packages.js';
import { readDar } from '../../src/daml/dar/dar-file.js';
import type { DarPackage } from '../../src/daml/dar/dar-package.js';
import { Mutation } from '../../src/mutating/mutation.js';
import { buildDar } from '../support/daml/dar-builder.js';
import { e, p, u, type Code } from '../support/daml/lf-code.js';
import { encodePackage, type EncodedPackage } from '../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../support/daml/lf-types.js';

const PARTIES = t.list(t.party);

/** The changes of the parties of a template, whose first field is its signatory by default. */
function changes(
  fields: Readonly<Record<string, LfTypeSpec>>,
  more: {
    readonly signatories?: Code;
    readonly observers?: Code;
    readonly values?: Readonly<Record<string, { type: LfTypeSpec; expression: Code }>>;
  } = {},
): readonly string[] {
  const own = (name: string) => e.field(t.con('Main:T'), name, e.var('this'));
  const [first] = Object.keys(fields);
  const main = encodePackage({
    name: 'parties',
    modules: {
      Main: {
        types: {
          Place: { record: { keeper: t.party, size: t.int64 } },
        },
        templates: {
          T: {
            fields,
            signatories: more.signatories ?? e.list(t.party, [own(first!)]),
            observers: more.observers ?? e.nil(t.party),
            precondition: e.true,
          },
        },
        ...(more.values && { values: more.values }),
      },
    },
  });
  return mutantsOf(main);
}

function mutantsOf(main: EncodedPackage, ...dependencies: readonly EncodedPackage[]) {
  const mutation = new Mutation({ isMutated: () => true });
  const code = { of: () => undefined, instrumentation: mutation };
  const checked = new CheckedPackages(undefined, '', code);
  const dar = buildDar(main, ...dependencies);
  (readDar(dar, undefined, { checked }).main as DarPackage).visitCode();
  return mutation.mutants.map(({ before, after }) => `${before} → ${after}`);
}

const field = (name: string, of: Code = e.var('this')) => e.field(t.con('Main:T'), name, of);

it('finds parties, lists of them and optional ones', () => {
  const plain = { owner: t.party, other: t.party };
  expect(changes(plain)).toEqual(['signatory owner → signatory other', '(none) → observer other']);
  expect(changes({ owner: t.party, others: PARTIES })).toContain('(none) → observer others');
  expect(changes({ owner: t.party, maybe: t.optional(t.party) })).toContain(
    '(none) → observer maybe',
  );
});

it('finds no parties in other fields', () => {
  for (const type of [t.text, t.list(t.int64), t.optional(t.text), t.list(PARTIES)])
    expect(changes({ owner: t.party, other: type })).toEqual([]);
});

it('finds the fields of records', () => {
  const place = { owner: t.party, place: t.con('Main:Place') };
  const observers = e.list(t.party, [e.field(t.con('Main:Place'), 'keeper', field('place'))]);
  expect(changes(place, { observers })).toContain('observer place.keeper → (none)');
});

describe('through calls', () => {
  const TO_PARTIES = t.arrow(t.con('Main:T'), PARTIES);
  /** As the compiler names a part of `T`, with its escapes. */
  const name = (number: number) => `$$$$sc_T_${number}`;
  /** Functions, each of which calls the next one. The last one refers to the owner. */
  const chain = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, place) => {
        const argument = e.var('record');
        const inner =
          place === length - 1
            ? e.list(t.party, [field('owner', argument)])
            : e.call(e.value(`Main:${name(place + 2)}`), argument);
        const expression = e.lambda({ record: t.con('Main:T') }, inner);
        return [name(place + 1), { type: TO_PARTIES, expression }];
      }),
    );
  const through = (length: number) =>
    changes(
      { owner: t.party, other: t.party },
      { signatories: e.call(e.value(`Main:${name(1)}`), e.var('this')), values: chain(length) },
    );

  it('finds them up to eight calls deep', () => {
    expect(through(1)).toContain('signatory owner → signatory other');
    expect(through(8)).toContain('signatory owner → signatory other');
    expect(through(9)).not.toContain('signatory owner → signatory other');
  });

  it('finds those in variables, and none in a variable of the same name for something else', () => {
    const named = (bound: Code, type: LfTypeSpec, body: Code) =>
      changes(
        { owner: t.party, other: t.party },
        { signatories: e.let([['each', type, bound]], body) },
      );
    const list = e.list(t.party, [e.var('each')]);
    expect(named(field('owner'), t.party, list)).toContain('signatory owner → signatory other');
    const twice = e.let([['each', PARTIES, e.nil(t.party)]], e.var('each'));
    expect(named(field('owner'), t.party, twice)).not.toContain(
      'signatory owner → signatory other',
    );
  });

  /** Variables inside each other, the innermost one with the owner. */
  const nested = (levels: number): Code =>
    levels === 0
      ? e.list(t.party, [field('owner')])
      : e.let([['each', PARTIES, nested(levels - 1)]], e.nil(t.party));
  const inside = (levels: number) =>
    changes({ owner: t.party, other: t.party }, { signatories: nested(levels) });

  it('finds them up to 200 levels deep, of which a list is one', () => {
    expect(inside(199)).toContain('signatory owner → signatory other');
    expect(inside(200)).not.toContain('signatory owner → signatory other');
  });
});

it('recognizes the assertions of other packages', () => {
  const UPDATE_UNIT = t.builtin(17, t.unit);
  const lib = encodePackage({
    name: 'asserting',
    modules: {
      Lib: {
        values: {
          assertMsg: {
            type: t.arrow(t.text, t.arrow(t.bool, UPDATE_UNIT)),
            expression: e.lambda(
              { message: t.text, condition: t.bool },
              e.match(
                e.var('condition'),
                [p.true, u.pure(t.unit, e.unit)],
                [p.default, e.call(e.builtin('ERROR', UPDATE_UNIT), e.var('message'))],
              ),
            ),
          },
        },
      },
    },
  });
  const same = e.call(e.builtin('EQUAL', t.party), field('owner'), field('owner'));
  const main = withUpdate(t.unit, e.call(e.value(`${lib.id}:Lib:assertMsg`), e.text('same'), same));
  expect(mutantsOf(main, lib)).toContain('assertMsg "same" (owner == owner) → (removed)');
});

/** A template with a choice that does this. */
function withUpdate(
  returns: LfTypeSpec,
  update: Code,
  values: Readonly<Record<string, { type: LfTypeSpec; expression: Code }>> = {},
): EncodedPackage {
  const owner = e.list(t.party, [field('owner')]);
  const check = { consuming: true, argument: t.unit, returns, controllers: owner, update };
  return encodePackage({
    name: 'updated',
    modules: {
      Main: {
        templates: {
          T: {
            fields: { owner: t.party },
            signatories: owner,
            observers: e.nil(t.party),
            precondition: e.true,
            choices: { Check: check },
          },
        },
        values,
      },
    },
  });
}

it('leaves a check of times alone that has no time', () => {
  const UPDATE_UNIT = t.builtin(17, t.unit);
  const name = 'assertWithinDeadline';
  const check = {
    type: t.arrow(t.text, UPDATE_UNIT),
    expression: e.lambda({ name: t.text }, u.pure(t.unit, e.unit)),
  };
  const main = withUpdate(t.unit, e.call(e.value(`Main:${name}`), e.text('due')), {
    [name]: check,
  });
  expect(mutantsOf(main).filter((each) => each.includes(name))).toEqual([]);
});

it('leaves a comparison alone that has one operand', () => {
  const smaller = e.call(e.builtin('LESS', t.int64), e.int(5));
  const both = e.let(
    [['isLess', t.arrow(t.int64, t.bool), smaller]],
    u.pure(t.bool, e.call(e.var('isLess'), e.int(3))),
  );
  const found = mutantsOf(withUpdate(t.bool, both));
  expect(found.filter((each) => each.includes('<'))).toEqual([]);
  expect(found).toContain('5 → 6');
});
