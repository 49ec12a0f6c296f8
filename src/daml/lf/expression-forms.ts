/** The forms of expressions, a reader each, by the number of the field of `Expr` that holds them. */
import { parseError } from '../dar/dar-refusals.js';
import { typeCon } from '../dar/lf-type.js';
import { Numeric } from '../numeric.js';
import type { TypeId } from '../types.js';
import { UNIT } from '../values.js';
import {
  apply,
  Binding,
  lambda,
  type Alternative,
  type Expression,
  type Pattern,
} from './expression.js';
import type { ExpressionReader } from './expression-reader.js';
import { int64 } from './int64.js';
import { NIL, structKey, TypeRep } from './runtime-values.js';
import { binderOf, readUpdate } from './update-reader.js';
import { Cursor, readFields, repeated } from './wire-cursor.js';

type Read = (reader: ExpressionReader, bytes: Uint8Array) => Expression;
const parts = (bytes: Uint8Array, ...numbers: number[]): Uint8Array[] =>
  readFields(bytes, ...numbers) as Uint8Array[];

const readValue: Read = (reader, bytes) => {
  const [module, name] = readFields(bytes, 1, -2) as [Uint8Array, number];
  const [packageRef, moduleName] = readFields(module, 1, -2) as [Uint8Array, number];
  return { kind: 'definition', definition: reader.context.value(packageRef, moduleName, name) };
};

function readNamed(reader: ExpressionReader, bytes: Uint8Array): readonly [string, Expression][] {
  return repeated(bytes, 2).map((field) => {
    const [expression, name] = readFields(field, 2, -3) as [Uint8Array, number];
    return [reader.name(name), reader.read(expression)];
  });
}

const readStruct: Read = (reader, bytes) => {
  const fields = repeated(bytes, 1).map((field): [string, Expression] => {
    const [expression, name] = readFields(field, 2, -3) as [Uint8Array, number];
    return [reader.name(name), reader.read(expression)];
  });
  return {
    kind: 'struct',
    names: fields.map(([name]) => name),
    fields: fields.map(([, value]) => value),
  };
};

const readLambda: Read = (reader, bytes) => {
  const [body] = parts(bytes, 2);
  const names = repeated(bytes, 1).map((param) => reader.name(readFields(param, -3)[0] as number));
  const bindings = names.map(() => new Binding());
  const inside = (index: number): Expression =>
    index === names.length
      ? reader.read(body!)
      : reader.bound(names[index], bindings[index]!, () => inside(index + 1));
  return lambda(bindings, inside(0));
};

const readLet: Read = (reader, bytes) => {
  const bindings = repeated(bytes, 1);
  const [body] = parts(bytes, 2);
  const from = (index: number): Expression => {
    if (index === bindings.length) return reader.read(body!);
    const [name, boundBytes] = binderOf(reader, bindings[index]!);
    const bound = reader.read(boundBytes);
    const binding = new Binding();
    return {
      kind: 'let',
      binding,
      bound,
      body: reader.bound(name, binding, () => from(index + 1)),
    };
  };
  return from(0);
};

const readCase: Read = (reader, bytes) => {
  const [scrutinee] = parts(bytes, 1);
  const alternatives = repeated(bytes, 2).map((each) => readAlternative(reader, each));
  return { kind: 'case', scrutinee: reader.read(scrutinee!), alternatives };
};

function readAlternative(reader: ExpressionReader, bytes: Uint8Array): Alternative {
  const cursor = new Cursor(bytes);
  let body: Uint8Array = new Uint8Array();
  let pattern: Pattern | undefined;
  let names: readonly string[] = [];
  while (cursor.next()) {
    if (cursor.field === 1) body = cursor.bytesValue();
    else [pattern, names] = readPattern(reader, cursor);
  }
  if (pattern === undefined) throw parseError('CaseAlt.SUM_NOT_SET');
  const bindings = names.map(() => new Binding());
  const inside = (index: number): Expression =>
    index === names.length
      ? reader.read(body)
      : reader.bound(names[index], bindings[index]!, () => inside(index + 1));
  return { pattern, bindings, body: inside(0) };
}

function readPattern(reader: ExpressionReader, cursor: Cursor): [Pattern, readonly string[]] {
  const { field } = cursor;
  if (field === 4) {
    const constant = cursor.int();
    return [{ kind: 'constant', value: constant === 0 ? UNIT : constant === 2 }, []];
  }
  const bytes = cursor.bytesValue();
  switch (field) {
    case 2:
      return [{ kind: 'default' }, []];
    case 3:
    case 9: {
      const [con, constructor_, binder] = readFields(bytes, 1, -2, -3) as [
        Uint8Array,
        number,
        number,
      ];
      const rank = reader.context.rank(reader.context.typeId(con), reader.name(constructor_));
      const variant = field === 3;
      return [{ kind: 'rank', rank, variant }, variant ? [reader.name(binder)] : []];
    }
    case 5:
      return [{ kind: 'nil' }, []];
    case 6: {
      const [head, tail] = readFields(bytes, -1, -2) as [number, number];
      return [{ kind: 'cons' }, [reader.name(head), reader.name(tail)]];
    }
    case 7:
      return [{ kind: 'none' }, []];
    case 8:
      return [{ kind: 'some' }, [reader.name(readFields(bytes, -1)[0] as number)]];
    default:
      throw parseError(`CaseAlt: unexpected field ${field}`);
  }
}

const FAILURE_CATEGORIES = [8, 9];

function readLiteral(reader: ExpressionReader, bytes: Uint8Array): unknown {
  const cursor = new Cursor(bytes);
  while (cursor.next()) {
    switch (cursor.field) {
      case 1:
        return int64(cursor.sint64());
      case 2:
        return int64(cursor.fixed64());
      case 3:
        return numericLiteral(reader.name(cursor.int()));
      case 4:
        return reader.name(cursor.int());
      case 5:
        return cursor.int();
      case 6:
        return FAILURE_CATEGORIES[cursor.int()];
      default:
        return cursor.int();
    }
  }
  throw parseError('BuiltinLit.SUM_NOT_SET');
}

function numericLiteral(text: string): Numeric {
  const match = /^(-?)(\d+)\.(\d{0,37})$/.exec(text);
  if (match === null) throw parseError(`cannot parse Numeric ${text}`);
  const unscaled = BigInt(match[2]! + match[3]!);
  return new Numeric(match[1] === '-' ? -unscaled : unscaled, match[3]!.length);
}

/** The two types that an interface conversion names, as ids. */
const ids = (reader: ExpressionReader, bytes: Uint8Array, ...numbers: number[]): TypeId[] =>
  parts(bytes, ...numbers).map((reference) => reader.context.typeId(reference));

/** By the number of the field of `Expr`. */
export const FORMS: Readonly<Record<number, Read>> = {
  3: readValue,
  6: (reader, bytes) => ({ kind: 'constant', value: readLiteral(reader, bytes) }),
  7: (reader, bytes) => ({
    kind: 'record',
    fields: readNamed(reader, bytes).map(([, value]) => value),
  }),
  8: (reader, bytes) => {
    const [con, record, field] = readFields(bytes, 1, 3, -4) as [Uint8Array, Uint8Array, number];
    const index = reader.context.fieldIndex(reader.constructorOf(con), reader.name(field));
    return { kind: 'project', index, record: reader.read(record) };
  },
  9: (reader, bytes) => {
    const [con, field, record, value] = readFields(bytes, 1, -2, 3, 4) as [
      Uint8Array,
      number,
      Uint8Array,
      Uint8Array,
    ];
    const index = reader.context.fieldIndex(reader.constructorOf(con), reader.name(field));
    return {
      kind: 'update',
      key: `p${index}`,
      target: reader.read(record),
      value: reader.read(value),
    };
  },
  10: (reader, bytes) => {
    const [con, constructor_, argument] = readFields(bytes, 1, -2, 3) as [
      Uint8Array,
      number,
      Uint8Array,
    ];
    const rank = reader.context.rank(reader.constructorOf(con), reader.name(constructor_));
    return { kind: 'variant', rank, value: reader.read(argument) };
  },
  11: (reader, bytes) => {
    const [con, constructor_] = readFields(bytes, 1, -2) as [Uint8Array, number];
    return {
      kind: 'constant',
      value: reader.context.rank(reader.context.typeId(con), reader.name(constructor_)),
    };
  },
  12: readStruct,
  13: (reader, bytes) => {
    const [struct, field] = readFields(bytes, 2, -1) as [Uint8Array, number];
    return { kind: 'member', key: structKey(reader.name(field)), struct: reader.read(struct) };
  },
  14: (reader, bytes) => {
    const [field, struct, value] = readFields(bytes, -1, 2, 3) as [number, Uint8Array, Uint8Array];
    return {
      kind: 'update',
      key: structKey(reader.name(field)),
      target: reader.read(struct),
      value: reader.read(value),
    };
  },
  15: (reader, bytes) => {
    const [fun] = parts(bytes, 1);
    const args = repeated(bytes, 2).map((arg) => reader.read(arg));
    return apply(reader.read(fun!), args, reader.location);
  },
  16: (reader, bytes) => {
    const [expression] = parts(bytes, 1);
    const read = reader.read(expression!);
    if (read.kind !== 'builtin' || read.number < 2 || read.number > 6) return read;
    const type = reader.context.type(repeated(bytes, 2)[0] ?? new Uint8Array());
    return { ...read, type: type.tag === 'builtin' ? type.name : undefined };
  },
  17: readLambda,
  18: (reader, bytes) => reader.read(parts(bytes, 2)[0]!),
  19: readCase,
  20: readLet,
  21: () => ({ kind: 'constant', value: NIL }),
  22: (reader, bytes) => ({
    kind: 'cons',
    front: repeated(bytes, 2).map((each) => reader.read(each)),
    tail: reader.read(parts(bytes, 3)[0]!),
  }),
  23: readUpdate,
  25: () => ({ kind: 'constant', value: null }),
  26: (reader, bytes) => ({ kind: 'some', value: reader.read(parts(bytes, 2)[0]!) }),
  27: (reader, bytes) => anyOperation('toAny', reader, bytes),
  28: (reader, bytes) => anyOperation('fromAny', reader, bytes),
  29: (reader, bytes) => ({ kind: 'constant', value: reader.typeRep(bytes) }),
  30: (reader, bytes) => anyOperation('toAny', reader, bytes),
  31: (reader, bytes) => anyOperation('fromAny', reader, bytes),
  32: (reader, bytes) => {
    const [type, exception] = parts(bytes, 2, 3);
    return reader.operation('throwException', [reader.typeRep(type!)], [exception!]);
  },
  33: (reader, bytes) => {
    const [, template] = ids(reader, bytes, 1, 2);
    const type = TypeRep.of(typeCon(template!));
    return reader.operation('toInterface', [type], [parts(bytes, 3)[0]!], { total: true });
  },
  34: (reader, bytes) => {
    const [, template] = ids(reader, bytes, 1, 2);
    return reader.operation('fromInterface', [template], [parts(bytes, 3)[0]!]);
  },
  35: (reader, bytes) => {
    const [id, method, value] = readFields(bytes, 1, -2, 3) as [Uint8Array, number, Uint8Array];
    const constants = [reader.context.typeId(id), reader.name(method)];
    return reader.operation('callInterface', constants, [value], { calls: true });
  },
  36: (reader, bytes) => interfaceOperation('signatoryInterface', reader, bytes),
  37: (reader, bytes) => interfaceOperation('observerInterface', reader, bytes),
  38: (reader, bytes) => interfaceOperation('viewInterface', reader, bytes),
  39: (reader, bytes) => {
    const [, template] = ids(reader, bytes, 1, 2);
    return reader.operation('unsafeFromInterface', [template], parts(bytes, 3, 4));
  },
  40: (reader, bytes) =>
    reader.operation('interfaceTypeRep', [], [parts(bytes, 2)[0]!], { total: true }),
  41: (reader, bytes) => reader.read(parts(bytes, 3)[0]!),
  42: (reader, bytes) => {
    const [, requiring] = ids(reader, bytes, 1, 2);
    return reader.operation('fromRequiredInterface', [requiring], [parts(bytes, 3)[0]!]);
  },
  43: (reader, bytes) =>
    reader.operation('unsafeFromRequiredInterface', ids(reader, bytes, 1, 2), parts(bytes, 3, 4)),
  1001: (reader, bytes) => choiceOperation('choiceController', reader, bytes),
  1002: (reader, bytes) => choiceOperation('choiceObserver', reader, bytes),
  9999: (reader, bytes) => {
    const name = Buffer.from(parts(bytes, 1)[0]!).toString('utf8');
    return name === 'ANSWER'
      ? lambda([new Binding()], { kind: 'constant', value: 42 })
      : { kind: 'operation', name: 'experimental', constants: [name], args: [], calls: false };
  },
};

function anyOperation(name: string, reader: ExpressionReader, bytes: Uint8Array): Expression {
  const [type, expression] = parts(bytes, 1, 2);
  return reader.operation(name, [reader.typeRep(type!)], [expression!], { total: true });
}

function interfaceOperation(name: string, reader: ExpressionReader, bytes: Uint8Array): Expression {
  const [id, expression] = parts(bytes, 1, 2);
  return reader.operation(name, [reader.context.typeId(id!)], [expression!], { calls: true });
}

function choiceOperation(name: string, reader: ExpressionReader, bytes: Uint8Array): Expression {
  const [id, choice, contract, argument] = readFields(bytes, 1, -2, 3, 4) as [
    Uint8Array,
    number,
    Uint8Array,
    Uint8Array,
  ];
  const constants = [reader.context.typeId(id), reader.name(choice)];
  return reader.operation(name, constants, [contract, argument], { calls: true });
}
