/** Contents of a package that each language version allows: the cases of upstream's DecodeV2Spec, as refusals of an upload. */
import { readDar } from '../../../src/daml/dar/dar-file.js';
import { buildDar } from '../../support/daml/dar-builder.js';
import { e, u, type Code } from '../../support/daml/lf-code.js';
import { encodePackage, type PackageSpec } from '../../support/daml/lf-encoder.js';
import { t, type LfTypeSpec } from '../../support/daml/lf-types.js';
import {
  flag,
  int,
  message,
  packed,
  part,
  parts,
  sint,
} from '../../support/daml/protobuf-bytes.js';
import { refusalOf } from './refused.js';

type Version = NonNullable<PackageSpec['lf']>;
type Spec = Partial<PackageSpec>;
const VERSIONS: readonly Version[] = ['1', '2', '3', '4', 'dev'];

const READ = 'read';
const UNIT = message();
const STAR = message(part(1, UNIT));

/** READ, or what DAR_PARSE_ERROR gives as the reason. */
function fault(lf: Version, spec: Spec): string {
  const types = { R: { record: { x: t.text } } };
  const dar = buildDar(encodePackage({ lf, modules: { M: { types } }, ...spec }));
  try {
    readDar(dar);
    return READ;
  } catch {
    const { code, context } = refusalOf(dar);
    // An ill-typed package was decoded.
    if (code === 'DAR_VALIDATION_ERROR') return READ;
    return code === 'DAR_PARSE_ERROR' ? context['reason']! : code;
  }
}

const by = (of: (lf: Version) => string): Record<string, string> =>
  Object.fromEntries(VERSIONS.map((lf) => [lf, of(lf)]));
const faults = (spec: Spec): Record<string, string> => by((lf) => fault(lf, spec));

const always = (expected: string) => by(() => expected);
const only = (first: Version, last: Version, what: string) =>
  by((lf) => {
    const rank = VERSIONS.indexOf(lf);
    const isIn = rank >= VERSIONS.indexOf(first) && rank <= VERSIONS.indexOf(last);
    return isIn ? READ : `${what} is not supported by Daml-LF 2.${lf}`;
  });
const since = (first: Version, what: string) => only(first, 'dev', what);
/** Refusals of flat archives, which 2.1 accepts. */
const localFlattening = (expected: string, found: number) =>
  by((lf) =>
    lf === '1'
      ? READ
      : `Illegal local flattening: ${expected}, but found ${found}, version 2.${lf}`,
  );
const one = (what: string) =>
  localFlattening(`since lf flattening is supported, expected a single element for ${what}`, 2);
const none = (what: string) =>
  localFlattening(`Since lf flattening is supported, expected a null list ${what}`, 1);

const value = (expression: Code | Uint8Array, type: LfTypeSpec = t.unit): Spec => ({
  modules: { M: { values: { x: { type, expression } } } },
});
/** The type at index 0 is Text. */
const text = message(int(8, 0));
const entry = (...rawTypes: Uint8Array[]): Spec => ({ rawTypes });

describe('dotted names', () => {
  const used: Spec = { modules: { M: { types: { R: { record: { x: t.unit } } } } } };

  test('are all read from the table, used or not (B-PKG-029)', () => {
    const unused = (index: number): Spec => ({
      ...used,
      rawDottedNames: [message(packed(1, [index]))],
    });
    expect(faults(unused(0))).toEqual(always(READ));
    expect(faults(unused(70))).toEqual(always('invalid string table index 70'));
  });
});

describe('kinds', () => {
  const typeVariable = (kind: Uint8Array) => message(part(2, kind), int(3, 0));
  /** Of a type behind others. */
  const ofKind = (kind: Uint8Array): Spec =>
    entry(message(part(4, message(part(1, typeVariable(kind)), part(2, text)))));
  const arrow = (...params: Uint8Array[]) =>
    message(part(2, message(parts(1, params), part(2, STAR))));
  const interned = message(int(4, 32));

  test.each<[string, Spec, Record<string, string>]>([
    ['nat', ofKind(message(part(3, UNIT))), always(READ)],
    [
      'a reference to the kind table',
      ofKind(interned),
      {
        ...always('invalid internedKinds table index 32'),
        1: 'Flat Archive (case interned kinds) is not supported by Daml-LF 2.1',
      },
    ],
    ['an arrow without parameters', ofKind(arrow()), always('Unexpected empty params')],
    ['an arrow with two parameters', ofKind(arrow(STAR, STAR)), one('params')],
    ['a kind table', { rawKinds: [STAR] }, since('2', 'Flat Archive')],
    [
      'a reference as an entry of the table',
      { rawKinds: [interned] },
      {
        ...always('Immediate InternedKind in interning table (needs concrete constructor)'),
        1: 'Flat Archive is not supported by Daml-LF 2.1',
      },
    ],
  ])('%s', (_, spec, expected) => {
    expect(faults(spec)).toEqual(expected);
  });
});

describe('types', () => {
  const nat = (scale: bigint | number) => message(sint(6, scale));
  const builtin = (number: number, ...args: Uint8Array[]) =>
    message(part(3, message(int(1, number), parts(2, args))));
  const struct = (...names: number[]) =>
    message(
      part(
        5,
        message(
          parts(
            1,
            names.map((name) => message(part(2, text), int(3, name))),
          ),
        ),
      ),
    );
  const variable = (...args: Uint8Array[]) => message(part(1, message(int(3, 0), parts(2, args))));
  const self = message(part(1, message(part(1, message(part(1, UNIT))), int(2, 0))), int(2, 0));
  const binder = message(part(2, STAR), int(3, 0));
  const forall = (...vars: Uint8Array[]) =>
    message(part(4, message(parts(1, vars), part(2, text))));
  const con = (field: number, ...args: Uint8Array[]) =>
    message(part(field, message(part(1, self), parts(2, args))));

  test('Numeric accepts scales from 0 to 37', () => {
    expect(faults(entry(...[0, 1, 2, 5, 11, 35, 36, 37].map(nat)))).toEqual(always(READ));
    const wrong = [-(2n ** 63n), -100n, -2n, -1n, 38n, 39n, 200n, 2n ** 63n - 1n];
    for (const scale of wrong)
      expect(faults(entry(nat(scale)))).toEqual(
        always(`TNat must be between 0 and 37, found ${scale}`),
      );
  });

  test.each<[string, Spec, Record<string, string>]>([
    ['Any', entry(builtin(13)), always(READ)],
    ['AnyException', entry(builtin(14)), always(READ)],
    ['BigNumeric', entry(builtin(1002)), since('dev', 'daml_lf_2.BuiltinType.BIGNUMERIC')],
    ['RoundingMode', entry(builtin(1003)), since('dev', 'daml_lf_2.BuiltinType.ROUNDING_MODE')],
    ['Numeric without a scale', entry(builtin(5)), always(READ)],
    ['a structure', entry(struct(0, 1)), always(READ)],
    [
      'a structure with the same field twice',
      entry(struct(0, 0)),
      always('TStruct: duplicate field M'),
    ],
    ['a variable with nested arguments', entry(variable(text)), none('tvar.getArgsList')],
    ['a constructor with nested arguments', entry(con(2, text)), none('tcon.getArgsList')],
    ['a builtin with nested arguments', entry(builtin(10, text)), none('builtin.getArgsList')],
    ['a forall with two variables', entry(forall(binder, binder)), one('builtin.getArgsList')],
    [
      'an application, which flat archives use',
      entry(message(part(9, message(part(1, builtin(10)), part(2, text))))),
      {
        ...always(READ),
        1: 'Illegal case: TApp not supported in version 2.1, since this version has local flattening',
      },
    ],
    [
      'a reference as an entry of the table',
      entry(message(int(8, 42))),
      always('Immediate Interned type in interning table (needs concrete constructor)'),
    ],
  ])('%s', (_, spec, expected) => {
    expect(faults(spec)).toEqual(expected);
  });

  test.each<[string, Uint8Array]>([
    ['VAR', variable()],
    ['NAT', nat(10)],
    ['SYN', con(7)],
    ['CON', con(2)],
    ['BUILTIN', builtin(1)],
    ['FORALL', forall(binder)],
    ['STRUCT', struct(0)],
  ])('%s must be in the table', (what, type) => {
    expect(faults(value(message(part(21, message(part(1, type))))))).toEqual(
      always(`${what} is not supported outside type interning table`),
    );
  });
});

describe('expressions', () => {
  const interned = (index: number) => message(int(44, index));
  const lambda =
    (params: number, body: Uint8Array): Code =>
    (into) => {
      const binder = message(part(2, into.type(t.unit)), int(3, into.string('a')));
      return message(
        part(17, message(parts(1, Array<Uint8Array>(params).fill(binder)), part(2, body))),
      );
    };
  const unit = message(int(5, 0));
  /** An entry at an index of the table, under a value that refers to it. */
  const tabled =
    (entryOf: (index: number) => Code): Code =>
    (into) => {
      const index = into.expressions.length;
      into.expressions.push(new Uint8Array());
      into.expressions[index] = entryOf(index)(into);
      return interned(index);
    };

  test.each<[string, LfTypeSpec, string]>([
    ['9999999999999999999999999999.9999999999', t.numeric(10), READ],
    ['0.0000000000', t.numeric(10), READ],
    ['1000000000000000000000000000000.', t.numeric(0), READ],
    ['99999999999999999999999999999999999999.', t.numeric(0), READ],
    ['-0.0', t.numeric(1), READ],
    ['0.', t.numeric(0), READ],
    ['3.1415', t.numeric(4), READ],
    ['-99999999999999999999.999999999999999999', t.numeric(18), READ],
    ...[
      '10000000000000000000000000000.0000000000',
      '-1000000000000000000000000000000000000000.',
      '0.000000000000000000000000000000000000001',
      '0000000000000000000000000000.0000000000',
      '0.0.0',
      '+0.0',
      '0',
    ].map((digits): [string, LfTypeSpec, string] => [
      digits,
      t.numeric(0),
      `Could not read Numeric string "${digits}"`,
    ]),
  ])('the numeric literal %s', (digits, type, expected) => {
    expect(faults(value(e.numeric(digits), type))).toEqual(always(expected));
  });

  test.each<[string, Record<string, string>]>([
    ...[
      'ADD_INT64',
      'APPEND_TEXT',
      'ADD_NUMERIC',
      'SUB_NUMERIC',
      'ROUND_NUMERIC',
      'NUMERIC_TO_TEXT',
    ]
      .concat('NUMERIC_TO_INT64', 'EQUAL', 'LESS_EQ', 'LESS', 'GREATER_EQ', 'GREATER')
      .concat('CONTRACT_ID_TO_TEXT', 'ANY_EXCEPTION_MESSAGE')
      .map((name): [string, Record<string, string>] => [name, always(READ)]),
    ...['SCALE', 'PRECISION', 'ADD', 'SUB', 'MUL', 'DIV', 'SHIFT_RIGHT', 'NUMERIC_TO']
      .map((name) => `${name}_BIGNUMERIC`)
      .concat('BIGNUMERIC_TO_NUMERIC', 'BIGNUMERIC_TO_TEXT', 'TYPE_REP_TYCON_NAME')
      .map((name): [string, Record<string, string>] => [
        name,
        since('dev', `daml_lf_2.BuiltinFunction.${name}`),
      ]),
    ['EXTERNAL_CALL', since('4', 'daml_lf_2.BuiltinFunction.EXTERNAL_CALL')],
    ['SECP256K1_VALIDATE_KEY', since('3', 'daml_lf_2.BuiltinFunction.SECP256K1_VALIDATE_KEY')],
  ])('the builtin %s', (name, expected) => {
    expect(faults(value(e.builtin(name)))).toEqual(expected);
  });

  test('rounding modes require 2.dev', () => {
    for (let mode = 0; mode < 8; mode += 1)
      expect(faults(value(e.roundingMode(mode)))).toEqual(
        since('dev', 'BigNumeric type (case Expr.rounding_mode)'),
      );
  });

  const exception = t.con('M:E');
  const token = e.record(exception, {});
  const any = e.toAnyException(exception, token);
  const [id, view] = [e.var('id'), e.var('view')];
  const withInterfaces = (body: Code): Spec => {
    const record = { record: {} };
    const interfaces = {
      I: { view: t.con('M:V'), choices: { Do: choice } },
      J: { view: t.con('M:V') },
    };
    const templates = { T: { fields: {} } };
    const params = { id: t.contractId(t.con('M:I')), view: t.con('M:I') };
    const values = { x: { type: t.unit, expression: e.lambda(params, body) } };
    return { modules: { M: { types: { V: record, E: record }, interfaces, templates, values } } };
  };
  const choice = { argument: t.unit, returns: t.unit };

  test.each<[string, Code, Record<string, string>]>([
    ['to_any_exception', any, always(READ)],
    ['from_any_exception', e.fromAnyException(exception, any), always(READ)],
    [
      'try_catch',
      u.tryCatch(t.unit, u.pure(t.unit, e.unit), 'a', e.none(t.builtin(17, t.unit))),
      always(READ),
    ],
    ['signatory_interface', e.signatoryInterface('M:I', view), always(READ)],
    ['observer_interface', e.observerInterface('M:I', view), always(READ)],
    ['to_interface', e.toInterface('M:I', 'M:T', view), always(READ)],
    ['from_interface', e.fromInterface('M:I', 'M:T', view), always(READ)],
    ['interface_template_type_rep', e.interfaceTypeRep('M:I', view), always(READ)],
    ['to_required_interface', e.toRequiredInterface('M:J', 'M:I', view), always(READ)],
    ['from_required_interface', e.fromRequiredInterface('M:J', 'M:I', view), always(READ)],
    [
      'unsafe_from_required_interface',
      e.unsafeFromRequiredInterface('M:J', 'M:I', id, view),
      always(READ),
    ],
    [
      'unsafe_from_interface',
      e.unsafeFromInterface('M:I', 'M:T', id, view),
      only('1', '1', 'UnsafeFromInterface builtin (case Expr.unsafe_from_interface)'),
    ],
    ['exercise_interface', u.exerciseInterface('M:I', 'Do', id, e.unit), always(READ)],
    ['fetch_interface', u.fetchInterface('M:I', id), always(READ)],
    [
      'exercise_interface with a guard',
      u.exerciseInterface('M:I', 'Do', id, e.unit, e.lambda({ i: t.con('M:I') }, e.true)),
      since('dev', 'Guards in interfaces (case exerciseInterface.guard)'),
    ],
    ['query_n_by_key', u.queryNByKey('M:T'), since('3', 'Non-unique contract keys')],
    ['fetch_by_key', u.fetchByKey('M:T'), since('3', 'Fetch by key')],
    [
      'experimental',
      e.experimental('ANSWER', t.int64),
      since('dev', 'Unstable, experimental features'),
    ],
  ])('%s', (_, body, expected) => {
    expect(faults(withInterfaces(body))).toEqual(expected);
  });

  const twoTypes: Code = (into) =>
    message(part(16, message(part(1, unit), parts(2, [into.type(t.unit), into.type(t.unit)]))));
  const forTypes: Code = (into) => {
    const binder = into.typeVariable('a');
    return message(part(18, message(parts(1, [binder, binder]), part(2, unit))));
  };

  test.each<[string, Code, Record<string, string>]>([
    [
      'a reference to the expression table',
      tabled(() => () => unit),
      since('2', 'Flat Archive (case INTERNED_EXPR)'),
    ],
    [
      'a reference with a negative index',
      () => interned(-1),
      {
        ...always('invalid internedExprs table index -1'),
        1: 'Flat Archive (case INTERNED_EXPR) is not supported by Daml-LF 2.1',
      },
    ],
    ['a function of two parameters', lambda(2, unit), one('params')],
    ['an application to two type arguments', twoTypes, one('params')],
    ['a function of two type parameters', forTypes, one('params')],
  ])('%s', (_, expression, expected) => {
    expect(faults(value(expression))).toEqual(expected);
  });

  const flat = VERSIONS.slice(1);
  const notMonotonic =
    'Interned expression indexes not monotonic (interned expressions may only refer to interned expressions of smaller index)';

  test.each<[string, Code, string]>([
    [
      'rejects a reference as an entry of the table',
      (into) => {
        const index = into.expressions.push(unit, interned(into.expressions.length)) - 1;
        return interned(index);
      },
      'Immediate InternedExpr in interning table (needs concrete constructor)',
    ],
    [
      'rejects a table that is not sorted',
      tabled((index) => lambda(1, interned(index))),
      notMonotonic,
    ],
  ])('%s', (_, expression, expected) => {
    for (const lf of flat) expect(fault(lf, value(expression))).toBe(expected);
  });
});

describe('fields', () => {
  const otherType = (type: string, field: number) =>
    always(`Message of type daml_lf_2.${type} contains unknown field numbered ${field}`);

  test('repeated numbers may be packed or not', () => {
    for (const isPacked of [false, true]) {
      const modules = { M: { types: { E: { enum: ['A', 'B', 'C'], isPacked } } } };
      expect(faults({ modules })).toEqual(always(READ));
      const { dataTypes } = readDar(buildDar(encodePackage({ modules }))).main;
      expect(dataTypes.get('M:E')!.body).toEqual({ kind: 'enum', constructors: ['A', 'B', 'C'] });
    }
  });

  test('with a wrong wire type are unknown, even in unused parts', () => {
    const location = message(part(2, message(part(1, UNIT))));
    expect(faults(value(message(part(1, location), int(5, 0))))).toEqual(
      otherType('Location.Range', 1),
    );
    expect(faults(entry(message(part(8, UNIT))))).toEqual(otherType('Type', 8));
  });
});

describe('packages', () => {
  test('a choice must have observers', () => {
    const withChoice = (observers: null | undefined): Spec => {
      const choices = { Do: { argument: t.unit, returns: t.unit, observers } };
      return { modules: { M: { templates: { T: { fields: {}, choices } } } } };
    };
    expect(faults(withChoice(undefined))).toEqual(always(READ));
    expect(faults(withChoice(null))).toEqual(always('Expr.SUM_NOT_SET'));
  });

  test('all feature flags must be set', () => {
    const old = 'Deprecated feature flag settings detected, refusing to parse package';
    for (let unset = 0; unset <= 3; unset += 1) {
      const flags = message(...[1, 2, 3].map((field) => flag(field, field !== unset)));
      expect(faults({ modules: { M: { flags } } })).toEqual(always(unset === 0 ? READ : old));
    }
  });

  const notAVersion = (version: string): string =>
    `Invalid package version string: \`${version}\`. Package versions are non-empty strings ` +
    'consisting of segments of digits (without leading zeros) separated by dots.';

  test.each<[string, Spec, string]>([
    ['a name and a version', { name: 'foobar', version: '0.0.0' }, READ],
    [
      'a name with a space',
      { name: 'foo bar' },
      'non expected character 0x20 in Daml-LF Package Name "foo bar"',
    ],
    ['a version with a leading zero', { version: '01.0.0' }, notAVersion('01.0.0')],
    ['a version with a dash', { version: '0.0.0-' }, notAVersion('0.0.0-')],
    ['a package that it upgrades', { upgradedPackageId: '0'.repeat(64) }, READ],
    [
      'an invalid id of the package that it upgrades',
      { upgradedPackageId: 'foo!' },
      'non expected character 0x21 in Daml-LF Package ID "foo!"',
    ],
  ])('%s', (_, spec, expected) => {
    expect(faults(spec)).toEqual(always(expected));
  });

  test('metadata is required', () => {
    expect(faults({ withoutMetadata: true })).toEqual(
      by((lf) => `Package.metadata is required in Daml-LF 2.${lf}`),
    );
  });

  test('has patch version 0', () => {
    expect(faults({ patch: 0 })).toEqual(always(READ));
    expect(faults({ patch: 1 })).toEqual(by((lf) => `Unknown patch version 1 for LF 2.${lf}`));
  });
});
