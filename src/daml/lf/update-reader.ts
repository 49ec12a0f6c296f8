/**
 * Reads updates. An update is a function of a token: what is evaluated before the token comes stands outside the lambda,
 * and what its running does, within. The ledger's actions are operations on `actions.ts`.
 */
import { parseError } from '../dar/dar-refusals.js';
import type { TypeId } from '../types.js';
import { Binding, isTotal, lambda, run, type Expression, type Operation } from './expression.js';
import type { ExpressionReader, SourceLocation } from './expression-reader.js';
import { Cursor, readFields, repeated } from './wire-cursor.js';

/** What a binder is called; a binding without a name binds nothing. */
export function binderOf(
  reader: ExpressionReader,
  binding: Uint8Array,
): [name: string | undefined, bound: Uint8Array] {
  const [binder, bound] = readFields(binding, 1, 2) as [Uint8Array, Uint8Array];
  if (binder.length === 0) return [undefined, bound];
  return [reader.name(readFields(binder, -3)[0] as number), bound];
}

type Parts = (Uint8Array | number)[];

/** An update that does something once it runs, after its arguments were evaluated. Of the constants the last is its place. */
function action(
  name: string,
  constants: readonly unknown[],
  args: readonly Expression[],
): Expression {
  const lets: [Binding, Expression][] = [];
  const atoms = args.map((arg): Expression => {
    if (isTotal(arg)) return arg;
    const binding = new Binding();
    lets.push([binding, arg]);
    return { kind: 'variable', binding };
  });
  const at = constants.at(-1) as SourceLocation | undefined;
  const operation: Operation = { kind: 'operation', name, constants, args: atoms, calls: true, at };
  // Arguments are evaluated from the last to the first.
  return lets.reduce<Expression>(
    (body, [binding, bound]) => ({ kind: 'let', binding, bound, body }),
    lambda([new Binding()], operation),
  );
}

function readPure(reader: ExpressionReader, bytes: Uint8Array): Expression {
  const value = reader.read(readFields(bytes, 2)[0] as Uint8Array);
  if (isTotal(value)) return lambda([new Binding()], value);
  const binding = new Binding();
  const body = lambda([new Binding()], { kind: 'variable', binding });
  return { kind: 'let', binding, bound: value, body };
}

/** The first action is evaluated with the block, all else as it runs. */
function readBlock(reader: ExpressionReader, bytes: Uint8Array): Expression {
  const bindings = repeated(bytes, 1);
  const [body] = readFields(bytes, 2) as [Uint8Array];
  if (bindings.length === 0) throw parseError('Unexpected empty bindings');
  const [, firstBytes] = binderOf(reader, bindings[0]!);
  const first = reader.read(firstBytes);
  const evaluated = new Binding();
  const from = (index: number): Expression => {
    if (index === bindings.length) return run(reader.read(body));
    const [name, boundBytes] = binderOf(reader, bindings[index]!);
    const update: Expression =
      index > 0
        ? reader.read(boundBytes)
        : isTotal(first)
          ? first
          : { kind: 'variable', binding: evaluated };
    const binding = new Binding();
    return {
      kind: 'let',
      binding,
      bound: run(update),
      body: reader.bound(name, binding, () => from(index + 1)),
    };
  };
  const block = lambda([new Binding()], from(0));
  return isTotal(first) ? block : { kind: 'let', binding: evaluated, bound: first, body: block };
}

/** The handler answers an update to run instead, or none to throw on. */
function readTryCatch(reader: ExpressionReader, bytes: Uint8Array): Expression {
  const [attempt, variable, handler] = readFields(bytes, 2, -3, 4) as [
    Uint8Array,
    number,
    Uint8Array,
  ];
  const body = lambda([new Binding()], run(reader.read(attempt)));
  const exception = new Binding();
  const chosen = reader.bound(reader.name(variable), exception, () => reader.read(handler));
  const operation: Operation = {
    kind: 'operation',
    name: 'tryCatch',
    constants: [],
    args: [body, lambda([exception], chosen)],
    calls: true,
  };
  return lambda([new Binding()], operation);
}

function readKeyed(name: string, arity: number) {
  return (reader: ExpressionReader, bytes: Uint8Array): Expression => {
    const template = reader.context.typeId(readFields(bytes, 1)[0] as Uint8Array);
    const params = Array.from({ length: arity }, () => new Binding());
    const args = params.map((binding): Expression => ({ kind: 'variable', binding }));
    const constants = [template, reader.location];
    const operation: Operation = { kind: 'operation', name, constants, args, calls: true };
    return lambda([...params, new Binding()], operation);
  };
}

/** By the number of the field of `Update`. */
const READERS: Readonly<
  Record<number, (reader: ExpressionReader, bytes: Uint8Array) => Expression>
> = {
  1: readPure,
  2: readBlock,
  3: (reader, bytes) => {
    const [template, payload] = readFields(bytes, 1, 2) as Uint8Array[];
    return action(
      'create',
      [reader.context.typeId(template!), reader.location],
      [reader.read(payload!)],
    );
  },
  4: (reader, bytes) => {
    const [template, contractId, argument, choice] = readFields(bytes, 1, 3, 5, -6);
    return exercise('exercise', reader, [template!, choice!], [contractId!, argument!]);
  },
  5: (reader, bytes) => {
    const [template, contractId] = readFields(bytes, 1, 2) as Uint8Array[];
    return action(
      'fetch',
      [reader.context.typeId(template!), reader.location],
      [reader.read(contractId!)],
    );
  },
  6: () =>
    lambda([new Binding()], {
      kind: 'operation',
      name: 'getTime',
      constants: [],
      args: [],
      calls: false,
    }),
  7: (reader, bytes) => {
    const body = reader.read(readFields(bytes, 2)[0] as Uint8Array);
    return lambda([new Binding()], run(body));
  },
  8: readKeyed('lookupByKey', 1),
  9: readKeyed('fetchByKey', 1),
  10: (reader, bytes) => {
    const [template, choice, key, argument] = readFields(bytes, 1, -2, 3, 4);
    return exercise('exerciseByKey', reader, [template!, choice!], [key!, argument!]);
  },
  11: readTryCatch,
  12: (reader, bytes) => {
    const [, payload] = readFields(bytes, 1, 2) as Uint8Array[];
    return action('createInterface', [reader.location], [reader.read(payload!)]);
  },
  13: (reader, bytes) => {
    const [id, choice, contractId, argument, guard] = readFields(bytes, 1, -2, 3, 4, 5);
    return exercise('exerciseInterface', reader, [id!, choice!], [contractId!, argument!, guard!]);
  },
  14: (reader, bytes) => {
    const [id, contractId] = readFields(bytes, 1, 2) as Uint8Array[];
    return action(
      'fetchInterface',
      [reader.context.typeId(id!), reader.location],
      [reader.read(contractId!)],
    );
  },
  15: (reader, bytes) => action('ledgerTimeLt', [], [reader.read(bytes)]),
  16: readKeyed('queryNByKey', 2),
};

function exercise(name: string, reader: ExpressionReader, head: Parts, args: Parts): Expression {
  const [id, choice] = head as [Uint8Array, number];
  const constants: [TypeId, string, unknown] = [
    reader.context.typeId(id),
    reader.name(choice),
    reader.location,
  ];
  return action(
    name,
    constants,
    args.map((arg): Expression =>
      // Only a guard may be missing.
      (arg as Uint8Array).length === 0
        ? { kind: 'constant', value: null }
        : reader.read(arg as Uint8Array),
    ),
  );
}

export function readUpdate(reader: ExpressionReader, bytes: Uint8Array): Expression {
  const cursor = new Cursor(bytes);
  while (cursor.next()) {
    const read = READERS[cursor.field];
    if (read === undefined) throw parseError(`Update: unexpected field ${cursor.field}`);
    return read(reader, cursor.bytesValue());
  }
  throw parseError('Update.SUM_NOT_SET');
}
