/** The forms of expressions, a reader each, by the number of the field of `Expr` that holds them. */
import { parseError } from '../../archive/dar-refusals.js';
import { readNumeric } from '../../typing/decoding/literal-objects.js';
import { typeCon } from '../../archive/lf-type.js';
import { UNIT } from '../../model/values.js';
import {
  apply,
  Binding,
  lambda,
  type Alternative,
  type Expression,
  type Pattern,
} from './expression.js';
import type { ExpressionReader } from './expression-reader.js';
import { int64 } from '../runtime/int64.js';
import { NIL, structKey, TypeRep } from '../runtime/runtime-values.js';
import { binderOf, readUpdate } from './update-reader.js';
import type { Message } from './message.js';

type Read = (reader: ExpressionReader, message: Message) => Expression;

const readValue: Read = ({ context }, message) => {
  const module = message.messageAt(1);
  const definition = context.value(module.viewAt(1), module.numberAt(2), message.numberAt(2));
  return { kind: 'definition', definition };
};

/** Values by the names of their fields: messages of `FieldWithExpr`. */
function readNamed(
  reader: ExpressionReader,
  fields: readonly Message[],
): readonly [string, Expression][] {
  return fields.map((field) => [reader.name(field.numberAt(3)), reader.read(field.messageAt(2))]);
}

const readStruct: Read = (reader, message) => {
  const fields = readNamed(reader, message.messagesAt(1));
  return {
    kind: 'struct',
    names: fields.map(([name]) => name),
    fields: fields.map(([, value]) => value),
  };
};

/** What is read within the named bindings, the first outermost. */
function within(
  reader: ExpressionReader,
  names: readonly string[],
  bindings: readonly Binding[],
  body: Message,
): Expression {
  const inside = (index: number): Expression =>
    index === names.length
      ? reader.read(body)
      : reader.bound(names[index], bindings[index]!, () => inside(index + 1));
  return inside(0);
}

const readLambda: Read = (reader, message) => {
  const names = message.messagesAt(1).map((param) => reader.name(param.numberAt(3)));
  const bindings = names.map(() => new Binding());
  return lambda(bindings, within(reader, names, bindings, message.messageAt(2)));
};

const readLet: Read = (reader, message) => {
  const bindings = message.messagesAt(1);
  const from = (index: number): Expression => {
    if (index === bindings.length) return reader.read(message.messageAt(2));
    const [name, value] = binderOf(reader, bindings[index]!);
    const bound = reader.read(value);
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

const readCase: Read = (reader, message) => {
  const alternatives = message.messagesAt(2).map((each) => readAlternative(reader, each));
  return { kind: 'case', scrutinee: reader.read(message.messageAt(1)), alternatives };
};

function readAlternative(reader: ExpressionReader, message: Message): Alternative {
  let pattern: Pattern | undefined;
  let names: readonly string[] = [];
  while (message.next()) {
    if (message.field === 1) message.skip();
    else [pattern, names] = readPattern(reader, message);
  }
  if (pattern === undefined) throw parseError('CaseAlt.SUM_NOT_SET');
  const bindings = names.map(() => new Binding());
  return { pattern, bindings, body: within(reader, names, bindings, message.messageAt(1)) };
}

function readPattern(reader: ExpressionReader, field: Message): [Pattern, readonly string[]] {
  const form = field.field;
  if (form === 4) {
    const constant = field.int();
    return [{ kind: 'constant', value: constant === 0 ? UNIT : constant === 2 }, []];
  }
  const message = field.message();
  const name = (number: number): string => reader.name(message.numberAt(number));
  switch (form) {
    case 2:
      return [{ kind: 'default' }, []];
    case 3:
    case 9: {
      const rank = reader.context.rank(reader.context.typeId(message.viewAt(1)), name(2));
      const variant = form === 3;
      return [{ kind: 'rank', rank, variant }, variant ? [name(3)] : []];
    }
    case 5:
      return [{ kind: 'nil' }, []];
    case 6:
      return [{ kind: 'cons' }, [name(1), name(2)]];
    case 7:
      return [{ kind: 'none' }, []];
    case 8:
      return [{ kind: 'some' }, [name(1)]];
    default:
      throw parseError(`CaseAlt: unexpected field ${form}`);
  }
}

const FAILURE_CATEGORIES = [8, 9];

function readLiteral(reader: ExpressionReader, message: Message): unknown {
  while (message.next()) {
    switch (message.field) {
      case 1:
        return int64(message.sint64());
      case 2:
        return int64(message.fixed64());
      case 3:
        return readNumeric(reader.name(message.int()));
      case 4:
        return reader.name(message.int());
      case 5:
        return message.int();
      case 6:
        return FAILURE_CATEGORIES[message.int()];
      default:
        return message.int();
    }
  }
  throw parseError('BuiltinLit.SUM_NOT_SET');
}

/** The position of a field in its record, of which `con` is the field of the type. */
function fieldIndex(reader: ExpressionReader, con: Message, field: number): number {
  return reader.context.fieldIndex(reader.constructorOf(con), reader.name(field));
}

/** By the number of the field of `Expr`. */
export const FORMS: Readonly<Record<number, Read>> = {
  3: readValue,
  6: (reader, message) => ({ kind: 'constant', value: readLiteral(reader, message) }),
  7: (reader, message) => ({
    kind: 'record',
    fields: readNamed(reader, message.messagesAt(2)).map(([, value]) => value),
  }),
  8: (reader, message) => {
    const index = fieldIndex(reader, message.messageAt(1), message.numberAt(4));
    return { kind: 'project', index, record: reader.read(message.messageAt(3)) };
  },
  9: (reader, message) => {
    const index = fieldIndex(reader, message.messageAt(1), message.numberAt(2));
    const target = reader.read(message.messageAt(3));
    return { kind: 'update', key: `p${index}`, target, value: reader.read(message.messageAt(4)) };
  },
  10: (reader, message) => {
    const type = reader.constructorOf(message.messageAt(1));
    const rank = reader.context.rank(type, reader.name(message.numberAt(2)));
    return { kind: 'variant', rank, value: reader.read(message.messageAt(3)) };
  },
  11: (reader, message) => {
    const type = reader.context.typeId(message.viewAt(1));
    const rank = reader.context.rank(type, reader.name(message.numberAt(2)));
    return { kind: 'constant', value: rank };
  },
  12: readStruct,
  13: (reader, message) => {
    const key = structKey(reader.name(message.numberAt(1)));
    return { kind: 'member', key, struct: reader.read(message.messageAt(2)) };
  },
  14: (reader, message) => {
    const key = structKey(reader.name(message.numberAt(1)));
    const target = reader.read(message.messageAt(2));
    return { kind: 'update', key, target, value: reader.read(message.messageAt(3)) };
  },
  15: (reader, message) => {
    const args = message.messagesAt(2).map((arg) => reader.read(arg));
    return apply(reader.read(message.messageAt(1)), args, reader.location);
  },
  16: (reader, message) => {
    const read = reader.read(message.messageAt(1));
    if (read.kind !== 'builtin' || read.number < 2 || read.number > 6) return read;
    const [argument] = message.messagesAt(2);
    const type = reader.context.type(argument?.view ?? new Uint8Array());
    return { ...read, type: type.tag === 'builtin' ? type.name : undefined };
  },
  17: readLambda,
  18: (reader, message) => reader.read(message.messageAt(2)),
  19: readCase,
  20: readLet,
  21: () => ({ kind: 'constant', value: NIL }),
  22: (reader, message) => ({
    kind: 'cons',
    front: message.messagesAt(2).map((each) => reader.read(each)),
    tail: reader.read(message.messageAt(3)),
  }),
  23: readUpdate,
  25: () => ({ kind: 'constant', value: null }),
  26: (reader, message) => ({ kind: 'some', value: reader.read(message.messageAt(2)) }),
  27: (reader, message) => anyOperation('toAny', reader, message),
  28: (reader, message) => anyOperation('fromAny', reader, message),
  29: (reader, message) => ({ kind: 'constant', value: reader.typeRep(message) }),
  30: (reader, message) => anyOperation('toAny', reader, message),
  31: (reader, message) => anyOperation('fromAny', reader, message),
  32: (reader, message) => {
    const type = reader.typeRep(message.messageAt(2));
    return reader.operation('throwException', [type], [message.messageAt(3)]);
  },
  33: (reader, message) => {
    const type = TypeRep.of(typeCon(reader.context.typeId(message.viewAt(2))));
    return reader.operation('toInterface', [type], [message.messageAt(3)], { total: true });
  },
  34: (reader, message) => {
    const template = reader.context.typeId(message.viewAt(2));
    return reader.operation('fromInterface', [template], [message.messageAt(3)]);
  },
  35: (reader, message) => {
    const method = reader.name(message.numberAt(2));
    const constants = [reader.context.typeId(message.viewAt(1)), method];
    return reader.operation('callInterface', constants, [message.messageAt(3)], { calls: true });
  },
  36: (reader, message) => interfaceOperation('signatoryInterface', reader, message),
  37: (reader, message) => interfaceOperation('observerInterface', reader, message),
  38: (reader, message) => interfaceOperation('viewInterface', reader, message),
  39: (reader, message) => {
    const template = reader.context.typeId(message.viewAt(2));
    const args = [message.messageAt(3), message.messageAt(4)];
    return reader.operation('unsafeFromInterface', [template], args);
  },
  40: (reader, message) =>
    reader.operation('interfaceTypeRep', [], [message.messageAt(2)], { total: true }),
  41: (reader, message) => reader.read(message.messageAt(3)),
  42: (reader, message) => {
    const requiring = reader.context.typeId(message.viewAt(2));
    return reader.operation('fromRequiredInterface', [requiring], [message.messageAt(3)]);
  },
  43: (reader, message) => {
    const ids = [1, 2].map((field) => reader.context.typeId(message.viewAt(field)));
    const args = [message.messageAt(3), message.messageAt(4)];
    return reader.operation('unsafeFromRequiredInterface', ids, args);
  },
  1001: (reader, message) => choiceOperation('choiceController', reader, message),
  1002: (reader, message) => choiceOperation('choiceObserver', reader, message),
  9999: (_, message) => {
    const name = Buffer.from(message.viewAt(1)).toString('utf8');
    return name === 'ANSWER'
      ? lambda([new Binding()], { kind: 'constant', value: 42 })
      : { kind: 'operation', name: 'experimental', constants: [name], args: [], calls: false };
  },
};

function anyOperation(name: string, reader: ExpressionReader, message: Message): Expression {
  const type = reader.typeRep(message.messageAt(1));
  return reader.operation(name, [type], [message.messageAt(2)], { total: true });
}

function interfaceOperation(name: string, reader: ExpressionReader, message: Message): Expression {
  const id = reader.context.typeId(message.viewAt(1));
  return reader.operation(name, [id], [message.messageAt(2)], { calls: true });
}

function choiceOperation(name: string, reader: ExpressionReader, message: Message): Expression {
  const constants = [reader.context.typeId(message.viewAt(1)), reader.name(message.numberAt(2))];
  const args = [message.messageAt(3), message.messageAt(4)];
  return reader.operation(name, constants, args, { calls: true });
}
