/**
 * Reads updates. An update is a function of a token: what is evaluated before the token comes stands outside the lambda,
 * and what its running does, within. The ledger's actions are operations on `actions.ts`.
 */
import { parseError } from '../../archive/dar-refusals.js';
import type { TypeId } from '../../model/types.js';
import { Binding, isTotal, lambda, run, type Expression, type Operation } from './expression.js';
import type { ExpressionReader } from './expression-reader.js';
import type { SourceLocation } from '../../errors/source-location.js';
import type { Message } from './message.js';

/** What a binder is called; a binding without a name binds nothing. */
export function binderOf(
  reader: ExpressionReader,
  binding: Message,
): [name: string | undefined, bound: Message] {
  const binder = binding.messageAt(1);
  const bound = binding.messageAt(2);
  return [binder.isEmpty ? undefined : reader.name(binder.numberAt(3)), bound];
}

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

function readPure(reader: ExpressionReader, pure: Message): Expression {
  const value = reader.read(pure.messageAt(2));
  if (isTotal(value)) return lambda([new Binding()], value);
  const binding = new Binding();
  const body = lambda([new Binding()], { kind: 'variable', binding });
  return { kind: 'let', binding, bound: value, body };
}

/** The first action is evaluated with the block, all else as it runs. */
function readBlock(reader: ExpressionReader, message: Message): Expression {
  const bindings = message.messagesAt(1);
  if (bindings.length === 0) throw parseError('Unexpected empty bindings');
  const first = reader.read(bindings[0]!.messageAt(2));
  const evaluated = new Binding();
  const from = (index: number): Expression => {
    if (index === bindings.length) return run(reader.read(message.messageAt(2)));
    const [name, bound] = binderOf(reader, bindings[index]!);
    const update: Expression =
      index > 0
        ? reader.read(bound)
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
function readTryCatch(reader: ExpressionReader, message: Message): Expression {
  const body = lambda([new Binding()], run(reader.read(message.messageAt(2))));
  const exception = new Binding();
  const variable = reader.name(message.numberAt(3));
  const chosen = reader.bound(variable, exception, () => reader.read(message.messageAt(4)));
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
  return (reader: ExpressionReader, message: Message): Expression => {
    const template = reader.context.typeId(message.viewAt(1));
    const params = Array.from({ length: arity }, () => new Binding());
    const args = params.map((binding): Expression => ({ kind: 'variable', binding }));
    const constants = [template, reader.location];
    const operation: Operation = { kind: 'operation', name, constants, args, calls: true };
    return lambda([...params, new Binding()], operation);
  };
}

const NOTHING: Expression = { kind: 'constant', value: null };

/**
 * Exercises of a contract: by id, by key or through an interface.
 * @param fields of the template or interface, of the choice, and of each argument
 */
function readExercise(
  name: string,
  { id, choice, args }: { id: number; choice: number; args: readonly number[] },
) {
  return (reader: ExpressionReader, message: Message): Expression => {
    const constants: [TypeId, string, unknown] = [
      reader.context.typeId(message.viewAt(id)),
      reader.name(message.numberAt(choice)),
      reader.location,
    ];
    const read = args.map((field) => {
      const arg = message.messageAt(field);
      // Only a guard may be missing.
      return arg.isEmpty ? NOTHING : reader.read(arg);
    });
    return action(name, constants, read);
  };
}

/** An action on one template or interface, with one argument. */
function readSimple(name: string) {
  return (reader: ExpressionReader, message: Message): Expression => {
    const constants = [reader.context.typeId(message.viewAt(1)), reader.location];
    return action(name, constants, [reader.read(message.messageAt(2))]);
  };
}

const GET_TIME: Expression = {
  kind: 'operation',
  name: 'getTime',
  constants: [],
  args: [],
  calls: false,
};

/** By the number of the field of `Update`. */
const READERS: Readonly<
  Record<number, (reader: ExpressionReader, message: Message) => Expression>
> = {
  1: readPure,
  2: readBlock,
  3: readSimple('create'),
  4: readExercise('exercise', { id: 1, choice: 6, args: [3, 5] }),
  5: readSimple('fetch'),
  6: () => lambda([new Binding()], GET_TIME),
  7: (reader, message) => lambda([new Binding()], run(reader.read(message.messageAt(2)))),
  8: readKeyed('lookupByKey', 1),
  9: readKeyed('fetchByKey', 1),
  10: readExercise('exerciseByKey', { id: 1, choice: 2, args: [3, 4] }),
  11: readTryCatch,
  12: (reader, message) =>
    action('createInterface', [reader.location], [reader.read(message.messageAt(2))]),
  // The guard is evaluated last.
  13: readExercise('exerciseInterface', { id: 1, choice: 2, args: [5, 3, 4] }),
  14: readSimple('fetchInterface'),
  15: (reader, message) => action('ledgerTimeLt', [], [reader.read(message)]),
  16: readKeyed('queryNByKey', 2),
};

export function readUpdate(reader: ExpressionReader, message: Message): Expression {
  while (message.next()) {
    const read = READERS[message.field];
    if (read === undefined) throw parseError(`Update: unexpected field ${message.field}`);
    return read(reader, message.message());
  }
  throw parseError('Update.SUM_NOT_SET');
}
