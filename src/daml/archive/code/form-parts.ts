/** Decoders that forms share: names, types, ids, binders, fields, and the checks of their number. */
import type { TypeId } from '../../model/types.js';
import { parseError } from '../dar-refusals.js';
import type { LfParams } from '../lf-definitions.js';
import type { Message } from '../wire/message.js';
import type { LfExpression } from './expression.js';
import type { Binder, Binding, FieldValue, TypeConApp } from './form.js';

export function requireSome<List extends readonly unknown[]>(list: List, what: string): List {
  if (list.length === 0) throw parseError(`Unexpected empty ${what}`);
  return list;
}

export function name({ code }: LfExpression, index: number): string {
  return code.lf.tables.name(index);
}

export function nameAt(e: LfExpression, message: Message, field: number): string {
  return name(e, message.numberAt(field));
}

/** The index of a type in the package's table, which has all types. */
export function type({ code }: LfExpression, message: Message): number {
  return code.lf.tables.typeIndex(message);
}

export function typeAt(e: LfExpression, message: Message, field: number): number {
  return type(e, message.messageAt(field));
}

/** The id of a data type, template, interface or value. */
export function id({ code }: LfExpression, message: Message): TypeId {
  return code.lf.tables.idOf(message);
}

export function idAt(e: LfExpression, message: Message, field: number): TypeId {
  return id(e, message.messageAt(field));
}

export function typeConApp(e: LfExpression, message: Message): TypeConApp {
  return { id: idAt(e, message, 1), args: message.messagesAt(2).map((arg) => type(e, arg)) };
}

export function binder(e: LfExpression, message: Message): Binder {
  return { name: nameAt(e, message, 3), type: typeAt(e, message, 2) };
}

/** Type variables with their kinds. */
export function typeVariables(e: LfExpression, message: Message): LfParams {
  const { tables } = e.code.lf;
  return message
    .messagesAt(1)
    .map((each) => [nameAt(e, each, 3), tables.kinds.of(each.messageAt(2))]);
}

/** The bindings of a `Block`. */
export function bindings(e: LfExpression, block: Message): readonly Binding[] {
  return block
    .messagesAt(1)
    .map((each) => ({ binder: binder(e, each.messageAt(1)), bound: e.part(each, 2) }));
}

export function fields(e: LfExpression, message: Message, field: number): readonly FieldValue[] {
  return message
    .messagesAt(field)
    .map((each) => ({ name: nameAt(e, each, 3), value: e.part(each, 2) }));
}
